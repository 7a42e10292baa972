"""Work done per CPU second: very little is a livelock, very much is a storm."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from signatures.overview.model import Answer, Figure

if TYPE_CHECKING:
    from signatures.overview.gathered import Gathered, Told

FEW_FAULTS = 1.0
"""Below one fault per CPU second of a process that faults, nothing moves on."""


class _Measure(NamedTuple):
    """A counter of one process or machine, and what it counts."""

    fact: str
    label: str
    too_few: float | None


MEASURES = (
    _Measure("perf.stat.page_faults", "page faults per CPU second", FEW_FAULTS),
    _Measure("perf.stat.context_switches", "context switches per CPU second", None),
    _Measure("perf.stat.cpu_migrations", "migrations per CPU second", None),
    _Measure("perf.stat.instructions", "instructions per CPU second", None),
)


def progress(gathered: Gathered) -> Answer:
    """Divide what was done by the CPU time it took, of the same table of perf stat."""
    figures: list[Figure] = []
    for clock_name in ("perf.stat.task_clock_ms", "perf.stat.cpu_clock_ms"):
        for clock in gathered.facts(clock_name):
            if clock.number > 0:
                figures += _of_clock(gathered, clock)
    figures += _of_machine(gathered)
    if not figures:
        return Answer(
            "Nothing tells how much was done per CPU second.", lacks=("perf stat -p PID -- sleep 10",)
        )
    return Answer(f"{figures[0].label}: {figures[0].words}.", tuple(figures))


def _of_clock(gathered: Gathered, clock: Told) -> list[Figure]:
    seconds = clock.number / 1000
    figures = []
    for measure in MEASURES:
        for told in gathered.facts(measure.fact):
            is_same = told.item is clock.item and told.fact.labels == clock.fact.labels
            if not is_same:
                continue
            value = told.number / seconds
            is_few = measure.too_few is not None and value < measure.too_few and seconds > 1
            note = "CPU is used and nothing is done: a livelock" if is_few else ""
            places = (told.place, clock.place)
            figures.append(Figure(measure.label, round(value, 6), "per_second", places, is_few, note))
    return figures


def _of_machine(gathered: Gathered) -> list[Figure]:
    """Return growth of faults and stolen pages of the machine over its busy CPU seconds between two looks."""
    busy = [
        gathered.growth(f"stat.cpu.{mode}_seconds") for mode in ("user", "nice", "system", "irq", "softirq")
    ]
    known = [one for one in busy if one]
    seconds = sum(one[0] for one in known)
    if len(known) < 3 or seconds <= 0:
        return []
    figures = []
    for name, label in (
        ("vmstat.pgfault", "page faults"),
        ("vmstat.pgsteal_direct", "pages stolen directly"),
    ):
        grown = gathered.growth(name)
        if grown:
            places = (grown[1].place, grown[2].place, known[0][1].place, known[0][2].place)
            figures.append(
                Figure(
                    f"{label} of the machine per CPU second",
                    round(grown[0] / seconds, 3),
                    "per_second",
                    places,
                )
            )
    return figures
