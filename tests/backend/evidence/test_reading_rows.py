"""Sandbox output becomes rows: counted in the report, found by name, attributed to a host."""

from __future__ import annotations

import math
from pathlib import Path

import pytest
from sqlalchemy import select

from backend.evidence import hosts, placement, reading_rows, readings, report, row_inserts
from backend.models.evidence import Evidence
from backend.models.fact import Fact
from backend.models.host import Host
from backend.sandbox.report import ReadEvidence
from ingest.model.evidence import Placement
from ingest.readers.bpf import bpftrace_text
from ingest.readers.commands import host_text
from ingest.readers.logs import kernel_log
from ingest.readers.proc import proc_vmstat
from ingest.readers.traces import bare_stack
from tests.backend.stored_evidence import new_case, store_evidence

DATA = Path("tests/data")
NOWHERE = hosts.StatedHost("", "", "")
VMSTAT = b"pgscan_direct 12\npgsteal_direct 7\n"


def test_the_report_counts_what_each_section_holds(session, store, tmp_path):
    case = new_case(session)
    log = (DATA / "kernel-log" / "dmesg-oom.txt").read_bytes()
    hold = (DATA / "published" / "vanishing-cpu" / "bpftrace-mmap_lock-hold.txt").read_bytes()
    stack = (DATA / "published" / "vanishing-cpu" / "stack.shrink_lruvec.txt").read_bytes()
    store_evidence(session, store, tmp_path, case, log, kernel_log, name="dmesg.txt")
    store_evidence(session, store, tmp_path, case, hold, bpftrace_text, name="hold.txt")
    store_evidence(session, store, tmp_path, case, stack, bare_stack, name="stack.txt")
    dmesg, held, stacked = report.of_case(session, case)
    assert dmesg.sections[0].log_record_count > 0
    assert held.sections[0].histogram_count > 0
    assert [profile.has_weights for profile in stacked.sections[0].profiles] == [False]
    assert stacked.sections[0].title == bare_stack.TITLE
    assert {one.state for one in (dmesg, held, stacked)} == {"read"}


def test_facts_are_found_by_name_and_by_prefix_with_their_lines(session, store, tmp_path, web):
    case = new_case(session)
    evidence = store_evidence(
        session, store, tmp_path, case, VMSTAT, proc_vmstat, captured_path="proc/vmstat"
    )
    session.commit()
    (one,) = web.get(f"/cases/{case.number}/facts", params={"name": "vmstat.pgscan_direct"}).json()["items"]
    assert (one["value"], one["first_line"], one["evidence_id"]) == (12.0, 1, str(evidence.id))
    assert len(web.get(f"/cases/{case.number}/facts", params={"name": "vmstat."}).json()["items"]) == 2
    assert web.get(f"/cases/{case.number}/facts", params={"name": "vmstat"}).json()["items"] == []


def test_evidence_that_names_its_host_belongs_to_it(session, store, tmp_path, web):
    case = new_case(session)
    store_evidence(
        session, store, tmp_path, case, b"db7\n", host_text, name="hostname", captured_path="etc/hostname"
    )
    store_evidence(session, store, tmp_path, case, VMSTAT, proc_vmstat, captured_path="proc/vmstat")
    assert [one.host for one in readings.of_case(session, case.id)] == ["db7", ""]
    session.commit()
    assert web.get(f"/cases/{case.number}").json()["hosts"] == ["db7"]


def test_two_host_names_in_one_file_are_ambiguous(tmp_path, session, store):
    case = new_case(session)
    store_evidence(session, store, tmp_path, case, b"db7\n", host_text, captured_path="a/etc/hostname")
    report = ReadEvidence(
        name="x", captured_path="", sha256="", size_bytes=0, line_count=0, state="read", reason="", host="",
        skipped=[], sections=[], members=[],
    )  # fmt: skip
    assert hosts.stated(report, tmp_path) == ("", "", "")
    assert hosts.stated(report.model_copy(update={"host": "db9"}), tmp_path).name == "db9"


def test_a_member_that_stands_twice_in_an_archive_is_kept_once(session, store, tmp_path):
    case = new_case(session)
    archive = store_evidence(session, store, tmp_path, case, b"x\n", bare_stack, name="sos.tar")
    member = ReadEvidence(
        name="uptime", captured_path="uptime", sha256=store.put_bytes(b"1\n"), size_bytes=2, line_count=1,
        state="read", reason="", host="", skipped=[], sections=[], members=[],
    )  # fmt: skip
    report = member.model_copy(update={"name": "sos.tar", "captured_path": "", "members": [member, member]})
    reading_rows.keep(session, archive, report, tmp_path, NOWHERE)
    reading_rows.keep(session, archive, report, tmp_path, NOWHERE)
    session.flush()
    members = session.query(Evidence).filter_by(parent_id=archive.id).all()
    assert [one.captured_path for one in members] == ["uptime"]


@pytest.mark.parametrize(("moved_to", "phase"), [("during", "before"), ("after", "after")])
def test_a_handoff_member_keeps_its_host_unless_the_archive_was_moved(
    session, store, tmp_path, moved_to, phase
):
    case = new_case(session)
    whole = store_evidence(session, store, tmp_path, case, b"x\n", bare_stack, name="case-1.casebook.tar.zst")
    placement.set_phase(whole, "" if moved_to == "during" else moved_to)
    member = ReadEvidence(
        name="uptime", captured_path="uptime", sha256=store.put_bytes(b"1\n"), size_bytes=2, line_count=1,
        state="read", reason="", host="", skipped=[], sections=[], members=[],
        placed=Placement(host="db1", boot="", phase="before"),
    )  # fmt: skip
    report = member.model_copy(update={"name": "x", "captured_path": "", "placed": None, "members": [member]})
    reading_rows.keep(session, whole, report, tmp_path, NOWHERE)
    session.flush()
    (kept,) = session.query(Evidence).filter_by(parent_id=whole.id).all()
    assert kept.phase == phase
    assert session.get_one(Host, kept.host_id).name == "db1"


def test_rows_of_a_long_reading_are_those_of_a_short_one(session, store, tmp_path):
    case = new_case(session)
    odd = b"".join(b"pgscan_direct %d\n" % value for value in (7, 12, 10**25))
    values = [7.0, 12.0, math.inf]
    for count, name in ((1, "short"), (row_inserts.COPIED_ROWS, "long")):
        content = odd * count
        store_evidence(
            session, store, tmp_path / name, case, content, proc_vmstat, captured_path=f"{name}/proc/vmstat"
        )
    session.commit()
    query = select(Fact.number, Fact.text, Fact.truth, Fact.labels, Fact.unit).order_by(
        Fact.reading_id, Fact.ordinal
    )
    found = session.execute(query.where(Fact.case_id == case.id, Fact.name == "vmstat.pgscan_direct")).all()
    assert [row.number for row in found] == values * (1 + row_inserts.COPIED_ROWS)
    assert len({tuple(map(str, row[1:])) for row in found}) == 1
