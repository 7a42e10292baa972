"""Values of the evidence by name, whoever read them: facts, columns of rows, and what the splitter found.

series_of(evidence, {"disk.util_share"})  ->  {"disk.util_share": [Series("sda", [0.2, 0.98], …)]}
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ingest.engines.quantities.grid import SUBJECT, VALUES
from ingest.engines.quantities.meanings import normal_form
from signatures.overview.measures import form_of, is_split, measures
from signatures.overview.model import Place, place
from signatures.overview.scope_evidence import Table

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from numpy.typing import NDArray

    from signatures.judging.scope import Item
    from signatures.overview.measures import Measure
    from signatures.overview.scope_evidence import FactEntry, ScopeEvidence

LABEL = "label:"
_SUBJECTS = (
    "comm",
    "command",
    "process",
    "device",
    "interface",
    "target",
    "symbol",
    "function",
    "name",
    "cpu",
    "pid",
)
"""Columns that name what a row is of, the first of them that is there."""

_ASIDE = frozenset({"pid_namespace", "pid", "file", "source"})
"""Labels that tell where a value was read, not of what it is."""


class Series(NamedTuple):
    """One quantity of one subject in the order of its lines.

    Attributes:
        subject: What it is of, "" for the machine.
        values: N numbers; empty for texts.
        lines: N line numbers.
        text: The last text; "" for numbers.
        is_derived: The splitter found it.
    """

    subject: str
    values: NDArray[np.float64]
    lines: NDArray[np.int32]
    item: Item
    text: str = ""
    is_derived: bool = False

    @property
    def place(self) -> Place:
        """The lines of all values."""
        return place(self.item, int(self.lines.min()), int(self.lines.max()))


def series_of(evidence: ScopeEvidence, wanted: Collection[str]) -> dict[str, list[Series]]:
    """Return the series of the wanted names; names without any are left out."""
    found: dict[str, list[Series]] = {}
    for name in wanted:
        if own := list(_of_facts(evidence.facts(name))):
            found[name] = own
    is_on = evidence.engines.state_of("quantities") == "on"
    sets = {name.partition(".")[0] for name in wanted if "." in name}
    for item in evidence.items:
        for rows in item.reading.row_sets:
            if rows.name in sets and not is_split(rows):
                _add_rows(found, Table(rows, item), wanted)
            elif form_of(rows) == VALUES or rows.name == "status_objects":
                _add_texts(found, Table(rows, item), wanted)
        for one in measures_of(evidence, item) if is_on else ():
            for name in _names_of(one):
                if name in wanted:
                    series = Series(one.subject, one.values, one.lines, item, is_derived=True)
                    found.setdefault(name, []).append(series)
    return found


def measures_of(evidence: ScopeEvidence, item: Item) -> list[Measure]:
    """Return the measures of an item, which are made once."""
    key = ("measures", item.evidence, item.section)
    found = evidence.memo.get(key)
    if not isinstance(found, list):
        found = evidence.memo[key] = measures(item)
    return found


def _of_facts(entries: list[FactEntry]) -> Iterator[Series]:
    """Yield the looks of each subject as one series."""
    by_subject: dict[tuple[str, ...], list[FactEntry]] = {}
    for one in entries:
        key = (one.item.evidence, *(f"{name}={value}" for name, value in one.fact.labels.items()))
        by_subject.setdefault(key, []).append(one)
    for same in by_subject.values():
        same.sort(key=lambda one: one.fact.snapshot)
        last = same[-1]
        subject = ", ".join(value for name, value in last.fact.labels.items() if name not in _ASIDE)
        subject = subject or last.fact.labels.get("pid", "")
        lines = np.array([one.fact.lines.first for one in same], dtype=np.int32)
        is_text = isinstance(last.fact.value, str)
        values = np.array([] if is_text else [one.number for one in same], dtype=np.float64)
        yield Series(subject, values, lines, last.item, str(last.fact.value) if is_text else "")


def _add_rows(found: dict[str, list[Series]], rows: Table, wanted: Collection[str]) -> None:
    """Add the columns of a set of rows, for each subject in the order of its rows."""
    columns = [one for one in rows.rows.columns if f"{rows.rows.name}.{one}" in wanted]
    if not columns or not len(rows.rows):
        return
    named = [one for one in _SUBJECTS if one in rows.rows.columns]
    names = list(rows.words(*named)) if named else [""] * len(rows.rows)
    groups: dict[str, list[int]] = {}
    for at, name in enumerate(names):
        groups.setdefault(str(name or ""), []).append(at)
    lines = np.array(rows.rows.row_lines, dtype=np.int32)
    for column in columns:
        numbers = rows.numbers(column)
        for subject, places in groups.items():
            kept = [at for at in places if np.isfinite(numbers[at])]
            if kept:
                series = Series(subject, numbers[kept], lines[kept], rows.item)
                found.setdefault(f"{rows.rows.name}.{column}", []).append(series)


def _add_texts(found: dict[str, list[Series]], rows: Table, wanted: Collection[str]) -> None:
    """Add the texts of keys, and the states of objects, by their printed names."""
    is_status = rows.rows.name == "status_objects"
    columns = {name: rows.rows.column(name) for name in rows.rows.columns}
    keys = columns.get("kind" if is_status else "key")
    texts = columns.get("state" if is_status else "text")
    subjects = columns.get(SUBJECT)
    if keys is None or texts is None:
        return
    for at, (key, text) in enumerate(zip(keys, texts, strict=True)):
        name = f"status:{key}" if is_status else f"{LABEL}{normal_form(str(key))}"
        if name in wanted and isinstance(text, str) and text:
            line = np.array([rows.rows.row_lines[at]], dtype=np.int32)
            subject = str(subjects[at] or "") if subjects is not None else ""
            found.setdefault(name, []).append(Series(subject, np.array([]), line, rows.item, text))


def _names_of(measure: Measure) -> tuple[str, ...]:
    label = f"{LABEL}{normal_form(measure.label)}"
    if measure.meaning is None:
        return (label,)
    return (label, f"{measure.meaning.quantity} of {measure.meaning.of}")
