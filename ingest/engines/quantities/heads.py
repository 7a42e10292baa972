"""Tables with a head: bars, tabs, commas or aligned blanks; a line of groups above the head; rulers.

                  capacity     operations
    pool        alloc   free   read  write
    ----------  -----  -----  -----  -----
    tank         983G  2.67T    904    911
    ->  name, `capacity alloc`, `capacity free`, `operations read`, `operations write`

A line is a head when it has names only, and lines below it have as many cells, with numbers in columns.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from typing import TYPE_CHECKING

from ingest.engines.quantities.cells import number_of
from ingest.engines.quantities.grid import SUBJECT
from ingest.engines.quantities.head_forms import FORMS, bars, blanks, is_ruler, wide
from ingest.engines.quantities.typed_columns import typed_columns

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ingest.engines.quantities.grid import Grid
    from ingest.engines.quantities.head_forms import Form

MOST_COLUMNS = 200
MOST_NAME = 40
LEAST_FIT = 0.6
"""Of the lines below a head that have its cells."""

LEAST_ALIGNED, MOST_ALIGNED = 3, 2_000
"""Rows that are read by where their words stand."""

MOST_LOOKED_AT = 40
"""Lines below a head that decide whether it is one."""


_PERCENTILE = re.compile(r"\d{1,2}(?:\.\d{1,5})?%$")
_BETWEEN = re.compile(r"[\s,|│┃]+")
_PROMPTS = ("$", "%", ">", "~", "(", "[")

_NAMING = re.compile(r"[A-Za-z%_]")


def grids(lines: Sequence[str], free: Sequence[int]) -> Iterator[tuple[Grid, list[int]]]:
    """Yield the tables among the lines with the indices `free`, each with the indices that it takes."""
    blocks: list[list[int]] = []
    for at in free:
        last = blocks[-1][-1] if blocks else at
        if last == at - 1 or (last == at - 2 and is_ruler(lines[last]) and not lines[at - 1].strip()):
            blocks[-1].append(at)
        else:
            blocks.append([at])
    for block in blocks:
        begin = 0
        while begin + 1 < len(block):
            try:
                found = _table(lines, block, begin)
            except _NoTableError as error:
                begin = bisect_right(block, error.args[0])
                continue
            if found is None:
                begin += 1
                continue
            grid, taken = found
            yield grid, taken
            begin = bisect_right(block, taken[-1])


def _table(lines: Sequence[str], block: Sequence[int], begin: int) -> tuple[Grid, list[int]] | None:
    """Return the table whose head is line `block[begin]`, with all lines that it takes."""
    head = lines[block[begin]]
    if not _NAMING.search(head) or is_ruler(head):
        return None
    first = next((at for at in block[begin + 1 : begin + 4] if not is_ruler(lines[at])), None)
    if first is None or not _has_number(lines[first]):
        return None
    near = [at for at in block[begin + 1 : begin + 1 + MOST_LOOKED_AT] if not is_ruler(lines[at])]
    for form in FORMS:
        own = form.head(head)
        if not _are_names(own, form) or not _are_values(near, lines, own):
            continue
        names, fitting = _read(lines, near, form, head)
        if not fitting or len(fitting) < LEAST_FIT * _until(lines, near, names):
            continue
        below = [at for at in block[begin + 1 :] if not is_ruler(lines[at])]
        if len(below) > len(near):
            names, fitting = _read(lines, below, form, head)
        if _has_groups(names) and begin:
            names = _grouped(lines[block[begin - 1]], head, names)
        places = sorted(fitting)
        grid = typed_columns(names, places, [fitting[at] for at in places], _title(lines, block, begin))
        if grid is not None:
            first = max(0, begin - 1) if names != own and begin else begin
            return grid, list(block[first : bisect_right(block, places[-1])])
        if len(below) > len(near):
            # What is long and has no numbers is not looked at again from each of its lines.
            raise _NoTableError(places[-1])
    return None


class _NoTableError(Exception):
    """Rows that fit a head, but have no columns of numbers; `args` is the index of their last line."""


def _read(
    lines: Sequence[str], below: Sequence[int], form: Form, head: str
) -> tuple[list[str], dict[int, list[str]]]:
    """Return the names of the columns, and the cells of the lines that fit them."""
    names = form.head(head)
    fitting = _fitting(lines, below, form, len(names))
    if form.row in {blanks, wide} and not form.is_open_ended and not fitting:
        names, fitting = _with_unnamed(lines, below, form, names)
    if form.is_open_ended and not fitting:
        fitting = _aligned(head, lines, below)
    return names, fitting


def _until(lines: Sequence[str], below: Sequence[int], names: Sequence[str]) -> int:
    """Return how many lines stand below a head before it is repeated."""
    return next(
        (count for count, at in enumerate(below) if lines[at].split()[:2] == list(names[:2])), len(below)
    )


def _are_names(names: Sequence[str], form: Form) -> bool:
    if not form.least_columns <= len(names) <= MOST_COLUMNS:
        return False
    if any(len(name) > MOST_NAME for name in names) or sum(not name for name in names) > 1:
        return False
    if any(name.endswith((".", ":", ",")) for name in names) and form.row is not bars:
        return False
    return not any(_is_value(name) for name in names) and not names[0].startswith(_PROMPTS)


def _is_value(name: str) -> bool:
    """Return whether a cell is none of a head: a number, key and value; `99%` is a name."""
    bare = name.strip("()[]<>")
    is_percentile = _PERCENTILE.match(name) is not None
    return "=" in name or (number_of(bare) is not None and not is_percentile) or bare.count("/") > 3


def _are_values(below: Sequence[int], lines: Sequence[str], names: Sequence[str]) -> bool:
    """Return whether the first line below has numbers, and is not made of the same words."""
    words = _BETWEEN.split(lines[below[0]].strip())
    head = {word for name in names for word in name.split()}
    return sum(word in head for word in words) * 2 < len(words)


def _has_number(line: str) -> bool:
    return any(number_of(word.strip("()[]<>,|")) is not None for word in _BETWEEN.split(line.strip()))


def _fitting(lines: Sequence[str], below: Sequence[int], form: Form, width: int) -> dict[int, list[str]]:
    """Return the cells of the lines that have as many as the head, up to a repeated head."""
    found: dict[int, list[str]] = {}
    misses = 0
    for at in below:
        cells = form.row(lines[at])
        if form.is_open_ended and len(cells) > width:
            cells = [*cells[: width - 1], " ".join(cells[width - 1 :])]
        if len(cells) == width and any(number_of(cell) is not None for cell in map(_bare, cells)):
            found[at] = cells
            misses = 0
        else:
            misses += 1
            if misses > 2 and not found:
                break
    return found


def _with_unnamed(
    lines: Sequence[str], below: Sequence[int], form: Form, names: list[str]
) -> tuple[list[str], dict[int, list[str]]]:
    """Return names and cells of rows with one cell more than the head, which has no name for the subject."""
    fitting = _fitting(lines, below, form, len(names) + 1)
    if not fitting:
        return names, fitting
    if all(number_of(cells[-1]) is None for cells in fitting.values()):
        return [*names, SUBJECT], fitting
    if all(number_of(cells[0]) is None for cells in fitting.values()):
        return [SUBJECT, *names], fitting
    return names, {}


def _aligned(head: str, lines: Sequence[str], below: Sequence[int]) -> dict[int, list[str]]:
    """Return the cells of rows with fewer words than the head has, each below the nearest name."""
    names = [(found.start(), found.end()) for found in re.finditer(r"\S+", head)]
    found: dict[int, list[str]] = {}
    for at in below[:MOST_ALIGNED]:
        words = [(one.start(), one.end(), one[0]) for one in re.finditer(r"\S+", lines[at])]
        if not LEAST_FIT * len(names) <= len(words) < len(names):
            return {}
        places = _nearest(names, [word[:2] for word in words])
        cells = [""] * len(names)
        for place, word in zip(places, words, strict=True):
            cells[place] = word[2]
        found[at] = cells
    return found if len(found) >= LEAST_ALIGNED else {}


def _nearest(names: Sequence[tuple[int, int]], words: Sequence[tuple[int, int]]) -> list[int]:
    """Return for each word the name that it stands below, in order, with the least distance in all."""
    best: list[tuple[int, list[int]]] = [(0, []), *((1 << 30, list[int]()) for _ in words)]
    for place, (start, end) in enumerate(names):
        for count in range(min(place + 1, len(words)), 0, -1):
            left, right = words[count - 1]
            cost = best[count - 1][0] + min(abs(left - start), abs(right - end))
            if cost < best[count][0]:
                best[count] = (cost, [*best[count - 1][1], place])
    return best[-1][1]


def _bare(cell: str) -> str:
    return cell.split(" ", 1)[0] if cell else ""


def _has_groups(names: Sequence[str]) -> bool:
    return len(set(names)) < len(names)


def _grouped(above: str, head: str, names: Sequence[str]) -> list[str]:
    """Return names with the group above each, of a head with names that repeat."""
    groups = [(found.start(), found.end(), found[0]) for found in re.finditer(r"\S+(?: \S+)*", above)]
    if not groups or any(number_of(word) for _, _, text in groups for word in text.split()):
        return list(names)
    found: list[str] = []
    at = 0
    for name in names:
        start = head.find(name, at)
        if start < 0:
            found.append(name)
            continue
        at = start + len(name)
        middle = (start + at) / 2
        nearest = min(groups, key=lambda one: abs((one[0] + one[1]) / 2 - middle))
        is_below = nearest[0] - len(name) <= middle <= nearest[1] + len(name)
        text = nearest[2].strip("-")
        found.append(f"{text} {name}" if is_below and text else name)
    return found


def _title(lines: Sequence[str], block: Sequence[int], begin: int) -> str:
    """Return the line right above the table, or one blank line above it, if it is a short title."""
    at = block[begin] - 1
    while at >= 0 and at >= block[begin] - 2 and not lines[at].strip():
        at -= 1
    text = lines[at].strip() if at >= 0 else ""
    return text.rstrip(":") if 0 < len(text) <= 2 * MOST_NAME and text.endswith(":") else ""
