"""Quality caps apply where a weakness could make the number wrong, and only there."""

from __future__ import annotations

import pytest

from ingest.model.reading import Quality, Reading
from signatures.document.condition_parser import test_of as build
from signatures.judging.observe import observe_reading
from tests.signatures.build import profile, rows

SHARE = {"stack": {"contains": ["f"]}, "share": {"at_least": 0.1}}
UNDER = {"stack": {"contains": ["f"], "under": ["a"]}, "share": {"at_least": 0.1}}
PRESENCE = {"stack": {"contains": ["f"]}, "seen": True}
SPIN = {"leaf": {"any": ["@spin_leaf"], "called_from": ["f"]}, "share": {"at_least": 0.1}}
LEAF = {"leaf": {"any": ["g"], "called_from": ["f"]}, "share": {"at_least": 0.1}}
ROWS = {"rows": {"set": "s", "expr": "max(x)", "at_least": 1}}
STACKS = [("a;f;g", 300), ("a;f;_raw_spin_unlock_irqrestore", 300)]


def match_result(test, *weaknesses):
    quality = tuple(Quality(name, "from the reader", 1) for name in weaknesses)
    reading = Reading(profiles=(profile(STACKS),), row_sets=(rows("s", "x", (5.0,)),), quality=quality)
    return observe_reading(build("f", "c", test), reading)[0]


@pytest.mark.parametrize(
    ("weakness", "test"),
    [
        ("excerpt", SHARE),
        ("filtered", SHARE),
        ("few_samples", SHARE),
        ("unknown_frames", LEAF),
        ("too_short", SHARE),
        ("lost_events", PRESENCE),
        ("user_only", PRESENCE),
        ("truncated_stacks", UNDER),
        ("skid", SPIN),
        ("mixed_hosts", ROWS),
    ],
)
def test_a_weakness_that_affects_the_number_is_a_cap(weakness, test):
    found = match_result(test, weakness)
    assert (len(found.caps), found.remarks) == (1, ())


@pytest.mark.parametrize(
    ("weakness", "test"),
    [
        ("excerpt", PRESENCE),
        ("few_samples", PRESENCE),
        ("too_short", PRESENCE),
        ("unknown_frames", PRESENCE),
        ("truncated_stacks", SHARE),
        ("skid", LEAF),
        ("skid", SHARE),
        ("mostly_idle", SHARE),
        ("frequency_mode", SHARE),
        ("cut_off", SHARE),
        ("excerpt", ROWS),
    ],
)
def test_other_weaknesses_are_remarks(weakness, test):
    found = match_result(test, weakness)
    assert (found.caps, len(found.remarks)) == ((), 1)


def test_a_complete_recording_has_neither():
    found = match_result(SHARE)
    assert (found.caps, found.remarks) == ((), ())
