"""Resident sizes that no live process has: 0, or less than its share of the pages that it maps.

top shows no resident memory (RES 0) for 2 live processes: rasdaemon, redis-server
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from signatures.language.number_format import value_words
from signatures.overview.memory.rss_causes import cause_of_zero
from signatures.overview.model import Figure, Statement

if TYPE_CHECKING:
    from collections.abc import Iterator

    from signatures.overview.model import Place
    from signatures.overview.scope_evidence import ScopeEvidence

TABLES = (("top", "resident_bytes", "virtual_bytes", "RES"), ("ps", "rss_bytes", "vsz_bytes", "RSS"))
"""Row set, its resident and its virtual size, and the name of the column."""

LIVE_BYTES = 2.0**20
"""Address space from which a process is no kernel thread, and swap space from which it may lie there."""

APART_SHARE, APART_BYTES = 0.1, 16.0 * 2**20
NAMED, CITED = 3, 5

_Found: TypeAlias = "tuple[str, float, str, tuple[Place, ...]]"
"""Label and size of a figure, the sentence, and where it is."""


def zero_sizes(evidence: ScopeEvidence) -> Iterator[tuple[Figure, Statement]]:
    """Yield resident sizes that contradict that the process lives, or what it maps."""
    for found in (_of_status, _of_tables, _of_shares):
        for label, size, text, places in found(evidence):
            yield (
                Figure(label, size, "bytes", places, is_notable=True),
                Statement("memory", text, places, "fact", "notable", is_notable=True),
            )


def _of_status(evidence: ScopeEvidence) -> Iterator[_Found]:
    swap = [one.number for one in evidence.facts("process.vmswap_bytes")]
    zero = [one for one in evidence.facts("process.rss.status_bytes") if not one.number]
    if zero and max(swap, default=0.0) < LIVE_BYTES:
        whose = zero[0].label("pid")
        of = f" of PID {whose}" if whose else ""
        text = f"VmRSS{of} is 0, which a live process never is"
        text += "" if swap else " outside swap space"
        text += cause_of_zero(evidence)
        yield f"VmRSS{of}", 0.0, text, (zero[0].place,)


def _is_far_below(size: float, other: float) -> bool:
    return other - size > max(APART_BYTES, APART_SHARE * other)


def _of_tables(evidence: ScopeEvidence) -> Iterator[_Found]:
    """Yield processes with address space and without a page; all pages of one may be in swap space."""
    used = evidence.highest("free.swap.used_bytes")
    if used is not None and used.number:
        return
    for name, resident, virtual, column in TABLES:
        zero = [
            table.row(at)
            for table in evidence.tables(name)
            for at in np.flatnonzero(
                (table.numbers(resident) == 0) & (table.numbers(virtual) >= LIVE_BYTES)
            ).tolist()
        ]
        if not zero or (used is None and name != "top" and len(zero) < 2):
            continue
        names = list(dict.fromkeys(str(row.cells.get("comm") or row.cells.get("command")) for row in zero))
        more = f" and {len(names) - NAMED} more" if len(names) > NAMED else ""
        plural = "process" if len(zero) == 1 else "processes"
        text = f"{name} shows no resident memory ({column} 0) for {len(zero):,} live {plural}: "
        text += f"{', '.join(names[:NAMED])}{more}"
        text += cause_of_zero(evidence) if used is not None else "; they may be in swap space"
        yield f"{column} of live processes", 0.0, text, tuple(row.place for row in zero[:CITED])


def _of_shares(evidence: ScopeEvidence) -> Iterator[_Found]:
    """Yield the process whose resident size is furthest below its proportional share (psutil)."""
    resident = {one.label("pid"): one for one in evidence.facts("process.psutil.rss_bytes")}
    below = [
        (share.number - size.number, share, size)
        for share in evidence.facts("process.psutil.pss_bytes")
        if (size := resident.get(share.label("pid"))) and _is_far_below(size.number, share.number)
    ]
    if below:
        _, share, size = max(below, key=lambda one: one[0])
        text = (
            f"psutil says that PID {share.label('pid')} has {value_words(size.number, 'bytes')} of resident "
        )
        text += (
            f"memory, less than its share of the pages that it maps: {value_words(share.number, 'bytes')} "
        )
        text += "(PSS), which cannot be"
        text += f"; {len(below) - 1} more like it" if len(below) > 1 else ""
        yield "resident size below PSS", size.number, text, (size.place, share.place)
