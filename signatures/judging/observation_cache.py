"""Cached results of conditions on readings, as JSON documents that are decoded when they are asked for.

Of a case of hundreds of readings most results are never looked at again: one signature needs a few of them.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, MutableMapping
from typing import TYPE_CHECKING, Any, TypeAlias, TypedDict

from signatures.judging.observation import Cited, MatchResult, State

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ingest.model.json_value import JsonObject

ResultsDocument = TypedDict("ResultsDocument", {"match results": "list[JsonObject]"})
"""Match results of a condition on a reading; a result has the fields of `MatchResult`."""

Row: TypeAlias = "tuple[str, str, ResultsDocument]"
"""Digest of a reading, key of a condition (`observe.condition_key`), and the results as JSON values."""

_NOT_FINITE = "not finite"


class ObservationCache(MutableMapping[tuple[str, str], tuple[MatchResult, ...]]):
    """Match results that are known by their documents, and those added since."""

    def __init__(self, rows: Iterable[Row] = ()) -> None:
        """Start with the documents of earlier results."""
        self._documents = {(reading, condition): document for reading, condition, document in rows}
        self._results: dict[tuple[str, str], tuple[MatchResult, ...]] = {}
        self._added: set[tuple[str, str]] = set()

    def added(self) -> list[Row]:
        """Return the results that were added, as documents in a stable order."""
        return [(*key, _document(self._results[key])) for key in sorted(self._added)]

    def __getitem__(self, key: tuple[str, str]) -> tuple[MatchResult, ...]:
        """Return the match results of a reading and condition."""
        if key not in self._results:
            self._results[key] = tuple(_result(row) for row in self._documents[key]["match results"])
        return self._results[key]

    def __setitem__(self, key: tuple[str, str], value: tuple[MatchResult, ...]) -> None:
        """Add match results."""
        self._results[key] = value
        self._added.add(key)

    def __delitem__(self, key: tuple[str, str]) -> None:
        """Drop match results."""
        del self._results[key]
        self._documents.pop(key, None)
        self._added.discard(key)

    def __contains__(self, key: object) -> bool:
        """Return whether results of a reading and condition are known."""
        return key in self._results or key in self._documents

    def __iter__(self) -> Iterator[tuple[str, str]]:
        """Iterate over the keys."""
        yield from self._documents.keys() | self._results.keys()

    def __len__(self) -> int:
        """Return the number of keys."""
        return len(self._documents.keys() | self._results.keys())


def _document(results: tuple[MatchResult, ...]) -> ResultsDocument:
    return {
        "match results": [
            {name: _value(value) for name, value in result._asdict().items()} for result in results
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


def _result(row: JsonObject) -> MatchResult:
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
