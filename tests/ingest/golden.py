"""Golden summary of the readings of every sample: `python -m tests.ingest.golden` rewrites it."""

from __future__ import annotations

from collections import Counter
from functools import cache
from typing import TYPE_CHECKING, Any

import yaml

from ingest.evidence import read_file
from ingest.readers import DOCUMENTS, FILES, FORMATS
from tests.ingest.samples import DATA, samples_of

if TYPE_CHECKING:
    from pathlib import Path

    from ingest.model.evidence import Section

GOLDEN = DATA / "expected" / "readings.yaml"
FOLDERS = sorted({one.NAME for one in FORMATS} | {one.NAME for one in DOCUMENTS} | {"text"})
SAMPLES = [path for name in FOLDERS for path in samples_of(name)]
FAULT = "failed, which is a bug of Casebook"
"""What `ReaderFaultError` says."""

CAPTURED = sorted(
    path for tree in ("v1", "v2", "machine") for path in (DATA / "files" / tree).rglob("*") if path.is_file()
)


@cache
def golden() -> dict[str, list[dict[str, Any]]]:
    """Return the committed summaries by the path of their sample."""
    readings: dict[str, list[dict[str, Any]]] = yaml.load(GOLDEN.read_text(), Loader=yaml.CSafeLoader)
    return readings


def captured_path(path: Path) -> str:
    """Return the captured path, "" for a loose sample."""
    inside = path.relative_to(DATA)
    return inside.relative_to(*inside.parts[:2]).as_posix() if inside.parts[0] == "files" else ""


def summary(path: Path) -> list[dict[str, Any]]:
    """Return what is read out of one file, section by section."""
    evidence = read_file(path, captured_path=captured_path(path))
    assert FAULT not in repr(evidence), path
    return [_section(section) for section in evidence.sections]


def _section(section: Section) -> dict[str, Any]:
    reading = section.reading
    row: dict[str, Any] = {"format": section.format, "lines": [section.first_line, section.last_line]}
    if reading.profiles:
        row["profiles"] = [
            {
                "event": profile.event,
                "unit": profile.unit,
                "samples": profile.samples,
                "weight": profile.weight,
                "frames": len(profile.frames),
                "nodes": len(profile.node_parent),
            }
            for profile in reading.profiles
        ]
    if reading.tables:
        row["tables"] = [
            {"event": table.event, "symbols": len(table.symbols), "residual": round(table.residual_share, 6)}
            for table in reading.tables
        ]
    if reading.facts:
        row["facts"] = len(reading.facts)
        row["first_facts"] = [
            f"{fact.name}{dict(fact.labels) or ''} = {fact.value} {fact.unit} @{fact.lines.first}".strip()
            for fact in reading.facts[:3]
        ]
    if reading.row_sets:
        row["rows"] = {rows.name: len(rows.rows) for rows in reading.row_sets}
    if reading.histograms:
        row["histograms"] = {f"{one.name} {one.key}".strip(): sum(one.counts) for one in reading.histograms}
    if reading.log_records:
        row["records"] = dict(sorted(Counter(record.kind for record in reading.log_records).items()))
    if reading.skipped:
        row["skipped"] = {row.reason: [row.count, row.first_line] for row in reading.skipped}
    if reading.quality:
        row["quality"] = sorted(reading.quality_names)
    return row


def document() -> dict[str, Any]:
    """Return the summary of every sample by its path below tests/data."""
    return {path.relative_to(DATA).as_posix(): summary(path) for path in (*SAMPLES, *CAPTURED)}


def main() -> None:
    """Write the golden file."""
    text = yaml.safe_dump(document(), sort_keys=False, allow_unicode=True, width=110)
    GOLDEN.write_text(f"# Written by `make generate-formats`; what is read out of every sample.\n{text}")
    from tests.ingest import printed_names

    printed_names.write()


def expected_names() -> set[str]:
    """Return the names of every format and reader that a sample exercises."""
    return {section["format"] for sections in golden().values() for section in sections}


ALL_NAMES = {one.NAME for readers in (FORMATS, DOCUMENTS, FILES) for one in readers}

if __name__ == "__main__":
    main()
