"""CPU priority of this process and of what it starts.

Sources: https://man7.org/linux/man-pages/man7/sched.7.html (autogroup), nice(2)
"""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

AUTOGROUP = Path("/proc/self/autogroup")


def lower(niceness: int) -> None:
    """Give way to others by `niceness`, 0 to 19.

    Where the kernel groups processes by session, a nice value counts within the session only, so that of the
    group is set too; but only of a session that is ours alone, not of the terminal we were started from.
    """
    if niceness <= 0:
        return
    os.nice(niceness)
    if os.getsid(0) == os.getpid():
        with suppress(OSError):
            AUTOGROUP.write_text(str(niceness), encoding="ascii")
