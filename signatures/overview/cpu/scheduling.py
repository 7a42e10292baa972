"""How long tasks wait for a CPU: `perf sched`, run queue latency, and runnable tasks against CPUs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from signatures.language.number_format import value_words
from signatures.overview import averages, calm, impossible, window_rules
from signatures.overview.cpu import busy_profile, overload, run_queues
from signatures.overview.levels import first_of, ratio_of
from signatures.overview.model import Answer, Covers, Figure, Statement, place, ranked, shortened
from signatures.overview.scope_evidence import sections_of
from signatures.overview.waiting.off_cpu import SECONDS
from signatures.rendering.words import capital

if TYPE_CHECKING:
    from collections.abc import Iterator

    from signatures.overview.first_steps import Topic
    from signatures.overview.model import Place
    from signatures.overview.scope_evidence import Row, ScopeEvidence

SHOWN = 8
LONG_DELAY_SECONDS = 0.1
"""A runnable task that waits this long for a CPU: tens of time slices."""

SLOW_SHARE = 0.01
"""Strength of an alarm that says what to do: no program alone uses the CPUs."""

QUEUED_SECONDS, QUEUED_SHARE = 0.01, 0.1
"""A tenth of all waits that take time slices: tasks queue for CPUs, of which there are too few."""

MANY_RUNNABLE = 16.0
"""More than most machines have CPUs free for: worth a sentence where their number is unknown."""

LEAST_RUNNABLE = 4.0
"""Fewer fit on the CPUs of most machines."""

CAPTURE = "perf sched record -- sleep 5 && perf sched latency --sort max"


def scheduling(evidence: ScopeEvidence) -> Answer:
    """Return the tasks with the longest delay, run queue latency, and runnable tasks per CPU."""
    figures: list[Figure] = []
    statements: list[Statement] = []
    rests_on = (
        *_delays(evidence, figures, statements),
        *_histograms(evidence, figures, statements),
        *run_queues.lengths(evidence, figures, statements),
        *_runnable(evidence, figures, statements),
    )
    _run_times(evidence, figures)
    if not figures:
        return Answer("No data about waiting for a CPU.", lacks=(CAPTURE,))
    first = first_of(statements)
    assesses = (Covers("scheduling", rests_on),) if rests_on else ()
    summary = first.text if first else f"{capital(figures[0].label)}: {figures[0].words}"
    return Answer(f"{summary}.", shortened(figures, SHOWN), (), tuple(statements), assesses)


def _delays(evidence: ScopeEvidence, figures: list[Figure], statements: list[Statement]) -> tuple[Place, ...]:
    """Add the longest delays of `perf sched`; return their lines."""
    rows: list[tuple[float, Row]] = []
    for name, column in (("sched_latency", "max_delay_ms"), ("sched_timehist", "delay_ms")):
        rows += [
            (value / 1e3, row)
            for row in evidence.rows(name)
            if row.cells.get("comm") != "<idle>" and (value := row.number(column)) is not None
        ]
    rows.sort(key=lambda one: -one[0])
    shown: dict[str, tuple[float, Row]] = {}
    for seconds, row in rows:
        shown.setdefault(str(row.cells.get("comm") or "a task"), (seconds, row))
    for comm, (seconds, row) in list(shown.items())[:SHOWN]:
        is_long = seconds >= LONG_DELAY_SECONDS
        figures.append(Figure(f"longest delay of {comm}", seconds, "seconds", (row.place,), is_long))
    if rows:
        seconds, row = rows[0]
        comm = str(row.cells.get("comm") or "a task")
        on_cpu = row.cells.get("cpu")
        cpu = f"CPU {on_cpu:.0f}" if isinstance(on_cpu, float) else "a CPU"
        text = f"{comm} was runnable and waited {value_words(seconds, 'seconds')} for {cpu}"
        is_long = seconds >= LONG_DELAY_SECONDS
        kind, level = ranked(is_alarm=is_long, alarm="degraded", fact="context")
        ratio = ratio_of(seconds, LONG_DELAY_SECONDS) if is_long else None
        statements.append(
            Statement("scheduling", text, (row.place,), kind, level, ratio=ratio, subject=f"delay of {comm}")
        )
    return sections_of(row for _, row in rows)


def _run_times(evidence: ScopeEvidence, figures: list[Figure]) -> None:
    """Add the tasks that ran longest while `perf sched map` shows who ran."""
    tasks = sorted(evidence.facts("sched.task.run_seconds"), key=lambda one: -one.number)
    figures += [
        Figure(f"{one.label('comm')} ran", one.number, "seconds", (one.place,)) for one in tasks[:SHOWN]
    ]


def _histograms(
    evidence: ScopeEvidence, figures: list[Figure], statements: list[Statement]
) -> Iterator[Place]:
    """Add run queue latency as the share of waits of 0.1 s or more; yield the lines of each histogram."""
    for item in evidence.items:
        for printed in item.reading.histograms:
            histogram = impossible.credible(evidence, printed, item)
            names = f"{histogram.name} {histogram.probe}".lower()
            total = sum(histogram.counts)
            if not ("runq" in names or "run queue" in names) or histogram.unit not in SECONDS or not total:
                continue
            factor = SECONDS[histogram.unit]
            slow, queued = (
                sum(
                    count
                    for low, count in zip(histogram.lows, histogram.counts, strict=True)
                    if low * factor >= least
                )
                for least in (LONG_DELAY_SECONDS, QUEUED_SECONDS)
            )
            where = (place(item, histogram.lines.first, histogram.lines.last),)
            share, took = slow / total, "0.1 s or more"
            is_slow = share >= SLOW_SHARE
            is_queued = not is_slow and queued / total >= QUEUED_SHARE
            if is_queued:
                share, took = queued / total, "10 ms or more: tasks queue for CPUs"
            label = f"{histogram.name} {histogram.key}".strip()
            figures.append(
                Figure(f"{label}: waits of {took}", round(share, 4), "share", where, is_slow or is_queued)
            )
            text = f"{value_words(share, 'share')} of {total:,.0f} waits for a CPU took {took} ({label})"
            kind, level = ranked(is_alarm=is_slow, fact="notable" if is_queued else "context")
            subject = f"waits of {took} ({label})"
            if is_slow or is_queued:
                statements.append(Statement("scheduling", text, where, kind, level, subject=subject))
            else:
                covers, ratio = Covers("scheduling", where), ratio_of(share, SLOW_SHARE)
                statements.append(calm.statement(evidence, covers, text, text, ratio=ratio, subject=subject))
            yield from where


def _runnable(
    evidence: ScopeEvidence, figures: list[Figure], statements: list[Statement]
) -> tuple[Place, ...]:
    """Add runnable tasks against CPUs, by vmstat or sar; return their lines if both are known."""
    runnable = overload.run_queue(evidence)
    cpus = busy_profile.machine_cpus(evidence)
    if runnable:
        is_many = overload.is_long(runnable, cpus)
        is_shared = is_many and overload.is_of_many_programs(evidence)
        figures.append(Figure("runnable tasks", runnable.number, "count", (runnable.place,), is_many))
        on = f"on {cpus:,.0f} CPUs" if cpus else "(number of CPUs unknown)"
        above = window_rules.RUNNABLE_FACTOR * cpus if cpus else None
        count = averages.count_of(evidence, runnable, above)
        tasks = "task is" if count.words == "1" else "tasks are"
        text = f"{count.words} {tasks} runnable {on}{count.mean}"
        text += f"; {overload.RELIEF}" if is_shared else ""
        capture, asks = (overload.CAPTURE, overload.ASKS) if is_shared else ("", "")
        is_telling = runnable.number >= MANY_RUNNABLE and not cpus
        kind, level = ranked(is_alarm=is_many, fact="notable" if is_telling else "context")
        topic: Topic = "overload" if is_shared else "busy CPUs" if is_many else ""
        if is_many or cpus or runnable.number >= LEAST_RUNNABLE:
            where = (runnable.place,)
            ratio = None if is_many or is_telling else ratio_of(runnable.number, cpus or MANY_RUNNABLE)
            statements.append(
                Statement(
                    "scheduling",
                    text,
                    where,
                    kind,
                    level,
                    capture,
                    asks=asks,
                    topic=topic,
                    is_summary=not is_shared and not is_telling,
                    subject="runnable tasks",
                    ratio=ratio,
                )
            )
    return (runnable.place,) if runnable and cpus else ()
