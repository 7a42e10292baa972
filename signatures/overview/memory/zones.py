"""Zones of memory below their watermark, and zones whose free memory is fragmented.

Memory is short on node 1, zone Normal: 16.4 MiB are free, below the watermark min of 44.2 MiB
Free memory is fragmented in node 0, zone Normal: 0.1 % of 3.8 GiB is in blocks of 32 KiB (order 3) or more

Watermarks are of lines of an OOM report or a SysRq m whose head is not there, and of
/proc/zoneinfo; blocks of /proc/buddyinfo. Below low kswapd reclaims, below min allocations do
(Documentation/mm/physical_memory.rst).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from signatures.language.number_format import value_words
from signatures.overview.model import Answer, Figure, Statement, place, ranked, shortened

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator

    from signatures.overview.scope_evidence import FactEntry, ScopeEvidence

SHOWN = 8
PAGE = 4096
ASKS = "which pages keep free memory apart"
COSTLY_ORDER = 3
"""Allocations of 2^3 pages are the largest that the kernel tries hard to make (PAGE_ALLOC_COSTLY_ORDER)."""

FRAGMENTED_SHARE = 0.02
LEAST_FREE_PAGES = 10_000
SMALL = frozenset({"DMA"})
"""The first 16 MiB: full on healthy machines."""

UNMOVABLE = frozenset({"unmovable", "reclaimable"})
"""Migrate types of kernel memory: compaction moves movable pages alone (mm/compaction.c)."""

UNMOVABLE_SHARE = 0.4
LEAST_BLOCKS = 200
MEMORY_CAPTURE = "cat /proc/meminfo; sudo slabtop -o -s c | head -20"

RECLAIM_CAPTURE = "cat /proc/vmstat; sleep 5; cat /proc/vmstat"

CAPTURE = "cat /proc/zoneinfo; cat /proc/buddyinfo; cat /proc/meminfo"
BLOCKS_CAPTURE = "sudo cat /proc/pagetypeinfo; grep -E '^(compact|allocstall|thp)' /proc/vmstat"
MEMCG_CAPTURE = "journalctl -k -b -o json; cd /sys/fs/cgroup/PATH; grep . memory.max memory.events"


class Zone(NamedTuple):
    """Free pages of a zone, its watermarks min and low, and the pages that it manages, 0 where not stated."""

    free: FactEntry
    least: float
    low: float
    managed: float

    @property
    def of_node(self) -> Hashable:
        """Its node in its reading."""
        return id(self.free.item), self.free.fact.snapshot, self.node

    @property
    def node(self) -> str:
        """Number of its node."""
        return self.free.label("node")

    @property
    def name(self) -> str:
        """Its name, `Normal`."""
        return self.free.label("zone")


_KINDS = frozenset({"memcg_counters", "zone_watermarks"})
"""Classes of records that are looked at: a log has thousands of others."""


def zones(evidence: ScopeEvidence) -> Answer:
    """Return the free memory of each zone as a share of its watermark, and what else such lines are of."""
    figures: list[Figure] = []
    statements: list[Statement] = []
    for record, item in evidence.classified:
        if record.kind not in _KINDS:
            continue
        where = place(item, record.lines.first, record.lines.last)
        free, least = record.fields.get("free_kb"), record.fields.get("min_kb")
        if record.kind == "memcg_counters" and not statements:
            text = "Counters of a memory cgroup as an OOM report prints them; "
            text += "the lines that name the cgroup and the killed process are not in the log"
            statements.append(
                Statement(
                    "cgroup-limits",
                    text,
                    (where,),
                    "alarm",
                    "saturation",
                    MEMCG_CAPTURE,
                    ("memory",),
                    subject="counters of a memory cgroup",
                )
            )
            figures.append(Figure("counters of a memory cgroup", 1.0, "count", (where,)))
        if record.kind != "zone_watermarks" or not isinstance(free, float) or not isinstance(least, float):
            continue
        zone = str(record.fields.get("zone"))
        node = f"node {record.fields['node']}, " if record.fields.get("node") else ""
        is_short = free < least and zone not in SMALL
        share = free / least if least else 1.0
        figures.append(Figure(f"{node}zone {zone}: free ÷ min", round(share, 4), "share", (where,), is_short))
        if is_short:
            text = f"Memory is short in {node}zone {zone}: {value_words(free * 1024, 'bytes')} are free, "
            text += f"below the watermark min of {value_words(least * 1024, 'bytes')}"
            subject = f"{node}zone {zone}"
            statements.append(
                Statement("memory", text, (where,), "alarm", "saturation", CAPTURE, subject=subject)
            )
    for figure, statement in (*_watermarks(evidence), *_fragmented(evidence)):
        figures.append(figure)
        statements.append(statement)
    for figure, found in _unmovable(evidence):
        figures.append(figure)
        statements += [found] if found else []
    if not figures:
        return Answer("No free memory of zones.", lacks=(CAPTURE,))
    summary = (
        f"{statements[0].text}." if statements else "Every zone has more free memory than its watermark."
    )
    return Answer(summary, shortened(figures, SHOWN), (), tuple(statements))


def _watermarks(evidence: ScopeEvidence) -> Iterator[tuple[Figure, Statement]]:
    """Yield the zones of /proc/zoneinfo that were below a watermark; else the one that is closest to it."""
    marks = {name: _by_zone(evidence, f"zoneinfo.{name}") for name in ("min", "low", "managed")}
    found: list[Zone] = []
    largest: dict[Hashable, float] = {}
    for free in evidence.facts("zoneinfo.free"):
        least, low, managed = (one.get(_zone_of(free)) for one in marks.values())
        if not least or not low or managed == 0:
            continue
        zone = Zone(free, least, low, managed or 0.0)
        found.append(zone)
        largest[zone.of_node] = max(largest.get(zone.of_node, 0.0), zone.managed)
    found.sort(key=lambda one: one.free.number / one.low)
    large = [one for one in found if one.name not in SMALL]
    short = {(one.node, one.name): one for one in reversed(large) if one.free.number < one.low}
    for one in [*reversed(short.values())][:SHOWN] or large[:1] or found[:1]:
        yield _watermark(one, is_largest=one.managed >= largest[one.of_node])


def _by_zone(evidence: ScopeEvidence, name: str) -> dict[Hashable, float]:
    return {_zone_of(one): one.number for one in evidence.facts(name)}


def _zone_of(entry: FactEntry) -> Hashable:
    """Return which zone of which reading a value is of."""
    return id(entry.item), entry.fact.snapshot, entry.label("node"), entry.label("zone")


def _watermark(zone: Zone, *, is_largest: bool) -> tuple[Figure, Statement]:
    """Return the free pages of a zone against its watermarks. Another zone of the node may still serve."""
    where = (zone.free.place,)
    free = zone.free.number
    of = f"node {zone.node}, zone {zone.name}"
    if free >= zone.low or zone.name in SMALL:
        words = f"No zone of memory is below its watermark low; {of} is closest: {free:,.0f} pages are free, "
        words += f"low is {zone.low:,.0f}"
        statement = Statement("memory", words, where, "fact", "context")
    elif free >= zone.least:
        words = (
            f"{free:,.0f} pages are free in {of}, below the watermark low of {zone.low:,.0f}: kswapd reclaims"
        )
        statement = Statement("memory", words, where, "fact", "notable", RECLAIM_CAPTURE)
    else:
        words = f"Memory is short in {of}: {free:,.0f} pages are free, below the watermark min of "
        words += f"{zone.least:,.0f}: allocations reclaim memory themselves"
        kind, level = ranked(is_alarm=is_largest)
        statement = Statement(
            "memory", words, where, kind, level, RECLAIM_CAPTURE, is_notable=True, subject=of
        )
    share = round(free / zone.least, 4)
    return Figure(f"{of}: free ÷ min", share, "share", where, statement.is_notable), statement


def _fragmented(evidence: ScopeEvidence) -> Iterator[tuple[Figure, Statement]]:
    """Yield each zone with much free memory of which next to none is in blocks of a costly order."""
    zones_of: dict[tuple[int, int, str, str], list[FactEntry]] = {}
    for entry in evidence.facts("buddyinfo.free_blocks"):
        key = (id(entry.item), entry.fact.snapshot, entry.label("node"), entry.label("zone"))
        zones_of.setdefault(key, []).append(entry)
    found = [(*_free_pages(entries), key, entries) for key, entries in zones_of.items()]
    for free, large, (_, _, node, zone), entries in sorted(found, key=lambda one: -one[0]):
        if free < LEAST_FREE_PAGES or large / free >= FRAGMENTED_SHARE:
            continue
        share = large / free
        words = value_words(share, "share") if large else "none"
        text = f"Free memory is fragmented in node {node}, zone {zone}: {words} of "
        text += f"{value_words(free * PAGE, 'bytes')} is in blocks of 32 KiB (order {COSTLY_ORDER}) or more"
        where = (entries[0].place,)
        label = f"node {node}, zone {zone}: free memory in blocks of order {COSTLY_ORDER} or more"
        yield (
            Figure(label, round(share, 4), "share", where, is_notable=True),
            Statement("memory", text, where, "fact", "notable", BLOCKS_CAPTURE, is_notable=True, asks=ASKS),
        )


def _unmovable(evidence: ScopeEvidence) -> Iterator[tuple[Figure, Statement | None]]:
    """Yield the share of the page blocks of each zone that hold pages which compaction cannot move."""
    zones_of: dict[tuple[int, int, str, str], dict[str, FactEntry]] = {}
    for entry in evidence.facts("pagetypeinfo.blocks"):
        key = (id(entry.item), entry.fact.snapshot, entry.label("node"), entry.label("zone"))
        zones_of.setdefault(key, {})[entry.label("type")] = entry
    for (_, _, node, zone), by_type in zones_of.items():
        total = sum(one.number for one in by_type.values())
        held = [one for kind, one in by_type.items() if kind in UNMOVABLE]
        if total < LEAST_BLOCKS or not held:
            continue
        share = sum(one.number for one in held) / total
        is_high = share >= UNMOVABLE_SHARE
        where = (held[0].place,)
        label = f"node {node}, zone {zone}: page blocks that compaction cannot empty"
        text = f"{value_words(share, 'share')} of the page blocks of node {node}, zone {zone} hold memory of "
        text += "the kernel, which compaction cannot move"
        statement = Statement("memory", text, where, "fact", "notable", MEMORY_CAPTURE, is_notable=True)
        yield Figure(label, round(share, 4), "share", where, is_high), statement if is_high else None


def _free_pages(entries: list[FactEntry]) -> tuple[float, float]:
    """Return the free pages of a zone, and those in blocks of a costly order."""
    pages = {int(one.label("order")): one.number * 2 ** int(one.label("order")) for one in entries}
    return sum(pages.values()), sum(count for order, count in pages.items() if order >= COSTLY_ORDER)
