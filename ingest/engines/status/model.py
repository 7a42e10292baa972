"""What is read of an object: the fields that a tool prints about it, and the status that they state."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ingest.model.reading import RowSet

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

ROWS = "status_objects"
"""Name of the row set."""

COLUMNS = (
    "kind",
    "name",
    "word",
    "state",
    "reason",
    "message",
    "exit_code",
    "restarts",
    "times",
    "since",
)
NUMBERS = frozenset({"exit_code", "restarts", "times"})
"""The columns of numbers, empty where none is printed; the others are words."""

MOST_TEXT = 300
"""Characters of a field."""


class Record(NamedTuple):
    """The fields of one object where they are printed.

    Attributes:
        kind: What it is (`pod`, `unit`, `pool`), "" where the text does not say.
        name: Its name, "" without one.
        line: Index of the line that states it.
        fields: By field of `states.yaml` (`state`, `reason`, `message`, …) what is printed.
    """

    kind: str
    name: str
    line: int
    fields: Mapping[str, str]


class Status(NamedTuple):
    """What a record states; the attributes are those of `COLUMNS`, and the line.

    Attributes:
        word: The row of `states.yaml`, "" where the state is none of them.
        exit_code: Of the last end; None without one.
        restarts: How often it was started again.
        times: How often an event came.
        since: Since when, as printed.
    """

    kind: str
    name: str
    word: str
    state: str
    reason: str
    message: str
    exit_code: float | None
    restarts: float | None
    times: float | None
    since: str
    line: int


def row_set(found: Sequence[Status], first_line: int) -> RowSet:
    """Return the rows of statuses whose lines count from `first_line`."""
    rows = [tuple(cell if cell != "" else None for cell in one[:-1]) for one in found]
    return RowSet.of_rows(ROWS, COLUMNS, rows, [first_line + one.line for one in found])


def statuses_of(rows: RowSet) -> Iterator[Status]:
    """Yield the statuses of a row set as `row_set` makes it; `line` is the 1-based line of the row."""
    cells = [rows.column(name) or (None,) * len(rows) for name in COLUMNS]
    for values, line in zip(zip(*cells, strict=True), rows.row_lines, strict=True):
        typed = [
            value if name in NUMBERS else str(value or "")
            for name, value in zip(COLUMNS, values, strict=True)
        ]
        yield Status(*typed, line)  # type: ignore[arg-type,call-arg]  # one for each column
