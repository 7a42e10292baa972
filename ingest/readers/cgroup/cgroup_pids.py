"""How many processes a group has and may have: `pids.*`, `cgroup.procs`, `tasks`.

Examples:
    pids.current    214
    pids.max        max
    cgroup.procs    1042
                    1043

Members are counted, not listed: their ids mean nothing without `ps`.
Source: Documentation/admin-guide/cgroup-v2.rst, "PID".
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ingest.model.citation import Lines
from ingest.model.facts import Fact
from ingest.model.reading import Reading
from ingest.parsing.fact_reader import FactReader, cgroup_labels, number

if TYPE_CHECKING:
    from ingest.model.section import Text

NAME = "cgroup-pids"
VERSION = 1
TITLE = "Cgroup: processes"
EXAMPLE = "214"

PATHS: tuple[str, ...] = (
    "pids.current",
    "pids.max",
    "pids.peak",
    "pids.events",
    "cgroup.procs",
    "cgroup.threads",
    "sys/fs/cgroup/*/tasks",
)
COMMANDS: tuple[str, ...] = ()
HINTS: tuple[str, ...] = ("cgroup.procs", "pids.current", "pids.max", "pids.events")

MEMBERS = {"cgroup.procs": "cgroup.pids.members", "cgroup.threads": "cgroup.pids.threads"}


def read(text: Text) -> Reading:
    """Read whichever of the files it is."""
    reader = FactReader(text)
    file = (text.path or text.filename).rsplit("/", 1)[-1]
    labels = cgroup_labels(text.path)
    members: list[int] = []
    for line, entry in reader.lines():
        words = entry.split()
        value = number(words[-1])
        if file == "pids.events" and len(words) == 2 and value is not None:
            reader.add(f"cgroup.pids.events.{words[0]}", value, line, "count", labels)
        elif len(words) != 1 or value is None:
            reader.skips.add("not a number of processes", line)
        elif file.startswith("pids."):
            reader.add(f"cgroup.{file}", value, line, "count", labels)
        else:
            members.append(line)
    read_so_far = reader.result()
    if not members:
        return read_so_far
    name = MEMBERS.get(file, "cgroup.pids.threads")
    fact = Fact(name, float(len(members)), Lines(members[0], members[-1]), "count", labels)
    return Reading(facts=(*read_so_far.facts, fact), skipped=read_so_far.skipped)
