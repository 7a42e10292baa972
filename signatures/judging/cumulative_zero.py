"""Counters that stand at 0: evidence that nothing was counted, where what they count for is old enough.

Example:
    max 90211
    oom_kill 0

The group was at its limit 90,211 times since it was made, and none of its tasks was killed. Without the first
line the group may have been made a second ago: a restarted container begins at 0. On version 2 of cgroups
`memory.events` counts descendants too, `memory.events.local` does not; version 1 counts
the group alone (Documentation/admin-guide/cgroup-v2.rst, memory_oom_control_read in mm/memcontrol-v1.c).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from signatures.judging.fact_index import ScopeFact, ScopeFacts

AGE: dict[str, dict[str, float]] = {
    "memcg.events.oom_kill": {
        "memcg.events.max": 1000.0,
        "memcg.events.high": 1000.0,
        "memcg.stat.pgscan": 100_000.0,
    },
    "memcg.oom_control.oom_kill": {"memcg.failcnt": 1000.0},
    "vmstat.oom_kill": {},
}
"""Counter to those of the same group that show that it was there, with the least count; none for the host's
own, which count since boot."""


def age_of(counter: str, facts: ScopeFacts, key: str) -> ScopeFact | None:
    """Return the fact of the same group that shows that it lived through the pressure, None without one."""
    for name, least in AGE.get(counter, {}).items():
        for fact in facts.of(name, key):
            if isinstance(fact.value, int | float) and fact.value >= least:
                return fact
    return None


def is_old_enough(counter: str, facts: ScopeFacts, key: str) -> bool:
    """Return whether a counter at 0 says that nothing was counted during the incident."""
    return AGE.get(counter) == {} or age_of(counter, facts, key) is not None
