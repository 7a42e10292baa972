"""Words about a task of a kernel log: where it is, and the work of a kernel worker.

work_words("dbs_work_handler of events")  ->  "work dbs_work_handler of events (sets the frequency of CPUs …)"
"""

from __future__ import annotations

import re
from string import ascii_letters

from ingest.frames.wait_points import probable_site, title_of, wait_point
from ingest.frames.works import purpose_of

PROBABLY = "probably "
"""Before a path of frames that the kernel marks as doubtful."""

WORKS = 3
"""Functions of work items in a sentence."""

_FIRST = frozenset(f"{ascii_letters}_")
"""What the name of a function begins with; a line may be cut in a number."""

_WORKER = re.compile(r"^\s*(?:\d+(?:\(RESCUER\))?:|\d+\*)")


def work_words(work: str) -> str:
    """Return a work, and what it is for where that is known."""
    function, _, queue = work.partition(" of ")
    does = purpose_of(function, queue)
    return f"work {work} ({does})" if does else f"work {work}"


def work_functions(items: str) -> str:
    """Return the functions of work items without their workers: `a_fn, b_fn` of `12:a_fn, 13:b_fn BAR(6)`."""
    parts = (_WORKER.sub("", item).split() for item in items.split(","))
    return ", ".join(list(dict.fromkeys(part[0] for part in parts if part and part[0][0] in _FIRST))[:WORKS])


def place_words(stack: str) -> str:
    """Return where a task is; of doubtful frames with what tasks wait for there."""
    if not stack.startswith(PROBABLY):
        return f"in {stack}"
    path = stack.removeprefix(PROBABLY)
    first = path.partition(" ← ")[0]
    point = None if probable_site((first,)) else wait_point((first,))
    return f"probably in {path}" + (f", where tasks wait for {title_of(point.kind)}" if point else "")


def joined(place_name: str, stack: str) -> str:
    """Return the function that waits with those that led to it."""
    is_more = stack and not stack.startswith(PROBABLY) and place_name not in stack.split(" ← ")
    return f"{place_name} ← {stack}" if is_more else place_name
