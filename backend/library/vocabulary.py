"""Words of the first minute: which mean the same, and which groups symptoms fall into."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

import yaml

FILE = Path(__file__).with_name("vocabulary.yaml")


class SymptomGroup(NamedTuple):
    """A group of the symptom facet; `asks` is a query in PostgreSQL's notation."""

    name: str
    title: str
    asks: str


class Vocabulary(NamedTuple):
    """Groups of words that mean the same, and groups of symptoms."""

    alike: tuple[frozenset[str], ...]
    symptoms: tuple[SymptomGroup, ...]

    @property
    def every(self) -> list[str]:
        """All words that mean the same as another, sorted."""
        return sorted(set().union(*self.alike))

    def others(self, words: frozenset[str]) -> list[str]:
        """Return what else is said for any of `words`, sorted."""
        found = {other for group in self.alike if group & words for other in group}
        return sorted(found - words)


@lru_cache(maxsize=1)
def load() -> Vocabulary:
    """Return the vocabulary; it is read once per process."""
    told = yaml.safe_load(FILE.read_text(encoding="utf-8"))
    return Vocabulary(
        tuple(frozenset(group) for group in told["alike"]),
        tuple(SymptomGroup(name, row["title"], row["asks"]) for name, row in told["symptoms"].items()),
    )
