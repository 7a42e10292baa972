"""What fails a build: findings asked for by a few words.

    gate = Gate.parse("severity>=high and signature=mm/*")
    [finding for finding in findings if gate.is_met_by(finding)]

    severity    low < medium < high < critical
    verdict     suspect < match; without it only what matches counts
    confidence  0..1 or per cent, `>=80%`
    affected    affected, fixed, not_affected, unknown: what is known of the kernel
    signature   a name, or a pattern as in a shell: `mm/*`
    status      stable or draft, of the signature
    host        a name or a pattern
    phase       before, during or after

Words are compared with `=` and `!=`, what has an order also with `>=`, `<=`, `>` and `<`. Parts are joined by
`and`; for "or" give another one. Provisional findings, near misses and what a more special signature explains
never count.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING, Any

from ingest.native.linear import Pattern
from signatures.language import units

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

ORDERS = {"severity": ("low", "medium", "high", "critical"), "verdict": ("suspect", "match")}
WORDS = {
    "affected": ("affected", "fixed", "not_affected", "unknown"),
    "status": ("draft", "stable"),
    "phase": ("before", "during", "after"),
}
PATTERNS = ("signature", "host")
CONFIDENCE = "confidence"
FIELDS = (*ORDERS, CONFIDENCE, *WORDS, *PATTERNS)

_PART = re.compile(r"\s*(\w+)\s*(>=|<=|!=|=|>|<)\s*(\S+(?: %)?)\s*")
_JOINED = Pattern(r"\s+and\s+")


class GateError(ValueError):
    """An expression cannot be understood; the message says what would be."""


@dataclass(frozen=True, slots=True)
class Part:
    """One comparison.

    Attributes:
        value: A word or pattern; of what has an order, its rank or share.
    """

    field: str
    operator: str
    value: str | float

    def is_met_by(self, finding: Mapping[str, Any]) -> bool:
        """Return whether it holds for one finding of `signatures.reporting.report.finding_document`."""
        if self.field == "affected":
            told: Any = finding["affected"]["verdict"]
        else:
            told = finding[self.field]
        if self.field in PATTERNS:
            return fnmatchcase(told, str(self.value)) == (self.operator == "=")
        if self.field in ORDERS:
            order = ORDERS[self.field]
            return told in order and _compare(float(order.index(told)), self.operator, self.value)
        return told is not None and _compare(told, self.operator, self.value)


@dataclass(frozen=True, slots=True)
class Gate:
    """One expression: every part must hold.

    Attributes:
        text: As it was written.
    """

    text: str
    parts: tuple[Part, ...]

    @classmethod
    def parse(cls, text: str) -> Gate:
        """Understand an expression.

        Raises:
            GateError: Something in it is not one of those words; says what it could be.
        """
        parts = tuple(_part(one) for one in _JOINED.split(text.strip()))
        if not any(part.field == "verdict" for part in parts):
            parts = (*parts, _part("verdict=match"))
        return cls(text.strip(), parts)

    def is_met_by(self, finding: Mapping[str, Any]) -> bool:
        """Return whether a finding counts at all and every part holds for it."""
        counts = not (
            finding["superseded_by"] or finding["is_near_miss"] or finding.get("is_provisional", False)
        )
        return counts and all(part.is_met_by(finding) for part in self.parts)

    def strangers(self, signatures: Collection[str]) -> list[str]:
        """Return what is asked of a signature that is none of `signatures`: it could never be met."""
        return [
            str(part.value)
            for part in self.parts
            if part.field == "signature" and not any(fnmatchcase(one, str(part.value)) for one in signatures)
        ]


def _part(text: str) -> Part:
    found = _PART.fullmatch(text)
    if not found:
        raise GateError(
            f"{text.strip()!r} is no condition; write FIELD>=VALUE, such as severity>=high, joined by 'and'"
        )
    field, operator, value = found[1], found[2], found[3]
    if field not in FIELDS:
        raise GateError(f"findings have no {field!r}; they have {', '.join(FIELDS)}")
    if field == CONFIDENCE:
        return Part(field, operator, _share(value))
    known = ORDERS.get(field) or WORDS.get(field)
    if known and value not in known:
        raise GateError(f"{field} is never {value!r}; it is {', '.join(known[:-1])} or {known[-1]}")
    if field in ORDERS:
        return Part(field, operator, float(ORDERS[field].index(value)))
    if operator not in ("=", "!="):
        raise GateError(f"{field} has no order; compare it with = or !=")
    return Part(field, operator, value)


def _share(text: str) -> float:
    try:
        quantity = units.parse(text)
    except ValueError:
        quantity = units.Quantity(-1.0, "")
    if quantity.unit not in ("", "share") or not 0 <= quantity.value <= 1:
        raise GateError(f"confidence is between 0 and 1, or 0% and 100%; {text!r} is not")
    return quantity.value


def _compare(told: str | float, operator: str, value: str | float) -> bool:
    if operator == "=":
        return told == value
    if operator == "!=":
        return told != value
    told, value = float(told), float(value)
    if operator == ">=":
        return told >= value
    if operator == "<=":
        return told <= value
    return told > value if operator == ">" else told < value
