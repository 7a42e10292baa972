"""Work done per CPU second and per cycle; next to none is a livelock, or a processor that waits for memory.

0.16 instructions per cycle; 94.9 % of cache references miss
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from signatures.language.number_format import value_words
from signatures.overview.model import Answer, Figure, Statement

if TYPE_CHECKING:
    from collections.abc import Iterator

    from signatures.overview.scope_evidence import FactEntry, ScopeEvidence

FEW_INSTRUCTIONS = 0.5
"""Instructions per cycle below which a processor mostly waits, for memory or for others."""

LEAST_CYCLES = 1e9
MANY_SWITCHES = 20_000.0
"""Context switches per CPU second from which switching is most of what is done."""

FEW_FAULTS = 1.0
"""Fewer page faults per CPU second than this is no progress."""


PREFIX = "perf.stat."
CLOCKS = ("perf.stat.task_clock_ms", "perf.stat.cpu_clock_ms")
COUNTED = {
    "context_switches": "context switches",
    "cpu_migrations": "migrations",
    "page_faults": "page faults",
    "major_faults": "major faults",
}
"""Counters whose number per second of CPU time is stated, and what they count."""

QUOTIENTS = {
    ("instructions", "cycles"): "{value} instructions per cycle",
    ("instructions_u", "cycles_u"): "{value} instructions per cycle in user mode",
    ("cpu_core_instructions", "cpu_core_cycles"): "{value} instructions per cycle (performance cores)",
    ("cpu_atom_instructions", "cpu_atom_cycles"): "{value} instructions per cycle (efficiency cores)",
    ("cache_misses", "cache_references"): "{value} of cache references miss",
    ("branch_misses", "branches"): "{value} of branches are mispredicted",
}
"""Two counters, and what their quotient is."""


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
    for clock_name in CLOCKS:
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
    statements = statements or list(_counted(evidence))
    return Answer(f"{figures[0].label}: {figures[0].words}.", tuple(figures), (), tuple(statements))


def _counted(evidence: ScopeEvidence) -> Iterator[Statement]:
    """Yield per table the CPUs that were counted, and what was counted per second of their time."""
    for clock in (one for name in CLOCKS for one in evidence.facts(name)):
        seconds = clock.number / 1000
        if not seconds:
            continue
        own = {
            name: entry
            for name in evidence.names(PREFIX)
            for entry in evidence.facts(name)
            if entry.item is clock.item and entry.fact.labels == clock.fact.labels
        }
        rates = [
            (f"{value_words(entry.number / seconds)} {words}", entry)
            for name, words in COUNTED.items()
            if (entry := own.get(f"{PREFIX}{name}")) and entry.number
        ]
        shares = [
            (words.format(value=_quotient(whole.number, part.number, words)), part)
            for names, words in QUOTIENTS.items()
            if (part := own.get(f"{PREFIX}{names[0]}")) and (whole := own.get(f"{PREFIX}{names[1]}"))
            if whole.number
        ]
        if not rates and not shares:
            continue
        elapsed = own.get(f"{PREFIX}elapsed_seconds")
        of = next((f" of process {pid}" for pid in [clock.fact.labels.get("pid")] if pid), "")
        start = f"{value_words(seconds, 'seconds')} of CPU time{of}"
        if elapsed and elapsed.number:
            cpus = seconds / elapsed.number
            start = f"{cpus:.3g} CPUs{of} over {value_words(elapsed.number, 'seconds')}"
        counted = ", ".join(words for words, _ in rates)
        ends = [f"{counted} per CPU second"] if counted else []
        text = f"perf stat counted {start}: {'; '.join((*ends, *(words for words, _ in shares)))}"
        places = (clock.place, *(entry.place for _, entry in (*rates, *shares)))
        yield Statement("cpu", text, places, "fact", "context", subject="what perf stat counted")


def _quotient(whole: float, part: float, words: str) -> str:
    return value_words(part / whole, "share") if " of " in words else f"{part / whole:.2f}"


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
