"""The generated story of a case cites the lines of its findings and invents nothing."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from backend.findings import report
from backend.models import CaseLink, CasePerson, Note, Team, TeamMember
from backend.stories import from_case
from backend.stories.document import from_markdown, to_markdown
from ingest.readers.bpf import bpftrace_text
from ingest.readers.logs import kernel_log
from ingest.readers.traces import bare_stack
from tests.backend.people import case as seen_case
from tests.backend.stored_evidence import judge_case, new_case, store_evidence

if TYPE_CHECKING:
    from backend.models import Case

PUBLISHED = Path("tests/data/published/vanishing-cpu")
HOLD = (PUBLISHED / "bpftrace-mmap_lock-hold.txt").read_bytes()
STACK = (PUBLISHED / "stack.shrink_lruvec.txt").read_bytes()
OOM = Path("tests/data/kernel-log/dmesg-oom.txt").read_bytes()
HELD = "mm/mmap-lock-held-in-reclaim"


@pytest.fixture
def case(session, store, tmp_path) -> Case:
    case = new_case(session, "db7 *stalls*")
    store_evidence(session, store, tmp_path, case, HOLD, bpftrace_text, name="hold`s.txt")
    store_evidence(session, store, tmp_path, case, STACK, bare_stack, name="stack.txt")
    judge_case(session, store, case.id)
    return case


def test_every_quoted_line_is_in_the_cited_place(session, store, case):
    text = from_case.draft(session, store, case).text
    found = next(
        one for one in report.signatures_of_case(session, case, with_all=False) if one.signature == HELD
    )
    cited = [
        citation for clause in found.conditions if clause.state == "TRUE" for citation in clause.citations[:2]
    ]
    assert cited
    content = {"hold`s.txt": HOLD, "stack.txt": STACK}
    for citation in cited:
        lines = content[citation.evidence].decode().split("\n")[citation.first_line - 1 : citation.last_line]
        assert "\n".join(lines[: from_case.FIRST_LINES]) in text
        assert "\n".join(lines[-from_case.LAST_LINES :]) in text
        assert f"evidence={citation.evidence_id}&line={citation.first_line}" in text
    assert "``hold`s.txt``" in text


def test_the_chain_of_causes_is_a_list_with_the_lines_of_nodes_and_edges(session, store, tmp_path):
    case = new_case(session, "db8 read-only")
    log = (
        b"[  100.100000] nvme nvme0: I/O 17 QID 4 timeout, aborting\n"
        b"[  130.200000] nvme nvme0: Disabling device after reset failure: -19\n"
    )
    evidence = store_evidence(session, store, tmp_path, case, log, kernel_log, name="dmesg.txt")
    judge_case(session, store, case.id)
    text = from_case.draft(session, store, case).text
    second = next(line for line in text.splitlines() if line.startswith("2. "))
    assert f"evidence={evidence.id}&line=2" in second
    assert f"evidence={evidence.id}&line=1" in second
    assert "same device nvme0, 30 s later" in second


def test_the_names_of_files_are_no_title_of_a_story(session, store, case):
    found = report.signatures_of_case(session, case, with_all=False)[0].title
    for made in ("stack.txt", "stack.txt and 1 more file", "Untitled case"):
        case.title = made
        assert from_case.draft(session, store, case).title == found
    for named in ("stack.txt of db7", "stack and two more files", "db7 stalls"):
        case.title = named
        assert from_case.draft(session, store, case).title == named
    bare = new_case(session, "Untitled case")
    assert from_case.draft(session, store, bare).title == ""


def test_findings_are_linked_with_their_certainty(session, store, case):
    story = from_case.draft(session, store, case)
    found = report.signatures_of_case(session, case, with_all=False)
    sure = [one.signature for one in found if one.verdict in {"match", "suspect"} and not one.superseded_by]
    assert story.signatures == sure
    assert HELD in sure
    assert (story.title, story.cases, story.area) == ("db7 *stalls*", [case.number], "mm")
    assert "db7 \\*stalls\\*" in story.text
    assert "- Kernel: the evidence does not say" in story.text
    assert f"/signatures/{HELD}" in story.text


def test_resolution_and_notes_are_included(session, store, case):
    case.cause, case.fix, case.closed_at = (
        "One cgroup was full.",
        "More room.",
        datetime(2026, 3, 1, tzinfo=UTC),
    )
    session.add(Note(case_id=case.id, author="kim", editor="kim", text="Rebooted.\n\nNo change."))
    session.flush()
    story = from_case.draft(session, store, case)
    assert story.fix == "More room."
    assert "One cgroup was full." in story.text
    assert "- Closed: 2026-03-01 00:00 UTC" in story.text
    assert "> Rebooted.\n>\n> No change." in story.text


def test_a_case_that_nothing_explains_says_so(session, store):
    story = from_case.draft(session, store, new_case(session, "quiet"))
    assert "Nothing in the library explains" in story.text
    assert (story.signatures, story.fix, story.area) == ([], "", "")


def test_the_draft_is_a_story_file(session, store, tmp_path):
    case = new_case(session, "oom")
    store_evidence(session, store, tmp_path, case, OOM, kernel_log, name="dmesg.txt")
    judge_case(session, store, case.id)
    story = from_case.draft(session, store, case)
    assert "Killed process" in story.text
    assert from_markdown(to_markdown(story, with_cases=True)) == story


def test_text_of_evidence_never_becomes_markup():
    assert from_case.fenced(["a", "```", "````x"])[0] == "`````text"
    assert from_case.code("a`b``c") == "```a`b``c```"
    assert from_case.plain("<img> [x](y) *a*") == "\\<img\\> \\[x\\](y) \\*a\\*"


def test_a_team_sees_its_draft_and_link_readers_cannot_create_one(web, sessions, people):
    kim, guest = people("kim"), people("guest")
    ids = {name: browser.get("/me").json()["id"] for name, browser in (("kim", kim), ("guest", guest))}
    with sessions.begin() as session:
        team = Team(name="storage")
        session.add(team)
        session.flush()
        session.add(TeamMember(team_id=team.id, account_id=ids["kim"]))
        team_id = team.id
    own = seen_case(sessions, team_id=team_id)
    linked = seen_case(sessions, visibility="link")
    with sessions.begin() as session:
        link = CaseLink(case_id=linked.id, hash="x")
        session.add(link)
        session.flush()
        session.add(CasePerson(case_id=linked.id, account_id=ids["guest"], link_id=link.id))
    story = kim.post(f"/cases/{own.number}/story").json()
    assert story["team_id"] == str(team_id)
    assert story["closed_cases"] == [own.number]
    assert [one["number"] for one in kim.get(f"/cases/{own.number}/stories").json()["items"]] == [
        story["number"]
    ]
    assert guest.get(f"/cases/{linked.number}").status_code == 200
    assert guest.post(f"/cases/{linked.number}/story").status_code == 403
    assert guest.post(f"/cases/{own.number}/story").status_code == 404
    assert web.get(f"/cases/{own.number}/stories").json()["items"][0]["title"] == story["title"]
