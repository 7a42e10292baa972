"""CPU priority of this process and its children.

Sources: https://man7.org/linux/man-pages/man7/sched.7.html (autogroup), nice(2)
"""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

AUTOGROUP = Path("/proc/self/autogroup")


def lower(niceness: int) -> None:
    """Lower the priority by `niceness`, 0 to 19.

    With autogrouping a nice value applies within the session only, so the group's value is set too; but only
    for a session of our own, not that of the terminal.
    """
    if niceness <= 0:
        return
    os.nice(niceness)
    if os.getsid(0) == os.getpid():
        with suppress(OSError):
            AUTOGROUP.write_text(str(niceness), encoding="ascii")
