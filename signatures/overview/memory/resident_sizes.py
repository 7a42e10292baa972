"""Whether the files that state the resident memory of a process agree; counters may drift from the pages.

VmRSS and smaps_rollup agree on the resident memory of rss_drift (PID 6879): 198.5 MiB
VmRSS of budgetd (PID 88123) is 148.7 MiB, and its page tables hold 437.6 MiB (smaps_rollup): a contradiction
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from signatures.language.number_format import value_words
from signatures.overview.memory.rss_causes import cause_of_gap
from signatures.overview.memory.zero_sizes import zero_sizes
from signatures.overview.model import Answer, Figure, Statement

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from signatures.overview.model import Place
    from signatures.overview.scope_evidence import ScopeEvidence

COUNTED = "process.rss.smaps_rollup_bytes"
"""The pages themselves; the others are counters. fs/proc/task_mmu.c."""

STATM = "process.statm.resident_pages"
COUNTERS = (
    ("VmRSS", "process.rss.status_bytes"),
    ("RSS of ps", "process.rss.ps_bytes"),
    ("RSS of pidstat", "process.rss.pidstat_bytes"),
)
TABLES = (("RSS of ps", "ps", "rss_bytes"), ("RES of top", "top", "resident_bytes"))

AGREEMENT = 0.01
"""Prints of one process are not of one moment."""

APART_SHARE, APART_BYTES = 0.1, 16.0 * 2**20
"""From both on two sizes are of no one process at no one moment."""

PAGES = (4096.0, 16384.0, 65536.0)
"""Sizes of pages that Linux has: x86 has the first alone."""

PAGE_CAPTURE = "getconf PAGESIZE"


class _Size(NamedTuple):
    """A resident size that a source states."""

    source: str
    size: float
    place: Place
    is_assumed: bool = False


def resident_sizes(evidence: ScopeEvidence) -> Answer:
    """Say that the sizes of a process agree, or that they contradict each other."""
    figures: list[Figure] = []
    statements: list[Statement] = []
    counted: dict[str, list[_Size]] = defaultdict(list)
    only = _only_pid(evidence)
    for entry in evidence.facts(COUNTED):
        if pid := entry.label("pid") or only:
            counted[pid].append(_Size("smaps_rollup", entry.number, entry.place))
    stated = _stated(evidence, counted, only)
    names = _names(evidence)
    apart = [pair for pid in stated if (pair := _apart(pid, stated[pid], counted[pid]))]
    if apart:
        pid, size, pages = max(apart, key=lambda one: abs(one[1].size - one[2].size))
        always = _is_always_apart(size.source, stated[pid], counted[pid])
        text = _contradiction(_who(pid, names, len(stated)), size, pages, always)
        text += cause_of_gap(evidence, abs(size.size - pages.size))
        text += f"; {len(apart) - 1} more like it" if len(apart) > 1 else ""
        capture = PAGE_CAPTURE if size.is_assumed else ""
        where = (size.place, pages.place)
        statements.append(Statement("memory", text, where, "fact", "notable", capture, is_notable=True))
        figures.append(
            Figure("resident sizes apart by", abs(size.size - pages.size), "bytes", where, is_notable=True)
        )
    elif len(stated) == 1:
        pid, sizes = next(iter(stated.items()))
        figures, statements = _agreement(_who(pid, names, 1), [*sizes, *counted[pid]])
    for figure, statement in zero_sizes(evidence):
        figures.append(figure)
        statements.append(statement)
    return Answer("", tuple(figures), (), tuple(statements))


def _only_pid(evidence: ScopeEvidence) -> str:
    """Return the PID of the only process that files of /proc/PID name; "" when they name none or several."""
    names = (COUNTED, "process.rss.status_bytes", STATM)
    pids = {entry.label("pid") for name in names for entry in evidence.facts(name)} - {""}
    return pids.pop() if len(pids) == 1 else ""


def _stated(evidence: ScopeEvidence, counted: dict[str, list[_Size]], only: str) -> dict[str, list[_Size]]:
    """Return what counters say of each process whose pages are counted as well."""
    stated: dict[str, list[_Size]] = defaultdict(list)
    for source, name in COUNTERS:
        for entry in evidence.facts(name):
            if (pid := entry.label("pid") or only) in counted:
                stated[pid].append(_Size(source, entry.number, entry.place))
    for entry in evidence.facts(STATM):
        if (pid := entry.label("pid") or only) in counted:
            page, words = _page(evidence, entry.number, counted[pid][-1].size)
            stated[pid].append(_Size(f"statm{words}", entry.number * page, entry.place, bool(words)))
    if counted:
        for pid, size in _of_tables(evidence):
            if pid in counted and all(size.place != other.place for other in stated[pid]):
                stated[pid].append(size)
    return {pid: sizes for pid, sizes in stated.items() if sizes}


def _page(evidence: ScopeEvidence, pages: float, counted: float) -> tuple[float, str]:
    """Return the size of a page, and the words that say that it is assumed."""
    known = evidence.facts("page_size_bytes")
    if known:
        return known[-1].number, ""
    page = next((one for one in PAGES if not _is_apart(pages * one, counted)), PAGES[0])
    return page, f" (with pages of {page / 1024:.0f} KiB, assumed)"


def _of_tables(evidence: ScopeEvidence) -> Iterator[tuple[str, _Size]]:
    for source, name, column in TABLES:
        for table in evidence.tables(name):
            sizes, pids = table.numbers(column), table.numbers("pid")
            for at in np.flatnonzero(np.nan_to_num(sizes) * ~np.isnan(pids)).tolist():
                yield f"{pids[at]:.0f}", _Size(source, float(sizes[at]), table.place(at, at))


def _is_apart(size: float, other: float) -> bool:
    return abs(size - other) > max(APART_BYTES, APART_SHARE * max(size, other))


def _apart(pid: str, stated: Sequence[_Size], counted: Sequence[_Size]) -> tuple[str, _Size, _Size] | None:
    """Return the last size that is far from the pages that were counted last; of 0 `zero_sizes` speaks."""
    pages = counted[-1]
    last = {one.source: one for one in stated if one.size}
    far = [one for one in last.values() if pages.size and _is_apart(one.size, pages.size)]
    return (pid, max(far, key=lambda one: abs(one.size - pages.size)), pages) if far else None


def _is_always_apart(source: str, stated: Sequence[_Size], counted: Sequence[_Size]) -> int:
    """Return how often both were read, if they are apart each time and the same way; else 0."""
    own = [one for one in stated if one.source == source]
    pairs = list(zip(own, counted, strict=False))
    ways = {size.size > pages.size for size, pages in pairs if _is_apart(size.size, pages.size)}
    is_always = all(_is_apart(size.size, pages.size) for size, pages in pairs)
    return len(pairs) if is_always and len(ways) == 1 and len(pairs) > 1 else 0


def _contradiction(who: str, size: _Size, pages: _Size, readings: int) -> str:
    end = f"in each of {readings} readings" if readings else "unless it changed between the readings"
    return (
        f"{size.source} of {who} is {value_words(size.size, 'bytes')}, and its page tables hold "
        f"{value_words(pages.size, 'bytes')} (smaps_rollup): a contradiction{'' if readings else ','} {end}"
    )


def _agreement(who: str, sizes: Sequence[_Size]) -> tuple[list[Figure], list[Statement]]:
    """Return what all sources say of the one process, if they agree."""
    values = [one.size for one in sizes]
    if not min(values) or max(values) > (1.0 + AGREEMENT) * min(values):
        return [], []
    sources = list(dict.fromkeys(one.source for one in sizes))
    named = f"{', '.join(sources[:-1])} and {sources[-1]}"
    text = f"{named} agree on the resident memory of {who}: {value_words(max(values), 'bytes')}"
    places = (sizes[0].place, sizes[-1].place)
    figure = Figure(f"resident memory of {who}", max(values), "bytes", places)
    return [figure], [Statement("memory", text, places, "fact", "context")]


def _names(evidence: ScopeEvidence) -> dict[str, str]:
    """Return the names of processes by PID; "" is the PID of a name without one."""
    return {one.label("pid"): str(one.fact.value) for one in evidence.facts("process.name")}


def _who(pid: str, names: dict[str, str], processes: int) -> str:
    name = names.get(pid) or (names.get("", "") if processes == 1 else "")
    return f"{name} (PID {pid})" if name else f"PID {pid}"
