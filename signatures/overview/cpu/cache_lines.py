"""Cache lines that several CPUs write and read: how many loads they cost, and who makes them.

64 % of sampled loads found their cache line modified by another CPU; 0x20ea08034080 has 100 % of them
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from signatures.language.number_format import quantity_words
from signatures.overview.model import Answer, Figure, Statement, shortened

if TYPE_CHECKING:
    from collections.abc import Iterator

    from signatures.overview.scope_evidence import FactEntry, Row, ScopeEvidence

SHOWN = 8
HIGH_SHARE = 0.01
"""Such a load takes tens of times a hit in the CPU's own cache: a hundredth of all is a cost."""

LEAST_LOADS = 1000
CAPTURE = "perf c2c record -a -- sleep 10; perf c2c report --stdio"
_HITS = (
    ("c2c.load_local_hitm", "c2c.load_remote_hitm", "found their cache line modified by another CPU"),
    ("c2c.load_hit_local_peer", "c2c.load_hit_remote_peer", "were answered by the cache of another CPU"),
)


def cache_lines(evidence: ScopeEvidence) -> Answer:
    """Return the share of loads that another CPU's cache answered, and the lines that have most of them."""
    figures: list[Figure] = []
    statements: list[Statement] = []
    lines = sorted(evidence.facts("c2c.line.hits_share"), key=lambda one: -one.number)
    loads = evidence.highest("c2c.load_operations")
    for local, remote, words in _HITS:
        found = [one for one in (evidence.highest(local), evidence.highest(remote)) if one and one.number]
        if not found or loads is None or not loads.number:
            continue
        share = sum(one.number for one in found) / loads.number
        is_high = share >= HIGH_SHARE and loads.number >= LEAST_LOADS
        figures.append(Figure(f"loads that {words}", share, "share", (found[0].place,), is_high))
        if is_high:
            text = f"{quantity_words(share, 'share')} of sampled loads {words}{_most(lines)}"
            places = (found[0].place, *(one.place for one in lines[:1]))
            statements.append(Statement("cpu", text, places, "fact", "notable", CAPTURE))
    for one in lines:
        label = f"cache line {one.label('address')}"
        figures.append(Figure(label, one.number, "share", (one.place,), note=_accesses(evidence, one)))
    if not lines:
        statements += _alone(evidence)
    if not figures and not statements:
        return Answer("No data about cache lines.", lacks=(CAPTURE,))
    summary = f"{statements[0].text}." if statements else "Few loads were answered by another CPU's cache."
    return Answer(summary, shortened(figures, SHOWN), (), tuple(statements))


def _alone(evidence: ScopeEvidence) -> Iterator[Statement]:
    """Yield what accesses a cache line most where the part with the counts of the lines is not pasted."""
    rows = list(evidence.rows("c2c_accesses"))
    if not rows:
        return
    most = max(rows, key=_share)
    of = f"cache line {most.cells['address']}" if most.cells["address"] else "a cache line"
    yield Statement(
        "cpu",
        f"{quantity_words(_share(most), 'share')} of the loads of {of} that another CPU had modified are in "
        f"{most.cells['symbol']}, at offset {most.cells['offset']} of the line; "
        "how many of all loads that is, is not in the evidence",
        (most.place,),
        "fact",
        "notable",
        CAPTURE,
        subject=str(most.cells["symbol"]),
    )


def _share(row: Row) -> float:
    """Return the larger of the shares of the line's remote and local hits that a row makes."""
    return max(row.number("local_hits_share") or 0.0, row.number("remote_hits_share") or 0.0)


def _most(lines: list[FactEntry]) -> str:
    """Return which line has most of these loads, "" when none is named."""
    if not lines:
        return ""
    return f"; cache line {lines[0].label('address')} has {quantity_words(lines[0].number, 'share')} of them"


def _accesses(evidence: ScopeEvidence, line: FactEntry) -> str:
    """Return the functions that access a line, the one with most of its loads first."""
    rows = [row for row in evidence.rows("c2c_accesses") if row.cells["address"] == line.label("address")]
    rows.sort(key=_share, reverse=True)
    names = dict.fromkeys(str(row.cells["symbol"]) for row in rows)
    return ", ".join(list(names)[:3])
