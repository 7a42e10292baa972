"""The first step about what tasks wait for, by the rows of `steps.yaml`.

step_about(Resource("nfs_rpc", …), 4711)  ->  "look at the NFS server …, since the task waits …"
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Literal, NotRequired, TypedDict, cast

from ingest.frames.wait_points import kinds
from ingest.tables import table

if TYPE_CHECKING:
    from collections.abc import Mapping

    from signatures.waits.model import Resource

_TABLE = Path(__file__).parent / "steps.yaml"


class Step(TypedDict):
    """What to do, why, and when not; the head of the table says more."""

    do: str
    why: str
    unless: NotRequired[str]


class Row(Step):
    """A step about kinds of resources."""

    kinds: list[str]


def step_about(resource: Resource, pid: int = -1) -> str:
    """Return the step about a resource that nobody in the evidence is known to hold; "" without a row.

    Args:
        resource: What the tasks wait for in the end.
        pid: Process of the first of them, -1 when unknown.
    """
    known = kinds().get(resource.kind)
    row = _by_kind().get(resource.kind) or _outside().get(known.outside if known else "")
    return _words(row, resource, pid) if row else ""


def step_about_holder(who: Literal["known", "itself"], resource: Resource, pid: int) -> str:
    """Return the step when a task is known to hold what others wait for, or what it waits for itself."""
    holders = cast("Mapping[str, Step]", table(_TABLE)["holder"])
    return _words(holders[who], resource, pid)


def step_of_kind(kind: str) -> Step:
    """Return the step about a kind of resource.

    Raises:
        KeyError: The kind has no row of its own.
    """
    row = _by_kind()[kind]
    step: Step = {"do": row["do"], "why": row["why"]}
    if "unless" in row:
        step["unless"] = row["unless"]
    return step


def step_about_kind(kind: str) -> str:
    """Return the step about a kind of resource that one stack waits for; "" without a row."""
    known = kinds().get(kind)
    row = _by_kind().get(kind)
    return _said(row, known.title, -1) if row and known else ""


def _words(row: Step, resource: Resource, pid: int) -> str:
    return _said(row, resource.bare_title, pid)


def _said(row: Step, title: str, pid: int) -> str:
    unless = f". Not if {row['unless']}" if "unless" in row else ""
    text = f"{row['do']}, since {row['why']}{unless}"
    return text.replace("{pid}", str(pid) if pid > 0 else "PID").replace("{title}", title)


def rows() -> list[Row]:
    """Return the rows by kinds of resources."""
    return cast("list[Row]", table(_TABLE)["rows"])


@cache
def _by_kind() -> Mapping[str, Row]:
    return {kind: row for row in rows() for kind in row["kinds"]}


def _outside() -> Mapping[str, Step]:
    return cast("Mapping[str, Step]", table(_TABLE)["outside"])
