"""Functions that ftrace saw: which took longest, and which were called most.

The longest call that ftrace saw took 17.5 ms: __cond_resched
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from signatures.language.number_format import quantity_words
from signatures.overview.model import Answer, Figure, Statement

if TYPE_CHECKING:
    from signatures.overview.scope_evidence import ScopeEvidence

SHOWN = 8
LONG_SECONDS = 0.01
"""Shorter calls are not worth a sentence: a trace slows what it traces."""

CAPTURE = "trace-cmd record -p function_graph -g vfs_write -- sleep 1; trace-cmd report"


def traced_functions(evidence: ScopeEvidence) -> Answer:
    """Return the functions with the longest calls, without a judgement: a call may sleep."""
    longest = sorted(evidence.facts("ftrace.function.longest_seconds"), key=lambda one: -one.number)
    totals = {one.label("function"): one for one in evidence.facts("ftrace.function.total_seconds")}
    figures: list[Figure] = []
    for one in longest[:SHOWN]:
        name = one.label("function")
        total = quantity_words(totals[name].number, "seconds") if name in totals else ""
        note = f"{total} in all calls" if total else ""
        figures.append(Figure(f"longest call of {name}", one.number, "seconds", (one.place,), note=note))
    if not figures:
        return Answer("No durations of functions.", lacks=(CAPTURE,))
    first = longest[0]
    lasted = quantity_words(first.number, "seconds")
    text = f"The longest call that ftrace saw took {lasted}: {first.label('function')}"
    statements: tuple[Statement, ...] = ()
    if first.number >= LONG_SECONDS:
        statements = (Statement("scheduling", text, (first.place,), "fact", 0.3, CAPTURE),)
    return Answer(f"{text}.", tuple(figures), (), statements)
