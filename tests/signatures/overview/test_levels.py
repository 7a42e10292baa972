"""The order of the first screen: levels, and within a level kind, ratio and question."""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import pairwise

import pytest

from signatures.documents.levels import LEVELS
from signatures.overview.levels import first_of, level_of_classes, rank, ratio_of
from signatures.overview.model import Place, Statement
from tests.signatures.overview import pastes
from tests.signatures.overview.test_first_screen import overview

PLACE = Place("vmstat.txt", 0, 1, 1)
FACT = Statement("memory", "Swap is in use", (PLACE,), "fact", "notable")
ALARM = replace(FACT, kind="alarm", level="saturation")


@pytest.mark.parametrize(("worse", "other"), list(pairwise(reversed(LEVELS))))
def test_a_fact_of_a_worse_level_leads_an_alarm_of_the_next(worse, other):
    fact, alarm = replace(FACT, level=worse), replace(ALARM, level=other, ratio=1e9, is_notable=True)
    assert first_of([alarm, fact]) is fact


@pytest.mark.parametrize(
    ("leads", "follows"),
    [
        (ALARM, replace(ALARM, kind="fact", ratio=9.0, is_notable=True)),
        (replace(FACT, is_notable=True), replace(FACT, ratio=9.0)),
        (FACT, replace(FACT, is_summary=True, ratio=9.0)),
        (replace(ALARM, ratio=4.1), replace(ALARM, ratio=2.0, question="kernel-log")),
        (replace(ALARM, ratio=1.1), ALARM),
        (ALARM, replace(ALARM, ratio=0.9)),
        (replace(ALARM, question="kernel-log"), replace(ALARM, question="locks")),
    ],
    ids=["alarm", "notable", "no sum", "ratio", "beyond", "no threshold", "question"],
)
def test_within_a_level(leads, follows):
    assert first_of([follows, leads]) is leads


def test_statements_of_one_rank_keep_the_order_of_their_analyses():
    again = replace(ALARM, words="Another one")
    assert sorted([again, ALARM], key=rank) == [again, ALARM]
    assert first_of([]) is None


@pytest.mark.parametrize(
    ("value", "threshold", "ratio"),
    [(3.0, 2.0, 1.5), (1.0, 0.0, None), (math.nan, 1.0, None), (math.inf, 1.0, None), (1e308, 1e-308, None)],
)
def test_a_ratio_is_a_finite_number_or_none(value, threshold, ratio):
    assert ratio_of(value, threshold) == ratio


def test_a_chain_has_the_level_of_its_worst_class():
    assert level_of_classes(["nvme_timeout", "ext4_error"]) == level_of_classes(["ext4_error"])
    assert {level_of_classes([name]) for name in ("hard_lockup", "ext4_error", "softirq_pending")} == {
        "outage",
        "failure",
        "degraded",
    }


def test_the_text_of_a_statement_ends_with_its_qualifiers():
    load = overview("$ cat /proc/loadavg\n3.20 3.10 3.00 2/812 4711\n").statements[0].statement
    assert (load.subject, load.quantity.value, load.words) == ("load average", 3.2, "Load average 3.2")
    assert load.text == f"{load.words}{''.join(load.qualifiers)}"
    assert "number of CPUs unknown" in load.text


def test_an_alarm_as_a_finding_has_the_level_of_its_statement():
    shown = overview(pastes.SLABTOP, pastes.NETSTAT).statements
    assert [one.statement.level for one in shown] == sorted(
        (one.statement.level for one in shown), key=LEVELS.index, reverse=True
    )
    assert {one.statement.level for one in shown if one.statement.kind == "alarm"} == {
        "saturation",
        "since boot",
    }
