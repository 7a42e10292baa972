"""Counters that stand at 0: evidence that nothing was counted, where what they count for is old enough.

Example:
    max 90211
    oom_kill 0

The group was at its limit 90,211 times since it was made, and none of its tasks was killed. Without the first
line the group may have been made a second ago: a restarted container begins at 0. On version 2 of cgroups
`memory.events` counts descendants too, `memory.events.local` does not; version 1 counts
the group alone (Documentation/admin-guide/cgroup-v2.rst, memory_oom_control_read in mm/memcontrol-v1.c).

A task says so, too: one of the group or below it that runs since an hour. That of a container which was
restarted runs since then. A task that was moved into a new group is taken for one that was made in it.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from signatures.judging.process_groups import group_of

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


TASK_AGE = "process.age_seconds"
TASK_START = "process.started_uptime_seconds"
LEAST_TASK_AGE = 3600.0
"""Seconds that a task of the group must have run: our judgement, well above the length of a capture."""


def age_of(counter: str, facts: ScopeFacts, key: str) -> ScopeFact | None:
    """Return the fact of the same group that shows that it lived through the pressure, None without one."""
    for name, least in AGE.get(counter, {}).items():
        for fact in facts.of(name, key):
            if isinstance(fact.value, int | float) and fact.value >= least:
                return fact
    return facts.derived(_oldest_tasks).get(key) if AGE.get(counter) else None


def is_old_enough(counter: str, facts: ScopeFacts, key: str) -> bool:
    """Return whether a counter at 0 says that nothing was counted during the incident."""
    return AGE.get(counter) == {} or age_of(counter, facts, key) is not None


def age_words(age: ScopeFact) -> str:
    """Return `has memcg.events.max 90211`, or `has a task that runs since 26 h`."""
    if age.name == TASK_AGE:
        return f"has a task that runs since {float(age.value) / 3600:.0f} h"
    return f"has {age.name} {age.value:g}"


def _oldest_tasks(facts: ScopeFacts) -> dict[str, ScopeFact]:
    """Return the oldest task of every group and of all below it, where that is old enough."""
    oldest: dict[str, ScopeFact] = {}
    uptimes: defaultdict[str, list[float]] = defaultdict(list)
    for fact in facts.texts("host.uptime_seconds"):
        if isinstance(fact.value, int | float):
            uptimes[fact.item.boot].append(float(fact.value))
    for process in facts.keys_of("process.cgroup"):
        age = _task_age(facts, process, uptimes)
        group = group_of(process, facts) if age is not None else ""
        while age is not None and group:
            known = oldest.get(group)
            if known is None or float(known.value) < float(age.value):
                oldest[group] = age
            group = group.rpartition("/")[0]
    return oldest


def _task_age(facts: ScopeFacts, process: str, uptimes: dict[str, list[float]]) -> ScopeFact | None:
    """Return the age of a task, the least of several; None where it is unknown or too low."""
    ages = [fact for fact in facts.of(TASK_AGE, process) if isinstance(fact.value, int | float)]
    for fact in facts.of(TASK_START, process):
        up = uptimes.get(fact.item.boot)
        if up and isinstance(fact.value, int | float):
            ages.append(fact._replace(name=TASK_AGE, value=min(up) - fact.value))
    # A NaN is no age: each must be shown to be high enough.
    if not ages or not all(float(fact.value) >= LEAST_TASK_AGE for fact in ages):
        return None
    return min(ages, key=lambda fact: float(fact.value))
