"""Is it just OOM? A counter at 0 says no where its group is old enough, as the judge has it."""

from __future__ import annotations

import pytest

from signatures.handoff.oom import answer
from tests.signatures.build import fact, item

ZERO = fact("memcg.events.oom_kill", 0.0, cgroup="/a")


@pytest.mark.parametrize(
    ("facts", "word"),
    [
        ((ZERO, fact("memcg.events.max", 90211.0, cgroup="/a")), "no"),
        ((ZERO, fact("memcg.events.max", 90211.0, cgroup="/b")), "unknown"),
        ((ZERO,), "unknown"),
        ((fact("vmstat.oom_kill", 0.0),), "no"),
        ((fact("memcg.events.oom_kill", 3.0, cgroup="/a"),), "yes"),
        ((), "unknown"),
    ],
)
def test_a_counter_answers_where_it_was_there(facts, word):
    found = answer([item("cg.txt", facts=facts)], [])
    assert found.answer == word
    assert len(found.places) == bool(facts)
    assert ("begin at 0" in found.sentence) == (word == "unknown" and bool(facts))
