"""What the general engines read beside a reader: states of objects, and the rows that it left over.

A line that no fact and no row of a reading cites was skipped, or is a head. Of these lines the splitter makes
tables, keys and values, of which those with a known meaning are kept.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from ingest.engines.quantities.grid import row_set
from ingest.engines.quantities.meanings import has_meaning
from ingest.engines.quantities.splitter import grids_of
from ingest.engines.status.find import statuses
from ingest.engines.status.model import row_set as status_rows
from ingest.readers.logs.text.split_rows import SplitRows

if TYPE_CHECKING:
    from ingest.model.reading import Reading
    from ingest.model.section import Text

LEFT_OUT = re.compile(r"since boot|average|again")
"""Reasons of rows that a reader knows, and leaves out on purpose."""

MOST_HEADS = 4
"""More lines that nothing cites than were skipped, but for these, are lines that the reader sums up."""

MOST_LINES = 5_000
"""Lines of a known format that are looked at."""

_OF_A_PROCESS = re.compile(r"(?:^|/)proc/\d{1,10}/")
"""Files of one process, of which there are thousands in a report: they hold the state of no other object."""


def with_engine_rows(reading: Reading, text: Text) -> Reading:
    """Return the reading of a known format with what the engines read of its lines."""
    if text.path and _OF_A_PROCESS.search(text.path) and _has_any(reading):
        return reading
    if len(text.lines) <= MOST_LINES and not reading.log_records:
        objects = [one for one in statuses(text.lines) if one.word]
        if objects:
            own = status_rows(objects, text.first_line)
            reading = replace(reading, row_sets=(*reading.row_sets, own))
    if not _has_any(reading):
        split = SplitRows(text.first_line)
        split.take(text)
        found = split.result().row_sets
        # A single row without a known name is as likely a sentence: that nothing was read is said then.
        is_table = split.has_meaning or any(len(rows) > 1 for rows in found)
        return replace(reading, row_sets=found) if is_table else reading
    return _with_skipped(reading, text)


def _has_any(reading: Reading) -> bool:
    parts = (reading.facts, reading.row_sets, reading.profiles, reading.tables, reading.histograms)
    return any(parts) or bool(reading.log_records)


def _with_skipped(reading: Reading, text: Text) -> Reading:
    """Return the reading with rows of the lines that nothing in it cites, if their names have a meaning."""
    others = (reading.profiles, reading.tables, reading.histograms, reading.log_records)
    if any(others) or not reading.skipped or len(text.lines) > MOST_LINES:
        return reading
    cited: set[int] = set()
    for skip in reading.skipped:
        if LEFT_OUT.search(skip.reason):
            cited.update(range(skip.first_line, skip.first_line + skip.count))
    for fact in reading.facts:
        cited.update(range(fact.lines.first, fact.lines.last + 1))
    for rows in reading.row_sets:
        cited.update(rows.row_lines)
    left = [
        (line, entry)
        for line, entry in enumerate(text.lines, start=text.first_line)
        if line not in cited and entry.strip()
    ]
    skipped = sum(skip.count for skip in reading.skipped if not LEFT_OUT.search(skip.reason))
    if not 0 < len(left) <= skipped + MOST_HEADS:
        return reading
    grids = filter(has_meaning, grids_of([entry for _, entry in left]).grids)
    found = tuple(row_set(one._replace(lines=[left[at][0] for at in one.lines])) for one in grids)
    return replace(reading, row_sets=(*reading.row_sets, *found)) if found else reading
