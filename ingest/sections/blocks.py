"""Blocks of a paste: the lines under one banner or prompt."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from ingest.native.line_starts import LineStarts
from ingest.paste.prompt import BANNER, OPENERS, prompt_at
from ingest.paste.quoting import FENCE
from ingest.sections import captured_files
from ingest.sections.dated import date_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence


@cache
def _openers() -> LineStarts:
    return LineStarts([(0, (FENCE.pattern, *OPENERS), (), 0)])


class Opening(NamedTuple):
    """What opened the block that lines are in: banner or prompt, time above it, and the lines that takes."""

    path: str = ""
    command: str = ""
    lines: int = 0
    at: float | None = None


NOTHING = Opening()


class Block(NamedTuple):
    """Lines under one banner or prompt: indices of the head, the first body line, and past the last."""

    head: int
    body: int
    end: int
    path: str
    command: str
    at: float | None = None


def blocks(lines: Sequence[str], opened: Opening) -> Iterator[Block]:
    """Yield the blocks in order; what opened the first stands above `lines`."""
    head = body = 0
    stamp = opened.at
    at = 0
    for opener in _openers().scan(list(lines))[0]:
        if opener < at:
            continue
        if FENCE.match(lines[opener]):
            if opener > head:
                yield Block(head, body, opener, opened.path, opened.command, stamp)
            # A command inside a code block did not print the text outside it.
            opened, stamp = NOTHING, None
            head = body = at = opener + 1
            continue
        opening = _opening(lines, opener)
        if opening is None:
            continue
        if opener > head:
            yield Block(head, body, opener, opened.path, opened.command, stamp)
        # A time applies to the files listed below it, not to later commands.
        stamp = opening.at if opening.at is not None or opening.command else stamp
        opened = opening
        head = opener
        body = at = opener + opening.lines
    yield Block(head, body, len(lines), opened.path, opened.command, stamp)


def _opening(lines: Sequence[str], at: int) -> Opening | None:
    """Return what opens a block at `lines[at]`, None when nothing does."""
    if banner := BANNER.match(lines[at]):
        return Opening(banner["path"], "", 1)
    is_above_file = at + 1 < len(lines) and BANNER.match(lines[at + 1])
    # A whole number is what the file above holds.
    if is_above_file and not lines[at].strip().isdigit() and (date := date_of(lines[at])):
        return Opening("", "", 1, date.at)
    prompt = prompt_at(lines, at)
    if prompt is None:
        return None
    path = prompt.whole(captured_files.path_of_command(prompt.command))
    return Opening(path, prompt.command, prompt.lines)
