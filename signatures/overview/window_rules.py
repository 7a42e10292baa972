"""From which value on a window of a quantity is worth a sentence: the rows of `windows.yaml`."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from ingest.tables import table
from signatures.overview import worst

if TYPE_CHECKING:
    from signatures.overview.model import QuestionName
    from signatures.overview.scope_evidence import ScopeEvidence
    from signatures.overview.worst import Worst

_TABLE = Path(__file__).parent / "windows.yaml"


class Rule(NamedTuple):
    """A quantity, and from which value on a window of it is worth a sentence.

    Attributes:
        fact: The quantity.
        above: Values from here on count.
        least_seconds: Shorter windows do not.
        question: What it is about.
        words: The sentence, with `{value}` and `{of}`.
        is_meant: It may be meant, as a busy device: a fact with which the question is not calm.
        is_count: The mean of counts never was: the window is stated unless all rows are as high.
    """

    fact: str
    above: float
    least_seconds: float
    question: QuestionName
    words: str
    is_meant: bool = False
    is_count: bool = False


@cache
def rules() -> tuple[Rule, ...]:
    """Return the rules in the order of the table."""
    return tuple(
        Rule(
            row["fact"],
            float(row["above"]),
            float(row["for"]),
            row["question"],
            row["words"],
            row.get("is_meant", False),
            row.get("is_count", False),
        )
        for row in table(_TABLE)
    )


def worst_of(evidence: ScopeEvidence, rule: Rule) -> Worst | None:
    """Return the worst window by a rule, None where the means tell as much."""
    return worst.of_name(evidence, rule.fact, rule.above, rule.least_seconds, is_count=rule.is_count)


def is_stated(evidence: ScopeEvidence, fact: str) -> bool:
    """Return whether a window is shown that says more of a fact than its mean does."""
    if evidence.engines.series != "on":
        return False
    return any(worst_of(evidence, rule) is not None for rule in rules() if rule.fact == fact)
