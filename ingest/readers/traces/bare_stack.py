"""Stacks without weights: pasted backtraces, `/proc/PID/stack`, gdb and crash.

Examples:
    #0  shrink_lruvec
    #1  shrink_node

    [<0>] futex_wait_queue+0x60/0x90
    [<0>] do_futex+0xc7/0x110

    Thread 2 (Thread 0x7f41 (LWP 14033) "arrow-read-00"):
    #0  0x0000555f8e5ce25e in walk_file_pages (p=0x0) at stress.c:35

    PID: 1234   TASK: ffff8800b8593af8  CPU: 3   COMMAND: "kworker/3:1"
     #0 [ffffc90000a0fe38] __schedule at ffffffff8185cb45

    === 101 jbd2/dm-0-8
    [<0>] kjournald2+0xa9/0x280

What such a stack shows is presence: that these functions called each other once. Shares mean nothing. A path
`/proc/PID/task/TID/stack` identifies the thread; so does a header above a stack
(`ingest.parsing.bare_stacks.headers`). Threads of a memory dump, and those with a state, are rows as well.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ingest.parsing.bare_stacks import headers
from ingest.parsing.bare_stacks.frames import OFFSET, OFFSET_MARKED, OFFSET_ONLY, frame, number_of
from ingest.parsing.bare_stacks.stacks import WRAPPED, continues, read

if TYPE_CHECKING:
    from collections.abc import Sequence

NAME = "bare-stack"
VERSION = 8
PRIORITY = 80
TITLE = "Stacks without weights"
COMMAND = "cat ./stack.txt"
EXAMPLE = "#0  shrink_lruvec\n#1  shrink_node\n#2  do_try_to_free_pages"

_ADDRESSED = re.compile(r"0x[0-9a-f]|\(| at ")

LOOK_AHEAD = 7
"""Lines within which the second frame follows."""

LEAST_BARE = 4
"""Functions in a row with an offset alone: fewer may be of anything."""

STARTS = (
    r"\[New LWP |\[Thread debugging",
    *headers.STARTS,
    r"\s*\[<",
    OFFSET.pattern,
    OFFSET_ONLY.pattern,
    r"\s*!?# ?\d+\s",
    r"\s*0\s+\[[0-9a-f]{16}\] ",
)


def begins(lines: Sequence[str], at: int) -> bool:
    """Return whether a bare stack starts at `lines[at]`: it is two frames in a row, or a thread header."""
    line = lines[at]
    if line.startswith(("[New LWP ", "[Thread debugging using ")):
        return True
    is_header = headers.begins(lines, at)
    if is_header is not None:
        return is_header
    if OFFSET_MARKED.match(line):
        return frame(line) is not None
    following = next(
        (text for text in lines[at + 1 : at + LOOK_AHEAD] if text.strip() and not WRAPPED.match(text)), ""
    )
    if OFFSET.match(line):
        return bool(OFFSET.match(following))
    if OFFSET_ONLY.match(line):
        below = [text for text in lines[at + 1 : at + LEAST_BARE] if text.strip()]
        return len(below) == LEAST_BARE - 1 and all(OFFSET_ONLY.match(text) for text in below)
    number = number_of(line)
    if number is None or frame(line) is None:
        return False
    if number and not _ADDRESSED.search(line) and ("." in line or "_" not in line + following):
        return False  # an entry of a numbered list with comments: `#1  inr.ac`
    return number_of(following) == number + 1 and frame(following) is not None


__all__ = ["begins", "continues", "read"]
