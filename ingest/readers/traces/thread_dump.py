"""Lists of threads: jstack, goroutines, py-spy dump, pystack, gdb's info threads, eu-stack, wait channels.

Examples:
    "pool-worker-0" #10 daemon prio=5 os_prio=0 cpu=1.2ms tid=0x00007f nid=0x37f1 waiting for monitor entry
       java.lang.Thread.State: BLOCKED (on object monitor)
        at Busy.hold(Busy.java:3)
        - waiting to lock <0x000000071a> (a java.lang.Class for Busy)

    goroutine 12 [chan receive, 41 minutes]:
    main.worker(0xc0001)

    Thread 14996 (idle): "reader-0"
        waiter (spin.py:5)

    * 9 Thread 0x7f033ffff700 (LWP 5794)  0x00007f034f1b4334 in __lll_lock_wait () from /lib64/libpthread.so.0

One look: presence, no shares. The forms are rows of `ingest/engines/threads/forms.yaml`.
Sources: jstack(1); runtime/traceback.go; py-spy's src/dump.rs; pystack's src/pystack/traceback_formatter.py;
gdb's thread.c; elfutils' src/stack.c.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ingest.engines.threads.forms import first_lines, form_of
from ingest.engines.threads.listing import begins, continues, listed
from ingest.engines.threads.looks import ROWS, cells_of
from ingest.model.citation import Lines as Places
from ingest.model.facts import Fact
from ingest.model.profile import Frame, Profile, Thread
from ingest.model.reading import Reading
from ingest.native.linear import Pattern
from ingest.parsing.profile_builder import PlacedFrame, StackBuilder
from ingest.parsing.series import Rows
from ingest.parsing.shapes import Lines, Meaning
from ingest.paste.transcript import transcript

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ingest.model.section import Text

_FIRST = Pattern(first_lines())


@dataclass(frozen=True, slots=True, kw_only=True)
class ThreadLists(Lines):
    """Lists of threads, which rows of data recognise."""

    def begins(self, lines: Sequence[str], at: int) -> bool:
        """Return whether a list starts at `lines[at]`."""
        return begins(lines, at)

    def continues(self, line: str) -> bool:
        """Return whether `line` can occur in a list."""
        return continues(line)


def read(text: Text) -> Reading:
    """Read every thread as one row, and as one sample where its stack is printed."""
    pasted = transcript(text)
    found = listed(zip(pasted.numbers, pasted.texts, strict=True))
    builder, rows = StackBuilder(), Rows(ROWS)
    for look in found.looks:
        form = form_of(look.form)
        kind = form.kind if form else "user"
        if look.frames and look.count == 1:
            frames = [PlacedFrame(Frame(one.name, one.module, kind), one.line) for one in look.frames]
            builder.add(frames, line=look.line, thread=Thread(look.name, -1, look.tid))
        rows.add(look.line, cells_of(look))
    for number, line in found.skipped:
        pasted.skips.add("a line of source code" if line.startswith(" " * 8) else "not a frame", number)
    if found.beyond:
        detail = f"the first {len(found.looks):,} threads are read; {found.beyond:,} more are counted"
        pasted.remark("excerpt", detail, text.first_line)
    facts: tuple[Fact, ...] = ()
    if found.deadlock_line:
        facts = (Fact("threads.stated_deadlocks", 1.0, Places.at(found.deadlock_line), "count"),)
    profiles: tuple[Profile, ...] = ()
    if len(builder):
        profiles = (builder.build(event="", unit="count", what="bare", has_weights=False),)
        detail = f"{len(builder):,} threads, one look at each: shows presence, not shares"
        pasted.remark("no_weights", detail, text.first_line)
    return Reading(
        profiles=profiles,
        facts=facts,
        row_sets=rows.sets(),
        skipped=pasted.skips.result(),
        quality=tuple(pasted.quality),
    )


FACTS = {
    "threads.stated_deadlocks": Meaning(
        "deadlocks that the run-time itself reports: `Found one Java-level deadlock`, "
        "`all goroutines are asleep - deadlock!`",
        "count",
    ),
}

FORMAT = ThreadLists(
    name="thread-dump",
    version=3,
    title="Lists of threads",
    command="py-spy dump --pid 1",
    example='Thread 14996 (idle): "reader-0"\n    waiter (spin.py:5)\n    Thread.run (threading.py:982)',
    first=_FIRST,
    read=read,
)
