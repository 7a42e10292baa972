"""How many memory cgroups live: the count of directories, against which `num_cgroups` shows the dead ones.

Example (`find /sys/fs/cgroup/memory -type d | wc -l`):
    2001
"""

from __future__ import annotations

import re

from ingest.parsing.shapes import Column, Meaning, Table

_COUNT = re.compile(r"^(?P<count>\d{1,30})$")

FACTS = {
    "cgroups.memory.dirs": Meaning(
        "directories below the memory hierarchy: groups that still have a name",
        "count",
        example="cgroups.memory.dirs = 2001",
    ),
}
FORMAT = Table(
    name="cgroup-dirs",
    title="Living cgroups",
    example="2001",
    commands=(r"find /sys/fs/cgroup(?:/memory)?/? .*-type d\b.*\| *wc -l",),
    hints=("live_cgroups_count*", "cgroup_dirs*"),
    row=_COUNT,
    columns={"count": Column("cgroups.memory.dirs", "count")},
    skipped="not a number",
)
