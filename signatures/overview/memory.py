"""Reclaim, pressure and throttling: what the limits of memory and CPU do to the work."""

from __future__ import annotations

from typing import TYPE_CHECKING

from signatures.language.number_format import value_words
from signatures.overview.model import Answer, Figure, place, shortened

if TYPE_CHECKING:
    from signatures.overview.gathered import Gathered

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
    ("reclaim of a memory cgroup", _MEMCG),
    ("direct reclaim of the machine", _DIRECT),
    ("kswapd", _KSWAPD),
    ("multi-generational LRU", _MGLRU),
)


def reclaim(gathered: Gathered) -> Answer:
    """Say who reclaims memory, how much CPU that takes, and whether it finds anything."""
    figures: list[Figure] = []
    stacks = gathered.main
    if stacks is not None:
        for label, names in RECLAIM_PATHS:
            mask = stacks.has(stacks.frames_where(names.__contains__))
            if mask.any():
                share = stacks.share_of_nodes(mask)
                places = stacks.places_of_nodes(mask.nonzero()[0])
                is_much = share > RECLAIM_SHARE and names is not _MGLRU
                figures.append(Figure(f"CPU in {label}", round(share, 4), "share", places, is_much))
    efficiency = _efficiency(gathered)
    figures += efficiency
    for told in gathered.facts("memcg.usage_bytes"):
        for limit in gathered.facts("memcg.limit_bytes"):
            if limit.fact.labels == told.fact.labels and limit.item.evidence == told.item.evidence:
                share = told.number / limit.number if limit.number else 0.0
                group = told.label("cgroup") or "the group"
                places = (told.place, limit.place)
                figures.append(
                    Figure(
                        f"memory of {group} against its limit",
                        round(share, 4),
                        "share",
                        places,
                        share >= AT_LIMIT_SHARE,
                    )
                )
    if not figures:
        lacks = ("cat /proc/vmstat; sleep 5; cat /proc/vmstat", "cat /sys/fs/cgroup/…/memory.stat")
        return Answer("Nothing tells about reclaim.", lacks=lacks)
    if stacks is None:
        figures += _of_tables(gathered)
    cpu = max((figure.value for figure in figures if figure.label.startswith("CPU in")), default=0.0)
    if stacks is None and not cpu:
        said = "How much CPU reclaim takes is not known."
        return Answer(said, shortened(figures, SHOWN), ("perf record -a -g -F 99 -- sleep 30",))
    works = float(cpu) > RECLAIM_SHARE
    yields = efficiency[0].value if efficiency else None
    summary = _quadrant(works=works, efficiency=float(yields) if isinstance(yields, float) else None)
    return Answer(summary, shortened(figures, SHOWN))


def _of_tables(gathered: Gathered) -> list[Figure]:
    """Return the share of reclaim's own functions in tables of symbols: perf top, perf report."""
    figures = []
    for item in gathered.items:
        for table in item.reading.tables:
            found = [symbol for symbol in table.symbols if symbol.name in _LEAVES]
            if found:
                share = sum(symbol.self_share for symbol in found)
                places = tuple(place(item, symbol.line) for symbol in found[:3])
                label = "CPU in functions of reclaim, by a table"
                figures.append(Figure(label, round(share, 4), "share", places, share > RECLAIM_SHARE))
    return figures


def _quadrant(*, works: bool, efficiency: float | None) -> str:
    """Return the sentence for progress × CPU."""
    if efficiency is None:
        return "Reclaim takes much CPU; its yield is not known." if works else "Reclaim takes little CPU."
    if works:
        poor = efficiency < EFFICIENCY_SHARE
        return (
            "Reclaim takes much CPU and finds little: a livelock."
            if poor
            else "Reclaim takes much CPU and finds pages: a thrash."
        )
    return "Reclaim takes little CPU and finds what it scans."


def _efficiency(gathered: Gathered) -> list[Figure]:
    """Return pages stolen ÷ pages scanned between two looks at /proc/vmstat."""
    figures = []
    for label, kind in (("direct", "direct"), ("kswapd", "kswapd")):
        scanned = gathered.growth(f"vmstat.pgscan_{kind}")
        stolen = gathered.growth(f"vmstat.pgsteal_{kind}")
        if scanned and stolen and scanned[0] >= 1000:
            share = stolen[0] / scanned[0]
            places = (scanned[1].place, scanned[2].place, stolen[1].place, stolen[2].place)
            figures.append(
                Figure(
                    f"{label} reclaim: stolen of scanned",
                    round(share, 4),
                    "share",
                    places,
                    share < EFFICIENCY_SHARE,
                )
            )
    return figures


def throttling(gathered: Gathered) -> Answer:
    """Say which groups were stopped because their CPU quota was used up."""
    figures = []
    for periods in gathered.facts("cgroup.cpu.nr_periods"):
        if not periods.number:
            continue
        for throttled in gathered.facts("cgroup.cpu.nr_throttled"):
            if (
                throttled.fact.labels == periods.fact.labels
                and throttled.item.evidence == periods.item.evidence
            ):
                share = throttled.number / periods.number
                group = periods.label("cgroup") or "the group"
                figures.append(
                    Figure(
                        f"periods in which {group} was stopped",
                        round(share, 4),
                        "share",
                        (throttled.place, periods.place),
                        share > THROTTLED_SHARE,
                        "an average since the group was made; two looks tell about now",
                    )
                )
    quotas = [told for told in gathered.facts("cgroup.cpu.quota_cpus") if told.number != float("inf")]
    figures += [
        Figure(
            f"quota of {told.label('cgroup') or 'the group'}",
            told.number,
            "count",
            (told.place,),
            note="CPUs",
        )
        for told in quotas
    ]
    if not figures:
        if gathered.facts("cgroup.cpu.quota_cpus") or gathered.facts("cgroup.cpu.nr_periods"):
            told = [*gathered.facts("cgroup.cpu.quota_cpus"), *gathered.facts("cgroup.cpu.nr_periods")][0]
            free = Figure("groups with a CPU quota", 0.0, "count", (told.place,))
            return Answer("No group has a CPU quota.", (free,))
        return Answer(
            "Nothing tells about CPU quotas.",
            lacks=("cat /sys/fs/cgroup/…/cpu.stat /sys/fs/cgroup/…/cpu.max",),
        )
    worst = max((float(figure.value) for figure in figures if figure.unit == "share"), default=0.0)
    return Answer(
        f"The most throttled group was stopped in {value_words(worst, 'share')} of its periods.",
        shortened(figures, SHOWN),
    )


def pressure(gathered: Gathered) -> Answer:
    """Say for which share of the last ten seconds tasks stalled for memory, devices and CPU.

    `full` of the CPU says nothing for a whole machine: the kernel always prints 0 there.
    """
    figures = []
    for resource in ("memory", "io", "cpu"):
        for kind in ("some", "full"):
            if (resource, kind) == ("cpu", "full"):
                continue
            for told in gathered.facts(f"pressure.{resource}.{kind}.avg10_share"):
                group = told.label("cgroup")
                limit = FULL_SHARE if kind == "full" else STALL_SHARE
                is_notable = resource != "cpu" and told.number > limit
                label = f"{resource}: {'all' if kind == 'full' else 'some'} tasks stalled" + (
                    f" in {group}" if group else ""
                )
                note = (
                    "more wants to run than there are CPUs" if resource == "cpu" and told.number > 0.5 else ""
                )
                figures.append(Figure(label, told.number, "share", (told.place,), is_notable, note))
    if not figures:
        return Answer("Nothing tells about stalls.", lacks=("grep . /proc/pressure/*",))
    worst = max(figures, key=lambda figure: (figure.is_notable, float(figure.value)))
    return Answer(
        f"Most stalled: {worst.label}, {worst.words} of ten seconds.",
        shortened(figures, SHOWN),
    )
