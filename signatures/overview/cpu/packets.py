"""Packets of a host that one CPU processes, by the counters of `/proc/net/softnet_stat` since boot.

95 % of 1,350,342,123 packets of 9 listed CPUs were processed by the first of them since boot

The counters are 32 bits wide: shares of large ones may be those of what was counted since they began anew.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from signatures.language.number_format import value_words
from signatures.overview.cpu import soft_interrupts
from signatures.overview.model import Statement

if TYPE_CHECKING:
    from signatures.overview.scope_evidence import ScopeEvidence

ONE_CPU_SHARE = 0.9
LEAST_CPUS = 4
"""With fewer CPUs, and one queue, a host has little choice."""

LEAST_PACKETS = 100_000_000.0
"""A host with little traffic needs weeks for as many: one CPU is enough for it."""


def packets_of_one_cpu(evidence: ScopeEvidence) -> Statement | None:
    """Return the share of the CPU that processed nearly all packets; None where several share them."""
    counted = evidence.facts("softnet.processed")
    first = [one for one in counted if one.item is counted[0].item and not one.fact.snapshot]
    total = sum(one.number for one in first)
    if len(first) < LEAST_CPUS or total < LEAST_PACKETS:
        return None
    top = max(first, key=lambda one: one.number)
    if top.number < ONE_CPU_SHARE * total:
        return None
    row = first.index(top)
    is_named = any(one.item is top.item for one in evidence.facts("softnet.backlog"))
    which = "the first of them" if row == 0 else f"number {row + 1} of them"
    of = f"{value_words(top.number / total, 'share')} of {total:,.0f} packets of {len(first)} listed CPUs"
    by = f"CPU {top.label('cpu')}" if is_named else which
    return Statement(
        "network",
        f"{of} were processed by {by} since boot",
        (top.place,),
        "fact",
        "since boot",
        soft_interrupts.CAPTURE,
        is_notable=True,
        topic="interrupts",
    )
