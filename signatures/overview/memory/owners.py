"""Memory by owner: what holds it, what is left, and slab caches; one reading states shares, never growth.

45.9 of 64 GiB (71.7 %) is in the slab cache kmalloc-256
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from signatures.language.number_format import value_words
from signatures.overview import impossible
from signatures.overview.levels import first_of, ratio_of
from signatures.overview.memory import growth as memory_growth
from signatures.overview.memory.kernel_memory import kernel_memory, part_of
from signatures.overview.memory.resident_sizes import resident_sizes
from signatures.overview.memory.without_total import largest_owner
from signatures.overview.model import Answer, Covers, Figure, Statement, ranked, shortened, shortened_words
from signatures.overview.readings import trend_of
from signatures.overview.rules.panel import by_rules
from signatures.overview.scope_evidence import sections_of
from signatures.rendering.words import capital

if TYPE_CHECKING:
    from collections.abc import Collection

    from signatures.documents.levels import Level
    from signatures.overview.model import Place
    from signatures.overview.scope_evidence import FactEntry, Row, ScopeEvidence

SHOWN = 10
GIB = 1024.0**3
CACHE_SHARE = 0.2
"""Share of the machine's memory in one slab cache."""

CACHE_BYTES = 4 * GIB
CACHE_OF_SLAB_SHARE = 0.5
"""One cache where the machine's memory is unknown: its size, and its share of all caches."""

AVAILABLE_SHARE = 0.03
"""Strength of what is available: of a calm host it says more than what the memory is used for."""

SWAP_SHARE = 0.9
CAPTURE = "cat /proc/meminfo; slabtop -o; top -b -n 1 -o RES | head -30"

RECLAIMABLE_CACHES = (
    "dentry",
    "inode_cache",
    "ext4_inode_cache",
    "xfs_inode",
    "buffer_head",
    "radix_tree_node",
)
"""Caches that grow with the files in use and that reclaim shrinks."""


class Owner(NamedTuple):
    """A field of meminfo that holds memory; an alarm when its share of all memory is `above`."""

    field: str
    words: str
    above: float | None


OWNERS = (
    Owner("anonpages", "anonymous memory of processes", None),
    Owner("cached", "page cache and shared memory", None),
    Owner("shmem", "shared memory and tmpfs", None),
    Owner("sreclaimable", "reclaimable slab", None),
    Owner("sunreclaim", "unreclaimable slab", CACHE_SHARE),
    Owner("pagetables", "page tables", 0.1),
    Owner("kernelstack", "kernel stacks", 0.05),
    Owner("percpu", "per-CPU memory of the kernel", 0.1),
    Owner("vmallocused", "vmalloc", 0.1),
    Owner("hugetlb", "huge pages of hugetlbfs", None),
)
"""Documentation/filesystems/proc.rst, meminfo."""

TELLING_SHARE = 0.3
HOLDS_SHARE = 0.5
"""Share of memory of which the owner is named when memory is short."""

SLAB = frozenset({"sreclaimable", "sunreclaim"})
"""Sums of slab caches: where these are listed, the largest says more."""

CONTAINS_OTHERS = frozenset({"cached"})
"""Fields that another owner is a part of: shared memory is in `Cached`."""

LEAST_PROCESS_BYTES = GIB
LEAST_PROCESS_SHARE = 0.1
"""A process with less is not worth a sentence."""

UNUSUAL = frozenset({"sreclaimable", "shmem"})
"""Owners that seldom hold this share."""


def memory_owners(evidence: ScopeEvidence) -> Answer:
    """Return what is available, the owners by size, and the largest slab caches."""
    total = evidence.highest("meminfo.memtotal_bytes") or evidence.highest("free.mem.total_bytes")
    figures: list[Figure] = []
    statements: list[Statement] = []
    grown = memory_growth.grown(evidence, total)
    for answer in (
        _available(evidence, total),
        _caches(evidence, total),
        memory_growth.grown_caches(evidence, RECLAIMABLE_CACHES),
        by_rules("memory-owners")(evidence),
        _owners(evidence, total, {one.label for one in grown.figures}),
        _processes(evidence, total),
        _parts(evidence, total),
        grown,
        resident_sizes(evidence),
    ):
        figures += answer.figures
        statements += answer.statements
    if not figures:
        return Answer("No data about who holds memory.", lacks=(CAPTURE,))
    first = first_of(statements)
    summary = f"{first.text}." if first else f"{figures[0].label}: {figures[0].words}."
    available = _lowest_available(evidence)
    assesses = (Covers("memory", sections_of((available, total))),) if available and total else ()
    return Answer(summary, shortened(figures, SHOWN), (), tuple(statements), assesses)


def _available(evidence: ScopeEvidence, total: FactEntry | None) -> Answer:
    """Return available memory and used swap as shares."""
    figures, statements = [], []
    available = _lowest_available(evidence)
    is_wrong = available is not None and impossible.is_impossible(evidence, available.fact.name)
    if available and total and total.number and not is_wrong:
        share = available.number / total.number
        is_short = share < AVAILABLE_SHARE
        places: tuple[Place, ...] = (available.place, total.place)
        figures.append(Figure("available memory", round(share, 4), "share", places, is_short))
        text = f"{'Only ' if is_short else ''}{part_of(available.number, total)} of memory is available"
        subject = "available memory"
        if is_short and (holder := _holder(evidence, total)):
            subject = f"available memory, {holder[1].words}"
            text += f"; {value_words(holder[0], 'share')} is {holder[1].words}"
            places = (*places, holder[2])
        kind, level = ranked(is_alarm=is_short, fact="context")
        statements.append(Statement("memory", text, places, kind, level, subject=subject))
    elif available and not is_wrong:
        figures.append(Figure("available memory", available.number, "bytes", (available.place,)))
    swap, free = evidence.highest("meminfo.swaptotal_bytes"), _lowest(evidence, "meminfo.swapfree_bytes")
    if swap and free and swap.number:
        share = 1.0 - free.number / swap.number
        places = (free.place, swap.place)
        figures.append(Figure("swap in use", round(share, 4), "share", places, share > SWAP_SHARE))
        if share > SWAP_SHARE:
            text = f"{part_of(swap.number - free.number, swap)} of swap is in use"
            statements.append(Statement("memory", text, places, "alarm", subject="swap in use"))
    return Answer("", tuple(figures), (), tuple(statements))


def _holder(evidence: ScopeEvidence, total: FactEntry) -> tuple[float, Owner, Place] | None:
    """Return the owner of at least half of all memory, with its share; None without one."""
    found = [
        (entry.number / total.number, owner, entry.place)
        for owner in OWNERS
        if owner.field not in CONTAINS_OTHERS
        and (entry := evidence.highest(f"meminfo.{owner.field}_bytes"))
        and entry.number >= HOLDS_SHARE * total.number
    ]
    return max(found, key=lambda one: one[0], default=None)


def _caches(evidence: ScopeEvidence, total: FactEntry | None) -> Answer:
    """Return the largest slab cache as a share of all memory, else of all caches."""
    caches = [entry for entry in evidence.facts("slab.size_bytes") if entry.label("cache")]
    top = max(caches, key=lambda entry: entry.number, default=None)
    if top is None:
        return Answer("")
    name = top.label("cache")
    stated = evidence.highest("slab.total_bytes")
    slab = stated.number if stated else sum(one.number for one in caches if one.item is top.item)
    share_of_slab = top.number / slab if slab else 0.0
    if total and total.number:
        is_high = top.number / total.number >= CACHE_SHARE
        text = f"{part_of(top.number, total)} of memory is in the slab cache {name}"
    else:
        is_high = top.number >= CACHE_BYTES and share_of_slab >= CACHE_OF_SLAB_SHARE
        text = (
            f"{value_words(top.number, 'bytes')} is in the slab cache {name}, "
            f"{value_words(share_of_slab, 'share')} of {'all slab' if stated else 'the listed caches'}"
        )
    note = "reclaim can shrink it" if name.endswith(RECLAIMABLE_CACHES) else ""
    is_high = is_high and not note
    figure = Figure(f"slab cache {name}", top.number, "bytes", (top.place,), is_high, note)
    text += f"; {note}" if note else ""
    places: tuple[Place, ...] = (top.place,)
    if trend := trend_of(evidence, top):
        text += f"; it {trend.words}"
        places = tuple(dict.fromkeys((top.place, *trend.places)))
    kind, level = ranked(is_alarm=is_high, fact="context")
    return Answer("", (figure,), (), (Statement("memory", text, places, kind, level, subject=figure.label),))


def _parts(evidence: ScopeEvidence, total: FactEntry | None) -> Answer:
    """Return the largest owner where the size of the machine is not there."""
    if total is not None and total.number:
        return Answer("")
    return largest_owner(evidence, [(f"meminfo.{one.field}_bytes", one.words) for one in OWNERS], CAPTURE)


def _owners(evidence: ScopeEvidence, total: FactEntry | None, stated: Collection[str]) -> Answer:
    """Return the owners that meminfo counts, what several readings of them show, and what it does not count.

    Args:
        evidence: Where the fields are.
        total: Memory of the machine.
        stated: Labels of growth that has a statement of its own.
    """
    if total is None or not total.number:
        return Answer("")
    figures, statements = [], []
    for owner in OWNERS:
        entry = evidence.highest(f"meminfo.{owner.field}_bytes")
        if entry is None or not entry.number:
            continue
        share = entry.number / total.number
        is_high = owner.above is not None and share >= owner.above
        figures.append(Figure(owner.words, round(share, 4), "share", (entry.place,), is_high))
        if is_high or share >= TELLING_SHARE:
            text = f"{part_of(entry.number, total)} of memory is {owner.words}"
            places: tuple[Place, ...] = (entry.place,)
            trend = trend_of(evidence, entry)
            if trend and memory_growth.label_of(owner.words) not in stated:
                text += f"; it {trend.words}"
                places = tuple(dict.fromkeys((entry.place, *trend.places)))
            telling: Level = "notable" if owner.field in UNUSUAL else "context"
            kind, level = ranked(is_alarm=is_high, fact=telling)
            ratio = ratio_of(share, owner.above) if is_high and owner.above else None
            is_sum = owner.field in SLAB and bool(evidence.facts("slab.size_bytes"))
            statements.append(
                Statement(
                    "memory",
                    text,
                    places,
                    kind,
                    level,
                    is_summary=is_sum,
                    ratio=ratio,
                    subject=owner.words,
                )
            )
    if kernel := kernel_memory(evidence, total):
        statements.append(kernel)
    return Answer("", tuple(figures), (), tuple(statements))


def _processes(evidence: ScopeEvidence, total: FactEntry | None) -> Answer:
    """Return the process with the most resident memory: of ps, top, or an OOM report."""
    found = []
    for name, column, factor in (
        ("ps", "rss_bytes", 1.0),
        ("top", "resident_bytes", 1.0),
        ("oom_task_table", "rss", 4096.0),
    ):
        for table in evidence.tables(name):
            sizes = np.nan_to_num(table.numbers(column), nan=0.0)
            at = int(np.where(sizes == 0, -np.inf, sizes).argmax())
            if sizes[at]:
                found.append((float(sizes[at]) * factor, table.row(at)))
    if not found:
        return Answer("")
    size, row = max(found, key=lambda one: one[0])
    name = str(row.cells.get("comm") or row.cells.get("name") or row.cells.get("command") or "")
    who = _of_process(row, shortened_words(name))
    begin = capital(who) if _is_thread(row) else who or "one process"
    text = f"{begin} has the most resident memory, {value_words(size, 'bytes')}"
    if total and total.number:
        text += f", {value_words(size / total.number, 'share')} of all"
    figure = Figure(f"resident memory of {who or 'a process'}", size, "bytes", (row.place,))
    share = size / total.number if total and total.number else 0.0
    is_small = size < LEAST_PROCESS_BYTES and share < LEAST_PROCESS_SHARE
    statement = Statement("memory", text, (row.place,), "fact", "context")
    return Answer("", (figure,), (), () if is_small else (statement,))


def _of_process(row: Row, who: str) -> str:
    """Return the name of a process; of a listed thread, whose memory is that of its process, the thread's."""
    return f"the process of thread {who}" if who and _is_thread(row) else who


def _is_thread(row: Row) -> bool:
    tid = row.cells.get("tid")
    return tid is not None and tid != row.cells.get("pid")


def _lowest_available(evidence: ScopeEvidence) -> FactEntry | None:
    return _lowest(evidence, "meminfo.memavailable_bytes") or _lowest(evidence, "free.mem.available_bytes")


def _lowest(evidence: ScopeEvidence, name: str) -> FactEntry | None:
    return min(evidence.facts(name), key=lambda entry: entry.number, default=None)
