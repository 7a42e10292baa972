"""Columns of the list of cases: what each is called, and its text of a case.

    chosen(["headline", "owner"])      ->  the two columns, in this order
    chosen(["hots"])                   ->  ColumnError: unknown column 'hots'; did you mean host?

A column is named as the field of the query language that asks for it, where there is one.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from difflib import get_close_matches
from typing import TYPE_CHECKING, NamedTuple

from signatures.documents.alarm import ALARM

if TYPE_CHECKING:
    from collections.abc import Iterable

    from signatures.documents.service_case import ServiceCase, ServiceHeadline

Cell = str | int | Sequence[str]


class ColumnError(ValueError):
    """A column that there is not."""


class Column(NamedTuple):
    """A column of the list of cases.

    Attributes:
        heading: Above the column.
        says: Meaning, for help and completion.
        cell: Its value of a case: a text, a number, several texts, or "" for none.
    """

    name: str
    heading: str
    says: str
    cell: Callable[[ServiceCase], Cell]


def _finding(headline: ServiceHeadline | None) -> str:
    """Return the signature, alarm or suspicion of a headline; "" without one."""
    if not headline:
        return ""
    alarm = f"{ALARM}/{headline['alarm']}" if headline["alarm"] else ""
    return headline["signature"] or alarm or headline["suspicion"]


def _resolution(case: ServiceCase, name: str) -> str:
    return (case["resolution"] or {}).get(name, "")


COLUMNS: dict[str, Column] = {
    column.name: column
    for column in (
        Column("number", "Number", "Number of the case", lambda case: case["number"]),
        Column("title", "Case", "Title, else the headline", lambda case: case.get("name") or case["title"]),
        Column("headline", "Headline", "Headline", lambda case: (case["headline"] or {"text": ""})["text"]),
        Column(
            "finding",
            "Finding",
            "Signature, alarm or suspicion of the headline",
            lambda case: _finding(case["headline"]),
        ),
        Column("problem", "Problem", "Problems that it belongs to", lambda case: case.get("problems", ())),
        Column("host", "Hosts", "Hosts of the evidence", lambda case: case["hosts"]),
        Column("kernel", "Kernels", "Kernel releases of the hosts", lambda case: case.get("kernels", ())),
        Column("distro", "Distribution", "Distributions", lambda case: case.get("distros", ())),
        Column("class", "Log classes", "Classes of kernel log records", lambda case: case.get("classes", ())),
        Column("severity", "Severity", "Severity of the case", lambda case: case["severity"] or ""),
        Column("status", "Status", "Status of the case", lambda case: case["status"]),
        Column("state", "State", "Open or closed", lambda case: case["state"]),
        Column("owner", "Owner", "Who works on it", lambda case: (case["assignee"] or {"name": ""})["name"]),
        Column("team", "Team", "Team of the case", lambda case: (case["team"] or {"name": ""})["name"]),
        Column("tag", "Tags", "Tags of the case", lambda case: case["tags"]),
        Column("label", "Labels", "What people said of findings", lambda case: case.get("labels", ())),
        Column(
            "seen", "Seen", "Earlier cases with the same problem", lambda case: case.get("seen_before", 0)
        ),
        Column("files", "Files", "Files of the evidence", lambda case: case["evidence_count"]),
        Column("cause", "Cause", "Stated cause", lambda case: _resolution(case, "cause")),
        Column("fix", "Fix", "Stated fix", lambda case: _resolution(case, "fix")),
        Column("opened", "Opened", "When it was opened", lambda case: case["created_at"]),
        Column("changed", "Changed", "When it was last changed", lambda case: case["updated_at"]),
        Column("closed", "Closed", "When it was closed", lambda case: case.get("closed_at") or ""),
    )
}
TIMES = frozenset({"opened", "changed", "closed"})
"""Columns whose text is a time, ISO 8601."""
FOR_TERMINALS = ("number", "state", "severity", "title", "changed", "finding")
FOR_PROGRAMS = (
    "number",
    "title",
    "status",
    "severity",
    "owner",
    "team",
    "host",
    "headline",
    "finding",
    "seen",
    "opened",
    "changed",
)


def chosen(names: Iterable[str]) -> list[Column]:
    """Return columns by name, each once.

    Raises:
        ColumnError: There is no such column, or none is named.
    """
    columns = [_named(name.strip()) for name in dict.fromkeys(names) if name.strip()]
    if not columns:
        raise ColumnError(f"name a column: {', '.join(COLUMNS)}")
    return columns


def named_in(text: str) -> list[Column]:
    """Return the columns of a list separated by commas.

    Raises:
        ColumnError: There is no such column, or none is named.
    """
    return chosen(text.split(","))


def cell_text(column: Column, case: ServiceCase) -> str:
    """Return the value of a column in one text; "" for none."""
    cell = column.cell(case)
    return str(cell) if isinstance(cell, str | int) else " ".join(cell)


def cells(columns: Iterable[Column], case: ServiceCase) -> dict[str, str | int | list[str]]:
    """Return the values of columns by name."""
    values = {column.name: column.cell(case) for column in columns}
    return {name: one if isinstance(one, str | int) else list(one) for name, one in values.items()}


def _named(name: str) -> Column:
    column = COLUMNS.get(name)
    if column is None:
        near = get_close_matches(name[:40].lower(), COLUMNS, n=1, cutoff=0.5)
        hint = f"did you mean {near[0]}?" if near else f"it is one of {', '.join(COLUMNS)}"
        raise ColumnError(f"unknown column {name[:40]!r}; {hint}")
    return column
