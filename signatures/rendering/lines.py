"""Lines for people, and text of evidence that cannot act on a terminal."""

from __future__ import annotations

import re
from typing import NamedTuple

_BYTES = r"\x00-\x08\x0a-\x1f\x7f-\x9f\udc80-\udcff"
_MARKS = r"\u2028\u2029\u202a-\u202e\u2066-\u2069"
_CONTROL = re.compile(f"[{_BYTES}]|[{_MARKS}]")
"""Control characters, bytes of a file's name that are no UTF-8, and marks that end or turn a line."""


class Line(NamedTuple):
    """One line for a person.

    Attributes:
        colour: For a terminal, as click names it; "" for none.
        is_command: For copying; never wrapped.
    """

    text: str = ""
    colour: str = ""
    is_command: bool = False


def bare(text: str) -> str:
    r"""Return `text` with control characters escaped: a file name cannot move the cursor.

    >>> bare("a\x1b[2Jb")
    'a\\x1b[2Jb'
    >>> bare("gnp\u202e.exe")
    'gnp\\u202e.exe'
    """
    return _CONTROL.sub(_escaped, text)


def _escaped(found: re.Match[str]) -> str:
    code = ord(found[0])
    return f"\\u{code:04x}" if 0x2000 <= code < 0x3000 else f"\\x{code & 0xFF:02x}"
