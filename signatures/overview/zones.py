"""Zones of memory below their watermark, of lines of an OOM report or a SysRq m whose head is not there.

Memory is short on node 1, zone Normal: 16.4 MiB are free, below the watermark min of 44.2 MiB
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from signatures.language.number_format import value_words
from signatures.overview.model import Answer, Figure, Statement, place, ranked, shortened

if TYPE_CHECKING:
    from signatures.overview.scope_evidence import ScopeEvidence

SHOWN = 8
SMALL = frozenset({"DMA"})
"""The first 16 MiB: full on healthy machines."""

CAPTURE = "cat /proc/zoneinfo; cat /proc/buddyinfo; cat /proc/meminfo"
MEMCG_CAPTURE = "journalctl -k -b -o json; cd /sys/fs/cgroup/PATH; grep . memory.max memory.events"


def zones(evidence: ScopeEvidence) -> Answer:
    """Return the free memory of each zone as a share of its watermark, and what else such lines are of."""
    figures: list[Figure] = []
    statements: list[Statement] = []
    for record, item in evidence.records():
        where = place(item, record.lines.first, record.lines.last)
        free, least = record.fields.get("free_kb"), record.fields.get("min_kb")
        if record.kind == "memcg_counters" and not statements:
            text = "Counters of a memory cgroup as an OOM report prints them; "
            text += "the lines that name the cgroup and the killed process are not in the log"
            statements.append(
                Statement("cgroup-limits", text, (where,), "alarm", 0.5, MEMCG_CAPTURE, ("memory",))
            )
            figures.append(Figure("counters of a memory cgroup", 1.0, "count", (where,)))
        if record.kind != "zone_watermarks" or not isinstance(free, float) or not isinstance(least, float):
            continue
        zone = str(record.fields.get("zone"))
        node = f"node {record.fields['node']}, " if record.fields.get("node") else ""
        is_short = free < least and zone not in SMALL
        share = free / least if least else 1.0
        figures.append(Figure(f"{node}zone {zone}: free ÷ min", round(share, 4), "share", (where,), is_short))
        if is_short:
            text = f"Memory is short in {node}zone {zone}: {value_words(free * 1024, 'bytes')} are free, "
            text += f"below the watermark min of {value_words(least * 1024, 'bytes')}"
            kind, strength = ranked(is_alarm=True, alarm=0.7, fact=0.4)
            statements.append(Statement("memory", text, (where,), kind, strength, CAPTURE))
    if not figures:
        return Answer("No free memory of zones.", lacks=(CAPTURE,))
    summary = (
        f"{statements[0].text}." if statements else "Every zone has more free memory than its watermark."
    )
    return Answer(summary, shortened(figures, SHOWN), (), tuple(statements))
