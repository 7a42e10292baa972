"""`/proc/PID/comm`: the name of a process or thread, at most 15 characters.

Example:
    kworker/u8:3

Source: proc(5), "/proc/pid/comm"; comm_show in fs/proc/base.c.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ingest.parsing.fact_reader import FactReader, pid_labels

if TYPE_CHECKING:
    from ingest.model.reading import Reading
    from ingest.model.section import Text

NAME = "proc-pid-comm"
VERSION = 1
TITLE = "/proc/PID/comm"
EXAMPLE = "kworker/u8:3"

PATHS: tuple[str, ...] = ("proc/[0-9]*/comm", "proc/*/task/*/comm")
COMMANDS: tuple[str, ...] = ()
HINTS: tuple[str, ...] = ()

_NAME = re.compile(r"^.{1,64}$")


def read(text: Text) -> Reading:
    """Read the name."""
    reader = FactReader(text)
    for line, found in reader.matching(_NAME, "not a name"):
        reader.add("process.name", found[0], line, "", pid_labels(text.path))
    return reader.result()
