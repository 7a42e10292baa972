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

from ingest.engines.quantities.cells import number_of, words_of
from ingest.engines.quantities.grid import SUBJECT
from ingest.engines.quantities.head_columns import LEAST_FIT, aligned, under_edges
from ingest.engines.quantities.head_forms import FORMS, blanks, is_ruler, joined, wide
from ingest.engines.quantities.head_names import (
    are_names,
    are_values,
    grouped,
    has_groups,
    has_number,
    is_head_alone,
    title,
)
from ingest.engines.quantities.typed_columns import typed_columns

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from ingest.engines.quantities.grid import Grid
    from ingest.engines.quantities.head_forms import Form

MOST_LOOKED_AT = 40
"""Lines below a head that decide whether it is one."""


STRICT = tuple(form for form in FORMS if not form.is_open_ended)
"""Forms in which rows have as many cells as the head, before those in which one of them has no name."""

CLOCK_COLONS = 2
"""Of a clock with seconds."""

_NAMING = re.compile(r"[A-Za-z%_]")
_LABEL = re.compile(r"\s*(?P<label>[A-Za-z][\w -]{0,30}):\s+(?=[A-Za-z%])")


def grids(lines: Sequence[str], free: Sequence[int]) -> Iterator[tuple[Grid, list[int]]]:
    """Yield the tables among the lines with the indices `free`, each with the indices that it takes."""
    blocks: list[list[int]] = []
    for at in free:
        last = blocks[-1][-1] if blocks else at
        is_apart = last == at - 2 and not lines[at - 1].strip()
        if last == at - 1 or (is_apart and (is_ruler(lines[last]) or is_head_alone(lines, last))):
            blocks[-1].append(at)
        else:
            blocks.append([at])
    failed: set[tuple[str, str]] = set()
    for block in blocks:
        begin = 0
        while begin + 1 < len(block):
            # The same two lines as before, which began no table: rows that are repeated by the thousand.
            pair = (lines[block[begin]], lines[block[begin + 1]])
            if pair in failed:
                begin += 1
                continue
            try:
                found = _table(lines, block, begin)
            except _NoTableError as error:
                begin = bisect_right(block, error.args[0])
                continue
            if found is None:
                failed.add(pair)
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
    if label := _LABEL.match(head):
        return _labelled(lines, block, begin, label)
    first = next((at for at in block[begin + 1 : begin + 4] if not is_ruler(lines[at])), None)
    if first is None or not has_number(lines[first]):
        return None
    near = [at for at in block[begin + 1 : begin + 1 + MOST_LOOKED_AT] if not is_ruler(lines[at])]
    return (
        _of_forms(lines, block, begin, near, STRICT)
        or _below_edges(lines, block, begin, near)
        or _of_forms(lines, block, begin, near, FORMS)
    )


def _of_forms(
    lines: Sequence[str], block: Sequence[int], begin: int, near: Sequence[int], forms: Sequence[Form]
) -> tuple[Grid, list[int]] | None:
    """Return the table in the first form that head and rows fit."""
    head = lines[block[begin]]
    is_strict = forms is STRICT
    for form in forms:
        own = form.head(head)
        if not are_names(own, form) or not are_values(near, lines, own):
            continue
        names, fitting = _read(lines, near, form, head, is_strict=is_strict)
        until = near[: _until(lines, near, names, form)] if fitting else []
        if sum(at in fitting for at in until) < max(1.0, LEAST_FIT * len(until)):
            continue
        if form.head is wide and is_strict and _has_two_in_one(names, fitting):
            continue
        below = [at for at in block[begin + 1 :] if not is_ruler(lines[at])]
        if len(below) > len(near):
            names, fitting = _read(lines, below, form, head, is_strict=is_strict)
        if _is_clock(own[0]):
            if len(names) != len(own):
                continue  # The time is of the rows, and stands above what they are of.
            names, fitting = _timed(lines, block[begin:], names, fitting)
        if has_groups(names) and begin:
            names = grouped(lines[block[begin - 1]], head, names)
        places = sorted(fitting)
        grid = typed_columns(names, places, [fitting[at] for at in places], title(lines, block, begin))
        if grid is not None:
            first = max(0, begin - 1) if names != own and begin else begin
            return grid, list(block[first : bisect_right(block, places[-1])])
        if len(below) > len(near):
            # What is long and has no numbers is not looked at again from each of its lines.
            raise _NoTableError(places[-1])
    return None


def _has_two_in_one(names: Sequence[str], fitting: Mapping[int, Sequence[str]]) -> bool:
    """Return whether a name of two words stands above cells of two numbers, or of a number and a word."""
    for place, name in enumerate(names):
        if len(name.split()) > 1:
            for cells in fitting.values():
                first, *others = cells[place].split()
                if len(others) + 1 == len(name.split()) and number_of(first) and not number_of(cells[place]):
                    return True
    return False


def _below_edges(
    lines: Sequence[str], block: Sequence[int], begin: int, near: Sequence[int]
) -> tuple[Grid, list[int]] | None:
    """Return the table below a head with names of several words, one blank apart."""
    head = lines[block[begin]]
    names, fitting = under_edges(head, lines, near)
    if len(fitting) < max(1.0, LEAST_FIT * len(near)) or not are_values(near, lines, names):
        return None
    if len(near) == MOST_LOOKED_AT:
        names, fitting = under_edges(head, lines, block[begin + 1 :])
    places = sorted(fitting)
    grid = typed_columns(names, places, [fitting[at] for at in places], title(lines, block, begin))
    return (grid, list(block[begin : bisect_right(block, places[-1])])) if grid else None


def _labelled(
    lines: Sequence[str], block: Sequence[int], begin: int, label: re.Match[str]
) -> tuple[Grid, list[int]] | None:
    """Return the table whose head has a label in front: `read:  ops/s  kB/s`, `Average:  CPU  %usr`."""
    text = f"{label['label']}:"
    padded = {at: lines[at] for at in block[begin : begin + 1 + MOST_LOOKED_AT]}
    for at, line in padded.items():
        if line.lstrip().startswith(text):
            padded[at] = line.replace(text, " " * len(text), 1)
    end = next((at for at in list(padded)[1:] if not has_number(padded[at])), block[-1] + 1)
    own = [at for at in padded if at < end]
    without = {at: padded.get(at, "") for at in range(own[0], own[-1] + 1)}
    first, *_ = own
    found = _table([without[at] for at in sorted(without)], [at - first for at in own], 0)
    if found is None:
        return None
    grid, taken = found
    grid = grid._replace(lines=[at + first for at in grid.lines])
    if grid.columns[0][0] != SUBJECT:
        grid = grid._replace(
            columns=((SUBJECT, ""), *grid.columns), rows=[(label["label"], *row) for row in grid.rows]
        )
        about = title(lines, block, begin)
    else:
        about = label["label"]
    return grid._replace(about=about), [at + first for at in taken]


class _NoTableError(Exception):
    """Rows that fit a head, but have no columns of numbers; `args` is the index of their last line."""


def _read(
    lines: Sequence[str], below: Sequence[int], form: Form, head: str, *, is_strict: bool = False
) -> tuple[list[str], dict[int, list[str]]]:
    """Return the names of the columns, and the cells of the lines that fit them."""
    names = form.head(head)
    fitting = _fitting(lines, below, form, names)
    if is_strict:
        return names, fitting
    if form.row in {blanks, wide} and not form.is_open_ended and not fitting:
        names, fitting = _with_unnamed(lines, below, form, names)
    if form.is_open_ended and form.head is blanks and not fitting:
        fitting = aligned(head, lines, below)
    return names, fitting


def _timed(
    lines: Sequence[str], block: Sequence[int], names: Sequence[str], fitting: dict[int, list[str]]
) -> tuple[list[str], dict[int, list[str]]]:
    """Return names and cells of rows below heads that each begin with the time of their rows."""
    time = ""
    found: dict[int, list[str]] = {}
    for at in block:
        words = lines[at].split()
        if at in fitting:
            found[at] = [time, *fitting[at]]
        elif len(words) == len(names) and _is_clock(words[0]) and words[1:] == list(names[1:]):
            time = words[0]
    return ["time", SUBJECT, *names[1:]], found


def _is_clock(name: str) -> bool:
    return name.count(":") == CLOCK_COLONS and all(word.is_time for word in words_of(name))


def _until(lines: Sequence[str], below: Sequence[int], names: Sequence[str], form: Form) -> int:
    """Return how many lines stand below a head before it or one like it is repeated."""
    first = [name for name in names if name != SUBJECT][:2]
    return next((count for count, at in enumerate(below) if form.row(lines[at])[:2] == first), len(below))


def _fitting(
    lines: Sequence[str], below: Sequence[int], form: Form, names: Sequence[str]
) -> dict[int, list[str]]:
    """Return the cells of the lines that have as many as the head, up to a repeated head."""
    found: dict[int, list[str]] = {}
    misses = 0
    for at in below:
        cells = form.row(lines[at])
        if cells[:2] == names[:2] and cells != names and len(cells) > 2:
            break
        if form.row is joined and form.head is wide and not any(" " in cell for cell in cells[:-1]):
            continue
        width = len(names)
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
    fitting = _fitting(lines, below, form, [SUBJECT, *names])
    if not fitting:
        return names, fitting
    if all(number_of(cells[-1]) is None for cells in fitting.values()):
        return [*names, SUBJECT], fitting
    if all(number_of(cells[0]) is None for cells in fitting.values()):
        return [SUBJECT, *names], fitting
    return names, {}


def _bare(cell: str) -> str:
    return cell.split(" ", 1)[0] if cell else ""
