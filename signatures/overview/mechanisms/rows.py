"""Rows of the tables of mechanisms, checked: operands, conditions and what is said.

rows()  ->  Mechanism("packets-on-one-cpu", of={…}, when=(Condition("soft", ">=", "0.8"), …), …)
"""

from __future__ import annotations

import re
from dataclasses import dataclass, fields
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, NotRequired, TypedDict, cast

from ingest.native.linear import Pattern
from ingest.tables import table
from signatures.language import expression

if TYPE_CHECKING:
    from collections.abc import Mapping

    from signatures.documents.levels import Level
    from signatures.documents.overview import QuestionName

_FOLDER = Path(__file__).parent
_TABLES = ("cpu.yaml", "io.yaml", "memory.yaml", "network.yaml")
_OPERATOR = re.compile(r"(?P<left>[^<>=]+)(?P<operator>>=|<=|>|<|==)(?P<right>[^<>=]+)")


class Operand(NamedTuple):
    """Series that a row reads.

    Attributes:
        names: Facts, `rows.column`, meanings as `quantity of thing`, or printed names behind `label:`; of
            several with `|` between them the first that is there.
        subject: What their subject must match; its named groups are fields. None for any.
        text: What their text must match, in place of a number; None for numbers.
        least: How many subjects there are at least.
        is_optional: Without it the row is evaluated all the same, with 0 in its place.
    """

    names: tuple[str, ...]
    subject: Pattern | None = None
    text: Pattern | None = None
    least: int = 1
    is_optional: bool = False


class Condition(NamedTuple):
    """Two expressions that are compared."""

    left: expression.Node
    operator: str
    right: expression.Node


@dataclass(frozen=True, slots=True)
class Mechanism:
    """A row.

    Attributes:
        name: Stable name.
        about: The question that it is about.
        of: Operands by name.
        when: Conditions; all must hold.
        lacks: Names of which none may be in the evidence.
        each: The operand each of whose subjects is looked at; "" for all at once.
        let: Values that are computed for the templates.
        say: The sentence, of at most twelve words.
        may: The values are what it makes, and others make them as well.
        numbers: Templates of what stands in parentheses behind the sentence.
        level: Its level; below `degraded` it is a fact, else an alarm.
        is_calm: It is how a healthy machine looks, though a value is high.
        first: The first step.
        unless: When the step is not needed: what makes it harmless.
        capture: The command that would show more.
        asks: What its output shows.
        source: What says that the values mean this.
    """

    name: str
    about: QuestionName
    of: Mapping[str, Operand]
    when: tuple[Condition, ...]
    say: str
    first: str
    source: str
    sample: str
    look_alike: str
    let: Mapping[str, expression.Node]
    lacks: tuple[str, ...] = ()
    each: str = ""
    may: bool = False
    numbers: tuple[str, ...] = ()
    level: Level = "degraded"
    is_calm: bool = False
    unless: str = ""
    capture: str = ""
    asks: str = ""

    @property
    def first_step(self) -> str:
        """The first step, with when it is not needed."""
        return f"{self.first}. Not if {self.unless}" if self.unless else self.first

    @property
    def certainty(self) -> Literal["is", "may be"]:
        """How sure it is."""
        return "may be" if self.may else "is"


class _OperandRow(TypedDict):
    """An operand with more than its names."""

    names: str | list[str]
    subject: NotRequired[str]
    text: NotRequired[str]
    least: NotRequired[int]
    is_optional: NotRequired[bool]


class _Row(TypedDict):
    """A row as its file has it; the keys that are not named here are attributes of `Mechanism`."""

    name: str
    of: dict[str, str | list[str] | _OperandRow]
    when: NotRequired[list[str]]
    let: NotRequired[dict[str, str | float]]
    lacks: NotRequired[list[str]]
    numbers: NotRequired[list[str]]


@cache
def rows() -> tuple[Mechanism, ...]:
    """Return the rows of all tables.

    Raises:
        ValueError: A row has an unknown key, or a condition that is none.
    """
    return tuple(_mechanism(row) for name in _TABLES for row in table(_FOLDER / name)["rows"])


@cache
def names() -> frozenset[str]:
    """Return all names that a row reads."""
    operands = (one for row in rows() for one in row.of.values())
    listed = (name for one in operands for name in one.names)
    return frozenset(part for name in listed for part in name.split("|")) | {
        name for row in rows() for name in row.lacks
    }


def _mechanism(row: _Row) -> Mechanism:
    if unknown := row.keys() - {one.name for one in fields(Mechanism)}:
        raise ValueError(f"{row.get('name')}: unknown key {', '.join(sorted(unknown))}")
    return Mechanism(
        **cast(
            "dict[str, Any]",
            {
                **row,
                "of": {name: _operand(one) for name, one in row["of"].items()},
                "when": tuple(map(_condition, row.get("when", ()))),
                "let": {name: expression.parse(str(one)) for name, one in row.get("let", {}).items()},
                "lacks": tuple(row.get("lacks", ())),
                "numbers": tuple(row.get("numbers", ())),
            },
        )
    )


def _operand(row: str | list[str] | _OperandRow) -> Operand:
    if isinstance(row, str):
        return Operand((row,))
    if isinstance(row, list):
        return Operand(tuple(row))
    listed = row["names"]
    return Operand(
        tuple(listed) if isinstance(listed, list) else (listed,),
        Pattern(row["subject"]) if "subject" in row else None,
        Pattern(row["text"]) if "text" in row else None,
        row.get("least", 1),
        row.get("is_optional", False),
    )


def _condition(text: str) -> Condition:
    found = _OPERATOR.fullmatch(text)
    if found is None:
        raise ValueError(f"no comparison: {text}")
    left, right = (expression.parse(found[side].strip()) for side in ("left", "right"))
    return Condition(left, found["operator"], right)
