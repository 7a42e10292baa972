"""Matches that another match explains: the card of a cause comes before that of its consequences.

An NVMe controller is lost, then a file system stops accepting writes: the second is `caused_by` the first.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from signatures.judging.decide import MATCH
from signatures.judging.observation import State

if TYPE_CHECKING:
    from collections.abc import Mapping

    from signatures.judging.finding import Finding


def with_causes(findings: list[Finding]) -> list[Finding]:
    """Return the findings of one scope, each match with the first match that it is a consequence of."""
    matches = {one.signature.id: one for one in findings if one.verdict == MATCH and not one.superseded_by}
    return [
        replace(one, caused_by=_cause(one, matches)) if one.signature.id in matches else one
        for one in findings
    ]


def _cause(finding: Finding, matches: Mapping[str, Finding]) -> str:
    """Return the id of a match that `finding` follows; "" without one."""
    causes = (matches[name] for name in finding.signature.follows if name in matches)
    return next((one.signature.id for one in causes if _may_precede(one, finding)), "")


def _may_precede(cause: Finding, finding: Finding) -> bool:
    """Return whether a cause is cited above some citation of what it explains, where both are in one text."""
    mine, others = _cited_lines(cause), _cited_lines(finding)
    shared = mine.keys() & others.keys()
    return not shared or any(min(mine[text]) <= max(others[text]) for text in shared)


def _cited_lines(finding: Finding) -> dict[tuple[str, int], list[int]]:
    """Return the first lines that the distinguishing conditions cite, by evidence and section."""
    found: dict[tuple[str, int], list[int]] = {}
    for state in finding.clauses:
        if state.clause.role == "core" and state.state is State.TRUE:
            for evidence, section, cited in state.outcome.citations:
                found.setdefault((evidence, section), []).append(cited.first_line)
    return found
