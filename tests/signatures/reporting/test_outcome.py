"""Outcome of a change: cleared only when met conditions were tested again and are not met."""

from __future__ import annotations

import pytest

from signatures.reporting.outcome import outcome
from tests.signatures.documents import build


def finding(verdict, **states):
    clauses = [
        {"id": name, "title": "", "role": "rival" if name == "rival" else "core", "state": state}
        for name, state in states.items()
    ]
    return build.finding(verdict=verdict, clauses=clauses)


SICK = finding("match", at_limit="TRUE", reclaiming="TRUE", rival="FALSE")


def test_a_finding_met_again_persists():
    after = finding("suspect", at_limit="TRUE", reclaiming="UNKNOWN")
    assert outcome(SICK, after) == ("persists", "met after: at limit")


def test_a_finding_no_longer_met_is_cleared():
    after = finding("no_match", at_limit="FALSE", reclaiming="UNKNOWN")
    assert outcome(SICK, after) == ("cleared", "not met after: at limit")


def test_a_finding_not_tested_again_stays_open():
    after = finding("unknown", at_limit="FALSE", reclaiming="UNKNOWN")
    assert outcome(SICK, after) == ("open", "not tested after: reclaiming")
    untested = finding("no_match", at_limit="UNKNOWN", reclaiming="UNKNOWN")
    assert outcome(SICK, untested).word == "open"


def test_without_new_evidence_nothing_is_cleared():
    assert outcome(SICK, None) == ("open", "no evidence collected since")


def test_a_finding_that_no_longer_applies_is_cleared():
    after = finding("not_applicable", at_limit="UNKNOWN", reclaiming="UNKNOWN")
    assert outcome(SICK, after) == ("cleared", "it no longer applies")


def test_a_new_finding_has_appeared():
    assert (
        outcome(finding("no_match", at_limit="FALSE"), finding("match", at_limit="TRUE")).word == "appeared"
    )


@pytest.mark.parametrize("after", [None, finding("no_match"), finding("unknown")])
def test_a_finding_that_never_fired_is_quiet(after):
    assert outcome(finding("unknown", at_limit="UNKNOWN"), after) == ("quiet", "")
