"""Rows with a time before each that their tool does not print: taken off where they are read only without it.

22:01:02 21  9      0 9163900  73936 12524068 ...   ->   a row of vmstat, with its time
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ingest.paste.stamps import LEAST_ROWS, unstamped
from ingest.sections.recognise import Span, spans

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ingest.parsing.protocols import Format

STAMPED_SHARE = 0.6
"""Of lines with a time before them, at least so many are rows of a format without it."""

STAMPED_LINES = 5000
"""Longer texts with times are logs of programs, which hold no table."""


def without_times(
    lines: Sequence[str], covered: list[Span]
) -> tuple[Sequence[str], list[Span], Mapping[int, str]]:
    """Return lines, spans and clocks by line, the times taken off where that makes rows of lines.

    Args:
        lines: A whole text.
        covered: Its spans as it stands.
    """
    found = unstamped(lines) if len(lines) <= STAMPED_LINES else None
    if found is None:
        return lines, covered, {}
    # A format that prints the time itself keeps its lines.
    rows: set[int] = set()
    own: set[str] = set()
    for span in covered:
        for at in found.times.keys() & set(range(span.first, span.last + 1)):
            if span.format and _is_row(span.format, lines, at):
                own.add(span.format.NAME)
            else:
                rows.add(at)
    if len(rows) < LEAST_ROWS:
        return lines, covered, {}
    inner = spans(found.lines)
    taken = {at for span in inner if span.format for at in range(span.first, span.last + 1)}
    is_own = any(span.format and span.format.NAME in own for span in inner)
    if is_own or len(rows & taken) < STAMPED_SHARE * len(rows):
        return lines, covered, {}
    return found.lines, inner, found.times


def _is_row(reader: Format, lines: Sequence[str], at: int) -> bool:
    """Return whether a format takes a line, and not only because it stands beside its own."""
    return reader.continues(lines[at]) or reader.begins(lines, at)
