"""What undecided signatures add to the first screen: a condition that is met, and the capture that decides.

sign_of(findings)  ->  Sign("mm/mmap-lock-held-in-reclaim", "The lock was let go at the end of a page fault")
decider_of(wanted, None)  ->  ("timeout -s KILL 120 bpftrace …", "mm/mmap-lock-held-in-reclaim")
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from signatures.judging.decide import UNKNOWN

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from signatures.documents.finding import ConditionDocument, FindingDocument
    from signatures.overview.model import Place, Statement


class Wanted(NamedTuple):
    """All findings as documents, by rank, the commands that they ask for, and the signatures that lead.

    Attributes:
        captures: The most useful first.
        signatures: Those of the headline and of the suspicion below it.
        deciding: The command that decides most between them and their rivals; "" without one.
    """

    findings: Sequence[FindingDocument]
    captures: Sequence[str]
    signatures: frozenset[str] = frozenset()
    deciding: str = ""


class Sign(NamedTuple):
    """A met condition of an undecided signature."""

    signature: str
    title: str


def sign_of(findings: Sequence[FindingDocument]) -> Sign | None:
    """Return the first met condition of one of the closest signatures, else a distinguishing one."""
    for finding in _undecided(findings):
        for clause in _met(finding):
            if finding.is_near_miss or clause.role == "core":
                return Sign(finding.signature, clause.title)
    return None


def decider_of(wanted: Wanted, statement: Statement | None) -> tuple[str, str]:
    """Return a capture and the title of the undecided signature that asks for it; ("", "") without one.

    Args:
        wanted: Who may ask.
        statement: Only signatures count that have a condition met on its lines; None: all count.
    """
    asking = [
        one
        for one in _undecided(wanted.findings)
        if statement is None or any(_is_on(clause, statement.places) for clause in _met(one))
    ]
    for run in wanted.captures:
        for one in asking:
            if any(row.run == run for row in one.next):
                return run, one.title
    return "", ""


def _undecided(findings: Sequence[FindingDocument]) -> Iterator[FindingDocument]:
    return (one for one in findings if one.verdict == UNKNOWN and not one.superseded_by)


def _met(finding: FindingDocument) -> Iterator[ConditionDocument]:
    """Yield the conditions that the evidence meets, without excluding ones."""
    return (
        one for one in finding.conditions if one.state == "TRUE" and one.role != "rival" and one.citations
    )


def _is_on(condition: ConditionDocument, places: Sequence[Place]) -> bool:
    return any(
        (cited.evidence, cited.section) == (place.evidence, place.section)
        and cited.first_line <= place.last_line
        and place.first_line <= cited.last_line
        for cited in condition.citations
        for place in places
    )
