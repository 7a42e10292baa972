"""The first step about a class of the kernel log, why, and when not, by the rows of `do_first.yaml`.

step_of("pcie_aer_corrected")  ->  "count them: cat …, since the link repeated the transfer …. Not if …"

A row is of a class, never of its area: what suits another class of the same area may harm this one.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, NotRequired, TypedDict, cast

from ingest.tables import table
from signatures.overview.first_steps import BY_QUESTION, first_steps
from signatures.overview.headline_details import is_cited

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from signatures.overview.model import Statement

_TABLE = Path(__file__).parent / "do_first.yaml"
_NAME = re.compile(r"/?[A-Za-z0-9][\w./-]{0,39}|[0-9a-f]{4}:[0-9a-f]{2}:[0-9a-f]{2}\.[0-7]")
_ADDRESS = re.compile(r"(?:[0-9a-f]{4}:)?[0-9a-f]{2}:[0-9a-f]{2}(?:\.[0-7])?")
"""Names that a shell takes as they are; the log may be anybody's."""


class Row(TypedDict):
    """A row of the table; its head says what each key is."""

    classes: list[str]
    do: str
    why: str
    unless: NotRequired[str]
    unless_about: NotRequired[str]


def step_of(log_class: str, device: str = "", topic: str = "") -> str:
    """Return the first step about a class, with the device that the log names; "" without a row."""
    row = by_class().get(log_class)
    if row is None or (topic and row.get("unless_about") == topic):
        return ""
    address = device if _ADDRESS.fullmatch(device) else "ADDRESS"
    name = device if _NAME.fullmatch(device) else "NAME"
    do = row["do"].replace("{device}", name).replace("{address}", address)
    unless = f". Not if {row['unless']}" if "unless" in row else ""
    return f"{do}, since {row['why']}{unless}"


def steps_about(statement: Statement) -> tuple[str, ...]:
    """Return the steps of a statement: what its lines decide, else of its class, topic or question."""
    if statement.first_step:
        return (statement.first_step,)
    topic = statement.topic or BY_QUESTION.get(statement.question, "")
    return (*filter(None, (step_of_class(statement),)), *first_steps(topic))


def step_of_class(statement: Statement) -> str:
    """Return the step of the cause, which needs no further evidence: of its lines, else of its class."""
    classes = statement.log_classes
    if statement.first_step:
        return statement.first_step
    return step_of(classes[0], statement.device, statement.topic) if classes else ""


def decided_of(leading: Statement, others: Iterable[Statement]) -> Statement:
    """Return what is said of the same lines with a step that they decide, else the leading statement.

    A task that waits is stated by the graph of waits, and the kernel log, which sees what stands beside
    them, reads its lines, too.
    """
    if leading.log_classes or (leading.first_step and leading.question != "locks"):
        return leading
    decided = (one for one in others if one.first_step and one.question != "locks")
    places = leading.places
    return next((one for one in decided if any(is_cited(a, b) for a in one.places for b in places)), leading)


@cache
def by_class() -> Mapping[str, Row]:
    """Return the row of each class that has one."""
    rows = cast("list[Row]", table(_TABLE)["rows"])
    return {name: row for row in rows for name in row["classes"]}


def without_row() -> Mapping[str, str]:
    """Return the classes without a row, each with the reason."""
    return cast("Mapping[str, str]", table(_TABLE)["none"])
