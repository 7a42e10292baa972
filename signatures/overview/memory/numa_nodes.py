"""Memory by NUMA node: what was allocated elsewhere than wanted, what each node has free, where a process is.

31 % of pages were allocated on another NUMA node than wanted (since boot)
98.8 % of the memory of mysqld (PID 4411) is on NUMA node 0: 106.6 of 107.9 GiB
Reclaim of the local NUMA node failed 4,412,331 times (since boot): vm.zone_reclaim_mode is or was on
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from signatures.language.number_format import quantity_words
from signatures.overview.levels import ratio_of
from signatures.overview.model import Answer, Figure, Statement, ranked, shortened

if TYPE_CHECKING:
    from collections.abc import Iterator

    from signatures.overview.scope_evidence import FactEntry, ScopeEvidence

SHOWN = 8
MISSED_SHARE = 0.1
TOLD_SHARE = 0.05
LEAST_PAGES = 1e6
"""Counts are of pages since boot; fewer say nothing about how the machine works now."""

ONE_SIDED_SHARE, LARGE_BYTES = 0.9, 1 << 30
"""Share on one node, and size, from which it is stated where the memory of a process is."""

LEAST_FAILURES = 1000
"""A few failures are of a test or of boot."""

CAPTURE = "numastat; numactl -H"
NODE_CAPTURE = "sysctl vm.zone_reclaim_mode; numactl -H; numastat -m"


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
            kind, level = ranked(is_alarm=is_high)
            ratio = ratio_of(share, MISSED_SHARE) if is_high else None
            statements.append(
                Statement(
                    "memory", text, places, kind, level, CAPTURE, ratio=ratio, subject="pages on another node"
                )
            )
    sizes = {_key(one): one for one in evidence.facts("numa.node.size_bytes")}
    for free in evidence.facts("numa.node.free_bytes"):
        size = sizes.get(_key(free))
        if size and size.number:
            note = f"{quantity_words(free.number, 'bytes')} of {quantity_words(size.number, 'bytes')}"
            label = f"node {free.label('node')}: free"
            figures.append(Figure(label, free.number / size.number, "share", (free.place,), note=note))
    for figure, statement in _processes(evidence):
        figures.append(figure)
        statements += [statement] if statement else []
    statements += _failed_reclaim(evidence)
    if not figures and not statements:
        return Answer("No data about NUMA nodes.", lacks=(CAPTURE,))
    summary = f"{statements[0].text}." if statements else "No share of allocations is above its threshold."
    return Answer(summary, shortened(figures, SHOWN), (), tuple(statements))


def _processes(evidence: ScopeEvidence) -> Iterator[tuple[Figure, Statement | None]]:
    """Yield the memory of every process on the node that has most of it; stated is what is on one node."""
    owners: dict[tuple[str, str], dict[str, list[FactEntry]]] = {}
    for one in evidence.facts("numa.process_bytes"):
        owners.setdefault((one.label("comm"), one.label("pid")), {}).setdefault(one.label("node"), []).append(
            one
        )
    for (comm, pid), nodes in owners.items():
        sums = {node: sum(one.number for one in entries) for node, entries in nodes.items()}
        node, total = max(sums, key=lambda name: sums[name]), sum(sums.values())
        note = f"of {quantity_words(total, 'bytes')} on {len(sums)} nodes" if len(sums) > 1 else ""
        places = (max(nodes[node], key=lambda one: one.number).place,)
        owner = " ".join(part for part in (comm, pid) if part)
        figure = Figure(f"{owner}: memory on node {node}", sums[node], "bytes", places, note=note)
        statement = None
        if len(sums) > 1 and total >= LARGE_BYTES and sums[node] >= ONE_SIDED_SHARE * total:
            part = quantity_words(sums[node] / total, "share")
            text = (
                f"{part} of the memory of {comm} (PID {pid}) is on NUMA node {node}: "
                f"{quantity_words(sums[node], 'bytes')} of {quantity_words(total, 'bytes')}"
            )
            statement = Statement("memory", text, places, "fact", "notable", NODE_CAPTURE)
        yield figure, statement


def _failed_reclaim(evidence: ScopeEvidence) -> list[Statement]:
    """Return that reclaim of the local node failed, which happens with vm.zone_reclaim_mode alone."""
    failed = _first(evidence, "vmstat.zone_reclaim_failed")
    if not failed or failed[0].number < LEAST_FAILURES:
        return []
    text = (
        f"Reclaim of the local NUMA node failed {failed[0].number:,.0f} times (since boot): "
        "vm.zone_reclaim_mode is or was on"
    )
    return [
        Statement("memory", text, (failed[0].place,), "fact", "notable", NODE_CAPTURE, subject="zone reclaim")
    ]


def _first(evidence: ScopeEvidence, name: str) -> list[FactEntry]:
    """Return the first snapshot of a counter of every node, of one piece of evidence."""
    found = [one for one in evidence.facts(name) if not one.fact.snapshot]
    return [one for one in found if one.item is found[0].item]


def _key(entry: FactEntry) -> tuple[int, str, int]:
    return (id(entry.item), entry.label("node"), entry.fact.snapshot)
