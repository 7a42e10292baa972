"""Readings from lsof."""

from __future__ import annotations

from ingest.model.section import Text
from ingest.readers.commands import lsof
from tests.ingest.samples import rows, whole

HEAD = "COMMAND  PID USER   FD   TYPE DEVICE   SIZE/OFF     NODE NAME"


def facts_of(reading, name):
    return {fact.labels["comm"]: fact.value for fact in reading.facts if fact.name == name}


def test_descriptors_of_a_process_are_counted_without_its_threads():
    reading = whole("lsof/threads-and-deleted.txt")
    assert facts_of(reading, "process.open_descriptors") == {"firewalld": 11.0, "tuned": 14.0}
    threads = {skip.reason: skip.count for skip in reading.skipped}
    assert threads["a thread, which shares the files of its process"] == 87


def test_deleted_files_that_are_open_are_summed_and_named():
    reading = whole("lsof/threads-and-deleted.txt")
    assert facts_of(reading, "process.deleted_open_bytes") == {"firewalld": 4096.0, "tuned": 4096.0}
    assert [str(row["path"]).rpartition("/")[2] for row in rows(reading, "deleted_open_files")] == [
        "ffiCvbwRW",
        "ffiOEEtFw",
    ]


def test_a_deleted_file_with_two_descriptors_counts_once():
    lines = [
        HEAD,
        "java    4312 app   11w   REG  253,0 9663676416 16777634 /var/log/app.log (deleted)",
        "java    4312 app   12w   REG  253,0 9663676416 16777634 /var/log/app.log (deleted)",
        "java    4312 app   13w   REG  253,0     0t4096 16777635 /var/log/app.err (deleted)",
    ]
    reading = lsof.read(Text(lines))
    assert facts_of(reading, "process.deleted_open_bytes") == {"java": 9663676416.0}
    assert [row["size_bytes"] for row in rows(reading, "deleted_open_files")] == [9663676416.0, None]


def test_a_user_that_is_a_number_is_no_thread():
    lines = [HEAD, "systemd    1 0   12u  unix 0xffff96aeb677f000 0t0 13771 /run/systemd/private"]
    assert facts_of(lsof.read(Text(lines)), "process.open_descriptors") == {"systemd": 1.0}


def test_what_lsof_may_not_look_at_is_counted():
    reading = whole("lsof/without-root.txt")
    assert not reading.facts
    (skip,) = reading.skipped
    assert (skip.reason, skip.count) == ("a file that lsof may not look at", 59)
