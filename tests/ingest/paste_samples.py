"""Pastes of a sample of every output format, and what is read from them.

A sample is the first file by name in `tests/data/<format>/`; the format's `COMMAND` prints it.
"""

from __future__ import annotations

import gzip
import tempfile
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

from ingest.evidence import read_file
from ingest.paste.prompt import prompt_at
from ingest.readers import FORMATS
from tests.ingest.samples import samples_of

if TYPE_CHECKING:
    from ingest.evidence import Evidence, Section

COMMANDS = {one.NAME: one.COMMAND for one in FORMATS}
MAX_LINES = 120
WHOLE = frozenset({"fio-json", "perf-table", "perf-lock"})
"""Formats whose output means something else without its end."""


def lines_of(format_name: str) -> list[str]:
    """Return the first lines of the sample, without those a previous hand left at its ends."""
    path = samples_of(format_name)[0]
    content = path.read_bytes()
    text = gzip.decompress(content) if path.suffix == ".gz" else content
    lines = text.decode().splitlines()
    first = 0
    while prompt_at(lines, first):
        first += 1
    return lines[first:] if format_name in WHOLE else lines[first:MAX_LINES]


def read(lines: list[str]) -> Evidence:
    """Read lines as a file with a neutral name."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "paste")
        path.write_text("\n".join(lines) + "\n")
        return read_file(path)


def sections(evidence: Evidence, format_name: str) -> list[Section]:
    """Return the sections that the format read."""
    return [section for section in evidence.sections if section.format == format_name]


POSITIONS = ("last_line",)
"""Columns that hold a line number."""


def essence(found: list[Section]) -> Counter[object]:
    """Return all readings without their positions: what a paste must not change."""
    counts: Counter[object] = Counter()
    for section in found:
        reading = section.reading
        for fact in reading.facts:
            counts[fact.name, fact.value, tuple(sorted(fact.labels.items()))] += 1
        for rows in reading.row_sets:
            kept = [at for at, column in enumerate(rows.columns) if column not in POSITIONS]
            counts.update((rows.name, *(row[at] for at in kept)) for row in rows.rows)
        for one in reading.histograms:
            counts[one.name, one.key, tuple(one.counts)] += 1
        for record in reading.log_records:
            counts[record.kind, record.message] += 1
        for profile in reading.profiles:
            counts["weight", profile.event, round(profile.weight, 6), len(profile.frames)] += 1
        for table in reading.tables:
            counts["table", table.event, len(table.symbols)] += 1
    return counts


def remarks(found: list[Section]) -> set[str]:
    """Return the names of the quality remarks on the sections."""
    return {name for section in found for name in section.reading.quality_names}
