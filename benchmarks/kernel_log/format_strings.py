r"""Format strings of C files, as patterns of what they print.

"I/O tag %d (%04x) QID %d timeout, completion polled\n"
->  I/O tag .* \(.*\) QID .* timeout, completion polled
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

MIN_FIXED = 8
"""Characters besides directives that a format needs to tell anything."""

_STRINGS = re.compile(r'"(?:[^"\\\n]|\\.)*"(?:(?:\s|\\\n|\b[A-Z][A-Z0-9_]+\b)*"(?:[^"\\\n]|\\.)*")*')
_PART = re.compile(r'"((?:[^"\\\n]|\\.)*)"|\b([A-Z][A-Z0-9_]+)\b')
_DIRECTIVE = re.compile(
    r"%[-+ #0]*(?:\d+|\*)?(?:\.(?:\d+|\*))?(?:hh|h|ll|l|z|t|j|q|L)?(?:p\w*|[diouxXscfegG%])"
)
_ESCAPES = {"\\n": "", "\\t": "\t", '\\"': '"', "\\\\": "\\", "\\001": ""}
_ESCAPE = re.compile(r"\\(?:[ntr\"\\]|\d{3})")


class FormatString(NamedTuple):
    """One format with the text before it on its line or the one above: the function that prints it."""

    text: str
    call: str

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


def formats(source: str) -> Iterator[FormatString]:
    """Yield the format strings of one file, adjacent literals joined, one for each line that they print."""
    for found in _STRINGS.finditer(source):
        # A macro between two literals is a format of its own, such as that of a checksum.
        whole = "".join(text or "%s" for text, _ in _PART.findall(found[0]))
        for line in whole.split("\\n"):
            text = _ESCAPE.sub(lambda escape: _ESCAPES.get(escape[0], ""), line).strip()
            one = FormatString(text, source[max(0, found.start() - 120) : found.start()])
            if len(one.fixed.strip()) >= MIN_FIXED:
                yield one
