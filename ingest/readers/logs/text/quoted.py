"""Kernel messages that somebody quotes inside a sentence.

Example:
    since noon we see 'blk_update_request: I/O error, dev sda, sector 2048' in dmesg, is the disk dead?

Only of short texts, as people write them in a chat: documentation and programs quote messages that nobody
saw. Of a quotation, the words alone count that the kernel prints.
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING

from ingest.catalogue.log_classes import CLASSES
from ingest.native.line_starts import LineStarts
from ingest.parsing.class_finder import finder
from ingest.parsing.fact_reader import FactReader

if TYPE_CHECKING:
    from ingest.model.reading import Reading
    from ingest.model.section import Text

MOST_LINES = 40
"""Lines of a text that somebody typed."""

MAX_LINE = 2000
MOST = 20
"""Quotations that are looked at."""

_QUOTED = re.compile(
    r"(?<![([{=])(?:"
    r"`(?P<code>[^`]{12,300})`|\"(?P<double>[^\"]{12,300})\"|(?<!\w)'(?P<single>.{12,300}?)'(?!\w))"
)
"""Not an argument or an element of a program's text."""

_BEFORE = re.compile(r"^(?:[\w.-]{1,40}(?:: |$)){0,2}$")
_FUNCTION = re.compile(r"^[a-z]+_\w{1,40}(?:: )?$")
"""What stands before the words of a class that others print too: the kernel's function."""

_STAMP = re.compile(r"^(?:<\d>)?\[\s*\d+\.\d+\]\s+")


@cache
def _lines() -> LineStarts:
    return LineStarts([(0, (".*[`'\"]",), (), 0)])


def read(text: Text) -> Reading:
    """Return each quoted message that is an alarm, with its class."""
    reader = FactReader(text)
    seen = 0
    for at in _lines().scan(list(text.lines))[0]:
        line = text.lines[at]
        if len(line) > MAX_LINE:
            continue
        for found in _QUOTED.finditer(line):
            seen += 1
            printed = next(part for part in found.groups() if part)
            message = _STAMP.sub("", printed)
            if seen <= MOST and (kind := _alarm(message, has_stamp=message != printed)):
                reader.add("text.quoted_message", message, text.first_line + at, "", {"class": kind})
    return reader.result()


def _alarm(message: str, *, has_stamp: bool) -> str:
    """Return the class of a message that is an alarm; "" when its words alone are not the kernel's."""
    found = finder().find(message)
    if found is None:
        return ""
    log_class = CLASSES[found[0]]
    before = message.encode()[: found[1]].decode(errors="replace")
    needed = _FUNCTION if log_class.needs_prefix else _BEFORE
    is_of_kernel = has_stamp or needed.match(before) is not None
    return log_class.name if log_class.is_alarming and is_of_kernel else ""
