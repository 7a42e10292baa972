"""The USE table: utilisation, saturation and errors of CPU, memory, disk and network."""

from __future__ import annotations

from typing import TYPE_CHECKING

from signatures.overview.model import Answer
from signatures.overview.rules.panel import found_by
from signatures.overview.rules.rule import panel_of

if TYPE_CHECKING:
    from signatures.overview.model import Figure
    from signatures.overview.scope_evidence import ScopeEvidence


def use_table(evidence: ScopeEvidence) -> Answer:
    """Return the highest value of each cell, and the commands that provide the missing ones."""
    figures: list[Figure] = []
    unknown: dict[str, list[str]] = {}
    rules = panel_of("use-table").rules
    for rule in rules:
        found = [one.figure for one in found_by(evidence, rule) if one.figure]
        figures += found
        if not found:
            unknown.setdefault(rule.thresholds[0].capture, []).append(rule.figure)
    lacks = tuple(f"{source}   ({'; '.join(cells)})" for source, cells in unknown.items())
    if not figures:
        return Answer("No resource counters.", lacks=lacks)
    notable = [figure.label for figure in figures if figure.is_notable]
    summary = f"Above threshold: {', '.join(notable)}." if notable else "No cell is above its threshold."
    return Answer(f"{summary} {len(figures)} of {len(rules)} cells known.", tuple(figures), lacks)
