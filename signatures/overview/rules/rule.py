"""A rule: a measured value of the evidence, the thresholds that it is compared with, and their sentences.

A file beside is a panel: its rules, what it says without any, and what it lacks then. Those of one
level may stand in one line. What a level does not state is that of its rule, else of the panel's `defaults`.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from functools import cache
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING, Literal, TypeAlias, TypeVar, cast

from ingest.tables import table

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from ingest.model.json_value import JsonValue
    from signatures.documents.levels import Level
    from signatures.overview.first_steps import Topic
    from signatures.overview.model import QuestionName

T = TypeVar("T")
_FOLDER = Path(__file__).parent
PANELS = (
    "cgroup-limits.yaml",
    "limits.yaml",
    "network-drops.yaml",
    "network-queues.yaml",
    "outcomes.yaml",
    "rates.yaml",
    "signs.yaml",
    "sockets.yaml",
    "filesystem-space.yaml",
    "storage-health.yaml",
    "traced-events.yaml",
    "use-table.yaml",
    "memory-owners.yaml",
    "numa-nodes.yaml",
)

Take: TypeAlias = Literal["highest", "top", "lowest", "last", "each", "sum", "all"]
"""Which values of a fact: the highest of the machine, the highest of any CPU, the lowest, the last, each, the
sum of one look of one file, the sum of all."""

Match: TypeAlias = Literal["look", "folder", "file", "item", "any", "highest"]
"""Where another value of the same is: in the same look of the same labels, in the same look of a folder, in
the own file or the only one, summed over all labels of the file, the last anywhere, the
highest anywhere."""

Bound: TypeAlias = "float | str"
"""A number, or the name of a field that holds it."""


@dataclass(frozen=True, slots=True)
class Source:
    """Values beside the one that is measured.

    Attributes:
        facts: Names; the values of several are summed.
        by: Labels that must be equal; () for all.
        word: Which word of a text is the value, from 0 on; -1 for numbers.
        labels: Labels that the facts must have.
        listed: Template of one value in a list of them; "" for the number.
        is_text: The text is the field.
        is_cited: Its line is cited.
    """

    facts: tuple[str, ...]
    match: Match = "look"
    by: tuple[str, ...] = ()
    word: int = -1
    labels: tuple[tuple[str, str], ...] = ()
    listed: str = ""
    shown: int = 4
    is_text: bool = False
    is_cited: bool = False


@dataclass(frozen=True, slots=True)
class Threshold:
    """From which value on which sentence is said; of several of a rule the first that is met.

    Attributes:
        words: Template of the sentence (`templates`); "" for a figure alone.
        above: Least measured value.
        below: The value from which another threshold or analysis speaks of it.
        least: Least values of fields.
        most: Values of fields from which it is not met.
        lacks: Fields that must not be there.
        is_alarm: Healthy machines do not have it.
        is_marked: The figure stands out, though it is no alarm.
        has_ratio: How far beyond the threshold it is ranks it.
        subject: Template of what it is about; "" for the label of the figure.
        names: Templates of names in the sentence beside its subject.
        first: The first step; "" for that of the topic.
    """

    words: str = ""
    level: Level = "notable"
    is_alarm: bool = False
    above: float = -inf
    below: float = inf
    least: tuple[tuple[str, Bound], ...] = ()
    most: tuple[tuple[str, Bound], ...] = ()
    lacks: tuple[str, ...] = ()
    capture: str = ""
    asks: str = ""
    topic: Topic | None = None
    subject: str = ""
    names: tuple[str, ...] = ()
    first: str = ""
    is_notable: bool = False
    is_summary: bool = False
    is_marked: bool = False
    has_ratio: bool = False


@dataclass(frozen=True, slots=True)
class Rule:
    """A value that is worth a sentence from some threshold on.

    Attributes:
        instead: Facts in its place; the first that is there counts.
        matching: Expression for the names of facts, in place of `fact`.
        take: Which of its values; with `per` the highest for each value of these labels.
        values: Texts of the fact that count; () for all.
        excludes: Texts that do not.
        base: What the value is divided by; the quotient is a share.
        is_added: The base counts only what is not in the value: their sum is divided by.
        is_remainder: The value is what of the fact is not in the base, which lies within it.
        is_unbased: It speaks only where the base is not in the evidence.
        beside: Fields of other facts.
        quotients: Fields that are one field divided by another.
        of: Templates of what it is about; the first whose fields are there.
        figure: Template of the label; "" for no figure.
        figure_value: The field that it shows, or a text.
        note: Templates of the note of the figure; the first whose fields are there.
        cites: Whose lines are cited.
        shown: At most so many values, the highest first; 0 for all.
        needs: Least values of fields; below them there is no figure, either.
        unless: The name of another `fact`, and from where on the rule says nothing new: a value, `above`, or
            a `part` of this value in its file.
        is_sign: It is no more than a sign: there is none where its worst window is stated, a mean of several
            looks has its range, and without a subject it is a sum over the machine.
    """

    question: QuestionName
    fact: str = ""
    thresholds: tuple[Threshold, ...] = ()
    instead: tuple[str, ...] = ()
    matching: str = ""
    take: Take = "highest"
    per: tuple[str, ...] = ()
    word: int = -1
    labels: tuple[tuple[str, str | tuple[str, ...]], ...] = ()
    values: tuple[str, ...] = ()
    excludes: tuple[str, ...] = ()
    is_first_look: bool = False
    base: Source | None = None
    is_added: bool = False
    is_remainder: bool = False
    is_unbased: bool = False
    beside: tuple[tuple[str, Source], ...] = ()
    quotients: tuple[tuple[str, tuple[str, ...]], ...] = ()
    unit: str = "count"
    of: tuple[str, ...] = ()
    figure: str = ""
    figure_value: str = "value"
    figure_unit: str = ""
    digits: int = -1
    note: tuple[str, ...] = ()
    cites: Literal["both", "value", "base"] = "both"
    shown: int = 0
    needs: tuple[tuple[str, float], ...] = ()
    unless: tuple[tuple[str, str | float], ...] = ()
    is_sign: bool = False


@dataclass(frozen=True, slots=True)
class Answered:
    """A question that a panel answers.

    Attributes:
        facts: Its answer rests on their sections.
        calm: The words where no rule has a value.
        seen: The words where calm is refused, too.
    """

    question: QuestionName
    facts: tuple[str, ...]
    calm: str = ""
    seen: str = ""


@dataclass(frozen=True, slots=True)
class Panel:
    """The rules of an analysis.

    Attributes:
        capture: The command whose output they are about.
        nothing: The summary where no rule has a value.
        usual: The summary where none is above a threshold, with the first figure's `{label}` and `{words}`.
        shown: At most so many figures.
        said: At most so many statements, those that lead.
        covers: The questions that it answers.
    """

    rules: tuple[Rule, ...]
    capture: str = ""
    nothing: str = ""
    usual: str = "{label}: {words}."
    shown: int = 8
    said: int = 100
    covers: tuple[Answered, ...] = ()


@cache
def panel_of(name: str) -> Panel:
    """Return the rules of a panel by its name.

    Raises:
        ValueError: A row has a key that is none.
    """
    row: dict[str, JsonValue] = table(_FOLDER / f"{name}.yaml")
    defaults = cast("dict[str, JsonValue]", row.get("defaults", {}))
    by_question = cast("dict[str, list[dict[str, JsonValue]]]", row["rules"])
    rules = tuple(
        rule_of({**defaults, "question": question, **one})
        for question, rows in by_question.items()
        for one in rows
    )
    covers = cast("list[dict[str, JsonValue]]", row.get("covers", []))
    own = {key: value for key, value in row.items() if key not in {"defaults", "rules", "covers"}}
    return _made(Panel, own, rules=rules, covers=tuple(_made(Answered, one) for one in covers))


def rule_of(row: Mapping[str, JsonValue]) -> Rule:
    """Return the rule of a row.

    Raises:
        ValueError: The row has a key that is none.
    """
    own = {key: value for key, value in row.items() if key in _OF_THRESHOLD}
    rows = cast("list[dict[str, JsonValue]]", row.get("thresholds") or ([{}] if "words" in row else []))
    beside = cast("dict[str, JsonValue]", row.get("beside", {}))
    rest = {
        key: value
        for key, value in row.items()
        if key not in _OF_THRESHOLD and key not in {"thresholds", "base", "beside"}
    }
    return _made(
        Rule,
        rest,
        thresholds=tuple(_threshold({**own, **one}) for one in rows),
        base=_source(row["base"]) if "base" in row else None,
        beside=tuple((name, _source(one)) for name, one in beside.items()),
        unit=row.get("unit", "share" if "base" in row else "count"),
    )


def _threshold(row: Mapping[str, JsonValue]) -> Threshold:
    return _made(Threshold, row, level=row.get("level", "saturation" if row.get("is_alarm") else "notable"))


def _source(row: JsonValue) -> Source:
    return _made(Source, row if isinstance(row, dict) else {"facts": row})


def _made(kind: Callable[..., T], row: Mapping[str, JsonValue], **values: object) -> T:
    """Return the object of a row: lists become tuples, and mappings tuples of pairs."""
    known = _types(kind)
    if unknown := row.keys() - known.keys():
        raise ValueError(f"{row.get('fact') or row.get('words')}: unknown key {', '.join(sorted(unknown))}")
    frozen = {
        name: (value,) if isinstance(value, str) and known[name] in _TEXTS else _frozen(value)
        for name, value in row.items()
    }
    return kind(**{**frozen, **values})


@cache
def _types(kind: Callable[..., object]) -> dict[str, str]:
    """Return the fields of a class with their types, as written."""
    return {one.name: str(one.type) for one in fields(cast("type[Rule]", kind))}


def _frozen(value: JsonValue) -> object:
    if isinstance(value, dict):
        return tuple((name, _frozen(one)) for name, one in value.items())
    return tuple(map(_frozen, value)) if isinstance(value, list) else value


_TEXTS = {"tuple[str, ...]"}
_OF_THRESHOLD = frozenset(one.name for one in fields(Threshold))
