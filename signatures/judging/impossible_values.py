"""Values that cannot be right, by the rows of `impossible.yaml`: no condition is decided by them.

    is_impossible(facts, memavailable)  ->  True where it is more than MemTotal of the same output

The overview states them with their likely cause (`signatures.overview.impossible`).
"""

from __future__ import annotations

import math
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, TypedDict

from ingest.tables import table

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ingest.model.histogram import Histogram
    from signatures.documents.overview import QuestionName
    from signatures.judging.fact_index import ScopeFact, ScopeFacts

SECONDS = {"ns": 1e-9, "us": 1e-6, "ms": 1e-3, "s": 1.0}
DETAIL = "cannot be right: a value beyond what it is part of"
_TABLE = Path(__file__).parent / "impossible.yaml"


class _Stated(TypedDict):
    above: float | list[str]
    question: QuestionName
    words: str
    cause: str
    source: str


class RuleRow(_Stated, total=False):
    """A row of the table; its head says what each key is."""

    facts: str | list[str]
    rows: str | list[str]
    histograms: str | list[str]
    column: str
    column_of: str
    by: float
    by_share: float


class Rule(NamedTuple):
    """One row of the table; see its head.

    Attributes:
        source: `facts`, `rows` or `histograms`.
        bounds: Facts whose highest is the bound; () where `above` is.
    """

    source: str
    names: tuple[str, ...]
    column: str
    column_of: str
    above: float
    bounds: tuple[str, ...]
    by: float
    by_share: float
    question: QuestionName
    words: str
    cause: str

    def is_beyond(self, value: float, bound: float) -> bool:
        """Return whether a value is beyond a bound by more than rounding and the time between reads."""
        return bound > 0 and value > bound + max(self.by, self.by_share * bound)


@cache
def rules() -> tuple[Rule, ...]:
    """Return the rules in the order of the table."""
    return tuple(_rule(row) for row in table(_TABLE))


def _rule(row: RuleRow) -> Rule:
    names, above = _source(row), row["above"]
    bounds = tuple(above) if isinstance(above, list) else ()
    return Rule(
        names[0],
        names[1:],
        row.get("column", ""),
        row.get("column_of", ""),
        math.inf if isinstance(above, list) else float(above),
        bounds,
        float(row.get("by", 0.0)),
        float(row.get("by_share", 0.0)),
        row["question"],
        row["words"],
        row["cause"],
    )


def _source(row: RuleRow) -> tuple[str, ...]:
    """Return the kind of a row's values, and the names of them."""
    for key, named in (("facts", row.get("facts")), ("rows", row.get("rows"))):
        if named:
            return key, *([named] if isinstance(named, str) else named)
    named = row["histograms"]
    return "histograms", *([named] if isinstance(named, str) else named)


def is_impossible(facts: ScopeFacts, fact: ScopeFact) -> bool:
    """Return whether the value of a fact cannot be right."""
    return id(fact) in facts.derived(_impossible)


def _impossible(facts: ScopeFacts) -> frozenset[int]:
    return frozenset(id(one) for rule in rules() for one in _beyond(facts, rule))


def _beyond(facts: ScopeFacts, rule: Rule) -> Iterator[ScopeFact]:
    """Yield the facts beyond the highest bound of their look, or of one that was read once for all looks."""
    if rule.source != "facts":
        return
    highest: dict[tuple[int, int], float] = {}
    for name in rule.bounds:
        for bound in facts.texts(name):
            if isinstance(bound.value, float):
                key = (id(bound.item), bound.order[1])
                highest[key] = max(highest.get(key, 0.0), bound.value)
    for name in rule.names:
        for one in facts.texts(name):
            looks = (highest.get((id(one.item), look), 0.0) for look in (one.order[1], 0))
            if isinstance(one.value, float) and rule.is_beyond(one.value, max(looks)):
                yield one


def has_impossible(histogram: Histogram) -> bool:
    """Return whether a histogram of times has values that no host was up for."""
    factor = SECONDS.get(histogram.unit or "", 0.0)
    longest = max(
        (low for low, count in zip(histogram.lows, histogram.counts, strict=True) if count), default=0
    )
    return any(
        rule.source == "histograms" and rule.is_beyond(longest * factor, rule.above) for rule in rules()
    )
