"""Things that two statements are both about: a task, a cgroup, a device, by the rows of `shared_things.yaml`.

relation_of("Device sda is busy 99 % of the time", "I/O errors of sda1")
->  Shared("device", "same device sda")
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, NotRequired, TypedDict, cast

from ingest.native.linear import Pattern
from ingest.tables import table
from signatures.overview.headline_words import short_words
from signatures.overview.model import Link

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from signatures.documents.overview import Relation
    from signatures.overview.model import Statement

_TABLE = Path(__file__).parent / "shared_things.yaml"
TOGETHER = "read together"


class _Row(TypedDict):
    """A row of the table; its head says what each key is."""

    relation: Relation
    say: str
    words: list[str]
    unless: NotRequired[str]


class _Thing(NamedTuple):
    relation: Relation
    say: str
    words: tuple[Pattern, ...]
    unless: Pattern | None


class Shared(NamedTuple):
    """A thing that two texts name, and the words for it."""

    relation: Relation
    words: str


def relation_of(one: str, other: str) -> Shared | None:
    """Return the first thing, in the order of the table, that both texts name; None without one."""
    for thing in _things():
        theirs = set(_names(thing, other))
        shared = next((name for name in _names(thing, one) if name in theirs), None)
        if shared is not None:
            return Shared(thing.relation, thing.say.format(name=shared))
    return None


def linked_side_by_side(stated: Sequence[Statement]) -> tuple[Link, ...]:
    """Return statements that are read together as nodes, each with what it shares with the first."""
    first, *others = stated
    nodes = [Link(short_words(first.text)[0], first.places[0])]
    for one in others:
        shared = relation_of(first.text, one.text) or Shared("together", TOGETHER)
        proof = (first.places[0], one.places[0])
        nodes.append(Link(short_words(one.text)[0], one.places[0], "with", *shared, proof))
    return tuple(nodes)


def _names(thing: _Thing, text: str) -> Iterator[str]:
    """Yield the names of a kind of thing in a text."""
    for pattern in thing.words:
        for found in pattern.finditer(text[: table(_TABLE)["most_characters"]]):
            name = found[1]
            if name and not (thing.unless and thing.unless.search(name)):
                yield name


@cache
def _things() -> tuple[_Thing, ...]:
    return tuple(
        _Thing(
            row["relation"],
            row["say"],
            tuple(map(Pattern, row["words"])),
            Pattern(row["unless"]) if "unless" in row else None,
        )
        for row in cast("list[_Row]", table(_TABLE)["relations"])
    )
