"""The forms in which tools print threads: the rows of `forms.yaml`, compiled."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

from ingest.native.linear import Pattern
from ingest.tables import files, table

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

_NAMED = re.compile(r"\(\?P<\w+>")

LINES = (
    "openings",
    "heads",
    "below",
    "names",
    "queues",
    "states",
    "frames",
    "waits",
    "releases",
    "holds",
    "deadlock",
    "others",
)


@dataclass(frozen=True, slots=True)
class Form:
    """How a tool prints threads; the attributes are those of `forms.yaml`."""

    name: str
    title: str
    openings: tuple[Pattern, ...]
    heads: tuple[Pattern, ...]
    below: tuple[Pattern, ...]
    names: tuple[Pattern, ...]
    queues: tuple[Pattern, ...]
    states: tuple[Pattern, ...]
    frames: tuple[Pattern, ...]
    waits: tuple[Pattern, ...]
    releases: tuple[Pattern, ...]
    holds: tuple[Pattern, ...]
    deadlock: tuple[Pattern, ...]
    others: tuple[Pattern, ...]
    rows: int
    is_innermost_first: bool
    is_of_known_waits: bool
    is_one_thread: bool
    kind: str
    next: str
    asks: str


def documents() -> Sequence[Mapping[str, Any]]:
    """Return the rows as data."""
    rows: Sequence[Mapping[str, Any]] = table(files(__package__) / "forms.yaml")["rows"]
    return rows


@cache
def forms() -> tuple[Form, ...]:
    """Return every form, in the order in which they are tried."""
    return tuple(map(_form, documents()))


@cache
def form_of(name: str) -> Form | None:
    """Return a form by name."""
    return next((one for one in forms() if one.name == name), None)


@cache
def any_line(*, with_unknown: bool = False) -> Pattern:
    """Return an expression of all lines that can occur in a list of threads.

    Args:
        with_unknown: Those of the form of any tool as well, which nearly every line could be.
    """
    texts = (
        text
        for row in documents()
        for name in LINES
        if name != "below" and (with_unknown or name == "heads" or not row.get("knows"))
        for text in row.get(name, ())
    )
    return Pattern("|".join(f"(?:{_NAMED.sub('(?:', text)})" for text in texts))


@cache
def any_of_lines(name: str) -> Pattern:
    """Return one expression of the lines of all forms that one of `LINES` describes, such as `heads`."""
    texts = (text for row in documents() for text in row.get(name, ()))
    return Pattern("|".join(f"(?:{_NAMED.sub('(?:', text)})" for text in texts))


def first_lines() -> str:
    """Return an expression of all lines that may begin a list of threads."""
    heads = [
        text
        for row in documents()
        for text in (*row["heads"], *row.get("openings", ()), *row.get("deadlock", ()))
    ]
    return "|".join(f"(?:{_NAMED.sub('(?:', text)})" for text in heads)


def _form(row: Mapping[str, Any]) -> Form:
    compiled = {name: tuple(map(Pattern, row.get(name, ()))) for name in LINES}
    return Form(
        name=row["form"],
        title=row["title"],
        rows=row.get("rows", 1),
        is_innermost_first=row.get("innermost", "first") == "first",
        is_of_known_waits=row.get("knows", False),
        is_one_thread=row.get("is_one", False),
        kind=row["kind"],
        next=row["next"],
        asks=row["asks"],
        **compiled,
    )
