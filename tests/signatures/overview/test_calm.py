"""Calm is said only of what was read whole, and of no value that cannot be right."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from ingest.evidence import read_bytes
from signatures import overview as analyses
from signatures.judging.scope import items_of
from signatures.overview import run
from tests.signatures.overview import tables_of_calm as tables
from tests.signatures.overview.test_first_screen import overview, states

CALM_WORDS = re.compile(
    r"^(?:No (?!known alarm)|None of|The listed task is not|0 % of .* waits|99 % of [\d,]+ block)"
)
MEMINFO_CALM = tables.MEMINFO.format(1551032, 1203598)
SPIKE = " 48  0  0 9000000 9000 900000 0 0 10 10 500 600 4 92 4 0 0\n"
BLOCKED = " 1 40  0 9000000 9000 900000 0 0 10 10 500 600 5 2 5 88 0\n"
SWAPPING = " 2 61  900000 90000 9000 90000 41200 100 41300 10 500 600 5 2 13 80 0\n"
QUIET_SDC = "sdc 0.00 10.00 0.00 40.00 0.00 2.00 0.10 9.00\n\n"
SLOW_SDC = "sdc 0.00 210.00 0.00 840.00 0.00 815.00 60.00 100.00\n\n"
SLOW_SDA = "sda 200.0 200.0 4.0 8.0 900.0 1200.0 60.01 100.0\n\n"
BUSY_SDA = "sda 1.0 200.0 4.0 8.0 9.0 12.0 6.01 100.0\n\n"
DISK = tables.QUIET_DISK


def said(text):
    """Return all sentences, and the words of the states."""
    found = overview(text)
    return [found.headline.text, *(one.statement.text for one in found.statements)], states(found), found


TROUBLE = {
    "first report": (
        tables.iostat(SLOW_SDC, QUIET_SDC, waiting=30.0).removeprefix(tables.BANNER),
        ("815 ms",),
        ("No device",),
        {"io": "alarm"},
    ),
    "one slow second of twelve": (
        tables.iostat(DISK, *[DISK] * 8, SLOW_SDA, *[DISK] * 3),
        ("900 ms", "1.2 s"),
        ("No device", "alone could be assessed"),
        {"io": "alarm"},
    ),
    "one busy second of twelve": (
        tables.iostat(DISK, *[DISK] * 8, BUSY_SDA, *[DISK] * 3),
        ("busy 100 % of the time in 1 of 12 rows",),
        ("No device",),
        {"io": "not assessed"},
    ),
    "minutes of kernel time": (
        tables.sar_cpu(2, 2, 57, 91, 2, 2),
        ("91 %", "12:03:01 AM"),
        ("No alarm",),
        {"cpu": "alarm"},
    ),
    "one minute of ten": (
        tables.sar_cpu(*[2] * 9, 88),
        ("88 %", "12:10:01 AM"),
        ("No alarm",),
        {"cpu": "alarm"},
    ),
    "constant kernel time": (tables.sar_cpu(*[88] * 9), ("88 %",), ("No alarm",), {"cpu": "alarm"}),
    "six seconds of kernel time": (
        tables.vmstat(*[SPIKE] * 6),
        ("92 % of CPU time",),
        ("No alarm", "10.7 tasks"),
        {"cpu": "alarm"},
    ),
    "four seconds of twenty": (
        tables.mpstat(*[2] * 8, *[91] * 4, *[2] * 8),
        ("91 %",),
        ("No alarm",),
        {"cpu": "alarm"},
    ),
    "three seconds of blocked tasks": (
        tables.vmstat(*[BLOCKED] * 3),
        ("40 tasks are blocked",),
        ("No alarm", "4 tasks are"),
        {"scheduling": "alarm", "io": "alarm"},
    ),
    "one second of swapping": (
        tables.vmstat(SWAPPING, before=4, after=4),
        ("61 tasks are blocked",),
        ("6.78", "7 tasks"),
        {"scheduling": "alarm", "memory": "alarm"},
    ),
    "one second of kernel time": (
        tables.vmstat(SPIKE),
        ("92 % of CPU time is kernel time",),
        ("No alarm",),
        {"cpu": "not assessed"},
    ),
    "zombies with their parent": (
        tables.ZOMBIES,
        ("60 of 60", "zombies", "2210"),
        ("None of", "uninterruptible"),
        {"scheduling": "notable"},
    ),
    "zombies": (
        tables.ps(60, "[sh] <defunct>", "Z", 0),
        ("60 of 60", "zombies (sh)"),
        ("None of", "uninterruptible"),
        {"scheduling": "notable"},
    ),
    "rows of one command": (
        tables.ps(80, "php-fpm: pool www"),
        ("All 80 listed tasks are php-fpm: pool www",),
        ("None of 80",),
        {},
    ),
    "stalls below a fine histogram": (
        tables.RUN_QUEUE + tables.STALLS,
        ("3 of its lines were not read",),
        ("No alarm",),
        {"scheduling": "not assessed"},
    ),
    "many drops at a small share": (
        tables.LINK_DROPS.format(890437),
        ("890,437", "0.62 %"),
        ("No share",),
        {},
    ),
    "kernel threads at 456 %": (
        tables.NFSD,
        ("456 %", "637 more are not listed"),
        ("No alarm", "None of"),
        {"cpu": "notable"},
    ),
    "more available than there is": (
        tables.MEMINFO.format(1551032, 23598896),
        ("22.5 GiB", "cannot be right", "likely"),
        ("No alarm", "is available"),
        {"memory": "notable"},
    ),
    "live processes without pages": (
        tables.NO_PAGES,
        ("RES 0", "systemd", "per-CPU counters"),
        ("No alarm", "None of"),
        {"memory": "notable"},
    ),
    "a live process without pages": (
        tables.STATUS.format(0),
        ("VmRSS of PID 4242 is 0", "per-CPU counters"),
        ("No alarm",),
        {"memory": "notable"},
    ),
    "counters and page tables three times apart": (
        "$ nproc\n16\n$ uname -r\n6.8.0-45-generic\n" + (tables.STATUS.format(419840) + tables.ROLLUP) * 3,
        ("410 MiB", "140 MiB", "each of 3 readings", "6 MiB: they are not the cause"),
        ("No alarm",),
        {"memory": "notable"},
    ),
    "on a kernel without these counters": (
        "$ nproc\n16\n$ uname -r\n5.15.0\n" + tables.STATUS.format(419840) + tables.ROLLUP,
        ("410 MiB", "has no per-CPU counters"),
        ("No alarm", "likely"),
        {"memory": "notable"},
    ),
    "a latency of ages": (
        tables.UNDERFLOW,
        ("570,842 years", "cannot be right", "below zero"),
        ("No alarm", "99 %"),
        {"io": "notable"},
    ),
}


@pytest.mark.parametrize("name", TROUBLE)
def test_trouble_is_told_and_nothing_about_it_is_calm(name):
    text, told, never, state = TROUBLE[name]
    sentences, found, _ = said(text)
    for words in told:
        assert any(words in one for one in sentences), (words, sentences)
    assert not [one for one in sentences for words in never if words in one]
    assert {question: found[question] for question in state} == state


CALM = {
    "vmstat": (tables.vmstat(), "cpu"),
    "sar": (tables.sar_cpu(*[2] * 9), "cpu"),
    "mpstat": (tables.mpstat(*[2] * 9), "cpu"),
    "iostat": (tables.iostat(*[DISK] * 4), "io"),
    "meminfo": (MEMINFO_CALM, "memory"),
    "runqlat": (tables.RUN_QUEUE, "scheduling"),
}


@pytest.mark.parametrize("name", CALM)
def test_what_was_read_whole_is_calm(name):
    text, question = CALM[name]
    assert states(overview(text))[question] == "no alarm"


UNREAD = {
    "vmstat": "$ cputop --cores\ncore 0 cpu 100% busy\n",
    "sar": "$ sudo perf zoom\nsome lines\n",
    "iostat": "$ zpool iostat\npool 904 267\n",
    "meminfo": "$ memhog\nmemory: 3 of 4 pools at 98 %\n",
    "runqlat": "$ watchstalls\nstall of 4121 ms\n",
}


@pytest.mark.parametrize("name", UNREAD)
def test_unread_text_about_a_question_forbids_its_calm_and_no_other(name):
    text, question = CALM[name]
    found = overview(f"{text}\n{UNREAD[name]}")
    assert states(found)[question] == "not assessed"
    assert "no known format" in next(one.note for one in found.questions if one.question.name == question)
    others = [one for one in UNREAD if CALM[one][1] != question]
    assert any(states(overview(f"{text}\n{UNREAD[one]}"))[question] == "no alarm" for one in others)


@pytest.mark.parametrize(
    "filtered",
    [
        "| grep -v idle",
        "| awk '$4 > 1'",
        "| head -20",
        "| tail -5",
        "| sort -k4 | head",
        "| sed -n 3,40p",
    ],
)
@pytest.mark.parametrize(
    ("command", "rows", "question"),
    [
        ("sar -u 1 9", tables.sar_cpu(*[2] * 9), "cpu"),
        ("cat /proc/meminfo", MEMINFO_CALM.partition("\n")[2], "memory"),
    ],
    ids=["sar", "meminfo"],
)
def test_a_selection_is_not_calm(command, rows, question, filtered):
    found = overview(f"$ {command} {filtered}\n{rows}")
    assert states(found)[question] != "no alarm"
    assert next(one.note for one in found.questions if one.question.name == question)


def test_a_selected_list_says_what_it_shows_and_that_others_are_not_decided():
    whole, *_ = said(tables.ps(12, "job"))[0]
    selected, *_ = said(f"$ ps aux | grep job\n{tables.ps(12, 'job')}")[0]
    assert "None of 12" in whole
    assert "12" in selected
    assert "not decided" in selected
    assert "None of" not in selected


def test_a_calm_host_does_not_answer_for_one_with_a_peak():
    named = tables.mpstat(*[2] * 9)
    found = overview(named, named.replace("web12", "db3"))
    assert states(found)["cpu"] == "no alarm"
    peaks = tables.mpstat(*[2] * 9, 91).replace("web12", "db3")
    assert states(overview(named, peaks))["cpu"] == "not assessed"


def test_calm_sentences_are_made_in_one_place():
    folder = Path(analyses.__file__).parent
    makers = {
        path.relative_to(folder).as_posix()
        for path in folder.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call)
        and getattr(node.func, "id", "") == "Statement"
        and any(one.arg == "covers" for one in node.keywords)
    }
    assert makers == {"calm.py"}


@pytest.mark.parametrize(
    "text",
    [
        *(text for text, _ in CALM.values()),
        *(text for text, *_ in TROUBLE.values()),
        tables.LINK_DROPS.format(12),
        tables.ps(3, "a"),
    ],
)
def test_every_calm_sentence_covers_what_it_speaks_of(text):
    items = items_of([read_bytes(text.encode(), name="x")])
    for panel in run(items):
        for one in panel.statements:
            assert bool(one.covers) >= bool(CALM_WORDS.match(one.text) and "not decided" not in one.text)
