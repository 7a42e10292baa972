"""Synonyms, symptom groups and areas of the search."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

import yaml

FILE = Path(__file__).with_name("vocabulary.yaml")


class SymptomGroup(NamedTuple):
    """A symptom group of the facet; `asks` is a PostgreSQL `tsquery`."""

    name: str
    title: str
    asks: str


class Vocabulary(NamedTuple):
    """Synonym groups, symptom groups, and titles of areas."""

    alike: tuple[frozenset[str], ...]
    symptoms: tuple[SymptomGroup, ...]
    areas: dict[str, str]

    @property
    def every(self) -> list[str]:
        """All words with synonyms, sorted."""
        return sorted(set().union(*self.alike))

    def others(self, words: frozenset[str]) -> list[str]:
        """Return the synonyms of `words`, sorted."""
        found = {other for group in self.alike if group & words for other in group}
        return sorted(found - words)


@lru_cache(maxsize=1)
def load() -> Vocabulary:
    """Return the vocabulary, loaded once per process."""
    document = yaml.safe_load(FILE.read_text(encoding="utf-8"))
    return Vocabulary(
        tuple(frozenset(group) for group in document["alike"]),
        tuple(SymptomGroup(name, row["title"], row["asks"]) for name, row in document["symptoms"].items()),
        document["areas"],
    )
