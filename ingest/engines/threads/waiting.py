"""What a thread waits for, by the innermost functions of its stack, else by the state that the tool prints.

    wait_of(look)  ->  Wait(kind="lock", function="std::mutex::lock", subject="Cache::evict", …)

The functions are rows of `waiting.yaml`. The first function that is none of them is the subject.
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

from ingest.frames.normalise import normalise
from ingest.frames.wait_points import kinds as kernel_kinds
from ingest.frames.wait_points import wait_point
from ingest.native.linear import Pattern
from ingest.tables import files, table

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ingest.engines.threads.model import ThreadFrame, ThreadLook

GENERIC, LOCK, RUNNING, KERNEL, OTHER = "generic", "lock", "running", "kernel", ""
OF_KERNEL = frozenset({"wait-channels", "sampled-stack"})
"""Forms whose functions are of the kernel."""

SUBJECT_FRAMES = 3
"""Functions from the subject outwards that a sentence may show."""


class WaitKind(NamedTuple):
    """What threads wait for: the attributes of `waiting.yaml`."""

    name: str
    title: str
    is_lock: bool
    is_idle: bool
    frames: Pattern


class Wait(NamedTuple):
    """Where a thread waits.

    Attributes:
        kind: A key of `waiting.yaml`, one of its states, `kernel`, `running`, or "" where nothing shows it.
        function: The outermost function of waiting; that of the kernel for a wait channel.
        subject: The first function that is none of waiting; "" where the stack ends before it.
        path: The subject and its callers.
        line: The line of the subject, of the thread without one.
    """

    kind: str
    function: str
    subject: str
    path: tuple[str, ...]
    line: int


def wait_kinds() -> Mapping[str, WaitKind]:
    """Return the kinds by name, in the order in which functions are looked up."""
    return _tables()[0]


def wait_of(look: ThreadLook) -> Wait:
    """Return where a thread waits."""
    kind, depth = _by_frames(look.frames)
    subject = look.frames[depth:]
    function = look.frames[depth - 1].name if depth else ""
    path = tuple(bare_name(one.name) for one in subject[:SUBJECT_FRAMES])
    line = subject[0].line if subject else look.line
    if kind in {OTHER, GENERIC}:
        kind = _by_state(look.state) or kind
    if kind in {OTHER, GENERIC} and look.frames:
        site = _kernel_site(look)
        kind = KERNEL if site else kind
        function = site or function
    if kind == LOCK and _by_state(look.state) == RUNNING:
        kind = RUNNING  # It takes or releases a lock that is free.
    if look.waits.address and not look.is_given_up and kind in {OTHER, GENERIC}:
        kind = LOCK
    return Wait(kind, bare_name(function), path[0] if path else "", path, line)


def is_wait(name: str, module: str = "") -> bool:
    """Return whether a function is one of waiting that says more than that the thread sleeps."""
    return _kind_of(name, module) not in {"", GENERIC}


def bare_name(name: str) -> str:
    """Return a function without its arguments, template arguments aside."""
    plain = normalise(name).removesuffix(" const")
    if not plain.endswith(")"):
        return plain
    depth = 0
    for at in range(len(plain) - 1, -1, -1):
        depth += (plain[at] == ")") - (plain[at] == "(")
        if not depth:
            return plain[:at].strip() or plain
    return plain


def _by_frames(frames: Sequence[ThreadFrame]) -> tuple[str, int]:
    """Return the kind of the outermost function of waiting, and how many stand before the subject."""
    kind, depth = OTHER, 0
    for frame in frames:
        known = _kind_of(frame.name, frame.module)
        if not known:
            break
        depth += 1
        if known != GENERIC:
            kind = known
        elif not kind:
            kind = GENERIC
    return kind, depth


@cache
def _kind_of(name: str, module: str) -> str:
    plain = normalise(name)
    shapes = [plain, f"{plain} ({module.rpartition('/')[2]})"] if module else [plain]
    if (bare := bare_name(name)) != plain:
        shapes.append(bare)
    for kind in _tables()[0].values():
        if any(kind.frames.match(one) for one in shapes):
            return kind.name
    return ""


def _by_state(state: str) -> str:
    return next((kind for kind, shape in _tables()[1].items() if state and shape.match(state)), "")


def _kernel_site(look: ThreadLook) -> str:
    """Return the function of the kernel where a task waits, if it is known and no idle task waits there."""
    if look.form not in OF_KERNEL:
        return ""
    point = wait_point(tuple(normalise(one.name) for one in look.frames))
    known = kernel_kinds().get(point.kind) if point else None
    is_known = point and known and not (known.is_idle or known.is_asleep)
    return (point.site or look.frames[0].name) if point and is_known else ""


@cache
def _tables() -> tuple[dict[str, WaitKind], dict[str, Pattern]]:
    document: Mapping[str, Any] = table(files(__package__) / "waiting.yaml")
    found = {
        name: WaitKind(
            name,
            row["title"],
            row.get("is_lock", False),
            row.get("is_idle", False),
            any_of(row["frames"]),
        )
        for name, row in document["kinds"].items()
    }
    # A lock that is waited for inside the function of a condition is a lock: the exact kinds come first.
    order = sorted(found, key=lambda name: name == GENERIC)
    return {name: found[name] for name in order}, {
        name: any_of(shapes) for name, shapes in document["states"].items()
    }


def any_of(globs: Sequence[str]) -> Pattern:
    """Return an expression of names in which `*` stands for any characters."""
    return Pattern("^(?:" + "|".join(_glob(one) for one in globs) + ")$")


def _glob(glob: str) -> str:
    return r"\*".join(".*".join(map(re.escape, part.split("*"))) for part in glob.split(r"\*"))
