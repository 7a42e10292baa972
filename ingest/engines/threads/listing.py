"""Lists of threads read line by line, whatever tool printed them."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING

from ingest.engines.threads import sessions
from ingest.engines.threads.forms import Form, any_line, any_of_lines, form_of, forms
from ingest.engines.threads.model import NO_LOCK, Lock, ThreadFrame, ThreadLook, thread_name
from ingest.engines.threads.waiting import is_wait
from ingest.frames.wait_points import kinds, wait_point

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from ingest.native.linear import Pattern

MINUTE = 60.0
KNOWN_AHEAD = 4
"""Frames below the head of a thread among which a function of waiting is."""

MOST_LOOKS = 20_000
"""Threads that are kept of one list; more are of leaks, where those after them are alike."""

MOST_KEPT, LONGEST_KEPT = 8192, 256
"""Lines that are remembered, and their characters: threads in one function print the same."""

AHEAD = 40
"""Lines below an opening within which a thread follows: a JVM lists the addresses of all threads first."""


@dataclass(slots=True)
class Listing:
    """What a list of threads holds.

    Attributes:
        looks: Threads in the order of the text.
        deadlock_line: Where the tool states a deadlock, 0 where it does not.
        skipped: Lines that are of no form, with their numbers.
        beyond: Threads after the first `MOST_LOOKS`, which are counted and not kept.
    """

    looks: list[ThreadLook] = field(default_factory=list)
    deadlock_line: int = 0
    skipped: list[tuple[int, str]] = field(default_factory=list)
    beyond: int = 0


def begins(lines: Sequence[str], at: int) -> bool:
    """Return whether a list of threads starts at `lines[at]`."""
    line = lines[at]
    if (head := sessions.head_of(line)) is not None:
        return any(sessions.looks_of_row(head, text, 0) for text in lines[at + 1 : at + KNOWN_AHEAD])
    for form in forms():
        if any(one.match(line) for one in form.deadlock):
            return True
        if any(one.match(line) for one in form.openings):
            ahead = [text for text in lines[at + 1 : at + AHEAD] if text.strip()]
            return any(one.match(text) for text in ahead for one in form.heads)
        if not any(one.match(line) for one in form.heads):
            continue
        ahead = [text for text in lines[at + 1 : at + 12] if text.strip()]
        if form.rows > 1:
            own = [line, *ahead][: form.rows]
            if len(own) == form.rows and all(_is_channel_row(form, text) for text in own):
                return True
            continue
        if form.is_of_known_waits:
            if any(_is_known_wait(form, text) for text in ahead[:KNOWN_AHEAD]):
                return True
            continue
        if not form.below or (ahead and any(one.match(ahead[0]) for one in form.below)):
            return True
    return False


def continues(line: str) -> bool:
    """Return whether `line` can occur in a list of threads."""
    return _is_known_line(line) if len(line) <= LONGEST_KEPT else _is_line(line)


@lru_cache(MOST_KEPT)
def _is_known_line(line: str) -> bool:
    return _is_line(line)


def _is_line(line: str) -> bool:
    return not line.strip() or bool(any_line().match(line))


def _is_known_wait(form: Form, line: str) -> bool:
    """Return whether a line is a frame of a function in which threads of programs are known to wait."""
    found = _first(form.frames, line)
    return found is not None and is_wait(str(found["name"]), found.get("module") or "")


def _is_channel_row(form: Form, line: str) -> bool:
    """Return whether a line counts threads in a function in which the kernel is known to wait."""
    found = next((one for head in form.heads if (one := head.match(line))), None)
    if found is None:
        return False
    function = found["function"] or ""
    if is_wait(function):
        return True
    point = wait_point((function,))
    return point is not None and (bool(point.primitive) or point.kind in kinds())


def listed(lines: Iterable[tuple[int, str]]) -> Listing:
    """Read the threads of numbered lines."""
    found = Listing()
    heads, deadlock, others = map(any_of_lines, ("heads", "deadlock", "others"))
    form: Form | None = None
    head: sessions.Head | None = None
    for number, line in lines:
        if not line.strip():
            continue
        if found.beyond and form is not None:
            for one in form.heads:
                if one.match(line):
                    found.beyond += 1
                    break
            continue
        if (table_head := sessions.head_of(line)) is not None:
            head = table_head
            continue
        if head is not None and (rows := sessions.looks_of_row(head, line, number)):
            found.looks += rows
            continue
        is_inside = form is not None and form.is_one_thread and found.looks[-1].last_line == number - 1
        opened = _opened(line, number, form) if not is_inside and heads.match(line) else None
        if opened is not None:
            form, look = opened
            is_beyond = len(found.looks) >= MOST_LOOKS
            found.beyond += is_beyond
            if not is_beyond:
                found.looks.append(look)
            continue
        if deadlock.match(line):
            found.deadlock_line = found.deadlock_line or number
            continue
        if form is None or not found.looks or not _taken(found.looks[-1], form, line, number):
            if not others.match(line):
                found.skipped.append((number, line))
            continue
        found.looks[-1].last_line = number
    if head is not None:
        found.looks = sessions.joined(found.looks)
    for look in found.looks:
        _finish(look)
    return found


def _opened(line: str, number: int, current: Form | None) -> tuple[Form, ThreadLook] | None:
    """Return the form and the thread that a line begins; None for other lines."""
    order = forms() if current is None else (current, *(one for one in forms() if one is not current))
    for form in order:
        for head in form.heads:
            if found := head.match(line):
                return form, _look(form, found.groupdict(), number)
    return None


def _look(form: Form, groups: dict[str, str | None], number: int) -> ThreadLook:
    tid = int(groups.get("hex_tid") or "", 16) if groups.get("hex_tid") else int(groups.get("tid") or -1)
    tid = 0 if form.is_one_thread else tid
    minutes, seconds = groups.get("minutes"), groups.get("seconds")
    function = groups.get("function")
    return ThreadLook(
        form=form.name,
        name=(groups.get("name") or "").strip(),
        tid=tid,
        line=number,
        state=(groups.get("state") or "").strip(),
        seconds=float(minutes) * MINUTE if minutes else float(seconds) if seconds else None,
        count=int(groups.get("count") or 1),
        frames=[ThreadFrame(function.strip(), groups.get("module") or "", number)] if function else [],
        last_line=number,
    )


def _taken(look: ThreadLook, form: Form, line: str, number: int) -> bool:
    """Add a line to the thread above it; False where it says nothing about a thread."""
    if (found := _first(form.names, line)) is not None:
        look.name = found.get("name") or look.name
        return True
    if (found := _first(form.queues, line)) is not None:
        look.queue = int(found.get("queue") or 0)
        return True
    if (found := _first(form.frames, line)) is not None:
        indent = len(found.get("indent") or "")
        if indent and indent <= look.indent:
            return True
        look.indent = indent
        module = (found.get("module") or "").partition(":")[0]
        look.frames.append(ThreadFrame(str(found["name"]), module, number))
        return True
    if (found := _first(form.waits, line)) is not None:
        old = look.waits
        look.waits = Lock(
            old.address or found.get("address") or "",
            old.what or found.get("what") or "",
            old.owner or found.get("owner") or _owner(found.get("owner_tid")),
        )
        return True
    if (found := _first(form.releases, line)) is not None:
        look.waits = Lock(found.get("address") or "", found.get("what") or "")
        look.is_given_up = True
        return True
    if (found := _first(form.holds, line)) is not None:
        look.holds.append(Lock(found.get("address") or "", found.get("what") or ""))
        return True
    if (found := _first(form.states, line)) is not None:
        look.state = found.get("state") or look.state
        return True
    return False


def _owner(tid: str | None) -> str:
    return thread_name(int(tid)) if tid else ""


def _first(patterns: Sequence[Pattern], line: str) -> dict[str, str | None] | None:
    found = next((one for pattern in patterns if (one := pattern.match(line))), None)
    return None if found is None else found.groupdict()


def _finish(look: ThreadLook) -> None:
    """Order the frames, and leave out of the held locks what the thread gave up while it waits."""
    form = form_of(look.form)
    if form and not form.is_innermost_first:
        look.frames.reverse()
    if look.is_given_up and look.waits is not NO_LOCK:
        look.holds = [one for one in look.holds if one.address != look.waits.address]
