"""Spelling correction by trigram similarity, as in PostgreSQL's `pg_trgm`.

Spellings are few and change only with the library: each process caches an inverted index.
"""

from __future__ import annotations

import re
from collections import Counter
from functools import lru_cache
from typing import TYPE_CHECKING

from backend.library import queries

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from sqlalchemy.orm import Session

NEAR = 0.45
"""Minimum similarity of a suggestion."""

_PART = re.compile(r"[a-z0-9]+")
"""In the C locale of our databases any other character, ö too, ends a word."""

_kept: dict[str, Spellings] = {}


class Spellings:
    """Inverted index from trigrams to spellings."""

    def __init__(self, spellings: Iterable[str]) -> None:
        """Index `spellings`."""
        self._spellings = sorted(set(spellings))
        self._sizes = [0] * len(self._spellings)
        self._having: dict[str, list[int]] = {}
        for at, spelling in enumerate(self._spellings):
            parts = trigrams(spelling)
            self._sizes[at] = len(parts)
            for part in parts:
                self._having.setdefault(part, []).append(at)

    def nearest(self, word: str) -> str | None:
        """Return the most similar spelling, the first of several; None below `NEAR`."""
        asked = trigrams(word)
        common = Counter(at for part in asked for at in self._having.get(part, ()))
        near = {at: count / (len(asked) + self._sizes[at] - count) for at, count in common.items()}
        best = min(near, key=lambda at: (-near[at], at), default=None)
        return self._spellings[best] if best is not None and near[best] >= NEAR else None


@lru_cache(maxsize=1 << 14)
def trigrams(text: str) -> frozenset[str]:
    """Return the trigrams of each word of letters and digits, with two blanks before it and one after."""
    padded = [f"  {part} " for part in _PART.findall(text.lower())]
    return frozenset(part[at : at + 3] for part in padded for at in range(len(part) - 2))


def near_spellings(session: Session, words: Sequence[str]) -> dict[str, str]:
    """Return the likeliest spelling of each word, if there is a similar one."""
    if not words:
        return {}
    spellings = _spellings(session)
    nearest = {word: spellings.nearest(word) for word in words}
    return {word: spelling for word, spelling in nearest.items() if spelling not in {None, word}}


def _spellings(session: Session) -> Spellings:
    """Return the index of the current library, rebuilt when the library changes."""
    version = queries.version_of_library(session)
    index = _kept.get(version)
    if index is None:
        index = Spellings(
            spelling for vocabulary in queries.vocabularies(session) for spelling in vocabulary.split()
        )
        _kept.clear()
        _kept[version] = index
    return index
