"""Parts of an out-of-memory report, by presence and never by kernel version.

Examples:
    query-heap-03 invoked oom-killer: gfp_mask=0x100cca(GFP_HIGHUSER_MOVABLE), order=0, oom_score_adj=0
    memory: usage 204800kB, limit 204800kB, failcnt 101
    [  pid  ]   uid  tgid total_vm      rss pgtables_bytes swapents oom_score_adj name
    [   6253]     0  6253   111217    51323   495616        0             0 memcg_reclaim_s
    oom-kill:constraint=CONSTRAINT_MEMCG,nodemask=(null),cpuset=/,mems_allowed=0,oom_memcg=/a,…
    Memory cgroup out of memory: Killed process 6253 (memcg_reclaim_s) total-vm:444868kB, anon-rss:203776kB, …

Before 5.0 `Task in /a/b killed as a result of limit of /a` replaces the `oom-kill:` line, and
`Kill process 12 (x) score 9 or sacrifice child` goes before `Killed process`. Table sizes are in pages.
5.0 to 5.2 printed CONSTRAINT_NONE for memcg kills: `oom_memcg` and `global_oom` distinguish them, the
constraint does not.

Source: mm/oom_kill.c and mm/memcontrol.c, Linux 3.13 to 7.0; RHEL 8 carries the `oom-kill:` line on 4.18.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ingest.native.linear import Pattern

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ingest.model.reading import Cell

_SUMMARY = Pattern(
    r"^oom-kill:constraint=(?P<constraint>\w+),.*?"
    r"(?:,oom_memcg=(?P<oom_memcg>[^,]*)|(?P<global>,global_oom))?(?:,task_memcg=(?P<cgroup>[^,]*))?,task=(?P<comm>.*?)(?:,pid=(?P<pid>\d+),uid=(?P<uid>\d+)|$)"
)
_NODES = re.compile(r",mems_allowed=(\d[\d,-]*\d|\d)(?=,|$)")
_KILLED = Pattern(
    r"Kill(?:ed)? process (?P<pid>\d+),? (?:UID \d+\S*,? )?\((?P<comm>.+?)\)(?: total-vm|,| score|$)"
)
_ADJUSTED = re.compile(r"oom_score_adj:(-?[1-9]\d{0,3})$")
_SIZE = re.compile(r"(total-vm|anon-rss|file-rss|shmem-rss|pgtables):(\d+)kB")
_LIMIT_OLD = re.compile(r"^Task in (?P<cgroup>\S+) killed as a result of limit of (?P<oom_memcg>\S+)")
_USAGE = re.compile(r"^memory: usage (\d+)kB, limit (\d+)kB, failcnt (\d+)")
_COUNTER = re.compile(
    r"^(?:memory(?:\+swap)?|kmem): usage (?P<usage>\d{1,20})kB, limit (?P<limit>[1-9]\d{0,19})kB, failcnt "
)
REACHED_SHARE = 0.95
"""Share of its limit from which a counter was at it: others may free pages before the report is printed."""

_INVOKED = re.compile(r"^(?P<comm>.+) invoked oom-killer:")
TABLE_HEAD = re.compile(r"^\[ +pid +\]\s+(?P<columns>uid\s.*)$")
TABLE_ROW = re.compile(r"^\[\s*(?P<pid>\d+)\]\s+(?P<cells>\d+\s.*)$")
_PAGES = frozenset({"total_vm", "rss", "rss_anon", "rss_file", "rss_shmem", "nr_ptes", "nr_pmds", "swapents"})
BODY = Pattern(
    r"""(?x) ^(?:
        (?:memory|memory\+swap|swap|kmem):\ usage | Memory\ cgroup\ stats\ for | [a-z_0-9]+\ -?\d+$
      | Tasks\ state
      | \[\s*(?:pid\s*|\d+)\] | \S.*\ cpuset= | Task\ in\ \S | Mem-Info | Node\ \d | active_anon
      | lowmem_reserve
      | \d+\ (?:total\ pagecache\ )?pages?\b | Swap\ cache | (?:Free|Total)\ swap | Unreclaimable\ slab
      | Name\s+Used | \S+\s+\d+KB\s+\d+KB | HugePages | slab_reclaimable | cpuset= | .*\ hugepages_total=
      | Tasks\ in\ \S+\ are\ going\ to\ be\ killed | Out\ of\ memory\ and\ no\ killable
    )"""
)
"""Lines of the report besides traces and registers."""


def is_summary(text: str) -> bool:
    """Return whether this is the `oom-kill:` line."""
    return text.startswith("oom-kill:")


def is_fragment(text: str) -> bool:
    """Return whether this line stands in the middle of a report: a counter, or the head of a table."""
    return bool(BODY.match(text))


def is_killed(text: str) -> bool:
    """Return whether this line reports the kill, which ends a report."""
    return "Killed process " in text


def columns(head: re.Match[str]) -> tuple[str, ...]:
    """Return the columns of a task table, the unit last."""
    names = ("pid", *head["columns"].split())
    return tuple(f"{name}_pages" if name in _PAGES else name for name in names)


def row(found: re.Match[str], names: tuple[str, ...]) -> tuple[Cell, ...] | None:
    """Read one row of the task table; None when it does not fit the head."""
    parts = found["cells"].split(None, len(names) - 2)
    if len(parts) != len(names) - 1 or not all(re.fullmatch(r"-?\d+", part) for part in parts[:-1]):
        return None
    return (float(found["pid"]), *(float(part) for part in parts[:-1]), parts[-1])


def deciding(stated: Mapping[str, Cell], text: str, line: int) -> dict[str, Cell]:
    """Return the line as one that decides the report: the counter nearest to its limit, or the kill.

    Version 1 prints three counters, version 2 `memory` and `swap`, whose limit fails no charge.
    """
    if ": usage " in text and (found := _COUNTER.match(text)):
        share = _share(found)
        best = _COUNTER.match(str(stated.get("reached", "")))
        if share < REACHED_SHARE or (best and _share(best) >= share):
            return {}
        return {"reached": text.strip(), "reached_line": float(line)}
    if is_killed(text) or (is_summary(text) and "killed_line" not in stated):
        return {"killed_line": float(line)}
    return {}


def _share(counter: re.Match[str]) -> float:
    return int(counter["usage"]) / int(counter["limit"])


def fields(text: str) -> dict[str, Cell]:
    """Return what one line of the report adds to the record."""
    if is_summary(text) and (found := _SUMMARY.match(text)):
        stated: dict[str, Cell] = {"constraint": found["constraint"], "comm": found["comm"]}
        stated |= {name: float(found[name]) for name in ("pid", "uid") if found[name] is not None}
        stated |= {"mems_allowed": nodes[1]} if (nodes := _NODES.search(text)) else {}
        stated |= {name: found[name] for name in ("oom_memcg", "cgroup") if found[name] is not None}
        if found["oom_memcg"] or found["global"]:
            stated["scope"] = "global" if found["global"] else "memcg"
        return stated
    if found := _LIMIT_OLD.match(text):
        return {"cgroup": found["cgroup"], "oom_memcg": found["oom_memcg"], "scope": "memcg"}
    if found := _USAGE.match(text):
        names = ("memory_usage_kb", "memory_limit_kb", "memory_failcnt")
        return {name: float(value) for name, value in zip(names, found.groups(), strict=True)}
    if " invoked oom-killer:" in text and (found := _INVOKED.match(text)):
        return {"invoked_by": found["comm"]}
    if " process " not in text or not (found := _KILLED.search(text)):
        return {}
    stated = {"pid": float(found["pid"]), "comm": found["comm"]}
    if text.startswith("Memory cgroup"):
        stated["scope"] = "memcg"
    elif text.startswith("Out of memory"):
        stated["scope"] = "global"
    if adjusted := _ADJUSTED.search(text):
        stated["oom_score_adj"] = float(adjusted[1])
    return stated | {f"{name.replace('-', '_')}_kb": float(size) for name, size in _SIZE.findall(text)}
