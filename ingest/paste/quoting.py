"""Quoting and indentation of pasted text: taken away without moving a line.

Examples:
    > 55.47% [kernel] [k] _raw_spin_unlock_irq      a mail's quote; `>> ` and `> > ` quote a quote, `| ` a log
        55.47% [kernel] [k] _raw_spin_unlock_irq    a code block of Markdown
    ```text                                         the fence of a code block: a paste of its own
    :Call Trace:                                    a file in a report of ABRT
    ``` Active / Total Objects (% used) : 962       a fence on the first or last line of the code
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from ingest.native.linear import Pattern
from ingest.paste.marks import has_mark
from ingest.paste.quoted_printable import decoded

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_QUOTE = re.compile(r"^\s{0,3}(?:>(?:> ?|(?: >)*+ ?)|\|(?: |$))")
ABRT = ":"
"""What a report of ABRT puts before each line of a file; src/lib/make_descr.c of libreport."""

FEWEST_OF_ABRT = 3

FENCE = re.compile(r"^\s*(?:`{3,}|~{3,})[\w.+ -]{0,40}\s*$")
"""The first or last line of a fenced code block (CommonMark, "Fenced code blocks")."""

_GLUED = re.compile(r"^\s{0,3}`{3}(?P<first>[^`]+)$|^(?P<last>[^`]+)`{3}\s*$")
"""A line of code with the fence on it."""


_TAGGED = Pattern(
    r"^\s*<(?:(?:pre|code)(?: [^<>]{0,200})?>|.{0,300}<(?:pre|code)(?: [^<>]{0,200})?>)(?P<first>.*\S.*)$"
)
_ENDED = re.compile(r"</(?:pre|code)>[^\n]*$")
"""A line of code with the tags of HTML before or after it."""

_TAGS = ("<pre", "<code", "</pre", "</code")


class Run(NamedTuple):
    """Lines `first` up to but without `end` (indices), and what they say without quotes or indentation."""

    first: int
    end: int
    bare: list[str]


def unquoted(lines: Sequence[str]) -> Sequence[str]:
    """Return `lines` decoded, without fences on lines of code, and without `> ` that all lines have."""
    if has_mark(lines, ("=\n", "```", *_TAGS)):
        lines = decoded(lines)
        if any("```" in line for line in lines):
            lines = [_without_fence(line) if "```" in line else line for line in lines]
        if any(tag in line for line in lines for tag in _TAGS):
            lines = [_without_tags(line) if "<" in line else line for line in lines]
    if not any(lines):
        return lines
    if all(_QUOTE.match(line) for line in lines if line.strip()):
        return [_QUOTE.sub("", line) for line in lines]
    if len(lines) >= FEWEST_OF_ABRT and all(line.startswith(ABRT) for line in lines if line.strip()):
        return [line.removeprefix(ABRT) for line in lines]
    return lines


def _without_tags(line: str) -> str:
    """Return a line without the `<pre>` before its first word, and without the end of the block.

    A log whose characters are encoded as well is decoded with its tags (`ingest.sections.log_prefixes`).
    """
    if "&lt;" in line or "&gt;" in line:
        return line
    found = _TAGGED.match(line)
    code = _ENDED.sub("", (found["first"] if found else line) or "")
    return code if code.strip() else line


def _without_fence(line: str) -> str:
    found = None if FENCE.match(line) else _GLUED.match(line)
    code = (found["first"] or found["last"]) if found else ""
    return code if code.strip() else line


def runs(lines: Sequence[str]) -> Iterator[Run]:
    """Yield the runs of quoted lines and of indented lines; lines that are neither are in none."""
    at = 0
    while at < len(lines):
        kind = _kind(lines[at])
        first = at
        while at < len(lines) and (_kind(lines[at]) == kind or (kind and not lines[at].strip())):
            at += 1
        if kind == "quoted":
            yield Run(first, at, [_QUOTE.sub("", line) for line in lines[first:at]])
        elif kind == "indented":
            yield Run(first, at, _dedented(lines[first:at]))


def _kind(line: str) -> str:
    if _QUOTE.match(line):
        return "quoted"
    return "indented" if line[:1].isspace() and line.strip() else ""


def _dedented(lines: Sequence[str]) -> list[str]:
    """Return `lines` without the blanks that all of them begin with."""
    width = min(len(line) - len(line.lstrip()) for line in lines if line.strip())
    return [line[width:] for line in lines]
