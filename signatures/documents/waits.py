"""Wait graphs: root blockers, picture, blocked tasks and snapshots of one host and phase."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from signatures.documents.citation import Place

Certainty: TypeAlias = Literal["reported", "lockdep", "inferred"]
"""Evidence of an edge: the kernel names the owner, lockdep lists the lock, or functions imply it."""

Source: TypeAlias = Literal["log", "ps", "files", "debugger", "dump"]
"""Where a sighting was read: a kernel log, ps, files below /proc, stacks under names, a memory dump."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WaitRootDocument:
    """A root blocker: a task that others wait for and that waits for none, or a resource without holder.

    Attributes:
        task: "" when no holder is in the evidence.
        behind: Tasks that wait directly or indirectly.
        directly: Tasks that wait for what it holds.
        stuck: Tasks behind it that several snapshots show at the same place.
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
    citations: tuple[Place, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class WaitNodeDocument:
    """A box of the picture: a holder, a cluster of `count` waiters with equal stacks, or a resource.

    Attributes:
        x: Pixels of its left edge.
        y: Pixels of its top edge.
        members: At most 100 names of tasks.
        frames: Functions, the innermost first.
    """

    x: float
    y: float
    layer: int
    kind: Literal["task", "cluster", "resource"]
    label: str
    note: str
    count: int
    members: tuple[str, ...]
    frames: tuple[str, ...]
    is_root: bool
    citations: tuple[Place, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class WaitLinkDocument:
    """A blocker and what it blocks: indices of nodes.

    Attributes:
        path: SVG path.
    """

    source: int
    target: int
    label: str
    certainty: Certainty
    reason: str
    path: str
    citations: tuple[Place, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class BlockedTaskDocument:
    """A blocked task.

    Attributes:
        snapshots: Snapshots that show it.
        same_place: Those that show it where the last one does.
    """

    tid: int
    pid: int | None
    comm: str
    state: str
    blocked_seconds: float | None
    waits_for: str
    frames: tuple[str, ...]
    snapshots: int
    same_place: int
    citations: tuple[Place, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class WaitSnapshotDocument:
    """One look at the tasks.

    Attributes:
        at: Seconds on the clock of the evidence; null without times.
        stuck: Blocked tasks that the snapshot of this source before shows at the same place.
    """

    source: Source
    ordinal: int
    at: float | None
    tasks: int
    blocked: int
    stuck: int
    citations: tuple[Place, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class WaitGraphDocument:
    """The wait graph of one host and phase.

    Attributes:
        tasks: Number of tasks.
        blocked: Number of blocked tasks.
        omitted_tasks: Tasks in clusters that the picture leaves out.
        blocked_tasks: At most 1,000 of the blocked tasks.
        lacks: Missing evidence.
        is_partial: Counts are lower bounds.
    """

    host: str
    phase: str
    summary: str
    tasks: int
    blocked: int
    roots: tuple[WaitRootDocument, ...]
    cycles: tuple[str, ...]
    width: float
    height: float
    box_width: float
    box_height: float
    nodes: tuple[WaitNodeDocument, ...]
    links: tuple[WaitLinkDocument, ...]
    omitted_tasks: int
    blocked_tasks: tuple[BlockedTaskDocument, ...]
    snapshots: tuple[WaitSnapshotDocument, ...]
    lacks: tuple[str, ...] = ()
    is_partial: bool = False
