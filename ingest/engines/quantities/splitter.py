"""The splitter: all grids of a text, each line in at most one.

    grids_of(lines)  ->  Split(grids, lines that are in none)

A JSON document as a whole; else vertical records, labelled records and tables with a head first, then pairs,
key and value, lines that repeat. It reads the first `MOST_LINES`; what is beyond is counted. Logs are left
alone: a line that states its level or program is none of a table.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from ingest.engines.quantities import heads, json_values, keyed, labelled, pairs, status_lines, vertical
from ingest.engines.quantities.cells import MOST_CHARACTERS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ingest.engines.quantities.grid import Grid

MOST_LINES = 20_000
MOST_GRIDS = 200

_LOG = re.compile(
    r"\b(?:INFO|WARN|WARNING|ERROR|DEBUG|FATAL|TRACE|NOTICE|CRITICAL)\b|\blevel=\w"
    r"|[\w.-]{2,40}\[\d{1,7}\]:|^<\d{1,3}>"
    r"|^\s*\[ *\d{1,9}\.\d{6}\]|^# (?:HELP|TYPE|EOF)\b"
)
_JSON_PAIR = re.compile(r"^(?P<indent>\s+)\"(?P<key>[^\"]{1,80})\"\s*:\s*(?P<value>.*?),?$")
"""A line of JSON that was printed with a key on each line."""

_DIGIT = re.compile(r"\d")
_STAMP = re.compile(
    r"(?<![\w.-])(?:(?P<date>\d{4}-\d\d-\d\d)|\d\d-\d\d(?:-\d\d)?|\d\d/\d\d/\d{2,4}|\d{4}/\d\d/\d\d) "
    r"(?P<clock>\d\d:\d\d:\d\d(?:[.,]\d{1,9})?)(?: UTC)?(?![\w:])"
)
_HALF_DAY = re.compile(r"(?<!\S)(?P<hour>\d{1,2})(?P<rest>:\d\d:\d\d) (?P<half>[AP])M(?= |$)")
HALF_DAY = 12
_GAP = re.compile(r" {20,}")


class Split(NamedTuple):
    """The grids of a text in the order of their lines; `lines` are the indices that they take."""

    grids: tuple[Grid, ...]
    lines: frozenset[int]
    beyond: int = 0


def grids_of(lines: Sequence[str]) -> Split:
    """Return all grids of a text; their lines are indices in `lines`."""
    kept = [_plain(line) for line in lines[:MOST_LINES]]
    kept, numbers = _unfolded(kept)
    free = [at for at, line in enumerate(kept) if line.strip() and not _LOG.search(line[:200])]
    if not any(_DIGIT.search(kept[at]) for at in free):
        return Split((), frozenset())
    found: list[Grid] = []
    document = [grid for grid, _ in json_values.grids(lines[:MOST_LINES], free)]
    if document:
        return Split(tuple(document), frozenset(free), max(0, len(lines) - MOST_LINES))
    for split in (vertical.grids, labelled.grids, heads.grids, pairs.grids, keyed.grids, status_lines.grids):
        taken: set[int] = set()
        for grid, own in split(kept, free):
            if len(found) < MOST_GRIDS:
                found.append(grid._replace(lines=[numbers[at] for at in grid.lines]))
                taken.update(own)
        free = [at for at in free if at not in taken]
    used = frozenset(line for grid in found for line in grid.lines)
    return Split(tuple(sorted(found, key=lambda one: one.lines[0])), used, max(0, len(lines) - MOST_LINES))


def _plain(line: str) -> str:
    """Return a line without control characters and the mark of a quotation, not longer than is looked at."""
    line = _one_clock(line[:MOST_CHARACTERS].replace("\0", " ").rstrip())
    if pair := _JSON_PAIR.match(line):
        line = f"{pair['indent']}{pair['key']}: {pair['value'].strip().strip(chr(34)).strip('{[')}".rstrip()
    return line[2:] if line.startswith("> ") else line.removeprefix("`")


def _one_clock(line: str) -> str:
    """Return a line with date and time as one word, and the hours of a day counted to 24."""
    if ":" not in line:
        return line
    line = _STAMP.sub(
        lambda found: f"{found['date']}T{found['clock']}" if found["date"] else found["clock"], line, count=2
    )
    return _HALF_DAY.sub(
        lambda found: (
            f"{int(found['hour']) % HALF_DAY + HALF_DAY * (found['half'] == 'P'):02d}{found['rest']}"
        ),
        line,
        count=2,
    )


def _unfolded(lines: Sequence[str]) -> tuple[list[str], list[int]]:
    """Return rows that stand on one line, far apart and alike, as lines of their own, with their numbers."""
    found: list[str] = []
    numbers: list[int] = []
    for at, line in enumerate(lines):
        parts = _GAP.split(line) if len(line) > 80 and "  " * 10 in line else [line]
        firsts = {part.split(None, 1)[0] for part in parts if part.strip()}
        shapes = {len(part.split()) for part in parts if part.strip()}
        if len(parts) > 1 and len(firsts) == 1 and len(shapes) == 1:
            found += parts
            numbers += [at] * len(parts)
        else:
            found.append(line)
            numbers.append(at)
    return found, numbers
