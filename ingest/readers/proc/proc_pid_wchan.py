"""`/proc/PID/wchan`: the kernel function a sleeping task waits in; no line end, `0` when it runs.

Example:
    futex_wait_queue

Source: proc_pid_wchan in fs/proc/base.c.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ingest.parsing.fact_reader import FactReader, pid_labels

if TYPE_CHECKING:
    from ingest.model.reading import Reading
    from ingest.model.section import Text

NAME = "proc-pid-wchan"
VERSION = 1
TITLE = "/proc/PID/wchan"
EXAMPLE = "futex_wait_queue"

PATHS: tuple[str, ...] = ("proc/*/wchan", "proc/*/task/*/wchan")
COMMANDS: tuple[str, ...] = ()
HINTS: tuple[str, ...] = ()

_FUNCTION = re.compile(r"^(?:0|[A-Za-z_][\w.]*)$")


def read(text: Text) -> Reading:
    """Read the function; `0` is stored: the task runs, or the kernel hides the function."""
    reader = FactReader(text)
    for line, entry in reader.lines():
        if _FUNCTION.match(entry):
            reader.add("process.wchan", entry, line, "", pid_labels(text.path))
        else:
            reader.skips.add("not a function", line)
    return reader.result()
