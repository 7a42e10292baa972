"""`casebook inspect`: recognised sections of evidence with lines and skipped content.

$ casebook inspect paste.txt
paste.txt: 4 lines, 2 sections
  lines 1-2  cgroup-memory-value @1  memory.failcnt: 1 fact
  lines 3-4  perf-table @1  $ perf top --stdio | head: 1 table of 1 symbol
             ! excerpt: the command above keeps only some lines (line 3)
"""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, Any

import click

from cli.process import exits
from cli.process.arguments import evidence_paths
from cli.process.confined import ConfinedCommand, Reach
from cli.process.output import print_lines, print_text
from signatures.rendering.lines import Line

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ingest.evidence import Evidence, Section
    from ingest.model.reading import Reading, Skipped

MAX_COMMAND = 60


@click.command("inspect", cls=ConfinedCommand, reach=Reach(reads=("paths",)))
@evidence_paths
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def command(paths: tuple[str, ...], *, as_json: bool) -> None:
    """Show the recognised sections of PATH, without judging it.

    Exit status: 3 nothing could be read.
    """
    from cli.evidence.paths import read  # noqa: PLC0415 - keeps `casebook --help` fast
    from signatures.rendering.report import flat  # noqa: PLC0415 - same

    evidences = list(flat(list(read(paths))))
    if as_json:
        print_text(json.dumps([_document(one) for one in evidences], indent=2, ensure_ascii=False) + "\n")
    else:
        print_lines(line for evidence in evidences for line in _lines(evidence))
    if not any(evidence.state == "read" for evidence in evidences):
        sys.exit(exits.REFUSED)


def gives(reading: Reading) -> list[str]:
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


def _lines(evidence: Evidence) -> Iterator[Line]:
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
    text = "; ".join(gives(section.reading)) or "stored as text"
    yield Line(f"{where}  {section.format} @{section.format_version}  {f'{about}: ' if about else ''}{text}")
    indent = " " * 6
    for remark in section.reading.quality:
        yield Line(f"{indent}! {remark.name}: {remark.detail} (line {remark.line})", "yellow")
    for row in section.reading.skipped:
        yield Line(f"{indent}- skipped {_skip(row)}")


def _skip(row: Skipped) -> str:
    return f"{row.count:,} x {row.reason} (first at {row.first_line})"


def _document(evidence: Evidence) -> dict[str, Any]:
    return {
        "name": evidence.name,
        "captured_path": evidence.captured_path,
        "state": evidence.state,
        "reason": evidence.reason,
        "line_count": evidence.line_count,
        "members": len(evidence.members),
        "left_out": _skipped(evidence.skipped),
        "sections": [
            {
                "format": section.format,
                "format_version": section.format_version,
                "first_line": section.first_line,
                "last_line": section.last_line,
                "path": section.path,
                "command": section.command,
                "gives": gives(section.reading),
                "quality": [remark._asdict() for remark in section.reading.quality],
                "skipped": _skipped(section.reading.skipped),
            }
            for section in evidence.sections
        ],
    }


def _skipped(rows: Sequence[Skipped]) -> list[dict[str, Any]]:
    return [{"reason": row.reason, "count": row.count, "first_line": row.first_line} for row in rows]
