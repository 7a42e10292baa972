"""What counts as a change of a case."""

from __future__ import annotations

import pytest

from backend.models import Change
from backend.reprocessing.changes import kind_of
from signatures.reporting.verdict_changes import Judged, Place, differences

HERE = Place("db7", "during", "mm/memcg-limit-reclaim")
THERE = Place("db8", "during", "mm/kswapd-spin")


def verdicts(**by_name):
    places = {"here": HERE, "there": THERE}
    return {places[name]: Judged(verdict, "title") for name, verdict in by_name.items()}


@pytest.mark.parametrize(
    ("before", "after", "is_headline_new", "change"),
    [
        (verdicts(here="match"), verdicts(), True, Change.LOST_MATCH),
        (verdicts(here="match"), verdicts(here="suspect"), False, Change.LOST_MATCH),
        (verdicts(here="match"), verdicts(there="match"), True, Change.LOST_MATCH),
        (verdicts(), verdicts(here="match"), True, Change.NEW_MATCH),
        (verdicts(here="suspect"), verdicts(here="match", there="suspect"), False, Change.SUSPECT_TO_MATCH),
        (verdicts(here="suspect"), verdicts(), False, Change.SUSPECT),
        (verdicts(here="match"), verdicts(here="match"), True, Change.HEADLINE),
        (verdicts(here="match"), verdicts(here="match"), False, Change.NONE),
        (verdicts(), verdicts(), False, Change.NONE),
    ],
)
def test_a_case_has_the_most_important_of_its_changes(before, after, is_headline_new, change):
    assert kind_of(differences(before, after), is_headline_new=is_headline_new) is change


def test_each_verdict_that_became_another_is_named_by_its_place():
    changed = differences(verdicts(here="match", there="suspect"), verdicts(there="match"))
    assert [(one["host"], one["before"], one["after"]) for one in changed] == [
        ("db7", "match", None),
        ("db8", "suspect", "match"),
    ]
