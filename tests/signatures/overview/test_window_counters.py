"""Counters that were read several times with their times: what they grew by is judged, between the looks."""

from __future__ import annotations

import re

import pytest

from ingest.evidence import read_bytes
from signatures.judging.scope import items_of
from signatures.overview import run
from tests.ingest.samples import DATA
from tests.signatures.overview.test_true_numbers import texts_of

NAMES = ("IpInReceives", "TcpPassiveOpens", "TcpOutSegs", "TcpRetransSegs", "TcpExtListenOverflows")
START = (3_002_968, 291_200, 29_112_000, 11_873, 0)


def nstat(
    *growth: tuple[int, ...], command: str = "", is_since_boot: bool = True, is_timed: bool = True
) -> str:
    """Return looks of nstat, one a second, by what the counters grew by before each."""
    looks, now = [], list(START)
    for at, grown in enumerate(((0,) * len(NAMES), *growth)):
        now = [one + more for one, more in zip(now, grown, strict=True)]
        shown = now if is_since_boot or not at else grown
        rows = "".join(f"{name:32}{one:<19}0.0\n" for name, one in zip(NAMES, shown, strict=True))
        date = f"Sat Nov 28 19:07:{at:02d} UTC 2026\n" if is_timed else ""
        looks.append(f"{command}{date}#kernel\n{rows}")
    return "".join(looks)


def rows(lost: int, overflows: int = 0) -> tuple[tuple[int, ...], ...]:
    """Return 20 seconds of traffic, in three of which segments are sent again or connections are dropped."""
    usual = [(900 + at % 7, 100, 1000 + at % 5, at % 2, 0) for at in range(20)]
    high = [(1000, 100, 1000, lost, overflows)] * 3
    return (*usual[:12], *high, *usual[12:])


TWICE = "$ date; nstat -az\n"
SUMMARY = """Tcp:
    {} active connection openings
    988 passive connection openings
    42066 segments received
    {} segments sent out
    {} segments retransmitted
"""


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (nstat(*rows(90)), r"9 % of TCP segments were sent again .* for 3 s"),
        (nstat(*rows(90), is_since_boot=False), r"9 % of TCP segments were sent again .* for 3 s"),
        (nstat(*rows(0, 60)), r"60 % of connections met a full accept queue .* for 3 s"),
        (nstat((9000, 1000, 10_000, 3000, 0), command=TWICE), r"30 % of TCP segments were sent again in 1 s"),
        (
            nstat((9000, 20, 10_000, 0, 300), command=TWICE),
            r"300 connections met a full .*, 20 did not, in 1 s",
        ),
        (
            f"2026-11-28 19:10:38\n{SUMMARY.format(9, 34710, 80)}2026-11-28 19:10:48\n"
            + SUMMARY.format(19, 44710, 1080),
            r"10 % of TCP segments were sent again in 10 s",
        ),
    ],
    ids=["since boot", "increments", "accept queue", "two looks", "more than the base", "netstat -s"],
)
def test_what_is_lost_between_looks_is_judged_as_what_is_lost_since_boot(text, said):
    assert [one for one in texts_of(text) if re.match(said, one)]


@pytest.mark.parametrize(
    "text",
    [
        nstat(*rows(1)),
        nstat(*rows(30)[:13]),
        nstat((9000, 1000, 10_000, 3000, 0)),
        nstat(*rows(90), command="$ nstat -az\n", is_timed=False),
    ],
    ids=["as usual", "few", "perhaps increments", "without times"],
)
def test_few_drops_or_counters_of_unknown_beginning_make_no_window(text):
    assert not [
        one for one in texts_of(text) if " of TCP segments were sent again" in one and "since" not in one
    ]


OPENS = (12, 9, 14, 11, 10, 4012, 3910, 13, 12, 11, 12, 14)


def prints(values: list[int], clocks: str = "above") -> str:
    """Return what `interval:s:1 { time(); print(@opens); }` prints."""
    parts = []
    for at, one in enumerate(values):
        pair = (f"21:19:{40 + at}\n", f"@opens: {one}\n")
        parts += pair if clocks == "above" else pair[::-1] if clocks == "below" else pair[1:]
    return f"Attaching 2 probes...\n{''.join(parts)}^C\n"


def summed() -> list[int]:
    return [sum(OPENS[: at + 1]) for at in range(len(OPENS))]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (prints(list(OPENS)), r"Opens in bpftrace \(map @opens\) is 4,012 from 21:19:45 for 2 s"),
        (prints(list(OPENS), "below"), r"Opens in bpftrace \(map @opens\) is 4,012 from 21:19:45 for 2 s"),
        (
            prints(summed()),
            r"Opens in bpftrace \(map @opens\) grows by 4,012 per second from 21:19:45 for 2 s",
        ),
        (prints([12, 9, 14, 11]), r"Opens in bpftrace \(map @opens\) is 9 to 14 in 4 looks"),
        (prints(list(OPENS), ""), r"The largest value is 4,012"),
    ],
    ids=["cleared", "time below", "counting", "steady", "without times"],
)
def test_a_map_that_is_printed_at_intervals_is_context_with_its_time(text, said):
    found = [
        one
        for panel in run(items_of([read_bytes(text.encode(), name="paste.txt")]))
        for one in panel.statements
    ]
    stated = [one for one in found if re.match(said, one.text)]
    assert [(one.kind, one.level) for one in stated] == [("fact", "context")]
    assert stated[0].text.endswith("whether that is normal is not known from this")


def test_pressure_of_atop_is_judged_by_its_rows():
    looks = "".join(
        f"ATOP - db1      2026/11/28  19:08:{at:02d}      ---------      1s elapsed\n"
        "CPU | sys      29% | user    330% | irq       1% | idle   1857% | wait    182% |\n"
        f"PSI | cpusome  68% | memsome   0% | memfull   0% | iosome   {full + 2}% | iofull  {full}% |\n"
        for at, full in enumerate([1, 0, 2, 1, 61, 66, 58, 60, 1, 0, 2, 1])
    )
    assert [
        one
        for one in texts_of(looks)
        if one.startswith("All tasks are stalled on IO 66 % of the time from 19:08:04")
    ]


def test_interrupts_of_mpstat_are_rows():
    text = (DATA / "mpstat/mpstat.interrupts.txt").read_bytes()
    (section,) = read_bytes(text, name="mpstat.txt").sections
    (found,) = [one for one in section.reading.row_sets if one.name == "mpstat_interrupts"]
    stated = [row for row in found.rows if row[found.columns.index("cpu")] == "0" and "TIMER" in row]
    assert [row[found.columns.index("per_second")] for row in stated] == [42.0]
