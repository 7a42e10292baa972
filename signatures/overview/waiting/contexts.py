"""What a waiting task was doing: the work of a worker, memory reclaim, the functions that led to the wait.

context_of(task).words  ->  " in read_part_sector ← efi_partition ← bdev_disk_changed, work nvme_scan_work"

What a task waits for is often a consequence; its callers and its work lead to the cause.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from ingest.frames.works import purpose_of
from ingest.readers.logs.kernel_log.call_path import path_of, shown_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from signatures.waits.model import Task

_RECLAIM = re.compile(
    r"^(?:try_to_free_(?:mem_cgroup_)?pages|do_try_to_free_pages|shrink_(?:node|zone|lruvec|inactive_list|"
    r"(?:folio|page)_list|slab)\w*|mem_cgroup_(?:reclaim|do_charge)|__alloc_pages_(?:slowpath|direct_reclaim))"
)
"""mm/vmscan.c, mm/memcontrol.c, mm/page_alloc.c."""

_ALLOCATION = re.compile(r"alloc|charge|new_slab|slab_|kmem_|swapin|reclaim|shrink_|try_to_free")
_WORK = re.compile(r"^(?P<queue>\S+) (?P<function>\S+)")


class Context(NamedTuple):
    """What a waiting task was doing.

    Attributes:
        words: ` in FUNCTION ← FUNCTION, work WORK of QUEUE`; "" when nothing more than the wait is known.
        site: The function that they begin with; "" when they begin with none.
    """

    words: str
    site: str


def context_of(task: Task) -> Context:
    """Return what a waiting task was doing, from its stack and the work of its name."""
    names = task.frames[task.point.depth :] if task.point else task.frames
    reclaim = _reclaim(names)
    path = [] if reclaim else shown_of(names)
    words = f"in {' ← '.join(path)}" if path else reclaim
    found = _WORK.match(task.workqueue)
    does = purpose_of(found["function"], found["queue"]) if found else ""
    work = f"work {found['function']} of {found['queue']}" if found else ""
    work += f" ({does})" if does else ""
    return Context("".join((f" {words}" if words else "", f", {work}" if work else "")), next(iter(path), ""))


def _reclaim(names: Sequence[str]) -> str:
    """Return ` in memory reclaim, entered from FUNCTION` when the wait is in reclaim."""
    last = max((at for at, name in enumerate(names) if _RECLAIM.match(name)), default=-1)
    if last < 0:
        return ""
    below = [name for name in names[last + 1 :] if not _ALLOCATION.search(name)]
    path = path_of(below)
    return f"in memory reclaim, entered from {path}" if path else "in memory reclaim"
