"""System-wide analyses of a case over the API."""

from __future__ import annotations

from pathlib import Path

from backend.findings import analyses, overviews
from cli.evidence.analysis import analyse, document
from ingest.readers.logs import kernel_log
from ingest.readers.perf import perf_stat
from signatures.documents.codec import to_document
from signatures.overview import ANALYSES
from tests.backend.stored_evidence import judge_case, new_case, store_evidence

EXT4 = (
    b"[ 1000.123456] EXT4-fs error (device sda1): ext4_find_entry:1455: inode #2: comm ls: reading directory"
)
FAULTS = Path("tests/data/perf-stat/perf-stat.page-faults.txt").read_bytes()


def test_a_case_without_evidence_has_no_panels(session):
    analyses_read = analyses.of_case(session, new_case(session))
    assert (analyses_read.evidence_rev, analyses_read.panels) == (0, ())


def test_figures_name_the_evidence_and_its_lines(session, store, tmp_path):
    case = new_case(session)
    store_evidence(session, store, tmp_path, case, FAULTS, perf_stat, name="perf-stat.txt")
    judge_case(session, store, case.id)
    panels = {panel.name: panel for panel in analyses.of_case(session, case).panels}
    assert panels["progress"].state == "notable"
    (citation, *_) = panels["progress"].figures[0].citations
    assert citation.evidence == "perf-stat.txt"
    assert citation.evidence_id
    assert 1 <= citation.first_line <= citation.last_line
    assert panels.keys() == {one.name for one in ANALYSES if not one.is_quiet}


def test_an_overview_leads_with_the_alarm_and_cites_the_evidence(session, store, tmp_path):
    case = new_case(session)
    assert overviews.of_case(session, case).headline.kind == "no evidence"
    store_evidence(session, store, tmp_path, case, EXT4, kernel_log, name="dmesg.txt")
    judge_case(session, store, case.id)
    found = overviews.of_case(session, case)
    assert found.headline.kind == "statement"
    assert found.headline.detail == found.statements[0].text
    assert found.headline.statement == 0
    assert found.statements[0].citations[0].evidence == "dmesg.txt"
    assert {one.name: one.state for one in found.questions}["kernel-log"] == "alarm"
    assert found.next_capture


def test_the_service_and_the_command_give_the_same_overview(session, store, tmp_path):
    case = new_case(session)
    store_evidence(session, store, tmp_path, case, FAULTS, perf_stat, name="perf-stat.txt")
    judge_case(session, store, case.id)
    served = to_document(overviews.of_case(session, case))
    (tmp_path / "perf-stat.txt").write_bytes(FAULTS)
    printed = document(analyse([str(tmp_path / "perf-stat.txt")]))["overview"]
    for one in (*served["statements"], *printed["statements"]):
        one["citations"] = [(place["first_line"], place["last_line"]) for place in one["citations"]]
    judged = {"evidence_rev", "judged_rev", "signatures", "matrix", "next_capture", "next_capture_reason"}
    assert {name: served[name] for name in served.keys() - judged} == {
        name: printed[name] for name in printed.keys() - judged
    }
    assert served.keys() - {"evidence_rev", "judged_rev"} == printed.keys()
