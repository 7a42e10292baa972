r"""`rows`: counts, sums and extremes over named columns of event rows.

Row sets filtered by their own command line (`egrep '<0\.[1-9]'`) support existence, counts and extremes, but
no rates. A rate also needs the time span of the rows. An excerpt, and rows within a shorter span than
`min_duration`, are a lower bound: 400 within one second are a rate of at least 400 in the minimum time.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from ingest.model.row_columns import Numbers, Words
from signatures.judging.condition_bases import ReadingCondition
from signatures.judging.observation import (
    MAX_EXEMPLARS,
    Cited,
    MatchResult,
    Reason,
    compare_number,
    meets,
    number_result,
    undefined,
    unknown,
)
from signatures.language import expression, units
from signatures.language.condition_words import bound_words
from signatures.language.conditions import Bound, ConditionText, FrameSet, Trace
from signatures.language.expression import Name, UndefinedError
from signatures.language.keyword import Form, Keyword
from signatures.language.patterns import is_any
from signatures.language.schema_parts import (
    BOUND,
    BOUND_KEYS,
    CAP,
    MINIMA,
    QUANTITY,
    SCALAR,
    TEXT,
    TEXTS,
    Schema,
    object_of,
)
from signatures.language.strict_mapping import BOUNDS, Keys, bound_of, cap_of, patterns_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from ingest.model.reading import Cell, Reading, RowSet
    from signatures.judging.condition_bases import Span
    from signatures.judging.profile_index import Trees
    from signatures.language.units import Quantity

_ENTITY_COLUMNS = ("pid", "tgid")
_MANY_GROUPS = 64
_KEYS: dict[str, Schema] = {
    "set": TEXT,
    "where": {"type": "object", "additionalProperties": {"anyOf": [SCALAR, TEXTS, BOUND]}},
    "expr": TEXT,
    "min": MINIMA,
    "at": TEXT,
    "by": TEXTS,
    "min_duration": QUANTITY,
    **BOUND_KEYS,
}
_BESIDE = {"cap": CAP}


_RESOLUTION = 1.0
"""Seconds that rows with equal times may span: tools print the time of day in whole seconds."""


class _NoRateError(Exception):
    """There is no rate; the message says why."""


@dataclass(frozen=True, slots=True)
class RowsCondition(ReadingCondition):
    """Arithmetic over the columns of one row set.

    Attributes:
        where: Column to the required cell: a glob, a list of globs or a bound.
        expression: Over `count()`, `sum(column)`, `max(column)`, `min(column)`, `distinct(column)`,
            `rate_per_minute()`, `duration()` (seconds that the rows span, 0 if not known).
        min_duration: Time span below which a rate is only a lower bound, in seconds.
        by: Columns to group the rows by (`old_cgroup_ino`); () for no grouping.
    """

    PARTS: ClassVar[tuple[str, ...]] = ("row_sets",)

    rows: str
    where: tuple[tuple[str, FrameSet | Bound], ...]
    expression: str
    bound: Bound
    minimum: tuple[tuple[str, Quantity], ...]
    min_duration: float
    by: tuple[str, ...] = ()

    @property
    def traces(self) -> tuple[Trace, ...]:
        """The row set."""
        return (Trace("rows", self.rows),)

    def observe(self, reading: Reading, trees: Trees, span: Span | None) -> Iterator[MatchResult]:
        """Yield the results for each row set of this name."""
        del trees, span
        for rows in reading.row_sets:
            if rows.name == self.rows:
                yield from _observe(self, rows, reading.quality_names)

    def describe(self) -> ConditionText:
        """Return the arithmetic, the row set and the bound."""
        unit = expression.unit_of(self.expression)
        group = f" grouped by {' and '.join(self.by)}" if self.by else ""
        text = f"{self.expression} of {self.rows}{group}: {bound_words(self.bound, unit)}"
        return ConditionText("rows", text)


def _observe(condition: RowsCondition, rows: RowSet, quality: frozenset[str]) -> Iterator[MatchResult]:
    """Yield the results for one row set, one per process where it names them."""
    chosen = _chosen(condition, rows)
    if not chosen:
        if "count()" in condition.expression:
            yield number_result(0.0, condition.bound, note="rows")
        else:
            yield unknown(Reason.ABSENT, "no row of this kind")
        return
    for process, own in _by_process(condition, rows, chosen).items():
        for group in _groups(condition, rows, own):
            yield _result(condition, rows, group, process, quality)


def _by_process(condition: RowsCondition, rows: RowSet, chosen: list[int]) -> dict[str, list[int]]:
    column = next((name for name in _ENTITY_COLUMNS if name in rows.columns), "")
    if not condition.at or not column:
        return {"": chosen}
    groups: dict[str, list[int]] = {}
    for index in chosen:
        cell = rows.cells[rows.columns.index(column)][index]
        process = f"{cell:.0f}" if isinstance(cell, float | int) else str(cell or "")
        groups.setdefault(process, []).append(index)
    return groups


def _groups(condition: RowsCondition, rows: RowSet, own: list[int]) -> list[list[int]]:
    """Group rows by the columns `by`, largest groups first."""
    if not condition.by:
        return [own]
    columns = [rows.cells[rows.columns.index(name)] for name in condition.by if name in rows.columns]
    groups: dict[tuple[Cell, ...], list[int]] = {}
    for index in own:
        groups.setdefault(tuple(column[index] for column in columns), []).append(index)
    return sorted(groups.values(), key=lambda group: -len(group))[:_MANY_GROUPS]


def _chosen(condition: RowsCondition, rows: RowSet) -> list[int]:
    """Return the places of the rows whose cells are as required."""
    chosen = np.ones(len(rows), dtype=np.bool_)
    for name, wanted in condition.where:
        column = rows.column(name)
        if column is None:
            return []
        unit = units.unit_of(name)
        if isinstance(column, Numbers) and isinstance(wanted, Bound):
            chosen &= meets(column.array, wanted, "" if unit == "count" else unit)
        elif isinstance(column, Words):
            passing = np.array([*(_passes(word, wanted, unit) for word in column.names), False])
            chosen &= passing[column.array]
        else:
            chosen &= np.array([_passes(cell, wanted, unit) for cell in column], dtype=np.bool_)
    return np.flatnonzero(chosen).tolist()


def _passes(cell: Cell, wanted: FrameSet | Bound, unit: str) -> bool:
    if cell is None:
        return False
    if isinstance(wanted, Bound):
        return (
            not isinstance(cell, str)
            and compare_number(float(cell), wanted, "" if unit == "count" else unit).is_met
        )
    return is_any(cell if isinstance(cell, str) else f"{cell:g}", wanted)


def _result(
    condition: RowsCondition, rows: RowSet, own: list[int], process: str, quality: frozenset[str]
) -> MatchResult:
    def column(name: str) -> list[float]:
        if name not in rows.columns:
            raise UndefinedError(f"the rows have no {name}")
        at = rows.columns.index(name)
        return [float(cell) for cell in _cells(rows, own, at) if isinstance(cell, float | int)]

    def call(function: str, arguments: tuple[expression.Node, ...]) -> float:
        if function == "count":
            return float(len(own))
        if function == "rate_per_minute":
            return _rate(condition, rows, own, quality)
        if function == "duration":
            return rows.duration or 0.0
        argument = arguments[0]
        if not isinstance(argument, Name):
            raise UndefinedError(f"{function}() needs a column")
        if function == "distinct":
            return float(len(set(_cells(rows, own, rows.columns.index(argument.name)))))
        values = column(argument.name)
        if not values:
            raise UndefinedError(f"no number in {argument.name}")
        if function == "sum":
            return math.fsum(values)
        return max(values) if function == "max" else min(values)

    def value_of(name: str) -> float:
        return call("sum", (Name(name),))

    try:
        for text, least in condition.minimum:
            found = expression.evaluate(expression.parse(text), value_of, call)
            if found < least.value:
                return unknown(
                    Reason.TOO_FEW, f"{text} is {found:g}, at least {least.value:g} needed", process=process
                )
        value = expression.evaluate(expression.parse(condition.expression), value_of, call)
    except UndefinedError as problem:
        return undefined(problem, process=process)
    except _NoRateError as problem:
        missing = Reason.FILTERED if "filtered" in quality else Reason.ABSENT
        reason = Reason.EXCERPT if quality & {"excerpt", "cut_off"} else missing
        return unknown(reason, str(problem), process=process, citations=_cite(condition, rows, own))
    unit = expression.unit_of(condition.expression)
    return number_result(
        value,
        condition.bound,
        unit,
        process=process,
        note=condition.expression,
        citations=_cite(condition, rows, own),
    )


def _cells(rows: RowSet, own: list[int], at: int) -> list[Cell]:
    return [cell for index in own if (cell := rows.cells[at][index]) is not None]


def _rate(condition: RowsCondition, rows: RowSet, own: list[int], quality: frozenset[str]) -> float:
    if "filtered" in quality:
        raise _NoRateError("filtered rows have no rate")
    needed = max(condition.min_duration, 1e-9)
    if rows.duration is not None and rows.duration >= needed and "excerpt" not in quality:
        return len(own) / rows.duration * 60.0
    span = "an unknown time" if rows.duration is None else f"{rows.duration:g} s"
    if rows.duration is not None and condition.bound.at_least is not None:
        least = len(own) / max(rows.duration, needed, _RESOLUTION) * 60.0
        if compare_number(least, condition.bound).is_met:
            return least
    if "excerpt" in quality:
        raise _NoRateError("truncated rows have no rate")
    raise _NoRateError(f"{len(own)} rows over {span}; at least {condition.min_duration:g} s needed")


def _cite(condition: RowsCondition, rows: RowSet, own: list[int]) -> tuple[Cited, ...]:
    """Cite the rows with the largest value of the first column, or the first rows."""
    names = [name for name in expression.names_in(condition.expression) if name in rows.columns]
    if names:
        column = rows.cells[rows.columns.index(names[0])]

        def size(index: int) -> float:
            cell = column[index]
            return -float(cell) if isinstance(cell, float | int) else 0.0

        own = sorted(own, key=size)
    return tuple(Cited(rows.row_lines[index], rows.row_lines[index]) for index in own[:MAX_EXEMPLARS])


def _parse(file: str, path: str, document: Mapping[str, Any]) -> RowsCondition:
    Keys(file, path, document, ["rows", *_BESIDE])
    keys = Keys(file, f"{path}.rows", document["rows"], _KEYS)
    where: list[tuple[str, FrameSet | Bound]] = []
    for column, value in keys.mapping("where").items():
        if isinstance(value, dict):
            where.append((column, bound_of(Keys(file, f"{path}.where.{column}", value, BOUNDS))))
        else:
            where.append((column, patterns_of(value)))
    return RowsCondition(
        rows=keys.text("set", is_required=True),
        where=tuple(where),
        expression=keys.text("expr") or "count()",
        bound=bound_of(keys),
        minimum=keys.quantities("min"),
        at=keys.text("at").lstrip("$"),
        min_duration=units.parse(keys.value("min_duration", 0)).value,
        by=keys.texts("by"),
        cap=cap_of(file, path, document),
    )


KEYWORDS = {"rows": Keyword(_parse, (Form(object_of(_KEYS, ["set"]), _BESIDE),))}
