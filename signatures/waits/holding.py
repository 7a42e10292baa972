"""Holders: which tasks hold the resources that others wait for, and by which evidence."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from ingest.frames.wait_points import LOCKS, holdings, kinds, served, title_of
from signatures.waits.model import HELD_BY

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from ingest.frames.wait_kinds import Holding
    from ingest.frames.wait_points import WaitPoint
    from signatures.documents.waits import Certainty
    from signatures.waits.model import Task
    from signatures.waits.observed import Lines

_JOURNAL = re.compile(r"^(?:jbd2|xfsaild|xfs-\w+|kjournald)/(?P<device>\S+?)(?:-8)?$")
_FLUSHER = re.compile(r"\bflush-(?P<device>[\w:.-]+)\)?")
_OF_DEVICE = re.compile(r"^kworker/\S+?\+(?P<work>\S+)$")
_LOOP_WORK = re.compile(r"^(?P<device>loop\d+) ")


class Held(NamedTuple):
    """A task that holds a resource.

    Attributes:
        task: Index of the task.
        kind: Kind of the resource.
        instance: The instance, "" when the stack does not tell.
        mode: `read`, `write` or "".
        certainty: Kind of evidence.
        reason: The evidence in a few words.
        lines: Where it shows.
        scope: Group of functions of the kind, "" when unknown.
    """

    task: int
    kind: str
    instance: str
    mode: str
    certainty: Certainty
    reason: str
    lines: Lines
    scope: str = ""


class Others(NamedTuple):
    """Holders other than the task that waits.

    Attributes:
        names: Their instances; of one that tells none, the task.
        is_shared: True for the one sequence that all tasks get which do not hold themselves.
    """

    held: Sequence[Held]
    names: frozenset[str]
    is_shared: bool = True


class Candidates:
    """Holders by kind of resource and by instance, indexed: thousands of tasks may wait for one kind."""

    def __init__(self, tasks: Sequence[Task], by_kind: Mapping[str, Sequence[Held]]) -> None:
        """Index the holders of each kind."""
        self._names = [task.name for task in tasks]
        found: dict[tuple[str, str, str], list[Held]] = {}
        for kind, held in by_kind.items():
            known = kinds().get(kind)
            for scope in {"", *(known.scopes.values() if known else ())}:
                within = [one for one in held if not scope or one.scope in {"", scope}]
                found[kind, "", scope] = within
                for one in within:
                    if one.instance:
                        found.setdefault((kind, one.instance, scope), []).append(one)
        self._others = {key: Others(held, self._named(held)) for key, held in found.items()}
        self._holding = {key: frozenset(one.task for one in held) for key, held in found.items()}

    def other_than(self, task: int, kind: str, instance: str = "", scope: str = "") -> Others:
        """Return the holders of an instance and scope, or of any for "", without the task itself."""
        key = (kind, instance, scope)
        if key not in self._others:
            return Others((), frozenset())
        if task not in self._holding[key]:
            return self._others[key]
        held = [one for one in self._others[key].held if one.task != task]
        return Others(held, self._named(held), is_shared=False)

    def _named(self, held: Iterable[Held]) -> frozenset[str]:
        return frozenset(one.instance or f"{HELD_BY}{self._names[one.task]}" for one in held)


def inferred_holders(
    tasks: Sequence[Task], wanted: Iterable[str], release: tuple[int, int] | None
) -> dict[str, list[Held]]:
    """Return the tasks that hold a resource of a wanted kind by the functions of their own stack.

    `release`: Series of the kernel, None when unknown.

    A task that waits for a kind does not hold it, as far as its stack shows.
    """
    kinds_wanted = frozenset(wanted)
    found: dict[str, list[Held]] = {kind: [] for kind in kinds_wanted}
    known: dict[tuple[str, ...], tuple[Holding, ...]] = {}
    for index, task in enumerate(tasks):
        if not task.has_stack:
            continue
        if task.frames not in known:
            known[task.frames] = holdings(task.frames, release)
        for kind, mode, function, _ in known[task.frames]:
            if kind in kinds_wanted and (task.point is None or task.point.kind != kind):
                reason = f"{function} runs while it is held"
                instance, scope = instance_of_holder(task, kind), kinds()[kind].scopes.get(function, "")
                held = Held(index, kind, instance, mode, "inferred", reason, task.lines, scope)
                found[kind].append(held)
    return found


def servers(tasks: Sequence[Task]) -> dict[str, list[Held]]:
    """Return the blocked workers that serve what tasks outside wait for: `storage` by loop and md workers."""
    found: dict[str, list[Held]] = {}
    for index, task in enumerate(tasks):
        if not (task.has_stack and task.is_blocked):
            continue
        outside, function = served(task.frames)
        if outside:
            reason = f"{function} serves this I/O, and the worker is blocked"
            held = Held(index, "", _device_of(task), "", "inferred", reason, task.lines)
            found.setdefault(outside, []).append(held)
    return found


def instance_of_holder(task: Task, kind: str) -> str:
    """Return the instance of a kind that a holder holds, "" when nothing tells."""
    wanted = kinds()[kind].instance
    if wanted == "process":
        return str(task.pid) if task.pid >= 0 else ""
    return _device_of(task) if wanted == "device" else ""


def instance_of_waiter(task: Task, point: WaitPoint) -> str:
    """Return the instance that a task waits for, "" when its stack does not tell."""
    kind = kinds().get(point.kind)
    if kind is None:
        verb = "taken in" if point.kind in LOCKS else "in"
        return f"{verb} {point.site}" if point.site else ""
    if kind.instance == "process" and point.site not in kind.remote and task.pid >= 0:
        return str(task.pid)
    return _device_of(task) if kind.instance == "device" else ""


def titled(kind: str, instance: str) -> str:
    """Return the name of a resource: `mmap_lock of process 117`, `jbd2 commit of sda1`."""
    title = title_of(kind)
    if not instance:
        return title
    known = kinds().get(kind)
    if known is not None and known.instance == "process" and instance.isdecimal():
        return f"{title} of process {instance}"
    if known is not None and known.instance and not instance.startswith(HELD_BY):
        return f"{title} of {instance}"
    return f"{title} {instance}"


def bare_title(kind: str, site: str) -> str:
    """Return the name of a resource before the function that waits, or takes the lock."""
    return f"{title_of(kind)} taken" if site and kind in LOCKS else title_of(kind)


def _device_of(task: Task) -> str:
    """Return the device that the name or the work of a kernel thread states: `jbd2/sda1-8`, `flush-8:0`."""
    if found := _JOURNAL.match(task.comm):
        return found["device"]
    if found := _FLUSHER.search(task.workqueue) or _LOOP_WORK.match(task.workqueue):
        return found["device"]
    found = _OF_DEVICE.match(task.comm)
    return found["work"] if found else ""
