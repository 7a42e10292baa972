"""Tasks that a debugger lists as waiting for a lock, with the owner it reads from the lock."""

from __future__ import annotations

from typing import TYPE_CHECKING

from signatures.waits.model import Lines, Owner, Sighting
from signatures.waits.tables import cells_of, number, whole

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from ingest.model.reading import RowSet
    from signatures.waits.model import ItemLike

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
