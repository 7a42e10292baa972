"""What words of states mean: the rows of `states.yaml`, with the names of fields and kinds of objects.

word_of(Record("pod", "web", 1, {"state": "CrashLoopBackOff"}))  ->  the row `crash_loop`
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from ingest.native.linear import Pattern
from ingest.tables import table

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ingest.engines.status.model import Record

_TABLE = Path(__file__).parent / "states.yaml"


class Word(NamedTuple):
    """A row of `states.yaml`: when it holds, how bad it is and what is said.

    Attributes:
        name: Of the row.
        when: By field, the expression that its whole text matches.
        unless: By field, the expression that it must not match.
        kinds: Of what it is a state; () of anything.
        level: One of the levels of statements.
        is_alarm: Healthy machines do not have it.
        about: The question of the overview.
        says: The predicate; `[is|are]` is of one and of several.
        run: What shows more.
        asks: What that shows.
        topic: What the first steps are about.
        of: The kind of its object where the text does not say it.
        after: Rows that say it already, where they hold in the same text.
        met: Tools that print it.
        lookalikes: Fields that look alike and are not it.
    """

    name: str
    when: Mapping[str, Pattern]
    unless: Mapping[str, Pattern]
    kinds: tuple[str, ...]
    level: str
    is_alarm: bool
    about: str
    says: str
    run: str
    asks: str
    topic: str
    of: str
    after: tuple[str, ...]
    met: tuple[str, ...]
    lookalikes: tuple[Mapping[str, str], ...]


def word_of(record: Record) -> Word | None:
    """Return the first row that holds of a record; None where its state is usual or not known."""
    return next((one for one in words() if _holds(one, record)), None)


def _holds(word: Word, record: Record) -> bool:
    if word.kinds and record.kind not in word.kinds:
        return False
    fields = record.fields
    return all(
        field in fields and pattern.fullmatch(fields[field]) for field, pattern in word.when.items()
    ) and not any(
        field in fields and pattern.fullmatch(fields[field]) for field, pattern in word.unless.items()
    )


@cache
def words() -> tuple[Word, ...]:
    """Return all rows in order."""
    return tuple(map(_word, _rows()["words"]))


@cache
def word_by_name() -> Mapping[str, Word]:
    """Return the row of each name."""
    return {one.name: one for one in words()}


def _word(row: Any) -> Word:
    return Word(
        row["word"],
        {field: Pattern(f"(?:{text})") for field, text in row["when"].items()},
        {field: Pattern(f"(?:{text})") for field, text in row.get("unless", {}).items()},
        tuple(row.get("kinds", ())),
        row["level"],
        bool(row.get("alarm")),
        row["about"],
        row["says"],
        row.get("run", ""),
        row.get("asks", ""),
        row.get("topic", ""),
        row.get("of", "object"),
        tuple(row.get("after", ())),
        tuple(row["met"]),
        tuple(row["not"]),
    )


@cache
def keys_of(field: str) -> tuple[str, ...]:
    """Return the keys of a field, the most telling first."""
    return tuple(_rows()["keys"][field])


@cache
def _fields() -> Mapping[str, str]:
    return {name: field for field, names in _rows()["heads"].items() for name in names}


def field_of_head(name: str) -> str:
    """Return the field of a column, "" of others."""
    return _fields().get(name, "")


def titles() -> tuple[str, ...]:
    """Return titles of columns that have two words."""
    return tuple(_rows()["titles"])


def kind_of_key(name: str) -> str:
    """Return what is listed below a key, in the singular where the key is."""
    found: str = _rows()["kinds"]["keys"].get(name, "")
    return found


def kind_of_keys(keys: frozenset[str]) -> str:
    """Return what an object with these keys is, "" where they do not say."""
    rows: list[Any] = _rows()["kinds"]["objects"]
    return next((row["kind"] for row in rows if keys.issuperset(row["keys"])), "")


def kind_of_name(name: str) -> str:
    """Return what a column of names names, "" where its title does not say."""
    found: str = _rows()["kinds"]["columns"].get(name, "")
    return found


def kind_of_head(names: tuple[str, ...]) -> str:
    """Return what the rows of a table are by its columns, "" where they do not say."""
    rows: list[Any] = _rows()["kinds"]["tables"]
    return next((row["kind"] for row in rows if set(row["columns"]) <= set(names)), "")


@cache
def line_forms() -> tuple[tuple[str, Pattern], ...]:
    """Return the kind and expression of lines that state an object by themselves."""
    return tuple((row["kind"], Pattern(row["line"])) for row in _rows()["lines"])


@cache
def _rows() -> Any:
    return table(_TABLE)
