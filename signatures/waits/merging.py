"""Sightings merged into tasks and snapshots."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ingest.frames.wait_points import GENERIC, SLEEPING_LOCKS, WaitPoint, is_scheduler, kinds, wait_point
from signatures.waits.model import NO_QUIET, Snapshot, Task

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from signatures.documents.waits import Source
    from signatures.waits.model import Quiet
    from signatures.waits.observed import Sighting

UNINTERRUPTIBLE = "D"


class PointCache:
    """Wait points by stack: equal stacks are looked up once."""

    def __init__(self) -> None:
        """Start empty."""
        self._known: dict[tuple[str, ...], WaitPoint | None] = {}

    def of(self, sighting: Sighting) -> WaitPoint | None:
        """Return where the task of a sighting waits; None when it runs or has no frames."""
        if sighting.state == "R" or not sighting.frames:
            return None
        if lock := sighting.user_lock:
            site = next(iter(sighting.frames[lock.depth :]), "")
            return WaitPoint(lock.kind, lock.mode, site, lock.kind, lock.depth)
        frames = sighting.frames
        if frames not in self._known:
            self._known[frames] = wait_point(frames)
        return self._known[frames]


def is_blocked(sighting: Sighting, point: WaitPoint | None, state: str = "") -> bool:
    """Return whether a task waits for something that is not normal for an idle task.

    Uninterruptible sleep counts whatever the place, and so does a lock of user space; other states, or none,
    only where idle tasks do not wait. A running task is not blocked. `state`: of another sighting.
    """
    state = sighting.state or state
    if state not in {"", UNINTERRUPTIBLE, "S"}:
        return False
    if sighting.user_lock:
        return True
    if point is None:
        return state == UNINTERRUPTIBLE
    kind = kinds().get(point.kind)
    if kind is not None and kind.is_idle:
        return False
    if state == UNINTERRUPTIBLE:
        return True
    if kind is None or point.kind in GENERIC:
        # A stack that shows the switch to another task below a lock is of one that waits for it.
        return sighting.has_stack and point.primitive in SLEEPING_LOCKS and is_scheduler(sighting.frames[0])
    return not kind.is_asleep


def _rank(sighting: Sighting, point: WaitPoint | None) -> tuple[bool, bool, bool, float]:
    """Order sightings of one task by what they show: lock functions, a stack, the owner, waiting time."""
    shows_lock = point is not None and bool(point.primitive)
    return shows_lock, sighting.has_stack, sighting.owner is not None, sighting.blocked_seconds or 0.0


def latest_of(sightings: Sequence[Sighting], points: PointCache) -> Sighting:
    """Return the most informative of the last sightings of each evidence."""
    if len(sightings) == 1:
        return sightings[0]
    last: dict[str, Sighting] = {}
    for sighting in sightings:
        held = last.get(sighting.lines.evidence)
        if held is None or (sighting.snapshot, _rank(sighting, points.of(sighting))) >= (
            held.snapshot,
            _rank(held, points.of(held)),
        ):
            last[sighting.lines.evidence] = sighting
    return max(last.values(), key=lambda one: _rank(one, points.of(one)))


def task_of(sightings: Sequence[Sighting], points: PointCache) -> Task:
    """Merge the sightings of one task."""
    main = latest_of(sightings, points)
    point = points.of(main)
    state = main.state or next((one.state for one in reversed(sightings) if one.state), "")
    looks, same_place = _looks(sightings, points)
    seconds = [one.blocked_seconds for one in sightings if one.blocked_seconds is not None]
    return Task(
        tid=main.tid,
        pid=next((one.pid for one in (main, *sightings) if one.pid >= 0), -1),
        comm=next((one.comm for one in (main, *sightings) if one.comm), ""),
        state=state,
        blocked_seconds=max(seconds, default=None),
        frames=main.frames,
        has_stack=main.has_stack,
        workqueue=main.workqueue,
        point=point,
        is_blocked=is_blocked(main, point, state),
        sightings=looks,
        same_place=same_place,
        lines=main.lines,
    )


def _looks(sightings: Sequence[Sighting], points: PointCache) -> tuple[int, int]:
    """Return the snapshots of the source with most of them, and those at the place of its last one.

    Sources are counted apart: a row of ps and a stack may be of the same moment. A memory dump is one moment.
    """
    if len(sightings) == 1:
        return 1, 1
    by_source: dict[str, dict[tuple[str, int], Sighting]] = {}
    for one in sightings:
        moment = ("", 0) if one.source == "dump" else (one.lines.evidence, one.snapshot)
        by_source.setdefault(one.source, {})[moment] = one
    most = max(by_source.values(), key=len)
    last = list(most.values())[-1]
    return len(most), sum(_is_same_place(one, last, points) for one in most.values())


def _is_same_place(one: Sighting, other: Sighting, points: PointCache) -> bool:
    """Return whether two sightings of a task show it at one place.

    Tools differ in the inlined functions that they print: the site of one may be any function of the other.
    """
    here, there = points.of(one), points.of(other)
    if here is None or there is None:
        return here is there
    is_near = here.site == there.site or here.site in other.frames or there.site in one.frames
    return here.kind == there.kind and is_near


def snapshots_of(
    sightings: Iterable[Sighting], points: PointCache, quiet: Quiet = NO_QUIET
) -> tuple[Snapshot, ...]:
    """Return the looks at the tasks, in the order of the evidence; a memory dump is one.

    `quiet`: Tasks of ps that have no sightings.
    """
    looks: dict[tuple[str, int], dict[int, Sighting]] = {key: {} for key in quiet.looks}
    for sighting in sightings:
        # Files of one look at /proc may be pieces of evidence of their own.
        series = sighting.source if sighting.source in {"files", "dump"} else sighting.lines.evidence
        seen = looks.setdefault((series, sighting.snapshot), {})
        if sighting.source != "dump" or sighting.has_stack or sighting.tid not in seen:
            seen[sighting.tid] = sighting
    found = []
    last: dict[str, Mapping[int, Sighting]] = {}
    for key, seen in looks.items():
        first = next(iter(seen.values()), None)
        others, lines = quiet.looks.get(key, (0, first.lines if first else None))
        source: Source = first.source if first else "ps"
        before = last.get(source, {})
        last[source] = seen
        blocked = {tid for tid, one in seen.items() if is_blocked(one, points.of(one))}
        stuck = sum(tid in before and _is_same_place(before[tid], seen[tid], points) for tid in blocked)
        at = next((one.at for one in seen.values() if one.at is not None), None)
        if lines is not None:
            found.append(Snapshot(source, key[1], at, len(seen) + others, len(blocked), stuck, lines))
    return tuple(found)
