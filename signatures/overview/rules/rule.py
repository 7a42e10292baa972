"""A rule: a value of a fact that is worth a sentence."""

from __future__ import annotations

from functools import cache
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, TypedDict, cast

from ingest.tables import table

if TYPE_CHECKING:
    from signatures.overview.model import QuestionName

_FOLDER = Path(__file__).parent
_FILES = (
    "cgroup-limits.yaml",
    "cpu.yaml",
    "io.yaml",
    "kernel-log.yaml",
    "memory.yaml",
    "network.yaml",
    "scheduling.yaml",
)

SAME = {"interface": ("interface", "iface")}
"""Names that tools give one label."""


class UnlessRow(TypedDict):
    """Another fact, and the value of it from which a rule says nothing new."""

    fact: str
    above: float


class _Stated(TypedDict):
    fact: str
    above: float
    words: str


class RuleRow(_Stated, total=False):
    """A rule as its file has it; `Rule` describes the fields."""

    subject: str
    unit: str
    base: str
    is_alarm: bool
    below: float
    unless: UnlessRow
    labels: dict[str, str]
    is_since_boot: bool


KEYS = RuleRow.__required_keys__ | RuleRow.__optional_keys__


class Rule(NamedTuple):
    """A value of a fact that is worth a sentence.

    Attributes:
        above: The value from which it is said.
        words: The sentence, with the `{value}` and what it is about: `{of}`, "" for the whole machine.
        subject: Labels that name what it is about.
        unit: Unit of the value in words.
        base: Fact of the same item that the value is divided by; the quotient is a share.
        is_alarm: Healthy machines do not have it.
        below: The value from which another analysis speaks of it.
        unless: Another fact, and the value of it from which this rule says nothing new.
        labels: Labels that the fact must have, with their values.
        is_since_boot: It is counted since boot: whether it goes on is not known.
    """

    fact: str
    question: QuestionName
    above: float
    words: str
    subject: tuple[str, ...] = ()
    unit: str = "count"
    base: str = ""
    is_alarm: bool = False
    below: float = inf
    unless: tuple[str, float] = ("", inf)
    labels: tuple[tuple[str, str], ...] = ()
    is_since_boot: bool = False


@cache
def rules() -> tuple[Rule, ...]:
    """Return the rules of all questions, in the order of their files."""
    return tuple(
        _rule(cast("QuestionName", path.stem), row)
        for path in map(_FOLDER.joinpath, _FILES)
        for row in table(path)
    )


def _rule(question: QuestionName, row: RuleRow) -> Rule:
    """Return the rule of a row.

    Raises:
        ValueError: The row has a key that is none.
    """
    if unknown := row.keys() - KEYS:
        raise ValueError(f"{question}: {row['fact']}: unknown key {', '.join(sorted(unknown))}")
    unless, subject = row.get("unless"), row.get("subject", "")
    return Rule(
        fact=row["fact"],
        question=question,
        above=row["above"],
        words=row["words"],
        subject=SAME.get(subject, (subject,)) if subject else (),
        unit=row.get("unit", "count"),
        base=row.get("base", ""),
        is_alarm=row.get("is_alarm", False),
        below=row.get("below", inf),
        unless=(unless["fact"], unless["above"]) if unless else ("", inf),
        labels=tuple(row.get("labels", {}).items()),
        is_since_boot=row.get("is_since_boot", False),
    )
