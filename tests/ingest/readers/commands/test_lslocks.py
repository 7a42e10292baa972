"""Readings from lslocks."""

from __future__ import annotations

import json

import pytest

from ingest.model.section import Text
from ingest.readers.commands.lslocks import FORMAT
from tests.ingest.samples import whole


def waits(reading):
    return [(one.value, dict(one.labels)) for one in reading.facts if one.name == "file_lock.waiting"]


@pytest.mark.parametrize("form", ["blocker.txt", "default.txt", "json.txt"])
def test_who_waits_and_who_holds_is_the_same_in_each_form(form):
    reading = whole(f"lslocks/{form}")
    ((count, labels),) = waits(reading)
    assert count == 2
    assert labels["file"] == "/run/backup.lock"
    assert labels["comm"] == "flock"
    assert labels["type"] == "FLOCK"
    assert {one.value for one in reading.facts if one.name == "file_lock.held"} == {3}


def test_a_path_that_names_no_file_names_no_holder():
    lines = [
        "COMMAND           PID  TYPE SIZE MODE  M START END PATH",
        "java            30436 FLOCK      WRITE  0     0   0 /...",
        "flock           30512 FLOCK      WRITE* 0     0   0 /...",
    ]
    ((count, labels),) = waits(FORMAT.read(Text(lines)))
    assert (count, labels["pid"]) == (1, "")


def test_a_path_that_ends_in_a_number_is_no_blocker():
    lines = [
        "COMMAND           PID  TYPE SIZE MODE  M START END PATH",
        "backup          30436 FLOCK   4K WRITE  0     0   0 /srv/copy of 2026",
        "backup          30512 FLOCK   4K WRITE* 0     0   0 /srv/copy of 2026",
    ]
    ((_, labels),) = waits(FORMAT.read(Text(lines)))
    assert (labels["file"], labels["pid"]) == ("/srv/copy of 2026", "30436")


@pytest.mark.parametrize(
    "document",
    ["{", '{\n   "locks": [', '{\n "locks": 7}', '{\n "locks": [null, 3, {"mode": []}]}', "{" * 100_000],
)
def test_json_that_lists_no_lock_is_counted(document):
    reading = FORMAT.read(Text(document.splitlines()))
    assert not waits(reading)
    assert reading.skipped or "null" in document


def test_a_list_of_many_locks_is_read_in_linear_time():
    rows = [
        {"command": "a", "pid": at, "type": "POSIX", "mode": "WRITE*", "path": "/a", "blocker": 1}
        for at in range(20_000)
    ]
    reading = FORMAT.read(Text(json.dumps({"locks": rows}, indent=1).splitlines()))
    assert waits(reading)[0][0] == 20_000
