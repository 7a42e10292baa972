"""Compare a finding before a change with the same finding after it, as wire values.

outcome(before, after) -> Outcome("cleared", "not met after: usage at its limit")

firing before, firing after      persists
firing before, decided after     cleared: met conditions are no longer met
firing before, not decided after   open: met conditions were not tested again
silent before, firing after      appeared
silent or not decided in both      quiet
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple, TypeAlias

from signatures.rendering.words import NOT_DECIDED

if TYPE_CHECKING:
    from signatures.documents.finding import ConditionDocument, FindingDocument

FIRING = frozenset({"match", "suspect"})
DECIDED = frozenset({"no_match", "not_applicable"})
Word: TypeAlias = Literal["cleared", "persists", "appeared", "open", "quiet"]


class Outcome(NamedTuple):
    """Outcome of a finding, and the conditions that decide it."""

    word: Word
    because: str


def outcome(before: FindingDocument, after: FindingDocument | None) -> Outcome:
    """Compare the finding of one host and signature in two phases; `after` is None when it was not judged."""
    was_firing = before.verdict in FIRING
    if after is None:
        return Outcome("open", "no evidence collected since") if was_firing else Outcome("quiet", "")
    if after.verdict in FIRING:
        return (
            Outcome("persists", _met_titles(after)) if was_firing else Outcome("appeared", _met_titles(after))
        )
    if not was_firing:
        return Outcome("quiet", "")
    lost, untested = _changed(before, after)
    if after.verdict in DECIDED and (lost or after.verdict == "not_applicable"):
        return Outcome("cleared", f"not met after: {'; '.join(lost)}" if lost else "it no longer applies")
    return Outcome("open", f"not tested after: {'; '.join(untested)}" if untested else f"{NOT_DECIDED} after")


def _met_titles(finding: FindingDocument) -> str:
    titles = [clause.name for clause in finding.conditions if _is_support(clause)]
    return f"met after: {'; '.join(titles)}" if titles else ""


def _changed(before: FindingDocument, after: FindingDocument) -> tuple[list[str], list[str]]:
    """Return the conditions met before that are not met after, and those unknown after."""
    states = {clause.id: clause.state for clause in after.conditions}
    support = [clause for clause in before.conditions if _is_support(clause)]
    lost = [clause.name for clause in support if states.get(clause.id) == "FALSE"]
    untested = [clause.name for clause in support if states.get(clause.id) not in {"TRUE", "FALSE"}]
    return lost, untested


def _is_support(clause: ConditionDocument) -> bool:
    return clause.state == "TRUE" and clause.role in {"core", "corroborates"}
