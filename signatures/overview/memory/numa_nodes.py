"""Memory by NUMA node: what was allocated elsewhere than wanted, and what each node has free.

31 % of pages were allocated on another NUMA node than wanted (since boot)
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from signatures.language.number_format import quantity_words
from signatures.overview.model import Answer, Figure, Statement, ranked, shortened

if TYPE_CHECKING:
    from signatures.overview.scope_evidence import FactEntry, ScopeEvidence

SHOWN = 8
MISSED_SHARE = 0.1
TOLD_SHARE = 0.05
LEAST_PAGES = 1e6
"""Counts are of pages since boot; fewer say nothing about how the machine works now."""

CAPTURE = "numastat; numactl -H"


def numa_nodes(evidence: ScopeEvidence) -> Answer:
    """Return the share of pages allocated on another node than wanted, and the free memory of each node."""
    figures: list[Figure] = []
    statements: list[Statement] = []
    missed, hit = _first(evidence, "numa.numa_miss"), _first(evidence, "numa.numa_hit")
    if len(missed) > 1 and hit and hit[0].item is missed[0].item:
        pages = sum(one.number for one in missed)
        total = pages + sum(one.number for one in hit)
        share = pages / total if total else 0.0
        places = (max(missed, key=lambda one: one.number).place,)
        is_high = share >= MISSED_SHARE and pages >= LEAST_PAGES
        figures.append(Figure("pages on another node than wanted", share, "share", places, is_high))
        if share >= TOLD_SHARE and pages >= LEAST_PAGES:
            part = quantity_words(share, "share")
            text = f"{part} of pages were allocated on another NUMA node than wanted (since boot)"
            kind, strength = ranked(is_alarm=is_high, alarm=0.55, fact=0.42)
            statements.append(Statement("memory", text, places, kind, strength, CAPTURE))
    sizes = {_key(one): one for one in evidence.facts("numa.node.size_bytes")}
    for free in evidence.facts("numa.node.free_bytes"):
        size = sizes.get(_key(free))
        if size and size.number:
            note = f"{quantity_words(free.number, 'bytes')} of {quantity_words(size.number, 'bytes')}"
            label = f"node {free.label('node')}: free"
            figures.append(Figure(label, free.number / size.number, "share", (free.place,), note=note))
    figures += _processes(evidence)
    if not figures:
        return Answer("No data about NUMA nodes.", lacks=(CAPTURE,))
    summary = f"{statements[0].text}." if statements else "No share of allocations is above its threshold."
    return Answer(summary, shortened(figures, SHOWN), (), tuple(statements))


def _processes(evidence: ScopeEvidence) -> list[Figure]:
    """Return the memory of every process on the node that has most of it."""
    owners: dict[str, dict[str, list[FactEntry]]] = {}
    for one in evidence.facts("numa.process_bytes"):
        owner = " ".join(part for part in (one.label("comm"), one.label("pid")) if part)
        owners.setdefault(owner, {}).setdefault(one.label("node"), []).append(one)
    figures = []
    for owner, nodes in owners.items():
        sums = {node: sum(one.number for one in entries) for node, entries in nodes.items()}
        node = max(sums, key=lambda name: sums[name])
        note = (
            f"of {quantity_words(sum(sums.values()), 'bytes')} on {len(sums)} nodes" if len(sums) > 1 else ""
        )
        place = max(nodes[node], key=lambda one: one.number).place
        figures.append(Figure(f"{owner}: memory on node {node}", sums[node], "bytes", (place,), note=note))
    return figures


def _first(evidence: ScopeEvidence, name: str) -> list[FactEntry]:
    """Return the first snapshot of a counter of every node, of one piece of evidence."""
    found = [one for one in evidence.facts(name) if not one.fact.snapshot]
    return [one for one in found if one.item is found[0].item]


def _key(entry: FactEntry) -> tuple[int, str, int]:
    return (id(entry.item), entry.label("node"), entry.fact.snapshot)
