"""The speedscope file: every sample's weight, stacks outermost first, in order."""

from __future__ import annotations

import json

import pytest

from ingest.export import speedscope
from tests.ingest.export.profiles import ALL, database, memcg, ordered


@pytest.mark.parametrize("profile", ALL, ids=lambda one: one.__name__)
def test_the_total_is_the_total(profile):
    profile = profile()
    [everyone, *_] = speedscope.document([profile], name="x")["profiles"]
    assert everyone["name"].startswith("All threads")
    assert sum(everyone["weights"]) == everyone["endValue"] - everyone["startValue"]
    assert everyone["endValue"] == pytest.approx(profile.weight)
    assert len(everyone["samples"]) == len(everyone["weights"])


def test_stacks_are_names_from_the_outermost_frame_inwards():
    document = json.loads(json.dumps(speedscope.document([memcg()], name="x")))
    frames = document["shared"]["frames"]
    first = [frames[at]["name"] for at in document["profiles"][0]["samples"][0]]
    assert first[0] == "start_thread"
    assert first[-1] == "next_uptodate_folio"


def test_threads_follow_all_threads_and_sum_up():
    profile = ordered()
    [everyone, *threads] = speedscope.document([profile], name="x")["profiles"]
    assert len(threads) == len(profile.threads)
    assert sum(one["endValue"] for one in threads) == everyone["endValue"]


def test_two_events_are_distinguished():
    document = speedscope.document([memcg(), database()], name="x")
    titles = [one["name"] for one in document["profiles"] if one["name"].startswith("All threads")]
    assert titles == ["All threads (cpu-clock:ppp)"] * 2
    highest = max(max(stack, default=0) for one in document["profiles"] for stack in one["samples"])
    assert highest < len(document["shared"]["frames"])


def test_a_profile_too_large_for_order_is_marked_and_keeps_its_weight(monkeypatch):
    monkeypatch.setattr(speedscope, "MAX_ENTRIES", 100)
    [everyone, *_] = speedscope.document([database()], name="x")["profiles"]
    assert everyone["name"].endswith("equal stacks joined")
    assert everyone["endValue"] == database().weight


def test_periods_of_a_clock_are_nanoseconds():
    assert speedscope.unit_of(memcg()) == "nanoseconds"
    assert speedscope.unit_of(ordered()) == "none"
