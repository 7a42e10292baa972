"""New cases are judged by the active libraries of teams; those in shadow are counted for curators."""

from __future__ import annotations

from pathlib import Path

from backend.cases import stored_findings
from backend.findings import library
from backend.models import Role
from ingest.readers.logs import kernel_log
from tests.backend.libraries.conftest import OWN, of_bytes
from tests.backend.people import person, signed_in
from tests.backend.stored_evidence import judge_case, new_case, store_evidence

LOG = Path("signatures/library/net/conntrack-table-full/evidence/pos-one-line/kern.log").read_bytes()
SHIPPED, OURS = "net/conntrack-table-full", "net/our-table-full"


def in_shadow(web, work, text=OWN, name="payments"):
    web.put(f"/libraries/{name}/archive", content=of_bytes({f"{OURS}/signature.yaml": text.encode()}))
    work()
    return web.get(f"/libraries/{name}").json()["shadow"]


def activate(web, version, name="payments"):
    answer = web.post(f"/libraries/{name}/versions/{version['id']}/activate", json={"unchecked": True})
    assert answer.status_code == 200, answer.text


def judged(session, store, folder, web, title="gateway drops"):
    case = new_case(session, title)
    store_evidence(session, store, folder, case, LOG, kernel_log, name="kern.log")
    judge_case(session, store, case.id)
    session.commit()
    items = web.get(f"/cases/{case.number}/findings").json()["items"]
    return case, {one["signature"]: one for one in items if one["kind"] == "signature"}


def test_a_version_in_shadow_is_counted_for_curators_and_seen_by_nobody_else(  # noqa: PLR0917 - fixtures
    session, sessions, store, tmp_path, web, work, address
):
    version = in_shadow(web, work)
    case, findings = judged(session, store, tmp_path, web)
    assert SHIPPED in findings
    assert OURS not in findings
    found = web.get(f"/libraries/payments/versions/{version['id']}/findings").json()["items"]
    assert [(one["case_number"], one["signature"], one["verdict"]) for one in found] == [
        (case.number, OURS, "match")
    ]
    assert found[0]["lines"][0]["path"] == "kern.log"
    assert found[0]["lines"][0]["first_line"] >= 1
    assert web.get("/libraries/payments").json()["shadow"]["shadow_cases"] == 1
    with signed_in(address, sessions, person(sessions, "ann", Role.RESPONDER)) as responder:
        assert responder.get("/libraries").status_code == 403
        assert OURS not in responder.get(f"/cases/{case.number}/findings").text


def test_an_active_version_judges_new_cases_and_names_itself(session, store, tmp_path, web, work):
    before, _ = judged(session, store, tmp_path, web, "before")
    version = in_shadow(web, work)
    activate(web, version)
    _, findings = judged(session, store, tmp_path, web, "after")
    assert findings[OURS]["verdict"] == "match"
    assert findings[OURS]["library"] == f"payments@{version['commit'][:12]}"
    assert findings[SHIPPED].get("library", "") == ""
    # A case that was judged before keeps what it had.
    kept = web.get(f"/cases/{before.number}/findings").json()["items"]
    assert OURS not in {one.get("signature") for one in kept}
    shown = web.get(f"/signatures/{OURS}").json()
    assert (shown["title"], shown["library"]) == (
        "Our gateways drop packets of new connections",
        f"payments@{version['commit'][:12]}",
    )


def test_a_signature_of_a_team_replaces_the_shipped_one_of_its_id(session, store, tmp_path, web, work):
    text = OWN.replace(OURS, SHIPPED).replace("Our gateways", "In our words gateways")
    content = of_bytes({f"{SHIPPED}/signature.yaml": text.encode()})
    web.put("/libraries/payments/archive", content=content)
    work()
    version = web.get("/libraries/payments").json()["shadow"]
    shipped = library.catalog().get(SHIPPED)
    assert version["signatures"][0]["shadows"] == shipped.version
    activate(web, version)
    _, findings = judged(session, store, tmp_path, web)
    assert findings[SHIPPED]["title"].startswith("In our words")
    web.post("/libraries/payments/retire")
    _, findings = judged(session, store, tmp_path, web, "after it was retired")
    assert findings[SHIPPED]["title"] == shipped.title


def test_findings_of_a_library_are_read_back_as_they_were_judged(session, store, tmp_path, web, work):
    activate(web, in_shadow(web, work))
    case, _ = judged(session, store, tmp_path, web)
    stored = stored_findings.load(session, case.id)
    assert {one.signature for one in stored if one.library} == {OURS}
