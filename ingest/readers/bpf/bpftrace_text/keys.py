"""Map keys: texts and whole call stacks between the brackets.

Example (one key of two parts, a kernel stack and a comm):
    @[
        shrink_lruvec+2176
        shrink_node+767
    , arrow-read-04]: 1

An empty stack prints as nothing: `@[, chromium]: 42` is "no kernel stack, chromium".
With `stackmode=perf` the address is first, and no offset is hexadecimal:
    ffffffff815ac870 shrink_lruvec+2176

Source: BPFtrace::get_stack in bpftrace src/bpftrace.cpp.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from ingest.native.linear import Pattern

if TYPE_CHECKING:
    from collections.abc import Iterable

_FRAME = Pattern(
    r"^\s*(?:(?P<address>(?:0x)?[0-9a-f]{8,16})\s+)?(?P<name>[^\s,].*?)(?P<offset>\+(?:0x)?[0-9a-f]+)?"
    r"(?:\s+[\[(](?P<module>[^\])]*)[\])])?\s*$"
)
_UNINDENTED = re.compile(r"^(?!@)[^\s,\]]\S*\+\d+\s*$")
_HALF_ADDRESS = re.compile(r"^(?:0x)?[0-9a-f]{8,16}$")


class PrintedFrame(NamedTuple):
    """One frame of a stack key; `is_kernel_address` when the printed address is in the kernel's half."""

    name: str
    module: str
    line: int
    is_kernel_address: bool


class Part(NamedTuple):
    """One part of a key: a stack (innermost frame first) or a text."""

    frames: tuple[PrintedFrame, ...]
    text: str


def is_frame_line(line: str) -> bool:
    """Return whether a line inside an open key is a frame: indented, or flush left with an offset."""
    stripped = line.strip()
    if not stripped or stripped[0] in ",]":
        return False
    return line[0].isspace() or bool(_UNINDENTED.match(line))


def frame(line: str, number: int) -> PrintedFrame:
    """Read a frame line: offset and address stripped, the module where printed."""
    found = _FRAME.match(line)
    if not found:
        return PrintedFrame(line.strip(), "", number, is_kernel_address=False)
    name = found["name"]
    address = found["address"] or (name if _HALF_ADDRESS.match(name) else "")
    is_kernel = address.removeprefix("0x").startswith("ffff") and len(address.removeprefix("0x")) == 16
    module = found["module"] or ""
    return PrintedFrame(name, "" if module == "[unknown" else module, number, is_kernel_address=is_kernel)


def _split(text: str) -> list[str]:
    """Split at commas outside brackets: `[1,2,3], 42` has two pieces."""
    pieces = [""]
    depth = 0
    for char in text:
        depth += (char in "([{") - (char in ")]}")
        if char == "," and depth <= 0:
            pieces.append("")
        else:
            pieces[-1] += char
    return pieces


def parse(lines: Iterable[tuple[int, str]]) -> tuple[Part, ...]:
    """Read the numbered lines between the brackets of a key."""
    parts: list[Part] = []
    frames: list[PrintedFrame] = []
    text = ""
    for number, line in lines:
        if is_frame_line(line):
            frames.append(frame(line, number))
            continue
        first, *others = _split(line)
        text += first.strip()
        for piece in others:
            parts.append(Part(tuple(frames), text))
            frames, text = [], piece.strip()
    parts.append(Part(tuple(frames), text))
    return tuple(parts)


def shown(parts: Iterable[Part]) -> str:
    """Return the key as one line: stacks as `leaf<caller<…`, texts as they are."""
    return ", ".join("<".join(frame.name for frame in part.frames) or part.text for part in parts)
