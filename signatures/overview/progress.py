"""Work done per CPU second; next to none is a livelock."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from signatures.overview.model import Answer, Figure

if TYPE_CHECKING:
    from signatures.overview.scope_evidence import FactEntry, ScopeEvidence

FEW_FAULTS = 1.0
"""Fewer page faults per CPU second than this is no progress."""


class _Measure(NamedTuple):
    """A counter of one process or machine, its label and its lower threshold."""

    fact: str
    label: str
    too_few: float | None


MEASURES = (
    _Measure("perf.stat.page_faults", "page faults per CPU second", FEW_FAULTS),
    _Measure("perf.stat.context_switches", "context switches per CPU second", None),
    _Measure("perf.stat.cpu_migrations", "migrations per CPU second", None),
    _Measure("perf.stat.instructions", "instructions per CPU second", None),
)


def progress(evidence: ScopeEvidence) -> Answer:
    """Divide the counters of perf stat by the CPU time of the same table."""
    figures: list[Figure] = []
    for clock_name in ("perf.stat.task_clock_ms", "perf.stat.cpu_clock_ms"):
        for clock in evidence.facts(clock_name):
            if clock.number > 0:
                figures += _of_clock(evidence, clock)
    figures += _of_machine(evidence)
    if not figures:
        return Answer("No data about work per CPU second.", lacks=("perf stat -p PID -- sleep 10",))
    return Answer(f"{figures[0].label}: {figures[0].words}.", tuple(figures))


def _of_clock(evidence: ScopeEvidence, clock: FactEntry) -> list[Figure]:
    seconds = clock.number / 1000
    figures = []
    for measure in MEASURES:
        for entry in evidence.facts(measure.fact):
            is_same = entry.item is clock.item and entry.fact.labels == clock.fact.labels
            if not is_same:
                continue
            value = entry.number / seconds
            is_few = measure.too_few is not None and value < measure.too_few and seconds > 1
            note = "CPU time without progress: livelock" if is_few else ""
            places = (entry.place, clock.place)
            figures.append(Figure(measure.label, round(value, 6), "per_second", places, is_few, note))
    return figures


def _of_machine(evidence: ScopeEvidence) -> list[Figure]:
    """Return system-wide faults and stolen pages per busy CPU second between two snapshots."""
    busy = [
        evidence.growth(f"stat.cpu.{mode}_seconds") for mode in ("user", "nice", "system", "irq", "softirq")
    ]
    growths = [one for one in busy if one]
    seconds = sum(one[0] for one in growths)
    if len(growths) < 3 or seconds <= 0:
        return []
    figures = []
    for name, label in (
        ("vmstat.pgfault", "page faults"),
        ("vmstat.pgsteal_direct", "pages stolen by direct reclaim"),
    ):
        grown = evidence.growth(name)
        if grown:
            places = (grown[1].place, grown[2].place, growths[0][1].place, growths[0][2].place)
            figures.append(
                Figure(
                    f"{label} per CPU second, system-wide",
                    round(grown[0] / seconds, 3),
                    "per_second",
                    places,
                )
            )
    return figures
