"""Fail-on policies: expressions that select the findings that fail a build.

    policy = FailOnPolicy.parse("severity>=high and signature=mm/*")
    [finding for finding in findings if policy.is_met_by(finding)]

    severity    low < medium < high < critical
    verdict     suspect < match; the default is verdict=match
    confidence  0..1 or percent, `>=80%`
    affected    affected, probably_affected, affected_unless_backported, unknown, probably_not_affected,
                not_affected, fixed
    signature   a name or a glob: `mm/*`
    status      stable or draft
    host        a name or a glob
    phase       before, during or after

Operators are `=` and `!=`, for ordered fields also `>=`, `<=`, `>` and `<`. Comparisons are joined by `and`;
for "or" use several policies. Provisional findings, near misses and superseded findings never match; a
condition has no version verdict and matches no `affected`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING, Any

from ingest.native.linear import Pattern
from signatures.judging.applicability import VERDICTS
from signatures.language import units

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

ORDERS = {"severity": ("low", "medium", "high", "critical"), "verdict": ("suspect", "match")}
WORDS = {
    "affected": VERDICTS,
    "status": ("draft", "stable"),
    "phase": ("before", "during", "after"),
}
PATTERNS = ("signature", "host")
CONFIDENCE = "confidence"
FIELDS = (*ORDERS, CONFIDENCE, *WORDS, *PATTERNS)

_PART = re.compile(r"\s*(\w+)\s*(>=|<=|!=|=|>|<)\s*(\S+(?: %)?)\s*")
_JOINED = Pattern(r"\s+and\s+")


class FailOnError(ValueError):
    """An expression is invalid; the message names the valid syntax."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """One comparison.

    Attributes:
        value: A word or glob; for ordered fields the rank, for confidence the share.
    """

    field: str
    operator: str
    value: str | float

    def is_met_by(self, finding: Mapping[str, Any]) -> bool:
        """Return whether one `signatures.reporting.report.finding_document` satisfies the comparison."""
        if self.field == "affected":
            actual: Any = finding["affected"]["verdict"]
            if actual not in VERDICTS:
                return False
        else:
            actual = finding[self.field]
        if self.field in PATTERNS:
            return fnmatchcase(actual, str(self.value)) == (self.operator == "=")
        if self.field in ORDERS:
            order = ORDERS[self.field]
            return actual in order and _compare(float(order.index(actual)), self.operator, self.value)
        return actual is not None and _compare(actual, self.operator, self.value)


@dataclass(frozen=True, slots=True)
class FailOnPolicy:
    """One expression: all comparisons must be true.

    Attributes:
        text: Source of the expression.
    """

    text: str
    parts: tuple[Comparison, ...]

    @classmethod
    def parse(cls, text: str) -> FailOnPolicy:
        """Parse an expression.

        Raises:
            FailOnError: Unknown field, value or operator; the message lists the valid ones.
        """
        parts = tuple(_part(one) for one in _JOINED.split(text.strip()))
        if not any(part.field == "verdict" for part in parts):
            parts = (*parts, _part("verdict=match"))
        return cls(text.strip(), parts)

    def is_met_by(self, finding: Mapping[str, Any]) -> bool:
        """Return whether a finding counts and satisfies all comparisons."""
        counts = not (
            finding["superseded_by"] or finding["is_near_miss"] or finding.get("is_provisional", False)
        )
        return counts and all(part.is_met_by(finding) for part in self.parts)

    def strangers(self, signatures: Collection[str]) -> list[str]:
        """Return the signature patterns that match none of `signatures`."""
        return [
            str(part.value)
            for part in self.parts
            if part.field == "signature" and not any(fnmatchcase(one, str(part.value)) for one in signatures)
        ]


def _part(text: str) -> Comparison:
    found = _PART.fullmatch(text)
    if not found:
        raise FailOnError(
            f"{text.strip()!r} is not a comparison; write FIELD>=VALUE, such as severity>=high, "
            "joined by 'and'"
        )
    field, operator, value = found[1], found[2], found[3]
    if field not in FIELDS:
        raise FailOnError(f"unknown field {field!r}; use one of {', '.join(FIELDS)}")
    if field == CONFIDENCE:
        return Comparison(field, operator, _share(value))
    values = ORDERS.get(field) or WORDS.get(field)
    if values and value not in values:
        raise FailOnError(f"{field} cannot be {value!r}; use {', '.join(values[:-1])} or {values[-1]}")
    if field in ORDERS:
        return Comparison(field, operator, float(ORDERS[field].index(value)))
    if operator not in ("=", "!="):
        raise FailOnError(f"{field} has no order; use = or !=")
    return Comparison(field, operator, value)


def _share(text: str) -> float:
    try:
        quantity = units.parse(text)
    except ValueError:
        quantity = units.Quantity(-1.0, "")
    if quantity.unit not in ("", "share") or not 0 <= quantity.value <= 1:
        raise FailOnError(f"confidence must be 0..1 or 0%..100%, not {text!r}")
    return quantity.value


def _compare(actual: str | float, operator: str, value: str | float) -> bool:
    if operator == "=":
        return actual == value
    if operator == "!=":
        return actual != value
    actual, value = float(actual), float(value)
    if operator == ">=":
        return actual >= value
    if operator == "<=":
        return actual <= value
    return actual > value if operator == ">" else actual < value
