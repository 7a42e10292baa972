"""Memory reclaim, pressure stalls and CPU throttling."""

from __future__ import annotations

from typing import TYPE_CHECKING

from signatures.language.number_format import value_words
from signatures.overview.model import Answer, Figure, place, shortened

if TYPE_CHECKING:
    from signatures.overview.scope_evidence import ScopeEvidence

RECLAIM_SHARE = 0.2
EFFICIENCY_SHARE = 0.1
AT_LIMIT_SHARE = 0.98
THROTTLED_SHARE = 0.1
STALL_SHARE = 0.2
FULL_SHARE = 0.1
SHOWN = 10

_MEMCG = frozenset(("try_to_free_mem_cgroup_pages",))
_KSWAPD = frozenset(("kswapd", "balance_pgdat"))
_DIRECT = frozenset(("try_to_free_pages", "__alloc_pages_direct_reclaim"))
_MGLRU = frozenset(("evict_folios", "try_to_shrink_lruvec", "lru_gen_shrink_node"))
_LEAVES = frozenset(
    (
        "shrink_lruvec",
        "shrink_node",
        "shrink_folio_list",
        "shrink_inactive_list",
        "evict_folios",
        "isolate_folios",
    )
)
RECLAIM_PATHS = (
    ("memory cgroup reclaim", _MEMCG),
    ("global direct reclaim", _DIRECT),
    ("kswapd", _KSWAPD),
    ("multi-generational LRU", _MGLRU),
)


def reclaim(evidence: ScopeEvidence) -> Answer:
    """Return the CPU share of each reclaim path, its efficiency, and memory usage against limits."""
    figures: list[Figure] = []
    stacks = evidence.main
    if stacks is not None:
        for label, names in RECLAIM_PATHS:
            mask = stacks.has(stacks.frames_where(names.__contains__))
            if mask.any():
                share = stacks.share_of_nodes(mask)
                places = stacks.places_of_nodes(mask.nonzero()[0])
                is_much = share > RECLAIM_SHARE and names is not _MGLRU
                figures.append(Figure(f"CPU in {label}", round(share, 4), "share", places, is_much))
    efficiency = _efficiency(evidence)
    figures += efficiency
    for entry in evidence.facts("memcg.usage_bytes"):
        for limit in evidence.facts("memcg.limit_bytes"):
            if limit.fact.labels == entry.fact.labels and limit.item.evidence == entry.item.evidence:
                share = entry.number / limit.number if limit.number else 0.0
                group = entry.label("cgroup") or "the cgroup"
                places = (entry.place, limit.place)
                figures.append(
                    Figure(
                        f"memory usage of {group}, share of its limit",
                        round(share, 4),
                        "share",
                        places,
                        share >= AT_LIMIT_SHARE,
                    )
                )
    if not figures:
        lacks = ("cat /proc/vmstat; sleep 5; cat /proc/vmstat", "cat /sys/fs/cgroup/…/memory.stat")
        return Answer("No data about reclaim.", lacks=lacks)
    if stacks is None:
        figures += _of_tables(evidence)
    cpu = max((figure.value for figure in figures if figure.label.startswith("CPU in")), default=0.0)
    if stacks is None and not cpu:
        summary = "CPU share of reclaim unknown."
        return Answer(summary, shortened(figures, SHOWN), ("perf record -a -g -F 99 -- sleep 30",))
    stolen_share = efficiency[0].value if efficiency else None
    summary = _summary(
        is_busy=float(cpu) > RECLAIM_SHARE,
        efficiency=float(stolen_share) if isinstance(stolen_share, float) else None,
    )
    return Answer(summary, shortened(figures, SHOWN))


def _of_tables(evidence: ScopeEvidence) -> list[Figure]:
    """Return the self share of reclaim functions in symbol tables (perf top, perf report)."""
    figures = []
    for item in evidence.items:
        for table in item.reading.tables:
            found = [symbol for symbol in table.symbols if symbol.name in _LEAVES]
            if found:
                share = sum(symbol.self_share for symbol in found)
                places = tuple(place(item, symbol.line) for symbol in found[:3])
                label = "CPU in reclaim functions, from a symbol table"
                figures.append(Figure(label, round(share, 4), "share", places, share > RECLAIM_SHARE))
    return figures


def _summary(*, is_busy: bool, efficiency: float | None) -> str:
    """Return the sentence for CPU cost × efficiency."""
    if efficiency is None:
        return "Reclaim uses much CPU; efficiency unknown." if is_busy else "Reclaim uses little CPU."
    if is_busy:
        poor = efficiency < EFFICIENCY_SHARE
        return (
            "Reclaim uses much CPU and frees little: livelock."
            if poor
            else "Reclaim uses much CPU and frees pages: thrashing."
        )
    return "Reclaim uses little CPU and frees what it scans."


def _efficiency(evidence: ScopeEvidence) -> list[Figure]:
    """Return pages stolen ÷ pages scanned between two snapshots of /proc/vmstat."""
    figures = []
    for label, kind in (("direct", "direct"), ("kswapd", "kswapd")):
        scanned = evidence.growth(f"vmstat.pgscan_{kind}")
        stolen = evidence.growth(f"vmstat.pgsteal_{kind}")
        if scanned and stolen and scanned[0] >= 1000:
            share = stolen[0] / scanned[0]
            places = (scanned[1].place, scanned[2].place, stolen[1].place, stolen[2].place)
            figures.append(
                Figure(
                    f"{label} reclaim: pages stolen ÷ scanned",
                    round(share, 4),
                    "share",
                    places,
                    share < EFFICIENCY_SHARE,
                )
            )
    return figures


def throttling(evidence: ScopeEvidence) -> Answer:
    """Return the throttled share of CPU quota periods per cgroup."""
    figures = []
    for periods in evidence.facts("cgroup.cpu.nr_periods"):
        if not periods.number:
            continue
        for throttled in evidence.facts("cgroup.cpu.nr_throttled"):
            if (
                throttled.fact.labels == periods.fact.labels
                and throttled.item.evidence == periods.item.evidence
            ):
                share = throttled.number / periods.number
                group = periods.label("cgroup") or "the cgroup"
                figures.append(
                    Figure(
                        f"throttled periods of {group}",
                        round(share, 4),
                        "share",
                        (throttled.place, periods.place),
                        share > THROTTLED_SHARE,
                        "average since the cgroup was created; take two snapshots for the current rate",
                    )
                )
    quotas = [entry for entry in evidence.facts("cgroup.cpu.quota_cpus") if entry.number != float("inf")]
    figures += [
        Figure(
            f"quota of {entry.label('cgroup') or 'the cgroup'}",
            entry.number,
            "count",
            (entry.place,),
            note="CPUs",
        )
        for entry in quotas
    ]
    if not figures:
        if evidence.facts("cgroup.cpu.quota_cpus") or evidence.facts("cgroup.cpu.nr_periods"):
            entry = [*evidence.facts("cgroup.cpu.quota_cpus"), *evidence.facts("cgroup.cpu.nr_periods")][0]
            unlimited = Figure("cgroups with a CPU quota", 0.0, "count", (entry.place,))
            return Answer("No cgroup has a CPU quota.", (unlimited,))
        return Answer(
            "No data about CPU quotas.",
            lacks=("cat /sys/fs/cgroup/…/cpu.stat /sys/fs/cgroup/…/cpu.max",),
        )
    worst = max((float(figure.value) for figure in figures if figure.unit == "share"), default=0.0)
    return Answer(
        f"Worst cgroup throttled in {value_words(worst, 'share')} of its periods.",
        shortened(figures, SHOWN),
    )


def pressure(evidence: ScopeEvidence) -> Answer:
    """Return the share of the last ten seconds in which tasks stalled on memory, I/O and CPU.

    System-wide `full` of the CPU is excluded: the kernel always prints 0.
    """
    figures = []
    for resource in ("memory", "io", "cpu"):
        for kind in ("some", "full"):
            if (resource, kind) == ("cpu", "full"):
                continue
            for entry in evidence.facts(f"pressure.{resource}.{kind}.avg10_share"):
                group = entry.label("cgroup")
                limit = FULL_SHARE if kind == "full" else STALL_SHARE
                is_notable = resource != "cpu" and entry.number > limit
                label = f"{resource}: {'all' if kind == 'full' else 'some'} tasks stalled" + (
                    f" in {group}" if group else ""
                )
                note = "more runnable tasks than CPUs" if resource == "cpu" and entry.number > 0.5 else ""
                figures.append(Figure(label, entry.number, "share", (entry.place,), is_notable, note))
    if not figures:
        return Answer("No data about pressure stalls.", lacks=("grep . /proc/pressure/*",))
    worst = max(figures, key=lambda figure: (figure.is_notable, float(figure.value)))
    return Answer(
        f"Highest pressure: {worst.label}, {worst.words} of the last 10 s.",
        shortened(figures, SHOWN),
    )
