"""`memory.oom_control` of a cgroup (version 1).

Example:
    oom_kill_disable 0
    under_oom 0
    oom_kill 2

Source: mem_cgroup_oom_control_read in mm/memcontrol-v1.c; `oom_kill` since 4.13.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ingest.parsing.fact_reader import FactReader, cgroup_labels, number

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ingest.model.reading import Reading
    from ingest.model.section import Text

NAME = "cgroup-oom-control"
VERSION = 1
TITLE = "Memory cgroup: memory.oom_control"
EXAMPLE = "oom_kill_disable 0\nunder_oom 0\noom_kill 2"

PATHS: tuple[str, ...] = ("memory.oom_control",)
COMMANDS: tuple[str, ...] = ()
HINTS: tuple[str, ...] = ("memory.oom_control",)

_TRUTHS = frozenset(("oom_kill_disable", "under_oom"))
_ENTRY = re.compile(r"^\s*(?:oom_kill_disable|under_oom|oom_kill)\s+\d+\s*$")


STARTS = (r"\s*oom_kill_disable ",)


def begins(lines: Sequence[str], at: int) -> bool:
    """Return whether memory.oom_control starts at `lines[at]`."""
    return lines[at].strip().startswith("oom_kill_disable ") and bool(_ENTRY.match(lines[at]))


def continues(line: str) -> bool:
    """Return whether `line` is one of its entries."""
    return bool(_ENTRY.match(line))


def read(text: Text) -> Reading:
    """Read its three keys."""
    reader = FactReader(text)
    labels = cgroup_labels(text.path)
    for line, key, printed in reader.pairs("not `key number`"):
        value = number(printed.split()[0])
        if value is None:
            reader.skips.add("not `key number`", line)
        elif key in _TRUTHS:
            reader.add(f"memcg.oom_control.{key}", value != 0, line, "", labels)
        else:
            reader.add(f"memcg.oom_control.{key}", value, line, "count", labels)
    return reader.result()
