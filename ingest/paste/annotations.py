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
from typing import TYPE_CHECKING, NamedTuple

from ingest.model.reading import SkipCounter
from ingest.native.linear import Pattern

if TYPE_CHECKING:
    from ingest.model.reading import Skipped
    from ingest.model.section import Text

ELLIPSIS = re.compile(r"^\s*(?:\.\.\.|…|\[(?:\.\.\.|…|snip|cut)\]|<snip>)\s*$", re.IGNORECASE)
_NOTE = Pattern(r"\s+(?:<--+|<==+|←|⇐)(?:\s.*)?$")
_MARK = re.compile("<--|<==|←|⇐")


class Stripped(NamedTuple):
    """A text without its annotations.

    Attributes:
        ellipsis: First line of dots, 0 if none.
    """

    text: Text
    skipped: tuple[Skipped, ...]
    ellipsis: int


def without_annotations(text: Text) -> Stripped:
    """Strip annotations from line ends; line numbers and lines of dots stay."""
    skips = SkipCounter()
    lines: list[str] = []
    ellipsis = 0
    for number, line in enumerate(text.lines, start=text.first_line):
        bare = line
        if _MARK.search(line) and (found := _NOTE.search(line)) and found.start():
            bare = line[: found.start()]
            skips.add("a note typed behind a line, not read", number)
        elif not ellipsis and len(line) < 40 and ELLIPSIS.match(line):
            ellipsis = number
        lines.append(bare)
    skipped = skips.result()
    return Stripped(replace(text, lines=lines) if skipped else text, skipped, ellipsis)
