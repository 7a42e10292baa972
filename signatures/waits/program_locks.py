"""Locks of programs in lists of threads: who waits for one, and the thread that holds it."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ingest.engines.threads.groups import crowd_of
from ingest.engines.threads.looks import looks_of
from ingest.frames import normalise
from signatures.waits.observed import Lines, Owner, UserLock

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ingest.engines.threads.groups import Waiting
    from signatures.waits.observed import ItemLike

KIND = "program_lock"
REASON = "the list of threads names the holder"


class ProgramWait(NamedTuple):
    """A thread that waits for a lock of its program or holds one; `lock` is None of the latter."""

    tid: int
    comm: str
    frames: tuple[str, ...]
    lock: UserLock | None
    owner: Owner | None
    lines: Lines


def program_waits(item: ItemLike) -> Iterator[ProgramWait]:
    """Yield the threads of a list that have an id, those that wait for a lock after its holder."""
    crowd = crowd_of(looks_of(item.reading))
    waiting = {id(one): group for group in crowd.locks for one in group.waiting}
    for group in crowd.locks:
        if group.holder is not None and group.holder.look.tid >= 0 and id(group.holder) not in waiting:
            yield _of(item, group.holder, None, None)
    for group in crowd.locks:
        holder = group.holder
        owner = None
        if holder is not None and holder.look.tid >= 0:
            lines = Lines(item.evidence, item.section, holder.look.line, holder.look.line)
            owner = Owner(holder.look.name, holder.look.tid, False, lines, REASON)
        for one in group.waiting:
            if one.look.tid >= 0:
                lines = Lines(item.evidence, item.section, one.look.line, one.look.last_line)
                lock = UserLock(KIND, "", group.lock.address, group.lock.what, _depth(one), lines)
                yield _of(item, one, lock, owner)


def _depth(one: Waiting) -> int:
    """Return how many functions stand before the one that takes the lock."""
    return next((at for at, frame in enumerate(one.look.frames) if frame.line == one.wait.line), 0)


def _of(item: ItemLike, one: Waiting, lock: UserLock | None, owner: Owner | None) -> ProgramWait:
    frames = tuple(normalise(frame.name) for frame in one.look.frames)
    lines = Lines(item.evidence, item.section, one.look.line, one.look.last_line)
    return ProgramWait(one.look.tid, one.look.name, frames, lock, owner, lines)
