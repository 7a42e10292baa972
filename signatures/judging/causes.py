"""What explains a finding: a cause, or a more specific signature, whose card comes before its own.

An NVMe controller is lost, then a file system stops accepting writes: the second is `caused_by` the first.
A CPU is stuck, and its stack suggests a certain loop: the match has that loop as its `suspected_cause`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from signatures.judging.decide import MATCH, SUSPECT
from signatures.judging.observation import State

if TYPE_CHECKING:
    from collections.abc import Sequence

    from signatures.judging.finding import Finding


def with_causes(findings: list[Finding]) -> list[Finding]:
    """Return the findings of one scope, each match and suspect with the first finding that explains it.

    What is at least as certain comes first (`caused_by`). A match stays in front of what is only suspected
    to explain it (`suspected_cause`).
    """
    shown = [one for one in findings if not one.superseded_by]
    matches = [one for one in shown if one.verdict == MATCH]
    suspects = [one for one in shown if one.verdict == SUSPECT]
    return [_with_cause(one, matches, suspects) for one in findings]


def _with_cause(finding: Finding, matches: Sequence[Finding], suspects: Sequence[Finding]) -> Finding:
    if finding.superseded_by or finding.verdict not in (MATCH, SUSPECT):
        return finding
    if cause := _cause(finding, matches):
        return finding._replace(caused_by=cause)
    suspected = _cause(finding, suspects)
    is_match = finding.verdict == MATCH
    return finding._replace(suspected_cause=suspected) if is_match else finding._replace(caused_by=suspected)


def _cause(finding: Finding, others: Sequence[Finding]) -> str:
    """Return the id of the first of `others` that explains `finding`; "" without one."""
    by_id = {one.signature.id: one for one in others}
    followed = [by_id[name] for name in finding.signature.follows if name in by_id]
    special = [one for one in others if finding.signature.id in one.signature.supersedes]
    return next((one.signature.id for one in (*followed, *special) if _may_precede(one, finding)), "")


def _may_precede(cause: Finding, finding: Finding) -> bool:
    """Return whether a cause begins above the end of what it explains, where both are in one text."""
    mine, others = _cited_lines(cause), _cited_lines(finding)
    shared = mine.keys() & others.keys()
    return not shared or any(
        min(first for first, _ in mine[text]) <= max(last for _, last in others[text]) for text in shared
    )


def _cited_lines(finding: Finding) -> dict[tuple[str, int], list[tuple[int, int]]]:
    """Return the first and last lines that the distinguishing conditions cite, by evidence and section."""
    found: dict[tuple[str, int], list[tuple[int, int]]] = {}
    for state in finding.clauses:
        if state.clause.role == "core" and state.state is State.TRUE:
            for evidence, section, cited in state.outcome.citations:
                found.setdefault((evidence, section), []).append((cited.first_line, cited.last_line))
    return found
