"""Fail-on policies: expressions that select the findings that fail a build.

    policy = FailOnPolicy.parse("severity>=high and signature=mm/*")
    policy.met_by(findings)

    severity    low < medium < high < critical
    level       context < since boot < notable < degraded < saturation < failure < outage
    derived     the same levels, of statements that are derived
    verdict     suspect < match; the default is verdict=match
    confidence  0..1 or percent, `>=80%`
    affected    affected, probably_affected, affected_unless_backported, unknown, probably_not_affected,
                not_affected, fixed
    kind        signature or alarm
    signature   a name or a glob: `mm/*`
    alarm       an area, a class of the kernel log, or a glob: `io`, `ext4_*`
    status      stable or draft; an alarm of classes of the kernel log is stable
    host        a name or a glob
    phase       before, during or after

Operators are `=` and `!=`, for ordered fields also `>=`, `<=`, `>` and `<`. Comparisons are joined by `and`;
for "or" use several policies. `default` is `status=stable`. Provisional findings, near misses and superseded
findings never match. Alarms of the overview match only by `alarm=`, derived ones only by `derived`. An alarm
that a finding explains which matches, too, is not counted again. A condition and an alarm have no version
verdict and match no `affected`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING

from ingest.native.linear import Pattern
from signatures.documents.alarm import DERIVED, OVERVIEW, AlarmDocument
from signatures.documents.finding import FindingDocument
from signatures.documents.levels import LEVELS
from signatures.judging.applicability import VERDICTS
from signatures.language import units

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping

    from signatures.documents.alarm import AnyFinding

ORDERS: Mapping[str, tuple[str, ...]] = {
    "severity": ("low", "medium", "high", "critical"),
    "level": LEVELS,
    "derived": LEVELS,
    "verdict": ("suspect", "match"),
}
WORDS = {
    "affected": VERDICTS,
    "kind": ("signature", "alarm"),
    "status": ("draft", "stable"),
    "phase": ("before", "during", "after"),
}
PATTERNS = ("signature", "alarm", "host")
CONFIDENCE = "confidence"
FIELDS = (*ORDERS, CONFIDENCE, *WORDS, *PATTERNS)
DEFAULT = "default"
DEFAULT_MEANS = "status=stable"
ASKED_BY = {OVERVIEW: "alarm", DERIVED: "derived"}
"""The field without which findings of a status never count."""

_PART = re.compile(r"\s*(\w+)\s*(>=|<=|!=|=|>|<)\s*(\S+(?: %| boot)?)\s*")
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

    def is_met_by(self, finding: AnyFinding) -> bool:
        """Return whether the document of a finding satisfies the comparison.

        An alarm has no signature: it equals none, and differs from each.
        """
        if self.field in PATTERNS:
            is_named = any(fnmatchcase(name, str(self.value)) for name in _names(finding, self.field))
            return is_named == (self.operator == "=")
        if self.field == DERIVED and finding.status != DERIVED:
            return False
        if self.field in ORDERS:
            order = ORDERS[self.field]
            actual = getattr(finding, "level" if self.field == DERIVED else self.field)
            return actual in order and _compare(float(order.index(actual)), self.operator, self.value)
        value = _value(finding, self.field)
        return value is not None and _compare(value, self.operator, self.value)

    def selects(self, status: str) -> bool:
        """Return whether it asks for findings of a status that others leave out."""
        return self.field == ASKED_BY[status] and self.operator != "!="


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
        source = DEFAULT_MEANS if text.strip() == DEFAULT else text.strip()
        parts = tuple(_part(one) for one in _JOINED.split(source))
        policy = cls(text.strip(), parts)
        return policy if policy.has("verdict") else cls(policy.text, (*parts, _part("verdict=match")))

    def met_by(self, findings: Iterable[AnyFinding]) -> list[AnyFinding]:
        """Return the findings that satisfy the expression, without alarms that one of them explains."""
        met = [one for one in findings if self._is_met_by(one)]
        explaining = {(one.signature, one.host, one.phase) for one in met if isinstance(one, FindingDocument)}
        return [
            one
            for one in met
            if isinstance(one, FindingDocument) or (one.explained_by, one.host, one.phase) not in explaining
        ]

    def _is_met_by(self, finding: AnyFinding) -> bool:
        """Return whether a finding counts and satisfies all comparisons."""
        if finding.superseded_by or finding.is_near_miss or finding.is_provisional:
            return False
        status = finding.status
        if status in ASKED_BY and not any(part.selects(status) for part in self.parts):
            return False
        return all(part.is_met_by(finding) for part in self.parts)

    def has(self, field: str) -> bool:
        """Return whether it compares a field."""
        return any(part.field == field for part in self.parts)

    def strangers(self, signatures: Collection[str], alarms: Collection[str]) -> list[str]:
        """Return the patterns that match none of the names of signatures and alarms, each with its field."""
        known = {"signature": signatures, "alarm": alarms}
        return [
            f"{part.field} {part.value!r}"
            for part in self.parts
            if part.field in known and not any(fnmatchcase(one, str(part.value)) for one in known[part.field])
        ]


def _value(finding: AnyFinding, field: str) -> str | float | None:
    """Return what a finding has in a field; None for what it cannot have."""
    if field == "affected":
        verdict = finding.affected.verdict if isinstance(finding, FindingDocument) else ""
        return verdict if verdict in VERDICTS else None
    value: str | float | None = getattr(finding, field, None)
    return value


def _names(finding: AnyFinding, field: str) -> Collection[str]:
    """Return the names of a finding in a field; an alarm has those of its areas and of its classes."""
    if field == "alarm":
        return (*finding.areas, *finding.log_classes) if isinstance(finding, AlarmDocument) else ()
    name: str | None = getattr(finding, field, None)
    return () if name is None else (name,)


def _part(text: str) -> Comparison:
    found = _PART.fullmatch(text)
    if not found:
        raise FailOnError(
            f"{text.strip()!r} is not a comparison; write FIELD>=VALUE, such as severity>=high, "
            f"joined by 'and', or {DEFAULT}"
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
