"""Citations: the lines that a value rests on."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from functools import cache
from typing import Any, ClassVar, TypeVar, cast

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Place:
    """Lines of one section of one piece of evidence.

    Attributes:
        evidence: Id of the evidence inside a case, its name in a report or a response.
        section: Ordinal of the section in the evidence.
        evidence_id: Id of the evidence in a response; elsewhere JSON lacks it.
    """

    SPARSE: ClassVar[frozenset[str]] = frozenset({"evidence_id", "profile_id"})

    evidence: str
    section: int
    first_line: int
    last_line: int
    evidence_id: str | None = None


@dataclass(frozen=True, slots=True)
class Citation(Place):
    """Lines, and stack nodes completing the pattern, that a condition rests on.

    Attributes:
        evidence: Id of the evidence inside a case, its name in a report or a response.
        section: Ordinal of the section in the evidence.
        evidence_id: Id of the evidence in a response; elsewhere JSON lacks it.
        profile: Ordinal of the profile in the section; null for none.
        nodes: Indices of nodes of the profile.
        profile_id: Id of the profile in a response; elsewhere JSON lacks it.
    """

    profile: int | None = None
    nodes: tuple[int, ...] = ()
    profile_id: str | None = None


def with_places(value: T, converted: Callable[[Any], Place]) -> T:
    """Return a wire value with each of its citations converted."""
    return cast("T", _with_places(value, converted))


def _with_places(value: Any, converted: Callable[[Any], Place]) -> Any:
    """Return the value with its citations converted: itself where it has none, as most of a finding."""
    if isinstance(value, Place):
        return converted(value)
    if isinstance(value, tuple):
        found = tuple(_with_places(one, converted) for one in value)
        return found if any(one is not old for one, old in zip(found, value, strict=True)) else value
    changes: dict[str, Any] = {}
    for name in _fields(cast("Hashable", type(value))):
        old = getattr(value, name)
        if (new := _with_places(old, converted)) is not old:
            changes[name] = new
    return dataclasses.replace(value, **changes) if changes else value


@cache
def _fields(kind: Hashable) -> tuple[str, ...]:
    """Return the names of the fields of a class; none of one that is no dataclass."""
    of = cast("type", kind)
    return tuple(one.name for one in dataclasses.fields(of)) if dataclasses.is_dataclass(of) else ()
