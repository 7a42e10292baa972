"""The quantities of one reading, whoever read it: facts, rows, histograms, profiles and tables alike.

    values_of(item)  ->  Value("container memory", 1.74e10, "bytes", "container mysql", Place(…), …)

The unit decides what is a quantity; `context.yaml` lists the facts that describe (settings, limits, sizes).
"""

from __future__ import annotations

import math
import re
from collections import Counter
from fnmatch import fnmatchcase
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ingest import fact_catalogue
from ingest.fact_catalogue import KEY
from ingest.format_list import format_rows
from ingest.tables import table
from signatures.language.number_format import value_words
from signatures.overview.measures import UNNAMED, is_split, measures
from signatures.overview.model import Place, place
from signatures.overview.scope_evidence import Table
from signatures.overview.thresholds import thresholds_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from ingest.model.facts import Fact
    from ingest.model.histogram import Histogram
    from ingest.model.profile import Profile
    from signatures.judging.scope import Item

_TABLE = Path(__file__).parent / "context.yaml"
_SUFFIX = re.compile(r"_(?P<unit>seconds|bytes|share|per_second|celsius|watts|mhz|us|ms|ns|s)$")
_UNITS = {"s": "seconds"}
_OWN_UNIT = frozenset({"seconds", "bytes", "share", "us", "ms", "ns"})
"""Units that a formatted value shows; a column of another unit keeps it in its name."""

_SUBJECTS = ("comm", "process", "call", "function", "device", "interface", "name", "symbol", "pid", "cpu")
"""Columns whose cells name the subject of a row, the first of them that is there."""


LIMITS = thresholds_of("reading_values")
MOST_SUBJECT = int(LIMITS["subject_characters"])


class Value(NamedTuple):
    """One quantity.

    Attributes:
        name: The fact, or the set of rows and its column.
        unit: A key of `units` in the table.
        subject: What it is of: its labels or the cell that names its row; "" for the machine.
        format: The format of its reading.
    """

    name: str
    number: float
    unit: str
    subject: str
    place: Place
    format: str

    @property
    def label(self) -> str:
        """What is measured, for people."""
        return label_of(self.name, self.format)


class Kind(NamedTuple):
    """How the values of one unit are stated."""

    noun: str
    adds_up: bool


def values_of(item: Item) -> Iterator[Value]:
    """Yield the finite quantities of a reading: of facts, else of rows."""
    found = False
    for fact in item.reading.facts:
        if is_quantity(fact):
            found = True
            number, subject = float(fact.value), subject_of(fact)
            yield Value(fact.name, number, fact.unit, subject, _place(item, fact), item.format)
    if not found:
        yield from _of_measures(item)
        yield from _of_rows(item)


def _of_measures(item: Item) -> Iterator[Value]:
    """Yield the last value of every named quantity of tables, lines and keys without a reader."""
    for one in measures(item):
        if one.label.startswith(UNNAMED) or one.unit not in kinds() or not (one.unit or one.meaning):
            continue
        at = int(np.argmax(one.values))
        name, number = one.label.replace(" ", "_"), float(one.values[at])
        yield Value(name, number, one.unit, one.subject, one.place(at, at), item.format)


def is_quantity(fact: Fact) -> bool:
    """Return whether a fact is a finite number of a known unit, and not one that describes."""
    value = fact.value
    if isinstance(value, bool) or not isinstance(value, float) or not math.isfinite(value):
        return False
    return fact.unit in kinds() and not is_describing(fact.name)


@cache
def kinds() -> Mapping[str, Kind]:
    """Return the units of quantities, in the order in which their largest values are stated."""
    return {unit: Kind(**row) for unit, row in _rows()["units"].items()}


@cache
def is_describing(name: str) -> bool:
    """Return whether a fact of this name describes: a setting, a limit, a size of what is there."""
    return any(fnmatchcase(name, pattern) for pattern in _rows()["describing"])


@cache
def question_of(name: str) -> Any:
    """Return the question that a fact, row set or format of this name is about."""
    return next(row["about"] for row in _rows()["questions"] if _is_any(name, row["names"]))


def _is_any(name: str, patterns: list[str]) -> bool:
    return any(fnmatchcase(name, pattern) for pattern in patterns)


@cache
def _rows() -> Any:
    return table(_TABLE)


@cache
def label_of(name: str, format_name: str) -> str:
    """Return what a fact, or a column of a set of rows, measures: what the catalogues of both say of it."""
    rows, _, column = name.partition(" ")
    if column:
        return f"{_words(column)} of {rows_of(rows)}"
    entry = fact_catalogue.find(name)
    if entry is None:
        return _words(name)
    if KEY not in entry.name:
        return _first_clause(entry.meaning)
    title = _titles().get(format_name, format_name)
    area = entry.name.partition(KEY)[0]
    is_named = any(part and part in title.lower() for part in area.split("."))
    printed = _without_unit(name.removeprefix(area) if is_named else name)
    return f"{printed.replace('.', ' ')} in {title}" if printed else _words(name)


def _first_clause(meaning: str) -> str:
    """Return a meaning up to its first mark; the rest explains it."""
    return re.split(r"[:;,]", meaning, maxsplit=1)[0].strip()


@cache
def rows_of(name: str) -> str:
    """Return what the rows of a set are, for people: `packets`; a set of unknown rows is one of lines."""
    named = _rows()["rows"]
    kind, _, columns = name.partition(":")
    known: str = named.get(kind, f"{kind.replace('_', ' ')} rows")
    return f"{known} ({columns.replace(',', ', ')[:MOST_SUBJECT]})" if columns else known


def row_names() -> frozenset[str]:
    """Return the sets of rows that have a name for people."""
    return frozenset(_rows()["rows"])


@cache
def _titles() -> Mapping[str, str]:
    return {row.name: row.title.partition(",")[0].rpartition(": ")[2] for row in format_rows()}


def _words(name: str) -> str:
    """Return a name without its unit, in words."""
    return re.sub(r"[._]+", " ", _without_unit(name)).strip()


def _without_unit(name: str) -> str:
    """Return a name without the unit that a value shows."""
    found = _SUFFIX.search(name)
    is_shown = found and _UNITS.get(found["unit"], found["unit"]) in kinds()
    return name[: found.start()] if found and is_shown else name


def subject_of(fact: Fact) -> str:
    """Return the labels of a fact as words: `container mysql`, `cpu 3, irq RES`."""
    words = ", ".join(f"{name} {value}" for name, value in fact.labels.items() if name != "pid_namespace")
    return words if len(words) <= MOST_SUBJECT else f"{words[:MOST_SUBJECT]} …"


def _place(item: Item, fact: Fact) -> Place:
    return place(item, fact.lines.first, fact.lines.last)


def _of_rows(item: Item) -> Iterator[Value]:
    """Yield the largest value of each column that has a unit; events are no peers."""
    for rows in item.reading.row_sets:
        found = Table(rows, item)
        for column in rows.columns if len(rows) and not is_split(rows) else ():
            suffix = _SUFFIX.search(column)
            if suffix is None:
                continue
            numbers = found.numbers(column)
            finite = np.where(np.isfinite(numbers), numbers, -np.inf)
            at = int(np.argmax(finite))
            if np.isfinite(finite[at]):
                unit = _UNITS.get(suffix["unit"], suffix["unit"])
                cells = found.row(at).cells
                named = next((one for one in _SUBJECTS if cells.get(one) not in (None, "")), "")
                subject = f"{named} {value_words(cells[named])}"[:MOST_SUBJECT] if named else ""
                where = found.place(at, at)
                name = f"{rows.name} {column}"
                yield Value(name, float(finite[at]), unit, subject, where, item.format)


class Seen(NamedTuple):
    """A sentence about a reading without quantities of a unit, and its lines."""

    words: str
    place: Place


def seen_in(item: Item) -> Iterator[Seen]:
    """Yield what rows, histograms, profiles and tables show where no column has a unit."""
    for histogram in item.reading.histograms:
        yield from _of_histogram(item, histogram)
    for profile in item.reading.profiles:
        yield from _of_profile(item, profile)
    for symbols in item.reading.tables:
        if symbols.symbols:
            first = max(symbols.symbols, key=lambda one: one.self_share)
            words = (
                f"the largest share of the table is {first.name}: {value_words(first.self_share, 'share')}"
            )
            yield Seen(words, place(item, first.line))
    for rows in item.reading.row_sets:
        if len(rows) and not is_split(rows):
            yield Seen(_commonest(Table(rows, item)), place(item, rows.row_lines[0], rows.row_lines[-1]))


def _of_histogram(item: Item, histogram: Histogram) -> Iterator[Seen]:
    filled = [at for at, count in enumerate(histogram.counts) if count > 0]
    if not filled:
        return
    at, total = filled[-1], sum(histogram.counts)
    low, high = (value_words(one[at], histogram.unit) for one in (histogram.lows, histogram.highs))
    unit = "" if histogram.unit in _OWN_UNIT or not histogram.unit else f" {histogram.unit}"
    of = " ".join(filter(None, (histogram.name, histogram.key)))
    words = (
        f"the highest bucket of {of} with entries is {low} to {high}{unit}: "
        f"{histogram.counts[at]:,.0f} of {total:,.0f}"
    )
    yield Seen(words, place(item, histogram.bucket_lines[at]))


def _of_profile(item: Item, profile: Profile) -> Iterator[Seen]:
    """Yield the innermost function with the largest weight."""
    has_stack = profile.sample_node >= 0
    if not has_stack.any():
        return
    frames = profile.node_frame[profile.sample_node[has_stack]]
    weights = profile.sample_weight[has_stack] if profile.has_weights else np.ones(len(frames))
    sums = np.bincount(frames, weights=weights, minlength=len(profile.frames))
    first, total = int(np.argmax(sums)), float(sums.sum())
    if not math.isfinite(total) or total <= 0:
        return
    lines = profile.sample_line[has_stack][frames == first]
    share = value_words(float(sums[first]) / total, "share")
    samples = f"{profile.samples:,.0f} {'samples are' if profile.samples > 1 else 'sample is'}"
    words = f"{share} of {samples} in {profile.frames[first].name}"
    yield Seen(words, place(item, int(lines[0])))


def _commonest(found: Table) -> str:
    """Return how many rows there are, and the cell that half of them have in the column that names them."""
    rows = found.rows
    count = f"{len(rows):,} {rows_of(rows.name) if len(rows) > 1 else rows_of(rows.name).removesuffix('s')}"
    column = next((one for one in (*_SUBJECTS, "kind", "type", "state", "status") if one in rows.columns), "")
    cells = Counter(cell for cell in rows.column(column) or () if cell is not None) if column else Counter()
    name, times = max(cells.items(), key=lambda one: one[1], default=("", 0))
    if times < 2 or times < len(rows) * LIMITS["half"]:
        return f"{count} {'is' if len(rows) == 1 else 'are'} read"
    return f"of {count}, {times:,} have the {column} {value_words(name)[:MOST_SUBJECT]}"
