"""Did the change help: cleared only where what was met was looked at again and is not met."""

from __future__ import annotations

import pytest

from signatures.reporting.outcome import outcome


def finding(verdict, **states):
    clauses = [
        {"id": name, "title": "", "role": "rival" if name == "rival" else "core", "state": state}
        for name, state in states.items()
    ]
    return {"verdict": verdict, "clauses": clauses}


SICK = finding("match", at_limit="TRUE", reclaiming="TRUE", rival="FALSE")


def test_what_is_met_again_persists():
    after = finding("suspect", at_limit="TRUE", reclaiming="UNKNOWN")
    assert outcome(SICK, after) == ("persists", "met after: at limit")


def test_what_was_met_and_is_not_met_any_more_is_cleared():
    after = finding("no_match", at_limit="FALSE", reclaiming="UNKNOWN")
    assert outcome(SICK, after) == ("cleared", "not met after: at limit")


def test_what_was_not_looked_at_again_stays_open():
    after = finding("unknown", at_limit="FALSE", reclaiming="UNKNOWN")
    assert outcome(SICK, after) == ("open", "not looked at after: reclaiming")
    unseen = finding("no_match", at_limit="UNKNOWN", reclaiming="UNKNOWN")
    assert outcome(SICK, unseen).word == "open"


def test_without_any_evidence_since_nothing_is_cleared():
    assert outcome(SICK, None) == ("open", "nothing was collected since")


def test_what_does_not_apply_any_more_is_cleared():
    after = finding("not_applicable", at_limit="UNKNOWN", reclaiming="UNKNOWN")
    assert outcome(SICK, after) == ("cleared", "it no longer applies")


def test_what_was_fine_and_fires_has_appeared():
    assert (
        outcome(finding("no_match", at_limit="FALSE"), finding("match", at_limit="TRUE")).word == "appeared"
    )


@pytest.mark.parametrize("after", [None, finding("no_match"), finding("unknown")])
def test_what_never_fired_is_quiet(after):
    assert outcome(finding("unknown", at_limit="UNKNOWN"), after) == ("quiet", "")
