"""Labelled records: rows between commas that begin with a label, below one row of names per label.

    CPU_ALL,CPU Total vm,User%,Sys%,Wait%
    DISKBUSY,Disk %Busy vm,vda,vdb
    ZZZZ,T0017,19:13:38,28-NOV-2026
    CPU_ALL,T0017,4.1,6.2,30.9
    DISKBUSY,T0017,12.0,0.0
    ->  a table of User%, Sys% and Wait% with times; one of `Disk %Busy vm` with a row for each disk

The second cell is the title of a row of names and the snapshot of a row of numbers. A record of a snapshot
with a clock is its time.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ingest.engines.quantities.cells import number_of, words_of
from ingest.engines.quantities.grid import SUBJECT, TABLE, TIME, Grid
from ingest.engines.quantities.meanings import meaning_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from ingest.model.row_columns import Cell

BEFORE = 2
"""Cells before the numbers: label and snapshot."""

LEAST_ROWS = 3
MOST_LABEL = 40


def grids(lines: Sequence[str], free: Sequence[int]) -> Iterator[tuple[Grid, list[int]]]:
    """Yield the tables among the lines with the indices `free`, each with the indices that it takes."""
    records: dict[str, list[tuple[int, list[str]]]] = {}
    times: dict[str, str] = {}
    for at in free:
        if lines[at].count(",") < BEFORE:
            continue
        cells = [cell.strip() for cell in lines[at].split(",")]
        if cells[0][:1].isalpha() and len(cells[0]) <= MOST_LABEL:
            records.setdefault(cells[0], []).append((at, cells))
            if _is_time(cells[BEFORE]):
                times[cells[1]] = cells[BEFORE]
    for own in records.values():
        if len(own) > LEAST_ROWS and (grid := _table(own, times)) is not None:
            yield grid, [own[0][0], *grid.lines]


def _is_time(cell: str) -> bool:
    return ":" in cell and all(word.is_time for word in words_of(cell))


def _table(own: Sequence[tuple[int, list[str]]], times: Mapping[str, str]) -> Grid | None:
    """Return the table of one label; None where its first row does not name its numbers."""
    _, (_, title, *names) = own[0]
    if any(not name or number_of(name) is not None for name in names) or number_of(title) is not None:
        return None
    rows = [(at, cells[1], numbers) for at, cells in own[1:] if (numbers := _numbers(cells, len(names)))]
    if len(rows) < max(LEAST_ROWS, 0.9 * (len(own) - 1)):
        return None
    clock = [times.get(snapshot) for _, snapshot, _ in rows]
    has_times = all(clock)
    titled = meaning_of(title)
    if titled is not None and not any(meaning_of(name, (title, *names)) for name in names):
        cells: list[tuple[Cell, ...]] = [
            (name, time, value) if has_times else (name, value)
            for (_, _, numbers), time in zip(rows, clock, strict=True)
            for name, value in zip(names, numbers, strict=True)
        ]
        columns = [(SUBJECT, ""), *([(TIME, "")] if has_times else []), (title, "")]
        return Grid(TABLE, tuple(columns), cells, [at for at, _, _ in rows for _ in names])
    cells = [
        (time, *numbers) if has_times else tuple(numbers)
        for (_, _, numbers), time in zip(rows, clock, strict=True)
    ]
    columns = [*([(TIME, "")] if has_times else []), *((name, "") for name in names)]
    return Grid(TABLE, tuple(columns), cells, [at for at, _, _ in rows], title)


def _numbers(cells: Sequence[str], width: int) -> list[float | None]:
    """Return the numbers of a row, None where a cell is empty; [] of a row that is none."""
    found: list[float | None] = []
    for cell in cells[BEFORE:]:
        read = number_of(cell)
        if read is None and cell:
            return []
        found.append(read[0] if read else None)
    return found if len(found) == width else []
