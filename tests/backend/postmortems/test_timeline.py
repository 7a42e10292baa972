"""Timeline: dated evidence, events and notes; no guessed time."""

from __future__ import annotations

from pathlib import Path

import pytest

from ingest.readers.bpf import bpftrace_text
from ingest.readers.logs import kernel_log
from tests.backend.stored_evidence import judge_case, new_case, store_evidence

HOLD = Path("tests/data/published/vanishing-cpu/bpftrace-mmap_lock-hold.txt").read_bytes()
DATED = b"""\
2026-03-14T03:12:01,100000+00:00 Linux version 6.1.0-18-amd64 (debian-kernel@lists.debian.org)
2026-03-14T03:14:01,500000+00:00 INFO: task mysqld:991 blocked for more than 120 seconds.
"""


@pytest.fixture
def case(session):
    case = new_case(session, "db7 stalls")
    session.commit()
    return case


def timeline(web, case):
    return web.get(f"/cases/{case.number}/timeline").json()


def says(web, case):
    return [entry["says"] for entry in timeline(web, case)["items"]]


def paste(web, case, text):
    return web.post(f"/cases/{case.number}/paste", json={"text": text})


def judge(session, store, case):
    judge_case(session, store, case.id)
    session.commit()


def test_a_case_begins_with_who_opened_it(case, web):
    assert says(web, case) == ["test opened the case"]


def test_files_received_together_are_one_entry(case, web):
    for name in ("one", "two", "three", "four"):
        web.put(f"/cases/{case.number}/evidence/{name}.txt", content=name.encode())
    assert says(web, case)[1:] == ["owner added 4 files: one.txt, two.txt, three.txt and 1 more"]


def test_a_file_alone_leads_to_its_evidence(case, web):
    received = paste(web, case, "up 3 days").json()["evidence"][0]
    entry = timeline(web, case)["items"][-1]
    assert (entry["says"], entry["evidence_id"]) == ("owner added pasted.txt", received["id"])


def test_only_changes_of_findings_are_entries(session, store, case, web, tmp_path):
    store_evidence(session, store, tmp_path, case, HOLD, bpftrace_text, name="hold.txt")
    judge(session, store, case)
    found = [line for line in says(web, case) if "mm/" in line]
    assert any("mm/mmap-lock-held-in-reclaim on an unnamed host" in line for line in found)
    judge(session, store, case)
    assert [line for line in says(web, case) if "mm/" in line] == found


def test_evidence_is_dated_by_its_content_or_marked_undated(session, store, case, web, tmp_path):
    dated = store_evidence(session, store, tmp_path, case, DATED, kernel_log, name="dmesg.txt")
    undated = store_evidence(session, store, tmp_path, case, HOLD, bpftrace_text, name="hold.txt")
    session.commit()
    body = timeline(web, case)
    first = body["items"][0]
    assert (first["kind"], first["evidence_id"]) == ("recording", str(dated.id))
    assert (first["at"], first["until"]) == ("2026-03-14T03:12:01.100000Z", "2026-03-14T03:14:01.500000Z")
    assert body["untimed"] == [{"evidence_id": str(undated.id), "name": "hold.txt"}]


def test_an_alarm_of_a_dated_log_is_an_entry_that_leads_to_its_line(session, store, case, web, tmp_path):
    repeated = DATED + b"".join(
        b"2026-03-14T03:15:%02d,000000+00:00 EXT4-fs error (device sdb1): ext4_lookup:1855: inode #2\n"
        % second
        for second in range(5)
    )
    log = store_evidence(session, store, tmp_path, case, repeated, kernel_log, name="dmesg.txt")
    store_evidence(session, store, tmp_path, case, repeated, kernel_log, name="kern.log")
    session.commit()
    alarms = [entry for entry in timeline(web, case)["items"] if entry["kind"] == "alarm"]
    hung, *errors = alarms
    assert (hung["at"][:19], hung["line"]) == ("2026-03-14T03:14:01", 2)
    assert hung["text"] == "INFO: task mysqld:991 blocked for more than 120 seconds"
    assert {entry["evidence_id"] for entry in alarms} == {str(log.id)}
    first = "ext4 error: corrupted or unreadable metadata on sdb1; in ext4_lookup"
    assert [entry["says"] for entry in errors] == [first, first, f"{first}; 2 more"]


def test_notes_are_in_the_timeline_until_deleted(case, web):
    note = web.post(f"/cases/{case.number}/notes", json={"text": "limit **raised**"}).json()
    entry = timeline(web, case)["items"][-1]
    assert (entry["kind"], entry["text"], entry["note"]) == ("note", "limit **raised**", note)
    web.delete(f"/notes/{note['id']}")
    assert says(web, case) == ["test opened the case"]


def test_the_resolution_of_a_case_is_an_entry_and_outlives_reopening(case, web):
    ended = {"cause": "backup filled the page cache", "signature": "", "fix": "limit raised to 8G"}
    body = web.patch(f"/cases/{case.number}", json={"state": "closed", "resolution": ended}).json()
    assert (body["resolution"], body["state"]) == (ended, "closed")
    assert body["closed_at"]
    body = web.patch(f"/cases/{case.number}", json={"state": "open"}).json()
    assert (body["resolution"], body["closed_at"]) == (ended, None)
    assert says(web, case)[1:] == [
        "owner closed the case: backup filled the page cache; fixed by limit raised to 8G",
        "owner reopened the case",
    ]


def test_a_case_is_resolved_only_by_a_judged_signature(session, store, case, web, tmp_path):
    ended = {"signature": "mm/mmap-lock-held-in-reclaim"}
    assert web.patch(f"/cases/{case.number}", json={"resolution": ended}).status_code == 422
    store_evidence(session, store, tmp_path, case, HOLD, bpftrace_text, name="hold.txt")
    judge(session, store, case)
    body = web.patch(f"/cases/{case.number}", json={"resolution": ended}).json()
    assert body["resolution"] == {"cause": "", "signature": "mm/mmap-lock-held-in-reclaim", "fix": ""}
    assert web.patch(f"/cases/{case.number}", json={"resolution": None}).json()["resolution"] is None
