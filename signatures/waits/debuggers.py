"""Locks that debuggers show: tasks that wait for them, and the owners read from the locks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from signatures.waits.observed import Lines, Owner, Sighting, UserLock
from signatures.waits.tables import cells_of, number, whole

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from ingest.model.reading import RowSet
    from signatures.waits.observed import ItemLike

REASON = "the owner field of the lock"


def lock_waiters(item: ItemLike, tables: Mapping[str, RowSet]) -> Iterator[Sighting]:
    """Yield the waiters of every lock; a dump is one moment, so all are of one snapshot."""
    owners = {
        cells["address"]: Owner(
            str(cells["comm"]),
            whole(cells["pid"]),
            False,
            Lines(item.evidence, item.section, line, line),
            REASON,
        )
        for cells, line in (cells_of(tables["lock_holders"]) if "lock_holders" in tables else ())
    }
    for cells, line in cells_of(tables["lock_waiters"]):
        lines = Lines(item.evidence, item.section, line, line)
        owner = owners.get(cells["address"])
        tid = whole(cells["pid"])
        yield Sighting(
            tid=tid,
            pid=-1,
            comm=str(cells["comm"]),
            state=str(cells["state"]),
            cpu=-1,
            blocked_seconds=number(cells["waited_s"]),
            frames=(),
            has_stack=False,
            workqueue="",
            owner=owner,
            locks=(),
            snapshot=0,
            at=None,
            lines=lines,
            source="dump",
        )


def user_locks(item: ItemLike, tables: Mapping[str, RowSet]) -> dict[int, UserLock]:
    """Return the locks that threads wait for in gdb's backtraces, by the first line of the stack."""
    found: dict[int, UserLock] = {}
    for cells, line in cells_of(tables["user_locks"]) if "user_locks" in tables else ():
        lines = Lines(item.evidence, item.section, line, line)
        kind, mode, address, symbol = (str(cells[name]) for name in ("kind", "mode", "address", "symbol"))
        lock = UserLock(kind, mode, address, symbol, whole(cells["depth"]), lines)
        found.setdefault(whole(cells["stack_line"]), lock)
    return found


def user_lock_owners(item: ItemLike, tables: Mapping[str, RowSet]) -> dict[int, Owner]:
    """Return the owners that gdb prints for the locks of waiting threads, by thread, without names."""
    found: dict[int, Owner] = {}
    for cells, line in cells_of(tables["user_lock_owners"]) if "user_lock_owners" in tables else ():
        lines = Lines(item.evidence, item.section, line, line)
        found.setdefault(whole(cells["tid"]), Owner("", whole(cells["owner_tid"]), False, lines, REASON))
    return found
