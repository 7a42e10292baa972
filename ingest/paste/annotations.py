"""Annotations in a paste: notes at line ends, and dots in place of omitted lines.

Examples:
    7.1   0.31 ms   spinlock   shrink_node+0x2ff   <-- this one
    [snip]

No tool prints these marks at the end of a line; ftrace's `kfree <-sys_exit` has neither a second dash nor a
blank. An annotation is counted as skipped; the line reads as without it.
"""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from ingest.model.reading import SkipCounter
from ingest.native.line_starts import LineStarts
from ingest.native.linear import Pattern
from ingest.paste.marks import has_mark

if TYPE_CHECKING:
    from ingest.model.reading import Skipped
    from ingest.model.section import Text

ELLIPSIS = re.compile(r"^\s*(?:\.\.\.|…|\[(?:\.\.\.|…|snip|cut)\]|<snip>)\s*$", re.IGNORECASE)
_NOTE = Pattern(r"\s+(?:<--+|<==+|←|⇐)(?:\s.*)?$")
_MARK = re.compile("<--|<==|←|⇐")


_MARKS = ("<", "←", "⇐", "...", "…", "[")
"""One of these stands in every line that is looked at; in most tables none does."""


class Stripped(NamedTuple):
    """A text without its annotations.

    Attributes:
        ellipsis: First line of dots, 0 if none.
    """

    text: Text
    skipped: tuple[Skipped, ...]
    ellipsis: int


@cache
def _marked() -> LineStarts:
    """Return what finds the lines with a mark of a note, and those of dots, loosely."""
    return LineStarts(
        [(0, (r".*(?:<--|<==|←|⇐)", r"\s*(?:\.\.\.|…|\[(?:\.\.\.|…|(?i:snip|cut)\])|(?i:<snip>))"), (), 0)]
    )


def without_annotations(text: Text) -> Stripped:
    """Strip annotations from line ends; line numbers and lines of dots stay."""
    skips = SkipCounter()
    lines = text.lines if isinstance(text.lines, list) else list(text.lines)
    bare: dict[int, str] = {}
    ellipsis = 0
    for at in _marked().scan(lines)[0] if has_mark(lines, _MARKS) else ():
        line, number = lines[at], text.first_line + at
        if _MARK.search(line) and (found := _NOTE.search(line)) and found.start():
            bare[at] = line[: found.start()]
            skips.add("a note typed behind a line, not read", number)
        elif not ellipsis and len(line) < 40 and ELLIPSIS.match(line):
            ellipsis = number
    if not bare:
        return Stripped(text, (), ellipsis)
    stripped = [bare.get(at, line) for at, line in enumerate(lines)]
    return Stripped(replace(text, lines=stripped), skips.result(), ellipsis)
