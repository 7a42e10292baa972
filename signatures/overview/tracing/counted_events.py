"""Tracepoints that `perf stat -e` counted: how often, and how often a second.

Tasks entered direct reclaim 1,204,511 times in 10 s, 120.4 k a second (perf stat)
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from signatures.language.number_format import value_words
from signatures.overview.levels import ratio_of
from signatures.overview.model import Answer, Figure, Statement, ranked

if TYPE_CHECKING:
    from collections.abc import Iterator

    from signatures.overview.model import QuestionName
    from signatures.overview.scope_evidence import FactEntry, ScopeEvidence

PREFIX = "perf.stat."
ELAPSED = "perf.stat.elapsed_seconds"
SHOWN = 3
OFTEN = 10.0
"""Events a second from which one is out of the ordinary, or the largest of any kind worth a sentence."""


class _Counted(NamedTuple):
    """A tracepoint that says something by its count.

    Attributes:
        event: Its name behind the group.
        alarm: Events a second from which they are an alarm; infinite where healthy machines have as many.
    """

    event: str
    words: str
    question: QuestionName
    alarm: float


EVENTS = (
    _Counted("vmscan_mm_vmscan_direct_reclaim_begin", "Tasks entered direct reclaim", "memory", 1000.0),
    _Counted(
        "vmscan_mm_vmscan_memcg_reclaim_begin",
        "Tasks entered reclaim of a memory cgroup",
        "memory",
        float("inf"),
    ),
    _Counted("vmscan_mm_vmscan_throttled", "Tasks were throttled in reclaim", "memory", 100.0),
    _Counted("compaction_mm_compaction_begin", "Memory was compacted", "memory", 1000.0),
    _Counted("oom_mark_victim", "Processes were chosen to be killed for lack of memory", "memory", 0.0),
)
"""include/trace/events: vmscan.h, compaction.h, oom.h. A healthy group at its limit enters reclaim often."""

GROUPS = (
    "block", "compaction", "exceptions", "ext4", "filemap", "huge_memory", "irq", "kmem", "kvm", "migrate",
    "mmap_lock", "net", "nvme", "oom", "power", "sched", "skb", "sock", "syscalls", "tcp", "timer", "vmscan",
    "workqueue", "writeback", "xfs",
)  # fmt: skip
"""Groups of tracepoints: the other counters of perf have analyses of their own."""


def counted_events(evidence: ScopeEvidence) -> Answer:
    """Return the tracepoints that say something by themselves, else the one that was counted most."""
    found = [
        (entry, seconds)
        for name in evidence.names(PREFIX)
        if name.removeprefix(PREFIX).startswith(tuple(f"{group}_" for group in GROUPS))
        for entry in evidence.facts(name)
        if (seconds := _seconds(evidence, entry)) and entry.number > 0
    ]
    if not found:
        return Answer("No counted tracepoints.", lacks=("perf stat -a -e 'vmscan:*' -- sleep 10",))
    found.sort(key=lambda one: -one[0].number / one[1])
    figures = tuple(
        Figure(
            _name(entry),
            entry.number / seconds,
            "per_second",
            (entry.place,),
            note=f"{entry.number:,.0f} in all",
        )
        for entry, seconds in found[: 2 * SHOWN]
    )
    statements = tuple(_statements(found))
    summary = f"{statements[0].text}." if statements else f"{figures[0].label}: {figures[0].words}."
    return Answer(summary, figures, (), statements)


def _seconds(evidence: ScopeEvidence, entry: FactEntry) -> float:
    """Return how long the same table was counted; 0 when it does not say."""
    return next((one.number for one in evidence.facts(ELAPSED) if one.item is entry.item), 0.0)


def _statements(found: list[tuple[FactEntry, float]]) -> Iterator[Statement]:
    said: set[str] = set()
    for entry, seconds in found:
        known = next((one for one in EVENTS if one.event == entry.fact.name.removeprefix(PREFIX)), None)
        rate = entry.number / seconds
        if known is None or rate < min(OFTEN, known.alarm) or len(said) >= SHOWN:
            continue
        said.add(entry.fact.name)
        kind, level = ranked(is_alarm=rate >= known.alarm)
        text = f"{known.words} {_counts(entry, seconds)}"
        ratio = ratio_of(rate, known.alarm) if kind == "alarm" else None
        yield Statement(
            known.question,
            text,
            (entry.place,),
            kind,
            level,
            is_notable=True,
            ratio=ratio,
            subject=known.words,
        )
    most, seconds = found[0]
    if most.number / seconds >= OFTEN and most.fact.name not in said:
        text = f"{_name(most)} was counted {_counts(most, seconds)}, the most of {len(found):,} tracepoints"
        yield Statement(
            "memory" if "vmscan" in most.fact.name else "cpu", text, (most.place,), "fact", "context"
        )


def _counts(entry: FactEntry, seconds: float) -> str:
    return (
        f"{entry.number:,.0f} times in {value_words(seconds, 'seconds')}, "
        f"{value_words(entry.number / seconds)} a second (perf stat)"
    )


def _name(entry: FactEntry) -> str:
    """Return the event without its group, which is its prefix."""
    name = entry.fact.name.removeprefix(PREFIX)
    group = max((one for one in GROUPS if name.startswith(f"{one}_")), key=len)
    return name.removeprefix(f"{group}_")
