"""When round trips are one backlog."""

from __future__ import annotations

import pytest

from ingest.parsing.latency_ramp import Reply, latency_ramps


def replies(*seconds, first=1):
    return [Reply(first + at, value, at + 1) for at, value in enumerate(seconds)]


def lengths(found):
    return [len(ramp.replies) for ramp in found]


@pytest.mark.parametrize(("step", "expected"), [(0.008, [4]), (0.0079, []), (0.012, [4]), (0.0121, [])])
def test_a_step_is_within_a_fifth_of_the_interval(step, expected):
    assert lengths(latency_ramps(replies(*(0.2 - step * at for at in range(4))), 0.01)) == expected


def test_two_replies_are_no_ramp():
    assert latency_ramps(replies(0.02, 0.01), 0.01) == []


def test_a_new_stall_is_a_new_ramp():
    found = latency_ramps(replies(0.04, 0.03, 0.02, 0.0004, 0.09, 0.08, 0.07), 0.01)
    assert [ramp.backlog_seconds for ramp in found] == [0.04, 0.09]


def test_rising_round_trips_are_none():
    assert latency_ramps(replies(0.01, 0.02, 0.03), 0.01) == []


def test_without_an_interval_the_steps_must_agree():
    assert lengths(latency_ramps(replies(0.099, 0.089, 0.079, 0.069))) == [4]
    assert latency_ramps(replies(0.099, 0.089, 0.04, 0.001)) == []


def test_a_stray_first_step_does_not_hide_a_ramp():
    assert lengths(latency_ramps(replies(0.1, 0.099, 0.089, 0.079, 0.069))) == [4]


def test_sequence_numbers_wrap():
    wrapped = [Reply(65534, 0.03, 1), Reply(65535, 0.02, 2), Reply(0, 0.01, 3)]
    assert lengths(latency_ramps(wrapped, 0.01)) == [3]


def test_empty_input_has_no_ramp():
    assert latency_ramps([], 0.01) == []
