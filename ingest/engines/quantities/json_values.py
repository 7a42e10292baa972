"""Key and value of a JSON document of several lines or with lists: each number with what it is of.

    {"statistics": [{"disk": [{"disk_device": "sda", "util": 99.2}]}]}      ->  util 99.2 of sda
    {"metric": {"__name__": "node_load1", "instance": "a"}, "value": [1718000000, "14.7"]}
    ->  node_load1 14.7 of instance a

A key counts without the keys around it where the dictionary knows it alone. Each number is cited at the
line on which its key stands.
"""

from __future__ import annotations

import json
import math
from typing import TYPE_CHECKING, Any

from ingest.engines.quantities.cells import number_of
from ingest.engines.quantities.grid import VALUES, Grid
from ingest.engines.quantities.meanings import meaning_of
from ingest.engines.quantities.pairs import COLUMNS

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ingest.model.row_columns import Cell

MOST_CHARACTERS = 4_000_000
MOST_VALUES = 20_000
MOST_DEPTH = 12
MOST_TEXT = 80
NAMING = (
    "name",
    "device",
    "disk_device",
    "ifname",
    "interface",
    "pod",
    "container",
    "cpu",
    "host",
    "hostname",
    "id",
    "string",
    "event",
)
"""Keys whose text names what the numbers beside them are of."""

METRIC = "metric"
EPOCH = 1e9
"""Seconds: a larger number before another is the time of it."""


def grids(lines: Sequence[str], free: Sequence[int]) -> Iterator[tuple[Grid, list[int]]]:
    """Yield the numbers of the JSON document that the lines are, with all lines."""
    document = _document(lines)
    if document is None:
        return
    walk = _Walk(lines)
    walk.take(document, (), "", 0)
    if walk.rows:
        yield Grid(VALUES, COLUMNS, walk.rows, walk.lines), list(free)


def _document(lines: Sequence[str]) -> Any:
    first = next((at for at, line in enumerate(lines) if line.strip()), None)
    if first is None or lines[first].lstrip()[:1] not in {"{", "["}:
        return None
    text = "\n".join(lines[first:]).strip()
    if len(text) > MOST_CHARACTERS or text[-1:] not in {"}", "]"}:
        return None
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict | list) else None


class _Walk:
    """Collects numbers in the order of the document."""

    def __init__(self, lines: Sequence[str]) -> None:
        self.rows: list[tuple[Cell, ...]] = []
        self.lines: list[int] = []
        self._text = lines
        self._at = 0

    def take(self, value: Any, path: tuple[str, ...], subject: str, depth: int) -> None:
        """Take all numbers of a value below the keys `path`."""
        if depth > MOST_DEPTH or len(self.rows) >= MOST_VALUES:
            return
        if isinstance(value, dict):
            self._object(value, path, subject, depth)
        elif isinstance(value, list):
            for one in value:
                self.take(one, path, subject, depth + 1)

    def _object(self, value: dict[str, Any], path: tuple[str, ...], subject: str, depth: int) -> None:
        metric = value.get(METRIC)
        if isinstance(metric, dict):
            self._samples(value, metric, path)
            return
        keys = {key.lower(): one for key, one in value.items()}
        named = next((f"{keys[key]}" for key in NAMING if isinstance(keys.get(key), str | int)), "")
        if named and (raw := _of_named(value)) is not None and meaning_of(named) is not None:
            self._add(named, (), (), subject, raw)
            return
        subject = " ".join(filter(None, (subject, named)))[:MOST_TEXT]
        siblings = tuple(value)
        for key, one in value.items():
            if isinstance(one, dict | list):
                self.take(one, (*path, key), subject, depth + 1)
            elif (number := _number(one)) is not None and key.lower() not in NAMING:
                self._add(key, path, siblings, subject, number)

    def _samples(self, value: dict[str, Any], metric: dict[str, Any], path: tuple[str, ...]) -> None:
        name = str(metric.get("__name__") or (path[-1] if path else METRIC))
        labels = ", ".join(f"{key} {text}" for key, text in metric.items() if key != "__name__")
        samples = value.get("values")
        for one in samples if isinstance(samples, list) else [value.get("value")]:
            if isinstance(one, list) and len(one) > 1 and (number := _number(one[1])) is not None:
                self._add(name, (), (), labels[:MOST_TEXT], number)

    def _add(
        self,
        key: str,
        path: tuple[str, ...],
        siblings: tuple[str, ...],
        subject: str,
        number: tuple[float, str],
    ) -> None:
        if len(self.rows) >= MOST_VALUES:
            return
        whole = " ".join((*path[-2:], key))
        if isinstance(number[0], bool) and meaning_of(whole) is None:
            return
        is_known = meaning_of(whole) is None and meaning_of(key, siblings) is not None
        name = key if is_known else whole
        self.rows.append((subject or None, name, float(number[0]), number[1] or None, None))
        self.lines.append(self._line(key))

    def _line(self, key: str) -> int:
        """Return the line on which a key stands, at or after the one before; else that."""
        wanted = f'"{key}"'
        for at in range(self._at, len(self._text)):
            if wanted in self._text[at]:
                self._at = at
                break
        return self._at


def _of_named(value: dict[str, Any]) -> tuple[float, str] | None:
    """Return the raw or only value of an object whose name is that of a quantity."""
    raw = value.get("raw")
    found = raw.get("value") if isinstance(raw, dict) else value.get("value")
    return None if isinstance(found, dict | list) else _number(found)


def _number(value: Any) -> tuple[float, str] | None:
    """Return number and unit of a number, or of a text that is one; None of anything else."""
    if isinstance(value, int | float):
        is_finite = abs(value) < EPOCH**30 and not (isinstance(value, float) and math.isnan(value))
        return (value if isinstance(value, bool) else float(value), "") if is_finite else None
    if isinstance(value, str) and len(value) <= MOST_TEXT and (read := number_of(value)):
        return read[0], read[1].name
    return None
