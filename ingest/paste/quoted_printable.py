"""Quoted-printable text of a mail, decoded without moving a line.

    pcieport 0000:00:02.3: pciehp: Slot(0): Link Down=0A=
    WARNING: CPU: 9 PID: 612 at kernel/kthread.c:659 kthread_pa=
    rk+0x3a/0x40

reads as two lines: a line that a mailer cut goes on, and `=0A` ends one. What is joined stands at the line
that it begins on, and the lines it is taken from are empty.

Source: RFC 2045, section 6.7.
"""

from __future__ import annotations

import quopri
import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

FEWEST = 2
"""Lines that a mailer cut, for a text to be one of a mail."""

_CUT = re.compile(r"^.{32,77}[^\s=]=$|^.{0,77}=0A=$")
"""A mailer cuts a line at 76 characters; code ends lines with ` =` or `==`."""


def decoded(lines: Sequence[str]) -> Sequence[str]:
    """Return `lines` decoded if they are quoted-printable."""
    ends = sum(1 for line in lines if line.endswith("=") and _CUT.match(line))
    if ends < FEWEST:
        return lines
    found = [""] * len(lines)
    begin, held = 0, ""
    is_open = False
    for at, raw in enumerate(lines):
        if not is_open or not held:
            begin, held = at, ""
        is_open = raw.endswith("=")
        *ended, rest = _text(raw.removesuffix("=")).split("\n")
        for piece in ended:
            found[begin] += held + piece
            # Two lines in one: the second stands below, and the next may go on there.
            begin, held = at if not found[at] else min(at + 1, len(lines) - 1), ""
        held += rest
        if not is_open:
            found[begin] += held
    if is_open:
        found[begin] += held
    return found


def _text(line: str) -> str:
    """Return a line without its escapes; those of other encodings than UTF-8 stay."""
    if "=" not in line:
        return line
    raw = quopri.decodestring(line.encode("utf-8", "surrogatepass"))
    try:
        return raw.decode("utf-8").replace("\r", "")
    except UnicodeDecodeError:
        return line
