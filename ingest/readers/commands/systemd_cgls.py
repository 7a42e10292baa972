"""The control group tree of `systemd-cgls`: which unit holds which process.

Example:
    Control group /:
    -.slice
    ├─user.slice
    │ └─user-10101.slice
    │   └─session-17450.scope
    │     └─1716022 sleep 100
    ...

Names are cut at the width of the terminal, long trees by a person; the tree does not show whether it is
cgroup v1 or v2.

Source: systemd src/cgls/cgls.c, src/shared/cgroup-show.c; drawn with `|-` where the terminal is ASCII.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING

from ingest.model.citation import Lines
from ingest.model.facts import Fact
from ingest.model.reading import Reading, RowSet
from ingest.native.linear import Pattern
from ingest.paste.transcript import transcript

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ingest.model.reading import Cell
    from ingest.model.section import Text

NAME = "systemd-cgls"
VERSION = 1
TITLE = "Control group tree"
COMMAND = "systemd-cgls"
EXAMPLE = "Control group /:\n-.slice\n├─user.slice\n│ └─user-10101.slice"

COLUMNS = ("cgroup", "pid", "command")

_HEAD = re.compile(r"^\s*(?:Control group /.*:|CGroup /.*:|Working directory /\S*:?|Unit \S+ \(/\S*\):)\s*$")
_BRANCH = Pattern(r"^(?P<rails>(?:[│|] |  )*)(?:├─|└─|\|-|`-)(?P<name>\S.*?)\s*$")
_ROOT = re.compile(r"^(?P<name>-\.slice)\b.*$")
_PROCESS = re.compile(r"^(?P<pid>\d{1,10}) (?P<command>.*)$")
_DECORATION = Pattern(r"\s+(?:…|\.\.\.|\(#\d+\))\s*$")
_EXTENDED = re.compile(r"^[│| ]*→ (?:user|trusted)\.")
_KINDS = ("slice", "scope", "service")


STARTS = (
    _HEAD.pattern,
    _ROOT.pattern,
)


def begins(lines: Sequence[str], at: int) -> bool:
    """Return whether a tree starts at `lines[at]`: its headline or root, with a branch below."""
    line = lines[at]
    if not (_HEAD.match(line) or _ROOT.match(line)):
        return False
    return any(_BRANCH.match(ahead) or _ROOT.match(ahead) for ahead in lines[at + 1 : at + 4])


def continues(line: str) -> bool:
    """Return whether `line` can occur in a tree."""
    if not line.strip() or line.strip() in {"...", "…"}:
        return True
    return any(shape.match(line) for shape in (_HEAD, _ROOT, _BRANCH, _EXTENDED))


def read(text: Text) -> Reading:
    """Read processes with the path of their group, and count units by kind."""
    pasted = transcript(text)
    rows: list[tuple[Cell, ...]] = []
    row_lines: list[int] = []
    units: Counter[str] = Counter()
    first: dict[str, int] = {}
    path: list[str] = []
    for number, line, _ in pasted.lines:
        found = _BRANCH.match(line)
        if not found:
            if line.strip() and not continues(line):
                pasted.skips.add("not a branch of a control group tree", number)
            continue
        depth = len(found["rails"]) // 2
        process = _PROCESS.match(found["name"])
        if process:
            group = "/" + "/".join(path[:depth])
            rows.append((group, float(process["pid"]), process["command"]))
            row_lines.append(number)
            continue
        name = _DECORATION.sub("", found["name"])
        path[depth:] = [name]
        for kind in _kinds_of(name):
            units[kind] += 1
            first.setdefault(kind, number)
    facts = tuple(
        Fact(f"systemd.units.{kind}", float(count), Lines.at(first[kind]), "count")
        for kind, count in units.items()
    )
    sets = (RowSet.of_rows("systemd_cgls", COLUMNS, tuple(rows), tuple(row_lines)),) if rows else ()
    return Reading(facts=facts, row_sets=sets, skipped=pasted.skips.result(), quality=tuple(pasted.quality))


def _kinds_of(name: str) -> list[str]:
    """Return the kinds a group counts as: `session-1.scope` is a session and a scope."""
    suffix = name.rpartition(".")[2]
    kinds = [suffix] if suffix in _KINDS else []
    return ["session", *kinds] if name.startswith("session-") and suffix == "scope" else kinds
