"""The names that conditions may use: classes and fields of log records, facts, and sets of frames.

A condition on a name that nothing yields never becomes TRUE, so lint rejects it with the nearest known name,
`casebook signature catalog` lists them, and the JSON Schema lets editors complete them.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from ingest import fact_catalogue
from ingest.catalogue.log_classes import classes_by_name
from ingest.catalogue.log_classes.fields import FIELDS
from ingest.frames.aliases import all_aliases
from signatures.judging.derived_facts import DERIVED
from signatures.judging.log_selection import OF_CLASS

if TYPE_CHECKING:
    from collections.abc import Iterable


class KnownName(NamedTuple):
    """One name, with its meaning or what it stands for; "" when the name says it all."""

    name: str
    meaning: str


@cache
def log_classes() -> tuple[str, ...]:
    """Return the classes of log records, sorted."""
    return tuple(sorted(classes_by_name()))


@cache
def log_fields() -> tuple[str, ...]:
    """Return the fields that records may have, sorted."""
    return tuple(sorted({*FIELDS, *OF_CLASS}))


@cache
def fact_names() -> tuple[str, ...]:
    """Return the facts of the catalogue, placeholders included, and the derived ones, sorted."""
    return tuple(sorted({entry.name for entry in fact_catalogue.entries()} | set(DERIVED)))


def is_fact(name: str) -> bool:
    """Return whether something yields a fact of this name."""
    return name in DERIVED or fact_catalogue.find(name) is not None


@cache
def frame_sets() -> tuple[str, ...]:
    """Return the alias sets as conditions name them, sorted."""
    return tuple(f"@{name}" for name in sorted(all_aliases()))


@cache
def frames() -> frozenset[str]:
    """Return the functions of all alias sets."""
    return frozenset(name for names in all_aliases().values() for name in names)


def rows_of(part: str) -> tuple[KnownName, ...]:
    """Return all names of one part: `classes`, `fields`, `facts` or `frames`."""
    if part == "facts":
        meanings = {entry.name: entry.meaning for entry in fact_catalogue.entries()} | DERIVED
        return tuple(KnownName(name, meanings[name]) for name in fact_names())
    if part == "frames":
        return tuple(
            KnownName(f"@{name}", ", ".join(frames_)) for name, frames_ in sorted(all_aliases().items())
        )
    if part == "classes":
        classes = classes_by_name()
        return tuple(KnownName(name, classes[name].meaning) for name in log_classes())
    described = {name: field.meaning for name, field in FIELDS.items()}
    return tuple(KnownName(name, described.get(name, "")) for name in log_fields())


def nearest(name: str, known: Iterable[str]) -> str:
    """Return the remedy for an unknown name: the nearest known one, else where they are listed."""
    from difflib import get_close_matches  # noqa: PLC0415 - for messages alone

    close = get_close_matches(name, list(known), n=1, cutoff=0.6)
    listed = "`casebook signature catalog` lists them"
    return f"did you mean {close[0]}? {listed}" if close else listed


def misspelt(function: str) -> str:
    """Return the known function that differs in one letter, "" for none or when it is known itself."""
    if "*" in function or len(function) < 10 or function in frames():
        return ""
    from difflib import get_close_matches  # noqa: PLC0415 - for messages alone

    near = get_close_matches(function, [name for name in frames() if "*" not in name], n=1, cutoff=0.9)
    return near[0] if near and _differ_by_one(function, near[0]) else ""


def _differ_by_one(one: str, other: str) -> bool:
    """Return whether one letter is missing, added, replaced or swapped with its neighbour."""
    if one.replace("_", "") == other.replace("_", ""):
        return False
    pairs = enumerate(zip(one, other, strict=False))
    start = next((at for at, (a, b) in pairs if a != b), min(len(one), len(other)))
    rests = one[start:], other[start:]
    swapped = rests[0][1:2] + rests[0][:1] + rests[0][2:]
    return (
        rests[0][1:] == rests[1]
        or rests[0] == rests[1][1:]
        or rests[0][1:] == rests[1][1:]
        or swapped == rests[1]
    )
