"""Counters over time: a rate needs a known time span."""

from __future__ import annotations

import pytest

from ingest.evidence import read_bytes
from signatures.judging.judge import judge
from signatures.judging.observation import State
from signatures.judging.scope import items_of
from tests.signatures.build import fact, item

OVERFLOWS = """
clauses:
  rising:
    title: t
    role: core
    any:
      - fact: {expr: rate(net.tcpext.listenoverflows), at_least: 1}
      - fact: {expr: delta(net.tcpext.listenoverflows), at_least: 10, untimed: true}
    weight: 4
decide: {require: {any: [rising]}, suspect: {score: 4}, match: {score: 4}}
"""


def judged(catalog, *values, seconds=None):
    facts = [
        fact(
            "net.tcpext.listenoverflows",
            float(value),
            snapshot=at,
            at=None if seconds is None else at * seconds,
        )
        for at, value in enumerate(values)
    ]
    (finding,) = judge([item("e", facts=facts)], catalog)
    return finding


@pytest.mark.parametrize(
    ("seconds", "verdict"), [(10.0, "match"), (100.0, "match"), (101.0, "no_match"), (604_800.0, "no_match")]
)
def test_a_hundred_events_in_a_week_are_no_flood(catalog_of, seconds, verdict):
    assert judged(catalog_of(OVERFLOWS), 0, 100, seconds=seconds).verdict == verdict


def test_a_change_over_unknown_time_is_suspected_with_a_reason(catalog_of):
    finding = judged(catalog_of(OVERFLOWS), 0, 100)
    assert (finding.verdict, finding.decision.is_capped) == ("suspect", True)
    assert finding.decision.caps == (("no time between the two readings", "rising"),)


READINGS = """\
$ date; netstat -s | egrep listen
Fri May  5 15:39:58 CST 2017
    61011 times the listen queue of a socket overflowed
$ date; netstat -s | egrep listen
Fri May  5 15:39:59 {zone} 2017
    61232 times the listen queue of a socket overflowed
"""


@pytest.mark.parametrize(("zone", "verdict"), [("CST", "match"), ("UTC", "suspect")])
def test_a_change_between_two_dates_of_one_zone_is_a_rate(catalog_of, zone, verdict):
    evidence = read_bytes(READINGS.format(zone=zone).encode(), name="x")
    (finding,) = judge(items_of([evidence]), catalog_of(OVERFLOWS))
    assert (finding.verdict, finding.decision.is_capped) == (verdict, verdict == "suspect")


SPREAD = """
bind: {p: process}
clauses:
  varies:
    {title: t, role: core, fact: {expr: spread(process.rss.status_bytes), at: $p, at_least: 4 MiB}, weight: 4}
decide: {require: {any: [varies]}, suspect: {score: 4}, match: {score: 4}}
"""


@pytest.mark.parametrize(
    ("values", "state"),
    [((9e6, 1e6, 5e6), State.TRUE), ((1e6, 2e6, 3e6), State.FALSE), ((9e6,), State.UNKNOWN)],
)
def test_a_spread_is_the_range_of_a_gauge(catalog_of, values, state):
    facts = [fact("process.rss.status_bytes", v, pid="7", snapshot=at) for at, v in enumerate(values)]
    (finding,) = judge([item("e", facts=facts)], catalog_of(SPREAD))
    assert finding.clauses[0].state is state
