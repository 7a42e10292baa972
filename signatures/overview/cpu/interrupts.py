"""Where interrupts and soft interrupts run: shares of a total since boot, never rates."""

from __future__ import annotations

import re
from itertools import islice
from typing import TYPE_CHECKING

from signatures.language.number_format import value_words
from signatures.overview.cpu import soft_interrupts
from signatures.overview.cpu.packets import packets_of_one_cpu
from signatures.overview.model import Answer, Figure, Statement, shortened
from signatures.rendering.places import SHOWN_PLACES

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from signatures.overview.scope_evidence import FactEntry, Row, ScopeEvidence

SHOWN = 8
ONE_CPU_SHARE = 0.9
LEAST_COUNT = 100_000.0
_QUEUE = re.compile(
    r"(?:q|[-_.](?:txrx|rxtx|tx-rx|rx-tx|tx|rx|queue|fp|msix|input|output|req|request)[-_.]?|_?comp)\d+(?:@\S+)?$",
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
        note = f"{value_words(share, 'share')} {_where(row)}"
        figures.append(
            Figure(f"interrupts of {row.cells.get('device')}", total, "count", (row.place,), note=note)
        )
    if len(devices) == 1 and (statement := _in_one_column(devices[0])):
        statements.append(statement)
    elif any(map(_is_of_several_cpus, evidence.rows("interrupts"))):
        statements += islice(_on_one_cpu(devices), 1)
    for rate in sorted(evidence.facts("interrupts.per_second"), key=lambda one: -one.number)[:SHOWN]:
        label = f"interrupts {rate.label('irq')} of CPU {rate.label('cpu')}"
        figures.append(Figure(label, rate.number, "per_second", (rate.place,)))
    if statement := packets_of_one_cpu(evidence) or _softirqs(evidence.facts("softirqs.net_rx")):
        statements.append(statement)
        figures.append(Figure("packets received by one CPU", statement.text, "", statement.places))
    if not figures:
        return Answer("No data about interrupts.", lacks=(CAPTURE,))
    summary = f"{statements[0].text}." if statements else f"Most interrupts: {figures[0].label}."
    return Answer(summary, shortened(figures, SHOWN), (), tuple(statements))


def _is_of_several_cpus(row: Row) -> bool:
    """Return whether a row shows more CPUs than one: counts of two, or columns without a header."""
    is_bare = row.number("busiest_cpu") is None and (row.number("columns") or 0.0) > 1
    return is_bare or (row.number("busiest_share") or 1.0) < 1.0


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
        cpus = {row.number("busiest_column") for row in queues}
        is_on_one = all((row.number("busiest_share") or 0.0) >= ONE_CPU_SHARE for row in queues)
        is_by_design = len(queues) == 1 and _QUEUE.search(str(queues[0].cells.get("device"))) is not None
        if total < LEAST_COUNT or len(cpus) > 1 or not is_on_one or is_by_design:
            continue
        first = queues[0]
        share = sum((row.number("total") or 0.0) * (row.number("busiest_share") or 0.0) for row in queues)
        of = f"the {len(queues)} queues of {device}" if len(queues) > 1 else str(first.cells.get("device"))
        text = (
            f"{value_words(share / total, 'share')} of {total:,.0f} interrupts of {of} "
            f"{_went(first)} since boot"
        )
        yield Statement(
            "network", text, tuple(row.place for row in queues[:SHOWN_PLACES]), "fact", "since boot"
        )


def _in_one_column(row: Row) -> Statement | None:
    """Return that one CPU takes all that a lone row counts, of which the columns have no header."""
    share, total = row.number("busiest_share") or 0.0, row.number("total") or 0.0
    is_on_one = share >= ONE_CPU_SHARE and (row.number("columns") or 0.0) > 1
    if row.number("busiest_cpu") is not None or total < LEAST_COUNT or not is_on_one:
        return None
    device = str(row.cells.get("device")).rpartition(" ")[2]
    of_all = "All" if share == 1.0 else f"{value_words(share, 'share')} of"
    text = f"{of_all} {total:,.0f} interrupts of {device} {_went(row)} since boot"
    if _QUEUE.search(device):
        text += "; one queue goes to one CPU by design, and the other queues of the device tell more"
    return Statement(
        "network",
        text,
        (row.place,),
        "fact",
        "since boot",
        soft_interrupts.CAPTURE,
        topic="interrupts",
    )


def _went(row: Row) -> str:
    """Return `went to CPU 3`, or in which column they are where the CPUs are not named."""
    is_named = row.number("busiest_cpu") is not None
    return f"went to {_where(row).removeprefix('on ')}" if is_named else f"are {_where(row)}"


def _where(row: Row) -> str:
    """Return `on CPU 3`, or the column where the CPUs are not named."""
    cpu = row.number("busiest_cpu")
    if cpu is not None:
        return f"on CPU {cpu:.0f}"
    column, columns = row.number("busiest_column") or 0.0, row.number("columns") or 0.0
    which = "the first" if column == 1 else f"column {column:.0f}"
    return f"in {which} of {columns:.0f} columns"


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
    return Statement("network", text, (top.place,), "fact", "context")
