"""Values of the wait graph."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ingest.frames.wait_points import WaitPoint
    from signatures.documents.waits import Certainty, Source
    from signatures.waits.observed import Lines

HELD_BY = "held by "
"""Begins the instance of a resource that only its holder tells apart from others."""

USER_KINDS = frozenset({"pthread_mutex", "pthread_rwlock", "program_lock"})
"""Kinds of locks of user space."""


@dataclass(frozen=True, slots=True)
class Task:
    """One task, with all its sightings merged.

    Attributes:
        tid: Thread id.
        pid: Process id, -1 when unknown.
        comm: Name, "" when unknown.
        state: Last known state, "" when unknown.
        blocked_seconds: Longest reported time in uninterruptible sleep, None when not reported.
        frames: Functions of the most informative sighting, the innermost first.
        has_stack: Its own stack is in the evidence.
        workqueue: Work of a kernel worker, "" for other tasks.
        point: Where it waits; None when it runs or nothing is known.
        is_blocked: It waits for something that is not normal for an idle task.
        sightings: Snapshots that show it, of the source that shows it most often.
        same_place: Snapshots of one source that show it at the same place as the last one.
        lines: Lines of that sighting.
    """

    tid: int
    pid: int
    comm: str
    state: str
    blocked_seconds: float | None
    frames: tuple[str, ...]
    has_stack: bool
    workqueue: str
    point: WaitPoint | None
    is_blocked: bool
    sightings: int
    same_place: int
    lines: Lines

    @property
    def name(self) -> str:
        """`comm:tid`, as the kernel prints tasks."""
        return f"{self.comm or 'task'}:{self.tid}"


@dataclass(frozen=True, slots=True)
class Resource:
    """What tasks wait for.

    Attributes:
        kind: Kind in `ingest.frames.wait_points`.
        title: Name for people, with the instance.
        instance: What tells it apart from others of its kind; "" when the evidence does not.
        outside: Who releases it outside the tasks of the host, "" when a task does.
        site: Function that waits, where its title ends with it; "" elsewhere.
        bare_title: Title without that function, or the holder.
    """

    kind: str
    title: str
    instance: str
    outside: str
    site: str
    bare_title: str

    def title_before(self, site: str) -> str:
        """Name before words that begin with a function, which is not named twice."""
        return self.bare_title if site and site == self.site else self.title

    @property
    def drawn_title(self) -> str:
        """Name in a picture, which shows the holder."""
        is_held = self.instance.startswith(HELD_BY)
        return self.bare_title if is_held else self.title


@dataclass(frozen=True, slots=True)
class Edge:
    """A task and a resource: it waits for the resource, or holds it.

    Attributes:
        task: Index of the task.
        resource: Index of the resource.
        mode: `read`, `write` or "".
        certainty: Kind of evidence.
        lines: Lines that show it.
        reason: The evidence in a few words.
    """

    task: int
    resource: int
    mode: str
    certainty: Certainty
    lines: Lines
    reason: str


@dataclass(frozen=True, slots=True)
class Root:
    """A task that others wait for and that waits for no task in the evidence.

    Attributes:
        task: Index of the task; -1 when no holder is in the evidence.
        resource: The resource that is held; -1 for the task's own.
        behind: Tasks that wait directly or indirectly.
        directly: Tasks that wait for what it holds.
        waits_for: Index of the resource it waits for itself, -1 when none.
        seconds: Longest reported wait of a task behind it, None when not reported.
        stuck: Tasks behind it that several snapshots show at the same place.
        certainty: The strongest evidence that it holds what others wait for; without holder, that they wait.
    """

    task: int
    resource: int
    behind: int
    directly: int
    waits_for: int
    seconds: float | None
    stuck: int
    certainty: Certainty


@dataclass(frozen=True, slots=True)
class Cluster:
    """Tasks with equal stacks that wait for the same resource.

    Attributes:
        tasks: Indices of the tasks, the longest wait first.
        resource: Index of the resource, -1 for none.
        frames: Their functions, the innermost first.
    """

    tasks: tuple[int, ...]
    resource: int
    frames: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Snapshot:
    """One look at the tasks.

    Attributes:
        source: Kind of evidence.
        ordinal: Position in the evidence.
        at: Seconds on the clock of the evidence, None without times.
        tasks: Tasks that it shows.
        blocked: Tasks that it shows blocked.
        stuck: Blocked tasks that were at the same place in the snapshot of this source before.
        lines: Where it begins.
    """

    source: Source
    ordinal: int
    at: float | None
    tasks: int
    blocked: int
    stuck: int
    lines: Lines


class Quiet(NamedTuple):
    """Tasks that ps shows asleep or running in every row: counted, since a host has thousands.

    Attributes:
        tasks: How many they are.
        most_looks: Snapshots that show the one that most of them show.
        looks: Of every snapshot, by evidence and ordinal, how many of them it shows, and where it begins.
    """

    tasks: int
    most_looks: int
    looks: Mapping[tuple[str, int], tuple[int, Lines]]


NO_QUIET = Quiet(0, 0, {})


@dataclass(frozen=True, slots=True)
class WaitGraph:
    """Tasks, resources and the edges between them.

    Attributes:
        tasks: The tasks of the evidence; of those that ps alone shows, and never blocked, the first.
        resources: Everything that a blocked task waits for or a holder holds.
        waits: Edges from blocked tasks to resources.
        holds: Edges from holders to resources.
        roots: Root blockers, the most waiters first; then resources whose holder is not in the evidence.
        cycles: Rings of tasks that wait for each other.
        clusters: Groups of equal stacks of blocked tasks, the largest first.
        snapshots: Looks at the tasks in order.
        lacks: What is missing to know more: commands.
        is_partial: Counts are lower bounds: the evidence shows blocked tasks only, or stops at a limit.
        quiet: How many other tasks the evidence has.
    """

    tasks: tuple[Task, ...] = ()
    resources: tuple[Resource, ...] = ()
    waits: tuple[Edge, ...] = ()
    holds: tuple[Edge, ...] = ()
    roots: tuple[Root, ...] = ()
    cycles: tuple[tuple[int, ...], ...] = ()
    clusters: tuple[Cluster, ...] = ()
    snapshots: tuple[Snapshot, ...] = ()
    lacks: tuple[str, ...] = field(default=())
    is_partial: bool = False
    quiet: int = 0

    @property
    def size(self) -> int:
        """How many tasks the evidence has."""
        return len(self.tasks) + self.quiet

    @property
    def blocked(self) -> int:
        """How many tasks are blocked."""
        return sum(task.is_blocked for task in self.tasks)
