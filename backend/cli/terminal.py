"""An analysis as lines for a terminal: what was read, what was found, what to collect next."""

from __future__ import annotations

import re
import shutil
import sys
import textwrap
from typing import TYPE_CHECKING

import click

from backend.cli.analysis import flat
from signatures import report
from signatures.judge import next_captures

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from backend.cli.analysis import Analysis
    from ingest.evidence import Evidence
    from ingest.reading import Skipped
    from signatures.finding import NextCapture

NARROWEST = 60
WIDTH_WITHOUT_TERMINAL = 10_000
"""A line that goes to a file or a pipe is one line: it can be searched."""

_COLOURS = (
    (re.compile(r"^MATCH\b"), "red"),
    (re.compile(r"^SUSPECT\b"), "yellow"),
    (re.compile(r"^ +\+ "), "green"),
    (re.compile(r"^rejected\b"), "red"),
)


def width() -> int:
    """Return how wide a line may be."""
    if not sys.stdout.isatty():
        return WIDTH_WITHOUT_TERMINAL
    return max(NARROWEST, shutil.get_terminal_size().columns)


def lines_of(analysis: Analysis, *, with_all: bool = False) -> Iterator[str]:
    """Yield the whole report."""
    yield from evidence_lines(analysis.evidences)
    yield ""
    yield from report.text_lines(analysis.findings, is_all=with_all)
    captures = next_captures(analysis.findings)
    if captures:
        yield "Collect next, what settles most first:"
        for number, wanted in enumerate(captures, start=1):
            yield from _capture_lines(number, wanted)


def evidence_lines(evidences: Sequence[Evidence]) -> Iterator[str]:
    """Yield what was read of each file, and why not."""
    for evidence in flat(evidences):
        name = evidence.captured_path or evidence.name
        if evidence.state != "read":
            yield f"rejected  {name}: {evidence.reason}"
            continue
        yield f"read      {name}: {_content(evidence)}"
        yield from (f"            skipped {_skip_words(row)}" for row in evidence.skipped)
        for section in evidence.sections:
            yield from (f"            skipped {_skip_words(row)}" for row in section.reading.skipped)


def _content(evidence: Evidence) -> str:
    if evidence.members:
        return f"archive, {len(evidence.members)} members read"
    told = []
    for section in evidence.sections:
        words = section.format
        for profile in section.reading.profiles:
            if profile.has_weights:
                words += f", {profile.samples:,.0f} samples" + (
                    f" of {profile.event}" if profile.event else ""
                )
        told.append(f"{words} (lines {section.first_line}-{section.last_line})")
    return "; ".join(told) or "nothing recognised"


def _skip_words(row: Skipped) -> str:
    times = "once" if row.count == 1 else f"{row.count:,} times"
    return f"{times}, first at line {row.first_line}: {row.reason}"


def _capture_lines(number: int, wanted: NextCapture) -> Iterator[str]:
    capture = wanted.capture
    yield f"  {number}. {capture.title} (cost: {capture.cost})"
    for line in capture.run.strip().splitlines():
        yield f"       {line}"
    settled = sorted({f"{signature} {clause}" for signature, clause in wanted.settles})
    yield f"     settles {', '.join(settled)}"


def styled(line: str, limit: int) -> str:
    """Return `line` wrapped at `limit` below its own indentation, coloured by what it begins with.

    Colours go away by themselves where the output is no terminal; commands are never broken.
    """
    if len(line) > limit and not line.startswith("       "):
        indent = " " * (len(line) - len(line.lstrip()) + 2)
        line = textwrap.fill(
            line,
            limit,
            subsequent_indent=indent,
            break_long_words=False,
            break_on_hyphens=False,
            drop_whitespace=True,
        )
    for pattern, colour in _COLOURS:
        if pattern.match(line):
            return click.style(line, fg=colour)
    return line
