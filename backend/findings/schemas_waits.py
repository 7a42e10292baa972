"""Schemas of wait graphs."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel

from backend.findings.schemas import PlaceRead

Certainty = Literal["reported", "lockdep", "inferred"]


class WaitRootRead(BaseModel):
    """A root blocker: a task that others wait for and that waits for none, or a resource without holder.

    `task` is "" when no holder is in the evidence; `directly` counts the tasks that wait for what it holds.
    """

    sentence: str
    task: str
    resource: str
    behind: int
    directly: int
    waits_for: str
    blocked_seconds: float | None
    stuck: int
    certainty: Certainty
    is_notable: bool
    citations: list[PlaceRead]


class WaitNodeRead(BaseModel):
    """A box of the picture: a holder, a cluster of `count` waiters with equal stacks, or a resource.

    `x` and `y` are pixels of its top left corner; `members` are at most 100 names; `frames`
    start with the innermost function.
    """

    x: float
    y: float
    layer: int
    kind: Literal["task", "cluster", "resource"]
    label: str
    note: str
    count: int
    members: list[str]
    frames: list[str]
    is_root: bool
    citations: list[PlaceRead]


class WaitLinkRead(BaseModel):
    """A blocker and what it blocks: indices of nodes. `path` is an SVG path."""

    source: int
    target: int
    label: str
    certainty: Certainty
    reason: str
    path: str
    citations: list[PlaceRead]


class BlockedTaskRead(BaseModel):
    """A blocked task; `same_place` of its `snapshots` show it where the last one does."""

    tid: int
    pid: int | None
    comm: str
    state: str
    blocked_seconds: float | None
    waits_for: str
    frames: list[str]
    snapshots: int
    same_place: int
    citations: list[PlaceRead]


class WaitSnapshotRead(BaseModel):
    """One look at the tasks; `stuck` ones are blocked where the snapshot of this source before shows them."""

    source: Literal["log", "ps", "files", "debugger", "dump"]
    ordinal: int
    at: float | None
    tasks: int
    blocked: int
    stuck: int
    citations: list[PlaceRead]


class WaitGraphRead(BaseModel):
    """The wait graph of one host and phase.

    `blocked_tasks` has at most 1,000 of the blocked tasks; `omitted_tasks` are in clusters that the picture
    leaves out; `lacks` names missing evidence; counts of a partial graph are lower bounds.
    """

    host: str
    phase: str
    summary: str
    tasks: int
    blocked: int
    roots: list[WaitRootRead]
    cycles: list[str]
    width: float
    height: float
    box_width: float
    box_height: float
    nodes: list[WaitNodeRead]
    links: list[WaitLinkRead]
    omitted_tasks: int
    blocked_tasks: list[BlockedTaskRead]
    snapshots: list[WaitSnapshotRead]
    lacks: list[str]
    is_partial: bool


class WaitsRead(BaseModel):
    """The wait graphs of a case for one evidence revision."""

    evidence_rev: int
    graphs: list[WaitGraphRead]
