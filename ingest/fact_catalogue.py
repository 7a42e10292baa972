"""Catalogue of facts: meaning, unit, labels and formats of each.

    find("vmstat.pgscan_direct") -> Entry(name="vmstat.<key>", types=("number",), units=("count",), …)

The data are `catalogue/facts.yaml` and, of facts that only one format has, `FACTS` of its module; the tests
compare them with everything the readers yield.
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

from ingest import catalogue
from ingest.readers import own_facts
from ingest.tables import files, table

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ingest.model.facts import FactValue
    from ingest.parsing.shapes import Meaning

KEY = "<key>"


class Entry(NamedTuple):
    """One fact, or all facts of one shape.

    Attributes:
        name: Dotted lower case; `<key>` is a placeholder for what the kernel or the tool prints.
        types: `number`, `text`, `truth`.
        units: What a number counts; none for texts and truths.
        labels: Labels it may carry.
        meaning: One phrase.
        example: A fact as it was read from committed evidence, "" when none was.
        formats: Names of the formats that yield it.
    """

    name: str
    types: tuple[str, ...]
    units: tuple[str, ...]
    labels: tuple[str, ...]
    meaning: str
    example: str
    formats: tuple[str, ...]


@cache
def entries() -> tuple[Entry, ...]:
    """Return the whole catalogue, sorted by name."""
    rows = [_entry(one) for one in table(files(catalogue) / "facts.yaml")]
    rows += [_own(name, format_, meaning) for name, (format_, meaning) in own_facts().items()]
    return tuple(sorted(rows, key=lambda entry: entry.name))


def _entry(row: Mapping[str, Any]) -> Entry:
    return Entry(
        row["name"],
        _several(row["type"]),
        _several(row.get("unit", [])),
        tuple(row.get("labels", [])),
        row["meaning"],
        row.get("example", ""),
        tuple(row["formats"]),
    )


def _own(name: str, format_: str, fact: Meaning) -> Entry:
    units = (fact.unit,) if fact.unit else ()
    types = ("number",) if fact.unit else ("text",)
    return Entry(name, types, units, fact.labels, fact.meaning, fact.example, (format_,))


def _several(value: str | list[str]) -> tuple[str, ...]:
    return (value,) if isinstance(value, str) else tuple(value)


@cache
def _shapes() -> tuple[tuple[re.Pattern[str], Entry], ...]:
    """Return shapes with their entries: exact names first, then what is longest up to its key."""
    ranked = sorted(
        entries(),
        key=lambda entry: (KEY in entry.name, -len(entry.name.partition(KEY)[0]), -len(entry.name)),
    )
    return tuple((re.compile(re.escape(entry.name).replace(re.escape(KEY), ".*")), entry) for entry in ranked)


def find(name: str) -> Entry | None:
    """Return the entry of a fact's name, None when the catalogue has none."""
    return next((entry for shape, entry in _shapes() if shape.fullmatch(name)), None)


def type_of(value: FactValue) -> str:
    """Return the type of a value as the catalogue names it."""
    if isinstance(value, bool):
        return "truth"
    return "text" if isinstance(value, str) else "number"
