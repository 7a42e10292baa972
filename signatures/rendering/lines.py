"""Lines for people, and text of evidence that cannot act on a terminal."""

from __future__ import annotations

import re
from typing import NamedTuple

_CONTROL = re.compile(r"[\x00-\x08\x0a-\x1f\x7f-\x9f\udc80-\udcff]")
"""Control characters, and bytes of a file's name that are no UTF-8."""


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
    """
    return _CONTROL.sub(lambda found: f"\\x{ord(found[0]) & 0xFF:02x}", text)
