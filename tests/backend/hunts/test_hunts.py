"""A version of a library meets past cases on their stored readings: a preview first, then applied."""

from __future__ import annotations

from pathlib import Path

import pytest
from sqlalchemy import select

from backend.hunts import candidates, plans, steps
from backend.models import Event, Evidence, Finding, Hunt, LibraryVersion
from ingest.readers.logs import kernel_log, text
from tests.backend.libraries.conftest import OWN, of_bytes
from tests.backend.stored_evidence import judge_case, new_case, store_evidence

FULL = Path("signatures/library/net/conntrack-table-full/evidence/pos-one-line/kern.log").read_bytes()
QUIET = b"[    1.000000] Linux version 6.1.0-18-amd64 (debian-kernel@lists.debian.org)\n"
OURS, SHIPPED = "net/our-table-full", "net/conntrack-table-full"


@pytest.fixture
def past(session, store, tmp_path):
    """Three judged cases: two whose log holds the class, one without a kernel log."""
    made = []
    for number, (content, reader, name) in enumerate(
        (
            (FULL, kernel_log, "kern.log"),
            (b"we saw nothing\n", text, "note.txt"),
            (FULL + QUIET, kernel_log, "kern.log"),
        )
    ):
        case = new_case(session, f"case {number}")
        store_evidence(session, store, tmp_path / str(number), case, content, reader, name=name)
        judge_case(session, store, case.id)
        made.append(case)
    session.commit()
    return made


def shadow(web, work, text=OWN, signature=OURS):
    web.put("/libraries/ours/archive", content=of_bytes({f"{signature}/signature.yaml": text.encode()}))
    work()
    return web.get("/libraries/ours").json()["shadow"]


def hunted(web, work, **body):
    answer = web.post("/hunts", json={"library": "ours", **body})
    assert answer.status_code == 202, answer.text
    while work("hunts.step"):
        pass
    return web.get(f"/hunts/{answer.json()['id']}").json()


def changes(web, hunt):
    rows = web.get(f"/hunts/{hunt['id']}/cases").json()["items"]
    return {row["case_number"]: row for row in rows}


def verdicts(session, signature=OURS):
    query = select(Finding.case_id, Finding.verdict).where(Finding.signature == signature)
    return dict(session.execute(query).all())


def test_a_preview_counts_gains_with_the_lines_that_decide_and_changes_nothing(web, work, past, session):
    shadow(web, work)
    hunt = hunted(web, work)
    assert (hunt["state"], hunt["total"], hunt["done"]) == ("done", 3, 3)
    # The case without a kernel log holds nothing that the signature needs.
    assert (hunt["judged"], hunt["gained"], hunt["lost"]) == (2, 2, 0)
    rows = changes(web, hunt)
    assert set(rows) == {past[0].number, past[2].number}
    verdict = rows[past[0].number]["verdicts"][0]
    assert (verdict["signature"], verdict["before"], verdict["after"]) == (OURS, None, "match")
    assert (verdict["lines"][0]["path"], verdict["lines"][0]["first_line"]) == ("kern.log", 1)
    assert verdicts(session) == {}


def test_an_applied_hunt_judges_what_changes_and_tells_the_owners(web, work, past, session):
    version = shadow(web, work)
    path = f"/libraries/ours/versions/{version['id']}/activate"
    assert web.post(path, json={}).status_code == 409
    hunted(web, work)
    assert web.post(path, json={}).status_code == 200
    assert verdicts(session) == {}
    hunt = hunted(web, work, version_id=version["id"], applies=True)
    assert (hunt["state"], hunt["gained"]) == ("done", 2)
    assert verdicts(session) == {past[0].id: "match", past[2].id: "match"}
    told = session.scalars(select(Event).where(Event.kind == "hunt.changed")).all()
    assert {one.case_id for one in told} == {past[0].id, past[2].id}
    assert told[0].payload["library"] == f"ours@{version['commit'][:12]}"
    # Once they are judged, a second hunt changes nothing.
    again = hunted(web, work, version_id=version["id"], applies=True)
    assert (again["gained"], again["lost"]) == (0, 0)


def test_a_retired_library_loses_its_findings_in_a_hunt(web, work, past, session):
    version = shadow(web, work)
    web.post(f"/libraries/ours/versions/{version['id']}/activate", json={"unchecked": True})
    hunted(web, work, version_id=version["id"], applies=True)
    web.post("/libraries/ours/retire")
    assert len(verdicts(session)) == 2
    hunt = hunted(web, work, version_id=version["id"], applies=True)
    assert (hunt["gained"], hunt["lost"]) == (0, 2)
    assert verdicts(session) == {}
    assert set(verdicts(session, SHIPPED)) == {past[0].id, past[2].id}


def test_a_version_that_narrows_a_shipped_signature_shows_what_it_loses(web, work, past):
    text = OWN.replace(OURS, SHIPPED).replace("at_least: 1, strong: 1", "at_least: 1000, strong: 1000")
    shadow(web, work, text, SHIPPED)
    hunt = hunted(web, work)
    assert (hunt["gained"], hunt["lost"]) == (0, 2)
    verdict = changes(web, hunt)[past[0].number]["verdicts"][0]
    assert (verdict["before"], verdict["after"], verdict["lines"]) == ("match", None, [])


@pytest.mark.usefixtures("past")
def test_other_words_change_no_verdict_and_are_not_hunted(web, work):
    shipped = Path(f"signatures/library/{SHIPPED}/signature.yaml").read_text()
    text = shipped.replace("title: The connection tracking", "title: Our connection tracking", 1)
    version = shadow(web, work, text, SHIPPED)
    assert version is not None
    hunt = hunted(web, work)
    assert (hunt["signatures"], hunt["judged"], hunt["gained"]) == ([], 0, 0)


@pytest.mark.usefixtures("past")
def test_no_byte_of_evidence_is_read_again(web, work, session, store):
    shadow(web, work)
    for sha256 in session.scalars(select(Evidence.sha256)):
        store.delete(sha256)
    assert hunted(web, work)["gained"] == 2


@pytest.mark.usefixtures("past")
def test_a_cancelled_hunt_goes_on_after_its_last_case(web, work, monkeypatch):
    monkeypatch.setattr(candidates, "JUDGED_AT_A_TIME", 1)
    shadow(web, work)
    hunt = web.post("/hunts", json={"library": "ours"}).json()
    assert web.post("/hunts", json={"library": "ours"}).status_code == 409
    work("hunts.step")
    cancelled = web.post(f"/hunts/{hunt['id']}/cancel").json()
    assert (cancelled["state"], cancelled["done"], cancelled["gained"]) == ("cancelled", 1, 1)
    work("hunts.step")
    assert web.get(f"/hunts/{hunt['id']}").json()["done"] == 1
    assert web.post(f"/hunts/{hunt['id']}/resume").json()["state"] == "running"
    while work("hunts.step"):
        pass
    ended = web.get(f"/hunts/{hunt['id']}").json()
    assert (ended["state"], ended["done"], ended["gained"]) == ("done", 3, 2)
    assert web.post(f"/hunts/{hunt['id']}/resume").status_code == 409


def test_an_applied_hunt_locks_few_cases_at_a_time(web, work, past, session, monkeypatch):
    monkeypatch.setattr(steps, "AGAIN_AT_A_TIME", 1)
    version = shadow(web, work)
    web.post(f"/libraries/ours/versions/{version['id']}/activate", json={"unchecked": True})
    begun = web.post("/hunts", json={"library": "ours", "version_id": version["id"], "applies": True}).json()
    seen = []
    while work("hunts.step"):
        now = web.get(f"/hunts/{begun['id']}").json()
        seen.append((now["done"], now["judged"], now["gained"]))
    assert seen == [(1, 1, 1), (3, 2, 2), (3, 2, 2)]
    assert verdicts(session) == {past[0].id: "match", past[2].id: "match"}


def test_a_hunt_waits_while_others_work(web, work, past):
    shadow(web, work)
    begun = web.post("/hunts", json={"library": "ours"}).json()
    web.post(f"/cases/{past[0].number}/judge")
    work("hunts.step")
    assert web.get(f"/hunts/{begun['id']}").json()["done"] == 0


def test_the_index_leaves_out_only_cases_without_what_is_needed(web, work, past, session):
    version = shadow(web, work)
    row = session.get(LibraryVersion, version["id"])
    plan = plans.plan_of(session, row, applies=False, signatures=None)
    assert [(need.part, need.names) for need in plan.needs] == [("log_records", ("conntrack_full",))]
    batch = candidates.next_batch(session, plan, None)
    assert (batch.case_ids, len(batch.passed)) == ([past[2].id, past[0].id], 3)
    assert session.scalars(select(Hunt)).all() == []
