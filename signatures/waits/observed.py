"""What readings show of tasks: sightings, with owners and locks."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple, Protocol, TypeAlias

from signatures.documents.citation import Place

if TYPE_CHECKING:
    from ingest.model.reading import Reading
    from signatures.documents.waits import Source


class ItemLike(Protocol):
    """What the graph needs of an item of `signatures.judging.scope`."""

    @property
    def evidence(self) -> str:
        """Id or name of the evidence."""

    @property
    def captured_path(self) -> str:
        """Captured path, "" when none."""

    @property
    def section(self) -> int:
        """Ordinal of the section."""

    @property
    def reading(self) -> Reading:
        """Parsed content."""


Lines: TypeAlias = Place


class Owner(NamedTuple):
    """The reported owner of a lock; one that `is_reader` may be gone: the kernel notes the last reader."""

    comm: str
    tid: int
    is_reader: bool
    lines: Lines
    reason: str = "the kernel names the owner"


class Lock(NamedTuple):
    """A lock that lockdep lists for a task; `function` took it."""

    name: str
    address: str
    function: str
    lines: Lines


class UserLock(NamedTuple):
    """A pthread mutex or rwlock that a thread waits for; `depth` frames stand before its caller.

    `mode` is `read`, `write` or ""; address and symbol are "" without debug information.
    """

    kind: str
    mode: str
    address: str
    symbol: str
    depth: int
    lines: Lines


@dataclass(frozen=True, slots=True)
class Sighting:
    """One task in one snapshot.

    Attributes:
        tid: Thread id; the kernel's pid.
        pid: Process id, -1 when unknown.
        comm: Name, "" when unknown.
        state: `D`, `S`, `R`…, "" when unknown.
        cpu: CPU it runs on, -1 when it sleeps or is unknown.
        blocked_seconds: Reported time in uninterruptible sleep, None when not reported.
        frames: Normalised functions, the innermost first; empty without stack.
        has_stack: The frames are a stack, not only the wait channel.
        workqueue: Workqueue and function of a worker: `writeback wb_workfn (flush-8:0)`.
        owner: Reported owner of the lock it waits for.
        locks: Locks that lockdep lists, in the order they were taken.
        snapshot: Ordinal of the snapshot inside its evidence.
        at: Seconds on the clock of the evidence, None without times.
        lines: Where it was read.
        source: Kind of evidence.
        user_lock: Lock of user space that it waits for.
    """

    tid: int
    pid: int
    comm: str
    state: str
    cpu: int
    blocked_seconds: float | None
    frames: tuple[str, ...]
    has_stack: bool
    workqueue: str
    owner: Owner | None
    locks: tuple[Lock, ...]
    snapshot: int
    at: float | None
    lines: Lines
    source: Source
    user_lock: UserLock | None = None
