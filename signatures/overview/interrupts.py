"""Where interrupts and soft interrupts run: shares of a total since boot, never rates."""

from __future__ import annotations

from typing import TYPE_CHECKING

from signatures.language.number_format import value_words
from signatures.overview.model import Answer, Figure, Statement, shortened

if TYPE_CHECKING:
    from signatures.overview.scope_evidence import FactEntry, ScopeEvidence

SHOWN = 8
ONE_CPU_SHARE = 0.9
LEAST_COUNT = 100_000.0
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
        if share >= ONE_CPU_SHARE and total >= LEAST_COUNT and not statements:
            text = (
                f"{value_words(share, 'share')} of {total:,.0f} interrupts of {row.cells.get('device')} "
                f"went to CPU {row.number('busiest_cpu') or 0:.0f} since boot"
            )
            statements.append(Statement("network", text, (row.place,), "fact", 0.42))
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
