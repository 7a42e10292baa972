"""The NUMA node that holds most of the memory of a process.

98.8 % of the memory of mysqld (PID 4411) is on NUMA node 0: 106.6 of 107.9 GiB
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from signatures.language.number_format import quantity_words
from signatures.overview.model import Answer, Figure, Statement

if TYPE_CHECKING:
    from collections.abc import Iterator

    from signatures.overview.scope_evidence import FactEntry, ScopeEvidence

ONE_SIDED_SHARE, LARGE_BYTES = 0.9, 1 << 30
"""Share on one node, and size, from which it is stated where the memory of a process is."""

NODE_CAPTURE = "sysctl vm.zone_reclaim_mode; numactl -H; numastat -m"


def node_processes(evidence: ScopeEvidence) -> Answer:
    """Return the memory of every process on the node that has most of it."""
    found = list(_processes(evidence))
    return Answer(
        "", tuple(figure for figure, _ in found), (), tuple(one for _, one in found if one is not None)
    )


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
