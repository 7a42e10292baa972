"""Kernel messages anywhere in a text whose beginning is of no format: application logs hold them late."""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

from ingest.native import _core
from ingest.readers.logs import kernel_log
from ingest.readers.logs.kernel_log import classes
from ingest.sections.log_prefixes import has_kernel_lines

if TYPE_CHECKING:
    from collections.abc import Iterator

MOST_DOUBTS = 10_000
"""A text with more lines of other programs that look like a kernel message is not searched on."""


class LateText(NamedTuple):
    """A text from shortly above its first kernel message on.

    Attributes:
        chunks: The text.
        lines_above: Lines above it, which are left out.
    """

    chunks: Iterator[bytes]
    lines_above: int


def find(chunks: Iterator[bytes]) -> LateText | None:
    """Return the text from at most two chunks above its first kernel message on, None when there is none."""
    lines_above = doubts = 0
    before = open_line = b""
    for chunk in chain(chunks, [b""]):
        text = open_line + chunk
        end = text.rfind(b"\n") + 1 if chunk else len(text)
        text, open_line = text[:end], text[end:]
        at = 0
        while (line := classes.first_line(text, at)) is not None and doubts < MOST_DOUBTS:
            start, at = line
            lines = [text[start:at].decode("utf-8", "replace")]
            if kernel_log.begins(lines, 0) or has_kernel_lines(lines):
                return LateText(chain([before, text, open_line], chunks), lines_above)
            doubts += 1
        if text:
            lines_above += _core.line_ends(before)
            before = text
    return None
