"""Work done per CPU second and per cycle; next to none is a livelock, or a processor that waits for memory.

0.16 instructions per cycle; 94.9 % of cache references miss
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from signatures.language.number_format import value_words
from signatures.overview.model import Answer, Figure, Statement

if TYPE_CHECKING:
    from signatures.overview.scope_evidence import FactEntry, ScopeEvidence

FEW_INSTRUCTIONS = 0.5
"""Instructions per cycle below which a processor mostly waits, for memory or for others."""

LEAST_CYCLES = 1e9
MANY_SWITCHES = 20_000.0
"""Context switches per CPU second from which switching is most of what is done."""

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
    statements = [*_stalled(evidence), *_switching(figures)]
    if not figures and statements:
        return Answer(f"{statements[0].text}.", (), (), tuple(statements))
    if not figures:
        return Answer("No data about work per CPU second.", lacks=("perf stat -p PID -- sleep 10",))
    few = [one for one in figures if one.is_notable]
    if few:
        statements.insert(0, Statement("cpu", few[0].note, few[0].places, "fact", "notable", is_notable=True))
    return Answer(f"{figures[0].label}: {figures[0].words}.", tuple(figures), (), tuple(statements))


def _stalled(evidence: ScopeEvidence) -> list[Statement]:
    """Return the instructions per cycle where they are few, with the share of cache references that miss."""
    done, cycles = evidence.highest("perf.stat.instructions"), evidence.highest("perf.stat.cycles")
    if not done or not cycles or done.item is not cycles.item or cycles.number < LEAST_CYCLES:
        return []
    per_cycle = done.number / cycles.number
    if per_cycle >= FEW_INSTRUCTIONS:
        return []
    text = f"{per_cycle:.2f} instructions per cycle"
    places = [done.place, cycles.place]
    missed, asked = evidence.highest("perf.stat.cache_misses"), evidence.highest("perf.stat.cache_references")
    if missed and asked and asked.number and missed.item is asked.item:
        text += f"; {value_words(missed.number / asked.number, 'share')} of cache references miss"
        places.append(missed.place)
    return [Statement("cpu", text, tuple(places), "fact", "notable")]


def _switching(figures: list[Figure]) -> list[Statement]:
    """Return the context switches per CPU second where they are many."""
    label = "context switches per CPU second"
    found = next((one for one in figures if one.label == label and float(one.value) >= MANY_SWITCHES), None)
    if found is None:
        return []
    text = f"{float(found.value):,.0f} {label}"
    return [Statement("scheduling", text, found.places, "fact", "notable")]


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
            note = (
                f"{value_words(seconds, 'seconds')} of CPU time with {entry.number:,.0f} page faults: the "
                "CPUs compute in place, or loop; what they run decides"
                if is_few
                else ""
            )
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
