"""Cache of match results by reading and condition, in the database.

Keys are the digests of the reading, of the condition *and* of the engine code, so a changed engine
re-evaluates. Rows are immutable; concurrent judges write equal rows.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Iterator, MutableMapping
from dataclasses import fields
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sqlalchemy import select, text

import signatures
from backend.core.db.base import json_text
from backend.models.observation import Observation
from signatures.judging.observation import Cited, MatchResult, State

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sqlalchemy.orm import Session

_NOT_FINITE = "not finite"
_INSERT = text("""
    insert into observation (reading_digest, clause_digest, document)
    select reading_digest, clause_digest, document
    from jsonb_to_recordset(cast(:rows as jsonb)) as added(
        reading_digest text, clause_digest text, document jsonb
    )
    on conflict do nothing
""")


class Observations(MutableMapping[tuple[str, str], tuple[MatchResult, ...]]):
    """Match results loaded for some readings, and those added since."""

    def __init__(self, cached: dict[tuple[str, str], tuple[MatchResult, ...]]) -> None:
        """Start with the cached results `known`."""
        self._cached = cached
        self._added: dict[tuple[str, str], tuple[MatchResult, ...]] = {}

    @classmethod
    def load(cls, session: Session, reading_digests: Iterable[str]) -> Observations:
        """Return the cached results of this engine for these readings."""
        engine = engine_digest()
        query = select(Observation).where(
            Observation.reading_digest.in_(set(reading_digests)), Observation.clause_digest.startswith(engine)
        )
        return cls(
            {
                (row.reading_digest, row.clause_digest.removeprefix(engine)): _sightings(row.document)
                for row in session.scalars(query)
            }
        )

    def save(self, session: Session) -> None:
        """Insert the added results."""
        engine = engine_digest()
        rows = [
            {
                "reading_digest": reading,
                "clause_digest": engine + question,
                "document": _document(match_results),
            }
            for (reading, question), match_results in sorted(self._added.items())
        ]
        if rows:
            session.execute(_INSERT, {"rows": json_text(rows)})
        self._cached |= self._added
        self._added = {}

    def __getitem__(self, key: tuple[str, str]) -> tuple[MatchResult, ...]:
        """Return the match results of a reading and condition."""
        return self._added[key] if key in self._added else self._cached[key]

    def __setitem__(self, key: tuple[str, str], value: tuple[MatchResult, ...]) -> None:
        """Add match results."""
        self._added[key] = value

    def __delitem__(self, key: tuple[str, str]) -> None:
        """Drop match results from this mapping only."""
        self._added.pop(key, None)
        self._cached.pop(key, None)

    def __iter__(self) -> Iterator[tuple[str, str]]:
        """Iterate over the keys."""
        yield from self._cached.keys() | self._added.keys()

    def __len__(self) -> int:
        """Return the number of cached results."""
        return len(self._cached.keys() | self._added.keys())


@lru_cache(maxsize=1)
def engine_digest() -> str:
    """Return a digest of the engine code: 16 hex digits and a colon."""
    digest = hashlib.sha256()
    root = Path(signatures.__file__).parent
    for path in sorted(root.rglob("*.py")):
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16] + ":"


def _document(match_results: tuple[MatchResult, ...]) -> dict[str, Any]:
    return {
        "match results": [
            {field.name: _value(getattr(match_result, field.name)) for field in fields(match_result)}
            for match_result in match_results
        ]
    }


def _value(value: Any) -> Any:
    if isinstance(value, State):
        return value.value
    if isinstance(value, float) and not math.isfinite(value):
        return {_NOT_FINITE: str(value)}
    if isinstance(value, tuple):
        return [_value(item) for item in value]
    return value


def _sightings(document: dict[str, Any]) -> tuple[MatchResult, ...]:
    return tuple(_sighting(row) for row in document["match results"])


def _sighting(row: dict[str, Any]) -> MatchResult:
    values: dict[str, Any] = {name: _restored(value) for name, value in row.items()}
    values["state"] = State(values["state"])
    values["citations"] = tuple(
        Cited(first, last, profile, tuple(nodes)) for first, last, profile, nodes in values["citations"]
    )
    return MatchResult(**values)


def _restored(value: Any) -> Any:
    if isinstance(value, dict):
        return float(value[_NOT_FINITE])
    return tuple(value) if isinstance(value, list) else value
