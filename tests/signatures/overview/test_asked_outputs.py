"""Each output that the overview asks for is judged by a rule that answers a question it was asked for."""

from __future__ import annotations

from functools import cache

import pytest

from ingest.evidence import read_bytes, read_file
from signatures.judging.scope import items_of
from signatures.overview import run
from tests.ingest.samples import DATA
from tests.signatures.overview.asked import TABLE, commands, outputs

JUDGED, WITHOUT_RULE = TABLE["judged"], TABLE["without_rule"]


@cache
def asked():
    return {output for command in commands() for output in outputs(command)}


def captured_path(file):
    tree, _, path = file.removeprefix("files/").partition("/")
    return f"/{path}" if tree in {"machine", "v2"} else ""


@pytest.mark.parametrize("output", JUDGED)
def test_an_output_that_is_asked_for_is_judged(output):
    row = JUDGED[output]
    if "text" in row:
        evidence = read_bytes(row["text"].encode(), name="paste.txt")
    else:
        evidence = read_file(DATA / row["file"], captured_path=captured_path(row["file"]))
    stated = [
        one
        for panel in run(items_of([evidence]))
        for one in panel.statements
        if one.engine != "quantities" and not set(one.questions).isdisjoint(row["about"])
    ]
    assert stated, "no rule states anything about the question"
    assert all(one.places for one in stated)


def test_every_output_that_is_asked_for_is_in_the_table():
    assert set(JUDGED) | set(WITHOUT_RULE) == asked()
    assert set(JUDGED).isdisjoint(WITHOUT_RULE)
    assert all(len(reason) > 10 for reason in WITHOUT_RULE.values())


def test_commands_are_collected_from_strings_tables_and_rows():
    found = commands()
    assert "cat /proc/zoneinfo; cat /proc/buddyinfo; cat /proc/meminfo" in found
    assert set(outputs("cd /sys/fs/cgroup/PATH; grep . memory.max cpu.stat")) == {
        "/sys/fs/cgroup/PATH/memory.max",
        "/sys/fs/cgroup/PATH/cpu.stat",
    }
    assert list(outputs("timeout -s KILL 9 perf sched record -- sleep 5 && perf script | head")) == [
        "perf sched",
        "perf script",
    ]
