r"""Format strings of C files, as patterns of what they print.

"I/O tag %d (%04x) QID %d timeout, completion polled\n"
->  I/O tag .* \(.*\) QID .* timeout, completion polled
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from tools.message_catalogue.c_text import scan
from tools.message_catalogue.callees import Callees, level_of

if TYPE_CHECKING:
    from collections.abc import Iterator

MIN_FIXED = 8
"""Characters besides directives that a format needs to tell anything."""

_DIRECTIVE = re.compile(
    r"%[-+ #0]*(?:\d+|\*)?(?:\.(?:\d+|\*))?(?:hh|h|ll|l|z|t|j|q|L)?(?:p\w*|[diouxXscfegG%])"
)
_ESCAPES = {"\\n": "", "\\t": "\t", '\\"': '"', "\\\\": "\\", "\\001": ""}
_ESCAPE = re.compile(r"\\(?:[ntr\"\\]|\d{3})")


class FormatString(NamedTuple):
    """One format, and the level that it is printed at; None when it is no message of the log."""

    text: str
    level: int | None

    @property
    def fixed(self) -> str:
        """The text without its directives."""
        return _DIRECTIVE.sub("", self.text)

    @property
    def pattern(self) -> re.Pattern[str]:
        """What it prints."""
        parts = [re.escape(part) for part in _DIRECTIVE.split(self.text)]
        return re.compile(".*?".join(parts))

    def example(self) -> str:
        """Return a message as it could be printed."""
        return _DIRECTIVE.sub(lambda found: _VALUES.get(found[0][-1], "1"), self.text)


_VALUES = {"s": "sda", "x": "1f", "X": "1F", "%": "%", "c": "a"}


def formats(source: str, path: str) -> Iterator[FormatString]:
    """Yield the format strings of one file, adjacent literals joined, one for each line that they print."""
    scanned = scan(source)
    callees = Callees((path, macro) for macro in scanned.macros)
    for call in scanned.calls:
        level = level_of(call, path, callees)
        for line in call.text.split("\\n"):
            text = _ESCAPE.sub(lambda escape: _ESCAPES.get(escape[0], ""), line).strip()
            one = FormatString(text, level)
            if len(one.fixed.strip()) >= MIN_FIXED:
                yield one
