"""Memory reclaim and pressure stalls."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ingest.frames.aliases import frames_of
from signatures.language.number_format import value_words
from signatures.overview.levels import ratio_of
from signatures.overview.model import Answer, Figure, Statement, place, ranked, shortened
from signatures.rendering.words import capital

if TYPE_CHECKING:
    from collections.abc import Iterator

    from signatures.overview.first_steps import Topic
    from signatures.overview.model import Place
    from signatures.overview.scope_evidence import ScopeEvidence
    from signatures.overview.stacks import Stacks

RECLAIM_SHARE = 0.2
EFFICIENCY_SHARE = 0.1
LEAST_SCANNED = 1000.0
MANY_PER_SECOND, MANY_SCANNED = 10_000.0, 100_000.0
"""Pages from which scanning in vain is an alarm: 40 MB of them a second, or 400 MB between two readings."""

SHOWN = 10

_MEMCG = frozenset(("try_to_free_mem_cgroup_pages",))
_REQUESTED = frozenset(frames_of("requested_reclaim"))
REQUESTED = " that a write asks for (memory.reclaim, memory.force_empty or a limit)"
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
    """Return the CPU share of each reclaim path, and pages stolen of those scanned."""
    stacks = evidence.main
    uses = list(_of_tables(evidence) if stacks is None else _of_stacks(stacks))
    efficiency = _efficiency(evidence)
    of_cpu = [one.figure for one in uses]
    figures = [*efficiency, *of_cpu] if stacks is None else [*of_cpu, *efficiency]
    if not figures:
        lacks = ("cat /proc/vmstat; sleep 5; cat /proc/vmstat", "cat /sys/fs/cgroup/…/memory.stat")
        return Answer("No data about reclaim.", lacks=lacks)
    top = max(uses, key=lambda one: one.share, default=None)
    if stacks is None and (top is None or not top.share):
        stated = tuple(_fruitless(evidence))
        summary = f"{stated[0].text}." if stated else "CPU share of reclaim unknown."
        capture = "perf record -a -g -F 99 -- sleep 30"
        return Answer(summary, shortened(figures, SHOWN), (capture,), stated)
    stolen_share = min((one.value for one in efficiency if isinstance(one.value, float)), default=None)
    words = _words(
        is_busy=top is not None and top.share > RECLAIM_SHARE,
        efficiency=stolen_share,
    )
    much = max((one for one in uses if one.figure.is_notable), key=lambda one: one.share, default=None)
    statements = []
    if much is not None:
        text = f"{much.figure.words} of samples are in {much.where}: {words}"
        ratio = ratio_of(much.share, RECLAIM_SHARE)
        topic: Topic = "" if any(one.is_requested for one in uses) else "reclaim"
        statements.append(
            Statement(
                "memory",
                text,
                much.figure.places,
                "alarm",
                topic=topic,
                ratio=ratio,
                subject=f"{much.where}: {words}",
            )
        )
    elif notable := [place for one in figures if one.is_notable for place in one.places]:
        statements.append(Statement("memory", capital(words), tuple(notable[:3]), subject=words))
    return Answer(f"{capital(words)}.", shortened(figures, SHOWN), (), tuple(statements))


class _Use(NamedTuple):
    """CPU time that goes to reclaim, and where; `is_requested` by somebody, not by a lack of memory."""

    where: str
    share: float
    figure: Figure
    is_requested: bool = False


def _of_stacks(stacks: Stacks) -> Iterator[_Use]:
    """Yield the share of samples in each path of reclaim."""
    asked = stacks.has(stacks.frames_where(_REQUESTED.__contains__))
    for label, names in RECLAIM_PATHS:
        mask = stacks.has(stacks.frames_where(names.__contains__))
        if not mask.any():
            continue
        share = stacks.share_of_nodes(mask)
        is_requested = names is _MEMCG and stacks.share_of_nodes(asked) > 0.5 * share
        where = f"{label}{REQUESTED}" if is_requested else label
        places = stacks.places_of_nodes(mask.nonzero()[0])
        is_much = share > RECLAIM_SHARE and names is not _MGLRU
        share = round(share, 4)
        yield _Use(where, share, Figure(f"CPU in {where}", share, "share", places, is_much), is_requested)


def _of_tables(evidence: ScopeEvidence) -> Iterator[_Use]:
    """Yield the self share of reclaim functions in symbol tables (perf top, perf report)."""
    where = "reclaim functions"
    for item in evidence.items:
        for table in item.reading.tables:
            found = [symbol for symbol in table.symbols if symbol.name in _LEAVES]
            if found:
                share = sum(symbol.self_share for symbol in found)
                places = tuple(place(item, symbol.line) for symbol in found[:3])
                label, is_much = f"CPU in {where}, from a symbol table", share > RECLAIM_SHARE
                share = round(share, 4)
                yield _Use(where, share, Figure(label, share, "share", places, is_much))


def _words(*, is_busy: bool, efficiency: float | None) -> str:
    """Return the words for CPU cost × efficiency."""
    if efficiency is None:
        return "reclaim uses much CPU" if is_busy else "reclaim uses little CPU"
    if is_busy:
        outcome = "little: livelock" if efficiency < EFFICIENCY_SHARE else "pages: thrashing"
        return f"reclaim uses much CPU and frees {outcome}"
    if efficiency < EFFICIENCY_SHARE:
        return "reclaim uses little CPU and frees little of what it scans"
    return "reclaim uses little CPU and frees what it scans"


def _efficiency(evidence: ScopeEvidence) -> list[Figure]:
    """Return pages stolen ÷ pages scanned between two snapshots of /proc/vmstat."""
    return [
        Figure(
            f"{scan.kind} reclaim: pages stolen ÷ scanned",
            scan.share,
            "share",
            scan.places,
            scan.share < EFFICIENCY_SHARE,
        )
        for scan in _scans(evidence)
    ]


class _Scan(NamedTuple):
    """Pages that one kind of reclaim scanned and freed between two readings; `seconds` 0 when unknown."""

    kind: str
    scanned: float
    stolen: float
    seconds: float
    places: tuple[Place, ...]

    @property
    def share(self) -> float:
        """Pages freed of those scanned."""
        return self.stolen / self.scanned


def _scans(evidence: ScopeEvidence) -> Iterator[_Scan]:
    for kind in ("direct", "kswapd"):
        scanned = evidence.growth(f"vmstat.pgscan_{kind}")
        stolen = evidence.growth(f"vmstat.pgsteal_{kind}")
        if scanned and stolen and scanned[0] >= LEAST_SCANNED:
            first, last = scanned[1].fact.at, scanned[2].fact.at
            seconds = last - first if first is not None and last is not None else 0.0
            places = (scanned[1].place, scanned[2].place, stolen[1].place, stolen[2].place)
            yield _Scan(kind, scanned[0], stolen[0], max(0.0, seconds), places)


def _fruitless(evidence: ScopeEvidence) -> Iterator[Statement]:
    """Yield what reclaim scans in vain, an alarm where that is work for the CPUs."""
    for scan in _scans(evidence):
        if scan.share >= EFFICIENCY_SHARE:
            continue
        who = "Direct reclaim" if scan.kind == "direct" else "kswapd"
        few = "almost none" if scan.share < EFFICIENCY_SHARE / 10 else "few"
        share = value_words(scan.share, "share")
        if scan.seconds:
            rate, freed = scan.scanned / scan.seconds, scan.stolen / scan.seconds
            text = f"{who} scans {value_words(rate)} pages/s and frees {few} of them "
            text += f"({value_words(freed)} pages/s, {share})"
            is_much = rate >= MANY_PER_SECOND
        else:
            text = f"{who} scanned {value_words(scan.scanned)} pages between two readings and freed {few} of "
            text += f"them ({value_words(scan.stolen)}, {share})"
            is_much = scan.scanned >= MANY_SCANNED
        kind, level = ranked(is_alarm=is_much)
        topic: Topic = "reclaim" if is_much else ""
        yield Statement("memory", text, scan.places, kind, level, topic=topic, subject=f"scans of {who}")
