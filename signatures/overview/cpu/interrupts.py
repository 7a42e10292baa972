"""Where interrupts and soft interrupts run: shares of a total since boot, never rates."""

from __future__ import annotations

import re
from itertools import islice
from typing import TYPE_CHECKING

from signatures.language.number_format import value_words
from signatures.overview.model import Answer, Figure, Statement, shortened

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from signatures.overview.scope_evidence import FactEntry, Row, ScopeEvidence

SHOWN = 8
ONE_CPU_SHARE = 0.9
SHOWN_PLACES = 3
LEAST_COUNT = 100_000.0
_QUEUE = re.compile(
    r"(?:q|[-_.](?:txrx|tx-rx|rx-tx|tx|rx|queue|fp|msix|input|output|req|request)[-_.]?|_?comp)\d+(?:@\S+)?$",
    re.IGNORECASE,
)
"""How the name of a queue ends: `nvme0q1`, `eth0-TxRx-3`, `virtio0-req.1`, `mlx5_comp4@pci:0000:3b:00.0`."""
CAPTURE = "cat /proc/interrupts /proc/softirqs; sleep 10; cat /proc/interrupts /proc/softirqs"


def interrupts(evidence: ScopeEvidence) -> Answer:
    """Return devices whose interrupts go to one CPU, and the CPU that receives most packets."""
    figures: list[Figure] = []
    statements: list[Statement] = []
    devices = [
        row
        for row in evidence.rows("interrupts")
        if str(row.cells.get("irq", "")).isdecimal() and (row.number("total") or 0.0) > 0
    ]
    devices.sort(key=lambda row: -(row.number("total") or 0.0))
    for row in devices[:SHOWN]:
        share, total = row.number("busiest_share") or 0.0, row.number("total") or 0.0
        note = f"{value_words(share, 'share')} on CPU {row.number('busiest_cpu') or 0:.0f}"
        figures.append(
            Figure(f"interrupts of {row.cells.get('device')}", total, "count", (row.place,), note=note)
        )
    if any((row.number("busiest_share") or 1.0) < 1.0 for row in evidence.rows("interrupts")):
        statements += islice(_on_one_cpu(devices), 1)
    for rate in sorted(evidence.facts("interrupts.per_second"), key=lambda one: -one.number)[:SHOWN]:
        label = f"interrupts {rate.label('irq')} of CPU {rate.label('cpu')}"
        figures.append(Figure(label, rate.number, "per_second", (rate.place,)))
    if statement := _softirqs(evidence.facts("softirqs.net_rx")):
        statements.append(statement)
        figures.append(Figure("packets received by one CPU", statement.text, "", statement.places))
    if not figures:
        return Answer("No data about interrupts.", lacks=(CAPTURE,))
    summary = f"{statements[0].text}." if statements else f"Most interrupts: {figures[0].label}."
    return Answer(summary, shortened(figures, SHOWN), (), tuple(statements))


def _on_one_cpu(rows: Sequence[Row]) -> Iterator[Statement]:
    """Yield the devices whose interrupts, of all their queues, go to one CPU.

    A queue alone does by design: NVMe has one per CPU.
    """
    by_device: dict[str, list[Row]] = {}
    for row in rows:
        name = str(row.cells.get("device")).rpartition(" ")[2]
        by_device.setdefault(_QUEUE.sub("", name), []).append(row)
    for device, queues in by_device.items():
        total = sum(row.number("total") or 0.0 for row in queues)
        cpus = {row.number("busiest_cpu") for row in queues}
        is_on_one = all((row.number("busiest_share") or 0.0) >= ONE_CPU_SHARE for row in queues)
        is_by_design = len(queues) == 1 and _QUEUE.search(str(queues[0].cells.get("device"))) is not None
        if total < LEAST_COUNT or len(cpus) > 1 or not is_on_one or is_by_design:
            continue
        first = queues[0]
        share = sum((row.number("total") or 0.0) * (row.number("busiest_share") or 0.0) for row in queues)
        of = f"the {len(queues)} queues of {device}" if len(queues) > 1 else str(first.cells.get("device"))
        text = (
            f"{value_words(share / total, 'share')} of {total:,.0f} interrupts of {of} "
            f"went to CPU {first.number('busiest_cpu') or 0:.0f} since boot"
        )
        yield Statement("network", text, tuple(row.place for row in queues[:SHOWN_PLACES]), "fact", 0.42)


def _softirqs(entries: list[FactEntry]) -> Statement | None:
    """Return the share of NET_RX soft interrupts that one CPU runs; None when several share them."""
    first = [one for one in entries if one.item is entries[0].item and not one.fact.snapshot]
    total = sum(one.number for one in first)
    if len(first) < 2 or total < LEAST_COUNT:
        return None
    top = max(first, key=lambda one: one.number)
    share = top.number / total
    if share < ONE_CPU_SHARE:
        return None
    text = f"CPU {top.label('cpu')} ran {value_words(share, 'share')} of NET_RX soft interrupts since boot"
    return Statement("network", text, (top.place,), "fact", 0.35)
