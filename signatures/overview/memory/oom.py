"""What an OOM report says: who was killed, how much memory that freed, and which limit was reached.

words({"comm": "python3", "pid": 6262.0, "anon_rss_kb": 203904.0, "oom_memcg": "/a", "scope": "memcg"})
    ->  "OOM killer killed python3 (pid 6262, 199.1 MiB anonymous): the memory cgroup /a was at its limit"
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from signatures.language.identifiers import shortened_ids
from signatures.language.number_format import value_words
from signatures.overview.thresholds import thresholds_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ingest.model.reading import Cell, LogRecord
    from signatures.overview.scope_evidence import ScopeEvidence

CLASS = "oom_kill"

BY_SYSRQ = -1.0
"""Order of the allocation in a report that SysRq f asked for; mm/oom_kill.c is_sysrq_oom."""

SHOWN_BYTES = 1 << 20
"""Shared memory is shown from here."""

COUNTERS = {"memory+swap": "memory and swap", "kmem": "kernel memory"}
AVAILABLE = (
    ("meminfo.memtotal_bytes", "meminfo.memavailable_bytes"),
    ("free.mem.total_bytes", "free.mem.available_bytes"),
)
_COUNTER = re.compile(r"^(?P<counter>[a-z+]+): usage \d+kB, limit (?P<limit>\d+)kB")

UNKNOWN_SIZE = " (size not in the log)"
CONSTRAINTS = {
    "CONSTRAINT_CPUSET": "no free memory on the nodes of the cpuset",
    "CONSTRAINT_MEMORY_POLICY": "no free memory on the nodes of the memory policy",
}


def words(fields: Mapping[str, Cell]) -> str:
    """Return victim and cause; "" when the report does not say who was killed."""
    if not fields.get("comm"):
        return ""
    about = [f"pid {fields['pid']:.0f}"] if isinstance(fields.get("pid"), float) else []
    anonymous, shared = (_bytes(fields, name) for name in ("anon_rss_kb", "shmem_rss_kb"))
    about += [f"{value_words(anonymous, 'bytes')} anonymous"] if anonymous is not None else []
    about += [f"{value_words(shared, 'bytes')} shared"] if shared and shared >= SHOWN_BYTES else []
    victim = f"{fields['comm']} ({', '.join(about)})" if about else str(fields["comm"])
    if fields.get("order") == BY_SYSRQ:
        return f"OOM killer killed {victim} on request: SysRq f"
    return f"OOM killer killed {victim}: {_limit(fields)}"


def states_limit(fields: Mapping[str, Cell]) -> bool:
    """Return whether `words` say which limit was reached: its line need not be quoted then."""
    return fields.get("scope") == "memcg" and bool(fields.get("comm")) and bool(_reached(fields))


def _limit(fields: Mapping[str, Cell]) -> str:
    if fields.get("scope") == "memcg":
        group = fields.get("oom_memcg")
        named = f"the memory cgroup {shortened_ids(str(group))}" if group else "its memory cgroup"
        return f"{named} was at its limit{_reached(fields) or UNKNOWN_SIZE}"
    if constraint := CONSTRAINTS.get(str(fields.get("constraint"))):
        nodes = f" (allowed: {fields['mems_allowed']})" if fields.get("mems_allowed") else ""
        free = zones_free(fields)
        return f"{constraint}{nodes}{f', while {free} is free in the zones of the report' if free else ''}"
    if fields.get("scope") != "global":
        return "the limit is not in the log"
    order = fields.get("order")
    if isinstance(order, float) and order > 0:
        return f"no block of {2**order:.0f} pages was free"
    if free := zones_free(fields):
        return (
            f"the report calls the machine short, yet {free} is free in its zones: one zone or node decides"
        )
    return "the machine was out of memory"


def contradiction(record: LogRecord, evidence: ScopeEvidence) -> str:
    """Return `; yet …` with the available memory of a host of which an OOM report says that it is short.

    "" where little is available, and for the limit of a memory cgroup.
    """
    fields = record.fields
    if record.kind != CLASS or fields.get("scope") == "memcg" or not fields.get("comm"):
        return ""
    for total, available in AVAILABLE:
        of_host, left = evidence.highest(total), evidence.highest(available)
        if of_host and left and left.number >= thresholds_of("oom")["available_share"] * of_host.number > 0:
            words = f"{value_words(left.number, 'bytes')} of {value_words(of_host.number, 'bytes')}"
            if fields.get("constraint") in CONSTRAINTS:
                return f"; the host has {words} available"
            return f"; yet {words} is available here: read at another time, or a zone or node was short"
    return ""


def zones_free(fields: Mapping[str, Cell]) -> str:
    """Return the free memory of the zones of a report where it is far above their watermarks; "" else."""
    free, high = fields.get("zones_free_kb"), fields.get("zones_high_kb")
    if (
        not isinstance(free, float)
        or not isinstance(high, float)
        or free <= thresholds_of("oom")["free_over_watermarks"] * high
    ):
        return ""
    return value_words(free * 1024, "bytes")


def _reached(fields: Mapping[str, Cell]) -> str:
    """Return ` of 200 MiB`, ` of memory and swap, 200 MiB`; "" where the report does not say."""
    if found := _COUNTER.match(str(fields.get("reached", ""))):
        size = value_words(int(found["limit"]) * 1024.0, "bytes")
        what = COUNTERS.get(found["counter"])
        return f" of {what}, {size}" if what else f" of {size}"
    return ""


def _bytes(fields: Mapping[str, Cell], name: str) -> float | None:
    value = fields.get(name)
    return value * 1024 if isinstance(value, float) else None
