"""What is read of lines, as data: their kinds, the facts of a line and those of rows together."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ingest.native.linear import Pattern
from ingest.parsing.line_forms.values import Value, value

if TYPE_CHECKING:
    from collections.abc import Mapping


@dataclass(frozen=True, slots=True)
class FactRule:
    """A fact of a line or of a row.

    Attributes:
        name: What makes its name.
        value: What it states.
        unit: What a number counts; "" for a text.
        labels: By name; without a text a fact does not have the label.
        most: How many of one text there are; None for all.
    """

    name: Value
    value: Value
    unit: str
    labels: Mapping[str, Value]
    most: int | None = None


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of line; the attributes are the keys of the package's description."""

    name: str
    shape: Pattern
    when: Mapping[str, frozenset[str]]
    needs: tuple[str, ...]
    lacks: tuple[str, ...]
    is_below: bool
    keeps: bool
    row: str
    cells: Mapping[str, Value]
    completes: Mapping[str, str]
    first: Mapping[str, str]
    frame: Mapping[str, str]
    facts: tuple[FactRule, ...]
    each: Pattern | None
    each_of: str
    skip: str
    skips: str
    ends: bool

    def fits(self, values: Mapping[str, str | None], *, has_row: bool) -> bool:
        """Return whether a line of its shape, with these values, is of this kind."""
        return (
            (has_row or not self.is_below)
            and all(values.get(name) in texts for name, texts in self.when.items())
            and all(values.get(name) for name in self.needs)
            and not any(values.get(name) for name in self.lacks)
        )


@dataclass(frozen=True, slots=True)
class Total:
    """A fact that sums a value over the rows of a set; rows without the values of `given` do not count."""

    of: str
    add: Value
    fact: FactRule
    given: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Longest:
    """Facts of the row of a set that has the largest value, the first of several."""

    of: str
    by: Value
    facts: tuple[FactRule, ...]


@dataclass(frozen=True, slots=True)
class Form:
    """What is read of the lines of one format; the attributes are the keys of the package's description."""

    kinds: tuple[Kind, ...]
    rest: str
    of_command: Pattern | None
    totals: tuple[Total, ...]
    longest: tuple[Longest, ...]
    has_stacks: bool
    remark: str
    is_innermost_first: bool


def form_of(document: Mapping[str, Any]) -> Form:
    """Return what a YAML document says of the lines."""
    return Form(
        kinds=tuple(_kind(row) for row in document["lines"]),
        rest=document["rest"],
        of_command=Pattern(document["of_command"]) if "of_command" in document else None,
        totals=tuple(_total(row) for row in document.get("totals", ())),
        longest=tuple(
            Longest(row["of"], value(row["by"]), tuple(map(_fact, row["facts"])))
            for row in document.get("longest", ())
        ),
        has_stacks=document.get("stacks", False),
        remark=document.get("remark", ""),
        is_innermost_first=document.get("innermost", "first") == "first",
    )


KEYS = frozenset(
    ("kind", "match", "when", "needs", "lacks", "below", "keeps", "row", "cells", "completes", "first")
) | {"frame", "facts", "each", "skip", "skips", "ends"}
"""Keys of a kind of line."""


def _kind(row: Mapping[str, Any]) -> Kind:
    if unknown := row.keys() - KEYS:
        raise ValueError(f"kind of line {row.get('kind')!r} has unknown keys: {', '.join(sorted(unknown))}")
    each = row.get("each", {})
    completes, first = row.get("completes", {}), row.get("first", {})
    return Kind(
        name=row["kind"],
        shape=Pattern(row["match"]),
        when={name: frozenset(texts) for name, texts in row.get("when", {}).items()},
        needs=tuple(row.get("needs", ())),
        lacks=tuple(row.get("lacks", ())),
        is_below=bool(row.get("below", completes or first)),
        keeps=row.get("keeps", False),
        row=row.get("row", ""),
        cells={name: value(one) for name, one in row.get("cells", {}).items()},
        completes=completes,
        first=first,
        frame=row.get("frame", {}),
        facts=tuple(map(_fact, row.get("facts", ()))),
        each=Pattern(each["match"]) if each else None,
        each_of=each.get("of", ""),
        skip=row.get("skip", ""),
        skips=row.get("skips", ""),
        ends=row.get("ends", False),
    )


def _fact(row: Mapping[str, Any]) -> FactRule:
    name = row["fact"]
    return FactRule(
        name=value({"form": name} if isinstance(name, str) else name),
        value=value(row["is"]),
        unit=row.get("unit", ""),
        labels={label: value(one) for label, one in row.get("labels", {}).items()},
        most=row.get("most"),
    )


def _total(row: Mapping[str, Any]) -> Total:
    add = value(row.get("add", {"value": 1.0}))
    return Total(row["of"], add, _fact({**row, "is": {"value": 0.0}}), tuple(row.get("given", ())))
