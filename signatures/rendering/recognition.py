"""Recognised sections of evidence as text lines.

Example:
    paste.txt: 4 lines, 2 sections
      lines 1-2  cgroup-memory-value @1  memory.failcnt: 1 fact
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from signatures.rendering.lines import Line

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ingest.evidence import Evidence, Section
    from ingest.model.reading import Reading, Skipped

MAX_COMMAND = 60


def contents_of(reading: Reading) -> list[str]:
    """Return the contents of a reading as phrases."""
    parts = [
        f"a profile of {profile.event or 'stacks'}: {profile.samples:,.0f} samples,"
        f" {len(profile.frames):,} frames"
        for profile in reading.profiles
    ]
    parts += [f"a table of {_count(len(table.symbols), 'symbol')}" for table in reading.tables]
    if reading.facts:
        parts.append(_count(len(reading.facts), "fact"))
    if reading.histograms:
        parts.append(_count(len(reading.histograms), "histogram"))
    if reading.log_records:
        parts.append(_count(len(reading.log_records), "log record"))
    parts += [f"{_count(len(rows), 'row')} of {rows.name}" for rows in reading.row_sets]
    return parts


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def recognition_lines(evidence: Evidence) -> Iterator[Line]:
    """Yield a file with its sections, remarks and skipped lines."""
    name = evidence.captured_path or evidence.name
    if evidence.state != "read":
        yield Line(f"{name}: rejected: {evidence.reason}", "red")
        return
    text = _count(len(evidence.members), "recognised member") if evidence.members else ""
    text = text or f"{_count(evidence.line_count, 'line')}, {_count(len(evidence.sections), 'section')}"
    yield Line(f"{name}: {text}", "cyan")
    for row in evidence.skipped:
        yield Line(f"  left out: {_skip(row)}")
    for section in evidence.sections:
        yield from _section(section)


def _section(section: Section) -> Iterator[Line]:
    where = f"  lines {section.first_line}-{section.last_line}"
    command = f"$ {section.command.splitlines()[0][:MAX_COMMAND]}" if section.command else ""
    about = "  ".join(part for part in (section.path, command) if part)
    text = "; ".join(contents_of(section.reading)) or "stored as text"
    yield Line(f"{where}  {section.format} @{section.format_version}  {f'{about}: ' if about else ''}{text}")
    indent = " " * 6
    for remark in section.reading.quality:
        yield Line(f"{indent}! {remark.name}: {remark.detail} (line {remark.line})", "yellow")
    for row in section.reading.skipped:
        yield Line(f"{indent}- skipped {_skip(row)}")


def _skip(row: Skipped) -> str:
    return f"{row.count:,} x {row.reason} (first at {row.first_line})"
