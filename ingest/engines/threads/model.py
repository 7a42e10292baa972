"""Values of the engine: a thread as one look shows it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple


class ThreadFrame(NamedTuple):
    """A function on a stack; `module` is a file or library, "" when not printed."""

    name: str
    module: str
    line: int


class Lock(NamedTuple):
    """A lock: its address and type, and the thread that the tool says holds it; "" each where not printed."""

    address: str
    what: str = ""
    owner: str = ""


NO_LOCK = Lock("")


@dataclass(slots=True)
class ThreadLook:
    """One thread, or several that a line counts.

    Attributes:
        form: The row of `forms.yaml` that printed it.
        name: Name, "" when not printed.
        tid: Thread or goroutine id, -1 when not printed.
        line: The line of its head.
        state: State as printed, "" when not.
        seconds: Seconds in that state, None when not printed.
        count: Threads that the line counts.
        frames: Functions, the innermost first.
        waits: The lock that it waits for.
        holds: Locks that it holds.
        is_given_up: It waits for what it gave up meanwhile: a condition.
        last_line: Its last line.
        queue: Messages that wait for it.
        indent: Of a tree: characters before its last function.
    """

    form: str
    name: str
    tid: int
    line: int
    state: str = ""
    seconds: float | None = None
    count: int = 1
    frames: list[ThreadFrame] = field(default_factory=list)
    waits: Lock = NO_LOCK
    holds: list[Lock] = field(default_factory=list)
    is_given_up: bool = False
    last_line: int = 0
    queue: int = 0
    indent: int = 0


def thread_name(tid: int) -> str:
    """Return the name by which a thread is distinguished from others of its name."""
    return f"thread {tid}"
