"""Whether the files that state the resident memory of a process agree; counters may drift from the pages.

VmRSS and smaps_rollup agree on the resident memory of rss_drift (PID 6879): 198.5 MiB
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from signatures.language.number_format import value_words
from signatures.overview.model import Answer, Figure, Statement

if TYPE_CHECKING:
    from collections.abc import Iterator

    from signatures.overview.model import Place
    from signatures.overview.scope_evidence import FactEntry, ScopeEvidence

COUNTED = "process.rss.smaps_rollup_bytes"
"""The pages themselves; the others are counters. fs/proc/task_mmu.c."""

AGREEMENT = 0.01
"""Prints of one process are not of one moment."""


def resident_sizes(evidence: ScopeEvidence) -> Answer:
    """Say that the sizes agree; those that do not are the business of a signature."""
    stated = evidence.facts("process.rss.status_bytes")
    counted = evidence.facts(COUNTED)
    pid = _only_pid([*stated, *counted])
    if not (stated and counted and pid):
        return Answer("")
    sizes = [
        *(("VmRSS", one.number, one.place) for one in stated),
        *(("smaps_rollup", one.number, one.place) for one in counted),
        *_of_tools(evidence, pid),
    ]
    values = [size for _, size, _ in sizes]
    if not min(values) or max(values) > (1.0 + AGREEMENT) * min(values):
        return Answer("")
    sources = list(dict.fromkeys(name for name, _, _ in sizes))
    named = f"{', '.join(sources[:-1])} and {sources[-1]}"
    whose = next((str(one.fact.value) for one in evidence.facts("process.name")), "")
    who = f"{whose} (PID {pid})" if whose else f"PID {pid}"
    size = value_words(max(values), "bytes")
    text = f"{named} agree on the resident memory of {who}: {size}"
    places = (stated[0].place, counted[0].place)
    figure = Figure(f"resident memory of {who}", max(values), "bytes", places)
    return Answer("", (figure,), (), (Statement("memory", text, places, "fact", 0.3),))


def _only_pid(entries: list[FactEntry]) -> str:
    """Return the process that all entries are about; "" when they are about several, or none is named."""
    pids = {one.label("pid") for one in entries} - {""}
    return pids.pop() if len(pids) == 1 else ""


def _of_tools(evidence: ScopeEvidence, pid: str) -> Iterator[tuple[str, float, Place]]:
    for name, column in (("ps", "rss_bytes"), ("top", "resident_bytes")):
        for row in evidence.rows(name):
            size, of = row.number(column), row.number("pid")
            if size and of is not None and f"{of:.0f}" == pid:
                yield name, size, row.place
