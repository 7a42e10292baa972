"""Evidence has the host and phase that people set, that it states, or that its folders suggest."""

from __future__ import annotations

import pytest
from sqlalchemy import select

from backend.evidence import service
from backend.models.evidence import Evidence
from ingest.readers.commands import host_text
from ingest.readers.proc import proc_vmstat
from tests.backend.stored_evidence import new_case, store_evidence

VMSTAT = b"pgscan_direct 12\npgsteal_direct 7\n"


@pytest.fixture
def case(session, store, tmp_path):
    """Two hosts, each before and after; one folder also holds a name."""
    case = new_case(session)
    for at, folder in enumerate(("web-01/before", "web-01/after", "web-02/before", "web-02/after")):
        content = VMSTAT + b"pswpin %d\n" % at
        store_evidence(session, store, tmp_path, case, content, proc_vmstat, captured_path=f"x/{folder}/v")
    store_evidence(
        session, store, tmp_path, case, b"db9\n", host_text, name="n", captured_path="x/web-02/etc/hostname"
    )
    service.case_changed(session, case.id)
    session.commit()
    return case


def listed(web, case):
    return web.get(f"/cases/{case.number}/evidence").json()["items"]


def placed(web, case):
    return [(one["host"], one["host_basis"], one["phase"], one["phase_basis"]) for one in listed(web, case)]


def change(web, case, at, **fields):
    ids = [listed(web, case)[one]["id"] for one in at]
    return web.patch(f"/cases/{case.number}/evidence", json={"evidence_ids": ids, **fields})


def test_folders_suggest_host_and_phase(case, web):
    assert placed(web, case) == [
        ("web-01", "assumed", "before", "assumed"),
        ("web-01", "assumed", "after", "assumed"),
        ("db9", "assumed", "before", "assumed"),
        ("db9", "assumed", "after", "assumed"),
        ("db9", "stated", "before", "assumed"),
    ]
    assert {host["name"] for host in web.get(f"/cases/{case.number}/hosts").json()["hosts"]} == {
        "web-01",
        "db9",
    }
    phases = web.get(f"/cases/{case.number}/phases").json()
    assert (phases["sick"], phases["since"]) == ("before", "after")


def test_what_a_person_set_stays_until_it_is_taken_back(case, web, session):
    before = placed(web, case)
    answer = change(web, case, [0, 4], host="db 7", phase="during")
    assert [one["host"] for one in answer.json()["items"]] == ["db 7"] * 2
    service.case_changed(session, case.id)
    session.commit()
    assert placed(web, case)[0] == ("db 7", "set", "during", "set")
    assert placed(web, case)[4] == ("db 7", "set", "during", "set")
    assert change(web, case, [0, 4], phase="during").json()["items"] == []
    change(web, case, [0, 4], host=None, phase=None)
    assert placed(web, case) == before


def test_members_go_with_their_archive_and_those_of_a_handoff_keep_their_manifest(case, web, session):
    archive = session.scalars(select(Evidence).order_by(Evidence.id)).first()
    place = {"case_id": case.id, "parent_id": archive.id, "sha256": archive.sha256, "size_bytes": 1}
    manifest = {"name": "db1", "machine_id": "", "boot_id": "", "phase": "after"}
    session.add_all(
        [
            Evidence(captured_path="m", **place),
            Evidence(captured_path="h", stated=manifest, phase="after", phase_basis="stated", **place),
        ]
    )
    session.commit()
    change(web, case, [0], host="db7", phase="during")
    members = {one["captured_path"]: one for one in listed(web, case) if one["parent_id"]}
    assert {(one["host"], one["phase"]) for one in members.values()} == {("db7", "during")}
    change(web, case, [0], host=None, phase=None)
    members = {one["captured_path"]: (one["host"], one["phase"]) for one in listed(web, case)}
    assert (members["m"], members["h"]) == (("web-01", "before"), ("db1", "after"))


@pytest.mark.parametrize("host", ["", " ", "a\u202eb", "h" * 254])
def test_names_that_are_no_hosts_are_refused(case, web, host):
    assert change(web, case, [0], host=host).status_code == 422
    assert web.put("/evidence/dmesg", params={"host": host}, content=b"a 1\n").status_code == 422


def test_the_sender_names_host_and_phase(web):
    place = {"host": "db7", "phase": "before"}
    received = [
        web.put("/evidence/dmesg", params=place, content=b"a 1\n"),
        web.post("/paste", params=place, json={"text": "a 1"}),
        web.post("/evidence", params=place, files=[("files", ("b", b"1\n"))]),
    ]
    assert {
        (one["host"], one["host_basis"], one["phase"], one["phase_basis"])
        for answer in received
        for one in answer.json()["evidence"]
    } == {("db7", "set", "before", "set")}
