"""One part of a text, read by its reader: errors contained, annotations taken off, remarks added."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from ingest.engines.series.clock import SCALES, TEXT
from ingest.model.errors import IngestError, contained
from ingest.model.reading import Quality, Skipped
from ingest.model.row_columns import column_of
from ingest.paste.annotations import without_annotations
from ingest.paste.prompt import is_excerpt, is_filter, is_inside
from ingest.readers.logs import text as plain
from ingest.sections import log_outputs
from ingest.sections.engine_rows import with_engine_rows
from ingest.sections.finite_numbers import with_finite_numbers
from ingest.sections.hung_reads import with_hung_reads

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from ingest.model.facts import Fact
    from ingest.model.reading import Reading, RowSet
    from ingest.model.section import Text
    from ingest.sections.part import Part

TIMES = {TEXT, *SCALES, "epoch"}
"""Columns that are the time of a row."""

REFUSED = "not read as"
"""How the reason begins for a section that its reader rejected."""


@dataclass(frozen=True, slots=True)
class ReadPart:
    """One part and what was read out of it; see `ingest.evidence.Section`."""

    format: str
    format_version: int
    first_line: int
    last_line: int
    path: str
    command: str
    reading: Reading

    @property
    def is_recognised(self) -> bool:
        """Whether anything but unknown text was found."""
        return self.format != plain.NAME


@dataclass(frozen=True, slots=True)
class TextReading:
    """All parts of one text, how many lines it has, and what no part holds."""

    parts: tuple[ReadPart, ...]
    line_count: int
    skipped: tuple[Skipped, ...]


def read_part(part: Part) -> ReadPart:
    """Read one part; if its reader rejects it or fails, it stays text, with the reason."""
    reader = part.reader
    text, annotations, ellipsis = without_annotations(part.text) if part.is_recognised else (part.text, (), 0)
    try:
        with contained(reader.NAME):
            reading = log_outputs.read(part) if part.outputs or part.repeated else reader.read(text)
    except IngestError as error:
        reading = plain.read(text)
        refused = Skipped(f"{REFUSED} {reader.NAME}: {error}", len(text.lines), text.first_line)
        reading = replace(reading, skipped=(*reading.skipped, refused))
        reader = plain
    if reader is not plain:
        reading = with_engine_rows(reading, text)
    reading = with_hung_reads(_with_times(reading, text), text)
    if annotations:
        reading = replace(reading, skipped=(*reading.skipped, *annotations))
    return finished(part if part.reader is reader else replace(part, reader=reader), reading, ellipsis)


def _with_times(reading: Reading, text: Text) -> Reading:
    """Return the reading with the times that stood before its rows, where the tool prints none."""
    if not text.times:
        return reading
    row_sets = (
        rows if TIMES & set(rows.columns) else _timed_rows(rows, text.times) for rows in reading.row_sets
    )
    return replace(reading, row_sets=tuple(row_sets))


def _timed_rows(rows: RowSet, times: Mapping[int, str]) -> RowSet:
    found = [times.get(line) for line in rows.row_lines]
    if not any(found):
        return rows
    return replace(rows, columns=(*rows.columns, TEXT), cells=(*rows.cells, column_of(found)))


def finished(part: Part, reading: Reading, ellipsis: int) -> ReadPart:
    """Return the part with what was read out of it, and what its prompt and file name say about that.

    Args:
        part: The part and who read it.
        reading: What was read.
        ellipsis: First line of dots, 0 if none.
    """
    reading = with_finite_numbers(reading)
    remarks = tuple(_remarks(part, reading, ellipsis))
    reading = _mark_container_pids(reading, part.text.command)
    if remarks or part.at is not None:
        reading = replace(reading, quality=(*reading.quality, *remarks), facts=_timed(part, reading))
    return ReadPart(
        part.reader.NAME,
        part.reader.VERSION,
        part.first_line,
        part.last_line,
        part.text.path,
        part.text.command,
        reading,
    )


def _mark_container_pids(reading: Reading, command: str) -> Reading:
    """Mark PIDs of a container namespace: outside the same process has another number."""
    if not is_inside(command):
        return reading
    facts = (
        replace(fact, labels={**fact.labels, "pid_namespace": "inner"}) if "pid" in fact.labels else fact
        for fact in reading.facts
    )
    return replace(reading, facts=tuple(facts))


def _timed(part: Part, reading: Reading) -> tuple[Fact, ...]:
    """Return the facts with the time above the part, unless they have one."""
    if part.at is None:
        return reading.facts
    return tuple(replace(fact, at=part.at) if fact.at is None else fact for fact in reading.facts)


def _remarks(part: Part, reading: Reading, ellipsis: int) -> Iterator[Quality]:
    """Yield quality remarks derived from prompt, file name and a line of dots."""
    names = reading.quality_names
    if part.hint:
        detail = f"nothing in the text says what it is; read so because the file is named {part.hint}"
        yield Quality("assumed_path", detail, part.first_line)
    if is_filter(part.text.command) and "filtered" not in names:
        yield Quality("filtered", "the command above drops lines by what they hold", part.first_line)
    if is_excerpt(part.text.command) and "excerpt" not in names:
        yield Quality("excerpt", "the command above keeps only some lines", part.first_line)
    elif ellipsis and "excerpt" not in names:
        yield Quality("excerpt", "lines are left out at `...`", ellipsis)
