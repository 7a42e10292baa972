"""The call tree as a graph draws it: commands are the first level, neighbours without a symbol are one row.

Example:
    mysqld 10657: 0x7f31…;0x7f32…;do_syscall_64   becomes   mysqld;(2 frames without a symbol);do_syscall_64

Frames of user space without a symbol say nothing apart from each other, and what they called is the same:
joined, the kernel's part of a command is one tower. Commands are numbered after the nodes of the profile, by
name, so that their numbers are the same in every selection.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from ingest.model.profile import Frame, Profile

COMMAND_KIND = "command"
JOINED_KIND = "nameless"
JOINED_NAME = "[frames without a symbol]"
NO_COMMAND = "[no name]"
UNRESOLVED = re.compile(r"\[unknown\]|(?:0x)?[0-9a-f]{8,16}")
"""What perf prints where no symbol covers an address: scripts say it, tables print the address."""
_LIBRARY = re.compile(r"\[?[^\s\[\]()]*\.so[.\d]*\]?(?:\+0x[0-9a-f]+)?")
"""`[libc.so.6]`, `/usr/lib/libfoo.so+0x1f3`: the file of an address without a symbol."""
_BEFORE_DIGITS = re.compile(r"\D+(?=\d)")
"""`arrow-read-` of `arrow-read-26`, `kworker/` of `kworker/0:1-events`: workers of one pool do the same."""


class Arrangement(NamedTuple):
    """How to arrange the tree of a profile with T threads and F frames.

    Attributes:
        commands: T numbers of commands, None where no thread has a name.
        nameless: F bytes, 1 for a frame of user space without a symbol; None to leave them apart.
        frame_count: F; the frame after these is the joined frames, those after it are commands.
        namesakes: F commands with the name of a frame, -1 for none: folded stacks begin with their command.
    """

    commands: list[int] | None
    nameless: bytes | None
    frame_count: int
    namesakes: list[int]


def commands_of(profile: Profile) -> list[str]:
    """Return T names: of each thread, or `arrow-read-*` for several that differ from their first digit on."""
    comms = {thread.comm for thread in profile.threads}
    prefixes = Counter(prefix.group() for comm in comms if (prefix := _BEFORE_DIGITS.match(comm)))
    families = {
        comm: f"{prefix.group()}*"
        for comm in comms
        if (prefix := _BEFORE_DIGITS.match(comm)) and prefixes[prefix.group()] > 1
    }
    return [families.get(thread.comm, thread.comm) for thread in profile.threads]


def command_names(profile: Profile) -> list[str]:
    """Return the distinct commands, sorted; none where no thread has a name."""
    names = sorted(set(commands_of(profile)))
    return [] if names == [""] else names


def of_profile(profile: Profile, *, joins_nameless: bool) -> Arrangement:
    """Return the arrangement by command, with or without joined frames."""
    numbers = {name: at for at, name in enumerate(command_names(profile))}
    return Arrangement(
        [numbers[name] for name in commands_of(profile)] if numbers else None,
        bytes(is_nameless(frame) for frame in profile.frames) if joins_nameless else None,
        len(profile.frames),
        [numbers.get(frame.name, -1) for frame in profile.frames],
    )


def is_nameless(frame: Frame) -> bool:
    """Whether a frame is code of user space whose function is unknown."""
    if frame.kind not in {"user", "unknown"}:
        return False
    return UNRESOLVED.fullmatch(frame.name) is not None or _LIBRARY.fullmatch(frame.name) is not None


def added_frames(profile: Profile) -> list[tuple[str, str]]:
    """Return name and kind of the frames after those of the profile."""
    return [
        (JOINED_NAME, JOINED_KIND),
        *((name or NO_COMMAND, COMMAND_KIND) for name in command_names(profile)),
    ]
