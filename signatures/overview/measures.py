"""Measures: the values of one printed quantity of one subject in the order of their lines.

measures(item)  ->  Measure("bandwidth write", bytes written of pool, "bytes_per_second", "T", 14 values, …)
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ingest.engines.quantities.grid import LINES, OF, SHARE, SUBJECT, TABLE, TIME, VALUES, split_name
from ingest.engines.quantities.meanings import meaning_of, normal_form
from ingest.model.row_columns import Numbers
from signatures.overview.model import Place, place

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    from ingest.engines.quantities.meanings import Meaning
    from ingest.model.reading import RowSet
    from signatures.judging.scope import Item

MOST_MEASURES = 20_000
MOST_TYPES = 16
"""Columns of numbers up to this one are kinds or types, where one other column has larger ones."""

UNNAMED = "column "
"""How the name of a column begins that has none."""
RAW, CURRENT, THRESHOLD = "RAW_VALUE", "VALUE", "THRESH"
"""Columns of tables whose rows are named by what they measure."""


class Measure(NamedTuple):
    """One quantity of one subject.

    Attributes:
        label: The printed name.
        meaning: What it means; None where the dictionary does not have it.
        unit: The unit of facts.
        subject: What it is of as printed, "" without.
        values: N numbers in `unit`.
        lines: N line numbers.
        clock: N printed times; () without.
        limit: The whole that is printed beside the last value; None without.
        table: The title of its table, and which table of the text it is.
        item: Where it was read.
        is_signed: Printed as a difference or below 0.
    """

    label: str
    meaning: Meaning | None
    unit: str
    subject: str
    values: NDArray[np.float64]
    lines: NDArray[np.int32]
    clock: tuple[str, ...]
    limit: float | None
    table: tuple[str, int]
    item: Item

    @property
    def name(self) -> str:
        """What is measured and of what, for people: `Bytes written of pool T`."""
        if self.meaning is None:
            return f"{self.label} of {self.subject}" if self.subject else self.label
        of = self.meaning.of
        is_named = self.subject.lower().startswith(f"{of.lower()} ")
        text = f"{self.meaning.quantity} of {self.subject if is_named else f'{of} {self.subject}'.rstrip()}"
        return f"{text[:1].upper()}{text[1:]}"

    @property
    def verb(self) -> str:
        """`is` or `are`."""
        return self.meaning.verb if self.meaning else "is"

    def place(self, first: int = 0, last: int | None = None) -> Place:
        """Return the lines of values `first` to `last`."""
        end = len(self.lines) - 1 if last is None else last
        return place(self.item, int(self.lines[first]), int(self.lines[end]))


def measures(item: Item) -> list[Measure]:
    """Return the measures of tables, lines and keys of a text; those of one meaning and subject as one."""
    if not any(map(is_split, item.reading.row_sets)):
        return []
    found: list[Measure] = []
    for number, rows in enumerate(item.reading.row_sets):
        form, _, about = rows.name.partition(":")
        if form == VALUES:
            found += _of_keys(rows, item, number)
        elif form in {TABLE, LINES}:
            found += _of_table(rows, item, (about, number))
        if len(found) > MOST_MEASURES:
            break
    return _merged(found[:MOST_MEASURES])


def form_of(rows: RowSet) -> str:
    """Return the form of rows of the splitter: table, lines, values."""
    return rows.name.partition(":")[0]


def is_split(rows: RowSet) -> bool:
    """Return whether the splitter made the rows, and no reader of a format."""
    return rows.name.partition(":")[0] in {VALUES, TABLE, LINES}


class _Origin(NamedTuple):
    """Title and number of a table, its item, and the names beside a quantity."""

    table: tuple[str, int]
    item: Item
    context: tuple[str, ...]


def _numbers(rows: RowSet) -> Mapping[str, NDArray[np.float64]]:
    found = ((name, rows.column(name)) for name in rows.columns)
    return {name: column.array for name, column in found if isinstance(column, Numbers)}


def _of_keys(rows: RowSet, item: Item, number: int) -> Iterator[Measure]:
    columns = {name: rows.column(name) for name in rows.columns}
    keys = sorted({str(key) for key in columns["key"] or ()})
    by_key: dict[tuple[str, str, str], list[tuple[float, int]]] = {}
    cells = zip(*(columns[name] or () for name in (SUBJECT, "key", "value", "unit")), strict=True)
    for (subject, key, value, unit), line in zip(cells, rows.row_lines, strict=True):
        if isinstance(value, float):
            by_key.setdefault((str(subject or ""), str(key), str(unit or "")), []).append((value, line))
    whole_of = {(subject, key): own for (subject, key, _), own in by_key.items()}
    for (subject, key, unit), own in by_key.items():
        if key.endswith(OF):
            continue
        wholes = whole_of.get((subject, f"{key}{OF}"), [])
        if not wholes and (meaning := meaning_of(key, keys)) is not None:
            wholes = next(
                (whole_of[subject, one] for one in meaning.target if (subject, one) in whole_of), []
            )
        limit = wholes[-1][0] if wholes else None
        place = _Origin(("", number), item, tuple(keys))
        yield _measure((key, unit, subject), own, place, limit=limit)


def _of_table(rows: RowSet, item: Item, table: tuple[str, int]) -> Iterator[Measure]:
    subjects = [str(cell or "") for cell in rows.column(SUBJECT) or [""] * len(rows)]
    clock = tuple(str(cell) for cell in rows.column(TIME) or ())
    context = [*(split_name(name)[0] for name in rows.columns), table[0]]
    groups: dict[str, list[int]] = {}
    for at, subject in enumerate(subjects):
        groups.setdefault(subject, []).append(at)
    numbers = _numbers(rows)
    has_titles = form_of(rows) == TABLE and bool(table[0]) and _is_one_of_several(rows, item)
    own_names = _own_names(list(numbers), context) if not any(subjects) else {}
    named = {
        subject: meaning
        for subject in groups
        if subject and (meaning := meaning_of(subject, context)) is not None
    }
    has_names = any(meaning_of(split_name(name)[0], context) for name in numbers)
    for printed, places in groups.items():
        if printed in named and not has_names:
            yield from _of_named_row(rows, _Origin(table, item, ()), printed, places, clock)
            continue
        subject = f"{printed} ({table[0]})" if printed and has_titles else printed
        for name, values in numbers.items():
            label, unit = split_name(name)
            if label.endswith((OF, SHARE)):
                continue
            own = [(float(values[at]), int(rows.row_lines[at])) for at in places if not np.isnan(values[at])]
            times = tuple(clock[at] for at in places if not np.isnan(values[at])) if clock else ()
            whole = next((numbers[one] for one in numbers if split_name(one)[0] == f"{label}{OF}"), None)
            if whole is None and (meaning := meaning_of(label, context)) is not None:
                whole = next((numbers[one] for one in numbers if split_name(one)[0] in meaning.target), None)
            limit = (
                float(whole[places[-1]]) if whole is not None and not np.isnan(whole[places[-1]]) else None
            )
            if own:
                origin = _Origin(table, item, tuple(context))
                of = subject or own_names.get(name, "")
                yield _measure((label, unit, of), own, origin, limit=limit, clock=times)


def _is_one_of_several(rows: RowSet, item: Item) -> bool:
    """Return whether tables with the same head and other titles stand in the same text."""
    own = set(rows.columns)
    return any(set(other.columns) == own and other.name != rows.name for other in item.reading.row_sets)


def _own_names(names: Sequence[str], context: Sequence[str]) -> dict[str, str]:
    """Return what each of several columns of one meaning is of: the words that the others do not have.

    >>> _own_names(["node-1 CPU iowait %", "node-2 CPU iowait %"], ())
    {'node-1 CPU iowait %': 'node-1', 'node-2 CPU iowait %': 'node-2'}
    """
    alike: dict[str, list[str]] = {}
    for name in names:
        label = split_name(name)[0]
        if " " in label and (meaning := meaning_of(label, context)) is not None:
            alike.setdefault(f"{meaning.quantity} of {meaning.of}", []).append(name)
    found: dict[str, str] = {}
    for same in alike.values():
        shared = set.intersection(*(set(split_name(name)[0].split()) for name in same))
        for name in same if len(same) > 1 else ():
            found[name] = " ".join(word for word in split_name(name)[0].split() if word not in shared)
    return found


def _of_named_row(
    rows: RowSet,
    origin: _Origin,
    subject: str,
    places: Sequence[int],
    clock: tuple[str, ...],
) -> Iterator[Measure]:
    """Yield the value of a row that is named by what it measures: the normalised, raw or only one."""
    numbers = _numbers(rows)
    meaning = meaning_of(subject)
    if meaning is None or not numbers:
        return
    own_name = CURRENT if meaning.bad == "low" and CURRENT in numbers else RAW
    values = numbers.get(own_name)
    if values is None:
        told = [one for one in numbers.values() if not (np.nan_to_num(one[list(places)]) <= MOST_TYPES).all()]
        if len(numbers) > 1 and len(told) != 1:
            return
        values = told[0] if told else next(iter(numbers.values()))
    thresholds = numbers.get(THRESHOLD)
    limit = float(thresholds[places[-1]]) if thresholds is not None and own_name == CURRENT else None
    own = [(float(values[at]), int(rows.row_lines[at])) for at in places if not np.isnan(values[at])]
    times = tuple(clock[at] for at in places if not np.isnan(values[at])) if clock else ()
    if own:
        yield _measure((subject, "", ""), own, origin, limit=limit or None, clock=times)


def _measure(
    named: tuple[str, str, str],
    own: Sequence[tuple[float, int]],
    origin: _Origin,
    *,
    limit: float | None,
    clock: tuple[str, ...] = (),
) -> Measure:
    """Return the measure of a label, a unit and a subject, in the unit of its meaning."""
    label, unit, subject = named
    table, item, context = origin
    meaning = meaning_of(label, context)
    values = np.array([value for value, _ in own], dtype=np.float64)
    if meaning is not None and not unit:
        # A name that ends in the unit of facts states it: `node_memory_MemAvailable_bytes`.
        scale = 1.0 if normal_form(label).endswith((" bytes", " seconds")) else meaning.scale
        values, unit = values * scale, meaning.unit
        limit = limit * scale if limit is not None else None
    lines = np.array([line for _, line in own], dtype=np.int32)
    return Measure(label, meaning, unit, subject, values, lines, clock, limit, table, item)


def _merged(found: Sequence[Measure]) -> list[Measure]:
    """Join what is printed in several forms: status lines with and without a warning in front."""
    by_key: dict[tuple[str, str, str, str], list[Measure]] = {}
    labels: dict[tuple[str, int], list[str]] = {}
    for one in found:
        quantity = f"{one.meaning.quantity} of {one.meaning.of}" if one.meaning else normal_form(one.label)
        is_table = one.table[0] and one.item.reading.row_sets[one.table[1]].name.startswith(TABLE)
        is_named_row = one.meaning is not None and not one.meaning.unit.strip("count")
        # Two columns of one table are two measures, though their names mean the same: p50 and p99.
        alike = labels.setdefault((quantity, one.table[1]), [])
        if one.label not in alike:
            alike.append(one.label)
        is_apart = is_table or one.meaning is None
        apart = str(one.table[1]) if is_apart else one.label if is_named_row else ""
        key = (quantity, one.unit, one.subject, f"{apart} {alike.index(one.label)}")
        by_key.setdefault(key, []).append(one)
    joined: list[Measure] = []
    for same in by_key.values():
        if len(same) == 1:
            joined.append(same[0])
            continue
        lines = np.concatenate([one.lines for one in same])
        order = np.argsort(lines, kind="stable")
        values = np.concatenate([one.values for one in same])[order]
        clocks = [clock for one in same for clock in one.clock]
        clock = tuple(clocks[at] for at in order.tolist()) if len(clocks) == len(lines) else ()
        last = max(same, key=lambda one: int(one.lines[-1]))
        joined.append(last._replace(values=values, lines=lines[order], clock=clock, label=same[0].label))
    return joined
