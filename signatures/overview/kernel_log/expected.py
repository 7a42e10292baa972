"""Alarms that are expected beside what the log says near them, by the rows of `expected_alarms.yaml`.

expected(alarm, near)  ->  "while the machine shuts down"
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, NotRequired, TypedDict, cast

from ingest.native.linear import Pattern
from ingest.tables import table

if TYPE_CHECKING:
    from collections.abc import Sequence

    from signatures.overview.decided_steps import Near
    from signatures.overview.kernel_log.chain import Alarm

_TABLE = Path(__file__).parents[1] / "expected_alarms.yaml"


class Row(TypedDict):
    """A row of the table; its head says what each key is."""

    of: list[str]
    every: NotRequired[str]
    some: NotRequired[str]
    beside: NotRequired[str]
    because: str


class _Compiled(NamedTuple):
    row: Row
    every: Pattern | None
    some: Pattern | None
    beside: Pattern | None


def expected(alarm: Alarm, near: Near) -> str:
    """Return why an alarm is expected where it stands; "" where nothing says so."""
    for row, every, some, beside in compiled():
        if alarm.log_class.name not in row["of"]:
            continue
        messages = [one.record.message for one in alarm.places]
        if every and not all(map(every.search, messages)):
            continue
        if some and not any(map(some.search, messages)):
            continue
        if beside is None or beside.search(near.text(*alarm.first)):
            return row["because"]
    return ""


def rows() -> Sequence[Row]:
    """Return the rows of the table."""
    return cast("list[Row]", table(_TABLE)["rows"])


@cache
def compiled() -> tuple[_Compiled, ...]:
    """Return the rows with their patterns, in the order of the table."""
    return tuple(
        _Compiled(row, _pattern(row.get("every")), _pattern(row.get("some")), _pattern(row.get("beside")))
        for row in rows()
    )


def _pattern(source: str | None) -> Pattern | None:
    return Pattern(f"(?im){source}") if source else None
