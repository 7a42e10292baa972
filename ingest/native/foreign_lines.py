r"""Runs of lines in a long text that are not of its format: where another output may begin.

    foreign_to_perf_script(b"java 1 1.000000: cycles:\n\n[  1.000000] usb 1-1: new\n", 100)  ->
    [Run(start=26, lines_above=2, line_count=1, end=53)]

Blank lines are foreign to no format.
"""

from __future__ import annotations

from typing import NamedTuple

from ingest.native import _core


class Run(NamedTuple):
    """Foreign lines in a row, blank lines between them included.

    Attributes:
        start: First byte of the first line.
        lines_above: Lines of the text above it.
        line_count: Lines that are not blank.
        end: First byte behind the run.
    """

    start: int
    lines_above: int
    line_count: int
    end: int


def foreign_to_perf_script(text: bytes, most: int) -> list[Run]:
    """Return the runs of lines that are not of `perf script`, at most `most`."""
    return [Run(*run) for run in _core.foreign_to_perf_script(text, most)]


def foreign_to_folded(text: bytes, most: int) -> list[Run]:
    """Return the runs of lines that are no folded stacks, at most `most`."""
    return [Run(*run) for run in _core.foreign_to_folded(text, most)]
