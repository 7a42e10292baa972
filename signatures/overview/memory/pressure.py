"""Pressure stalls: the share of time in which tasks waited for memory, IO, a CPU or interrupts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from signatures.language.number_format import value_words
from signatures.overview.cpu import saturation
from signatures.overview.levels import ratio_of
from signatures.overview.model import Answer, Covers, Figure, Statement, ranked, shortened
from signatures.overview.scope_evidence import sections_of
from signatures.rendering.words import capital

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from signatures.overview.model import QuestionName
    from signatures.overview.scope_evidence import FactEntry, ScopeEvidence

STALL_SHARE = 0.2
CPU_STALL_SHARE = 0.5
FULL_SHARE = 0.1
SHARED_PART = 0.5
"""Stalls on memory against those on IO, from which on the latter are a part of the former.

A wait for a page that reclaim took and that is read again counts as both (`folio_wait_bit_common`)."""

UNNAMED = "unnamed"
"""Lines of files that nothing names."""

PRESSURES: tuple[tuple[str, QuestionName], ...] = (
    ("memory", "memory"),
    ("io", "io"),
    ("cpu", "scheduling"),
    ("irq", "cpu"),
    (UNNAMED, "scheduling"),
)
NAMES = {
    "memory": "memory",
    "io": "IO",
    "cpu": "the CPU",
    "irq": "interrupts",
    UNNAMED: "a resource that the lines do not name",
}
MAY_BE_CPU = (("cpu", "some"), (UNNAMED, "some"))
"""Stalls that tasks have whenever more of them want to run than there are CPUs."""
SHOWN = 10


def pressure(evidence: ScopeEvidence) -> Answer:
    """Return the share of the last ten seconds in which tasks stalled on memory, I/O, CPU and interrupts.

    System-wide `full` of the CPU is excluded: the kernel always prints 0. That more tasks want to run than
    there are CPUs is said of the CPUs (`saturation`).
    """
    figures, statements = [], []
    is_crowded = saturation.waiting(evidence) is not None
    for resource, question in PRESSURES:
        for kind in ("some", "full"):
            if (resource, kind) == ("cpu", "full"):
                continue
            for entry, looks in _peaks(evidence.facts(f"pressure.{resource}.{kind}.avg10_share")):
                group = entry.label("cgroup")
                limit = (
                    FULL_SHARE
                    if kind == "full"
                    else CPU_STALL_SHARE
                    if (resource, kind) in MAY_BE_CPU
                    else STALL_SHARE
                )
                is_notable = entry.number > limit and (resource, kind) not in MAY_BE_CPU
                tasks = f"{'all' if kind == 'full' else 'some'} tasks stalled"
                within = f" in {group}" if group else ""
                label = f"{resource}: {tasks}{within}"
                note = (
                    "more runnable tasks than CPUs" if is_crowded and resource == "cpu" and not group else ""
                )
                figures.append(Figure(label, entry.number, "share", (entry.place,), is_notable, note))
                is_said = resource == "cpu" and not group and is_crowded
                if entry.number > limit and not is_said:
                    text = f"{capital(tasks)} on {NAMES[resource]}{within} "
                    text += f"{value_words(entry.number, 'share')} of "
                    text += "the last 10 s" if looks == 1 else f"10 s, the most of {looks:,} looks"
                    ratio = ratio_of(entry.number, STALL_SHARE)
                    text += f": {note}" if note else ""
                    degree, level = ranked(is_alarm=is_notable)
                    is_part = (
                        resource == "io"
                        and not group
                        and _memory_stalls(evidence, kind) >= (SHARED_PART * entry.number)
                    )
                    statements.append(
                        Statement(
                            question,
                            text,
                            (entry.place,),
                            degree,
                            level,
                            ratio=ratio,
                            is_summary=is_part,
                            subject=f"{label} {note}",
                        )
                    )
    if not figures:
        return Answer("No data about pressure stalls.", lacks=("grep . /proc/pressure/*",))
    worst = max(figures, key=lambda figure: (figure.is_notable, float(figure.value)))
    whole = {
        question: [
            one for one in evidence.facts(f"pressure.{resource}.some.avg10_share") if not one.label("cgroup")
        ]
        for resource, question in PRESSURES
        if resource != UNNAMED
    }
    return Answer(
        f"Highest pressure: {worst.label}, {worst.words} of the last 10 s.",
        shortened(figures, SHOWN),
        (),
        tuple(statements),
        tuple(Covers(question, sections_of(looks)) for question, looks in whole.items() if looks),
    )


def _peaks(entries: Sequence[FactEntry]) -> Iterator[tuple[FactEntry, int]]:
    """Yield the highest of the looks at one file, and how many there are; one look is yielded as it is."""
    by_group: dict[tuple[str, str, str], list[FactEntry]] = {}
    for entry in entries:
        of = entry.item.evidence if entry.fact.at is not None else f"{entry.item.evidence}:{id(entry)}"
        by_group.setdefault((of, entry.label("cgroup"), entry.label("file")), []).append(entry)
    for looks in by_group.values():
        yield max(looks, key=lambda one: one.number), len(looks)


def _memory_stalls(evidence: ScopeEvidence, kind: str) -> float:
    """Return the share of time in which tasks of the machine stalled on memory; 0 where it is no alarm."""
    entries = evidence.facts(f"pressure.memory.{kind}.avg10_share")
    share = max((one.number for one in entries if not one.label("cgroup")), default=0.0)
    return share if share > STALL_SHARE else 0.0
