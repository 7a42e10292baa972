"""What ftrace saw: functions that took longest, and the longest latencies of its tracers.

The longest call that ftrace saw took 17.5 ms: __cond_resched
Interrupts were off for 93.6 ms, from _raw_spin_lock_irqsave to _raw_spin_unlock_irqrestore (dd-764)
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from signatures.language.number_format import quantity_words
from signatures.overview.levels import ratio_of
from signatures.overview.model import Answer, Figure, Statement
from signatures.overview.thresholds import thresholds_of

if TYPE_CHECKING:
    from signatures.documents.levels import Level
    from signatures.overview.scope_evidence import FactEntry, ScopeEvidence

LIMITS = thresholds_of("traced_functions")
SHOWN = 8
LONG_SECONDS = 0.01
"""Shorter calls say little: a trace slows what it traces."""

_TRACERS = {
    "irqsoff": "Interrupts were off",
    "preemptoff": "Preemption was off",
    "preemptirqsoff": "Interrupts or preemption were off",
    "wakeup": "A task that was woken waited",
    "wakeup_rt": "A real-time task that was woken waited",
    "wakeup_dl": "A deadline task that was woken waited",
    "hwlat": "Firmware or hardware stopped a CPU",
    "osnoise": "Interrupts, other tasks or hardware stopped a task",
    "timerlat": "A timer was late",
}
"""What the longest latency of each tracer is."""

CAPTURE = "trace-cmd record -p function_graph -g vfs_write -- sleep 1; trace-cmd report"


def traced_functions(evidence: ScopeEvidence) -> Answer:
    """Return the functions with the longest calls, without a judgement: a call may sleep."""
    longest = sorted(evidence.facts("ftrace.function.longest_seconds"), key=lambda one: -one.number)
    totals = {one.label("function"): one for one in evidence.facts("ftrace.function.total_seconds")}
    figures: list[Figure] = []
    for one in longest[:SHOWN]:
        name = one.label("function")
        total = quantity_words(totals[name].number, "seconds") if name in totals else ""
        note = f"{total} in all calls" if total else ""
        figures.append(Figure(f"longest call of {name}", one.number, "seconds", (one.place,), note=note))
    latencies, said = _latencies(evidence)
    figures += latencies
    if not figures:
        return Answer("No durations of functions.", lacks=(CAPTURE,))
    if not longest:
        return Answer(f"{latencies[0].label} for {latencies[0].words}.", tuple(figures), (), said)
    first = _innermost(longest)
    lasted = quantity_words(first.number, "seconds")
    text = f"The longest call that ftrace saw took {lasted}: {first.label('function')}"
    ratio = ratio_of(first.number, LONG_SECONDS)
    statement = Statement("scheduling", text, (first.place,), "fact", "context", CAPTURE, ratio=ratio)
    return Answer(f"{text}.", tuple(figures), (), (statement, *said))


def _innermost(longest: list[FactEntry]) -> FactEntry:
    """Return of the functions that took nearly as long as the longest the one that returned first."""
    least = LIMITS["nearly"] * longest[0].number
    alike = [one for one in longest if one.number >= least]
    return min(alike, key=lambda one: one.place.first_line)


def _latencies(evidence: ScopeEvidence) -> tuple[list[Figure], tuple[Statement, ...]]:
    """Return the longest latency of each tracer, and the sentences about the long ones."""
    figures: list[Figure] = []
    said: list[Statement] = []
    for one in sorted(evidence.facts("ftrace.latency.longest_seconds"), key=lambda one: -one.number):
        tracer = one.label("tracer")
        label = _TRACERS.get(tracer, "A latency lasted")
        where = _where(evidence, one)
        figures.append(Figure(label, one.number, "seconds", (one.place,), note=where))
        text = f"{label} for {quantity_words(one.number, 'seconds')}{where and f', {where}'}"
        level: Level = "notable" if one.number >= LONG_SECONDS else "context"
        ratio = ratio_of(one.number, LONG_SECONDS)
        said.append(
            Statement(
                "scheduling",
                text,
                (one.place,),
                "fact",
                level,
                CAPTURE,
                ratio=ratio,
                subject=f"{label}: {where}",
            )
        )
    return figures, tuple(said)


def _where(evidence: ScopeEvidence, latency: FactEntry) -> str:
    """Return where a latency began and ended, and whose it is; "" when the trace does not say."""
    stated = {
        name: str(one.fact.value)
        for name in ("started_at", "ended_at", "task")
        for one in evidence.facts(f"ftrace.latency.{name}")
        if one.item is latency.item
    }
    if "started_at" not in stated or "ended_at" not in stated:
        return ""
    task = f" ({stated['task']})" if "task" in stated else ""
    return f"from {stated['started_at']} to {stated['ended_at']}{task}"
