"""Messages of all source packages, those with the same constant words as one."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from tools.message_catalogue.extraction import Extracted, Source

MOST_PLACES = 3
"""Places listed of a message; of more one is listed with their number."""


class Place(NamedTuple):
    """Where a message is printed, at what level, and whether the code around returns an error."""

    path: str
    function: str
    level: int
    is_error: bool


@dataclass(slots=True)
class Entry:
    """One message.

    Attributes:
        words: The constant words.
        gaps: A bit for each word before which a value may stand.
        is_open: Whether something may follow the last word.
        releases: A bit for each source package.
        places: Those of the newest package that prints it, the first few.
        place_count: How many there are.
        levels: A bit for each level at one of them.
    """

    words: tuple[str, ...]
    gaps: int
    is_open: bool = False
    releases: int = 0
    places: list[Place] = field(default_factory=list)
    place_count: int = 0
    levels: int = 0


class Catalogue(NamedTuple):
    """The entries, and the module of each file that has one."""

    entries: list[Entry]
    modules: dict[str, str]


def catalogue_of(found: Iterable[tuple[Source, Extracted]]) -> Catalogue:
    """Return the catalogue of packages in ascending order of their releases."""
    entries: dict[tuple[tuple[str, ...], int], Entry] = {}
    modules: dict[str, str] = {}
    for number, (_, one) in enumerate(found):
        modules |= one.modules
        places: dict[tuple[tuple[str, ...], int], dict[tuple[str, str], Place]] = defaultdict(dict)
        for message in one.messages:
            words, gaps, is_open = message.skeleton
            key = (words, sum(1 << place for place, is_gap in enumerate(gaps) if is_gap))
            entry = entries.setdefault(key, Entry(*key))
            entry.is_open = entry.is_open or is_open
            where = (message.path, message.function)
            known = places[key].get(where)
            place = Place(message.path, message.function, message.level, message.is_error)
            # Of two calls of a function the worse level is stated, and an error only when both return one.
            if known is not None:
                place = place._replace(
                    level=min(known.level, place.level), is_error=known.is_error and place.is_error
                )
            places[key][where] = place
        for key, of_key in places.items():
            entry = entries[key]
            entry.releases |= 1 << number
            entry.place_count = len(of_key)
            entry.places = _listed(list(of_key.values()))
            entry.levels = 0
            for place in of_key.values():
                entry.levels |= 1 << place.level
    return Catalogue(list(entries.values()), modules)


def _listed(places: Sequence[Place]) -> list[Place]:
    """Return the places that are listed, generic code before that of one machine: all, or one of many."""
    ordered = sorted(places, key=lambda one: (one.path.startswith("arch/"), one.path, one.function))
    return ordered if len(ordered) <= MOST_PLACES else ordered[:1]
