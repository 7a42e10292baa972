"""Limits of cgroups: memory, tasks and CPU quota against use, and the events that a limit caused."""

from __future__ import annotations

from typing import TYPE_CHECKING

from signatures.language.number_format import value_words
from signatures.overview import calm
from signatures.overview.levels import first_of, ratio_of
from signatures.overview.memory.removed_cgroups import removed_cgroups
from signatures.overview.model import Answer, Covers, Figure, Statement, ranked, shortened
from signatures.overview.scope_evidence import sections_of

if TYPE_CHECKING:
    from signatures.documents.levels import Level
    from signatures.overview.scope_evidence import FactEntry, ScopeEvidence

SHOWN = 10
AT_LIMIT_SHARE = 0.98
STILL_NEAR_SHARE = 0.9
"""Use of a cgroup that has reached its limit before and stayed near it."""

TASKS_SHARE = 0.95
THROTTLED_SHARE = 0.1
LEAST_PERIODS = 100.0
MANY_EVENTS = 1000.0
ASSESSES = ("memcg.limit_bytes", "cgroup.cpu.quota_cpus", "memcg.events.oom_kill", "cgroup.cpu.nr_periods")
"""Facts that say whether a limit is set, or was reached."""

NONE_LISTED = "No limit is among the lines that were read"
SINGULAR = {"OOM kills": "OOM kill", "forks met pids.max": "fork met pids.max"}
CAPTURE = "cd /sys/fs/cgroup/PATH; grep . memory.max memory.current memory.events cpu.max cpu.stat pids.*"


EVENTS: tuple[tuple[str, str, float, Level], ...] = (
    ("memcg.events.oom_kill", "OOM kills", 1.0, "failure"),
    ("memcg.oom_control.oom_kill", "OOM kills", 1.0, "failure"),
    ("memcg.events.max", "charges met memory.max", MANY_EVENTS, "saturation"),
    ("memcg.failcnt", "charges met the memory limit", MANY_EVENTS, "saturation"),
    ("memcg.events.high", "charges met memory.high", MANY_EVENTS, "saturation"),
    ("cgroup.pids.events.max", "forks met pids.max", 1.0, "saturation"),
)
"""Counters since a cgroup was made, and the count from which one is an alarm."""


def cgroup_limits(evidence: ScopeEvidence) -> Answer:
    """Return use as a share of each limit, throttled periods, OOM kills and limit events, by cgroup."""
    figures: list[Figure] = []
    statements: list[Statement] = []
    for used, limit, words, above in (
        ("memcg.usage_bytes", "memcg.limit_bytes", "memory limit", AT_LIMIT_SHARE),
        ("cgroup.pids.current", "cgroup.pids.max", "limit of tasks", TASKS_SHARE),
    ):
        for entry, bound in _pairs(evidence, used, limit):
            _limit(figures, statements, entry, bound, words=words, above=above)
    _peaks(evidence, figures, statements)
    for throttled, periods in _pairs(evidence, "cgroup.cpu.nr_throttled", "cgroup.cpu.nr_periods"):
        _throttled(figures, statements, throttled, periods)
    _events(evidence, figures, statements)
    removed = removed_cgroups(evidence)
    figures += removed.figures
    statements += removed.statements
    rests_on = sections_of(one for name in ASSESSES for one in evidence.facts(name))
    if not figures and not rests_on:
        return Answer("No data about limits of cgroups.", lacks=(CAPTURE,))
    if not figures:
        covers = Covers("cgroup-limits", rests_on)
        words = calm.words(evidence, covers, "No limit of a cgroup is set, or none was reached", NONE_LISTED)
        return Answer(f"{words}.", (), (), (), (covers,))
    first = first_of(statements)
    summary = f"{first.text}." if first else f"{figures[0].label}: {figures[0].words}."
    rests_on = rests_on or tuple(
        where for one in figures if one not in removed.figures for where in one.places
    )
    assesses = (Covers("cgroup-limits", rests_on),) if rests_on else ()
    return Answer(summary, shortened(figures, SHOWN), (), tuple(statements), assesses)


def _pairs(evidence: ScopeEvidence, used: str, limit: str) -> list[tuple[FactEntry, FactEntry]]:
    """Return each value with the limit of the same cgroup in the same snapshot."""
    limits = {_key(one): one for one in evidence.facts(limit)}
    return [
        (entry, bound)
        for entry in evidence.facts(used)
        if (bound := limits.get(_key(entry))) and 0 < bound.number < float("inf")
    ]


def _key(entry: FactEntry) -> tuple[str, str, int]:
    evidence = entry.item.evidence.rsplit("/", 1)[0]
    return (evidence, entry.label("cgroup"), entry.fact.snapshot)


def _limit(
    figures: list[Figure],
    statements: list[Statement],
    entry: FactEntry,
    bound: FactEntry,
    *,
    words: str,
    above: float,
) -> None:
    share = entry.number / bound.number
    group = entry.label("cgroup") or "a cgroup"
    is_high = share >= above
    places = (entry.place, bound.place)
    figures.append(Figure(f"{group}: {words}", round(share, 4), "share", places, is_high))
    if is_high:
        text = f"{group} uses {value_words(share, 'share')} of its {words}"
        statements.append(Statement("cgroup-limits", text, places, "alarm", subject=f"{words} of {group}"))


def _peaks(evidence: ScopeEvidence, figures: list[Figure], statements: list[Statement]) -> None:
    """Add cgroups whose highest use was their memory limit; an alarm when they are still near it."""
    used = {_key(entry): entry.number for entry in evidence.facts("memcg.usage_bytes")}
    for peak, bound in _pairs(evidence, "memcg.max_usage_bytes", "memcg.limit_bytes"):
        if peak.number < bound.number:
            continue
        now = used.get(_key(peak), 0.0) / bound.number
        is_near = STILL_NEAR_SHARE <= now < AT_LIMIT_SHARE
        group = peak.label("cgroup") or "a cgroup"
        places = (peak.place, bound.place)
        figures.append(Figure(f"{group}: highest use of its memory limit", 1.0, "share", places, is_near))
        if now >= AT_LIMIT_SHARE:
            # `_limit` has said so.
            continue
        text = f"{group} has reached its memory limit of {value_words(bound.number, 'bytes')}"
        if now:
            text += f" and uses {value_words(now, 'share')} of it"
        kind, level = ranked(is_alarm=is_near)
        subject = f"reached memory limit of {group}"
        statements.append(Statement("cgroup-limits", text, places, kind, level, subject=subject))


def _throttled(
    figures: list[Figure], statements: list[Statement], throttled: FactEntry, periods: FactEntry
) -> None:
    share = throttled.number / periods.number
    group = throttled.label("cgroup") or "a cgroup"
    is_high = share >= THROTTLED_SHARE and periods.number >= LEAST_PERIODS
    places = (throttled.place, periods.place)
    count = f"{throttled.number:,.0f} of {periods.number:,.0f}"
    figures.append(Figure(f"{group}: throttled periods", round(share, 4), "share", places, is_high, count))
    if share >= THROTTLED_SHARE:
        part = value_words(share, "share")
        text = f"{group} was throttled in {part} of its CPU periods ({count}, since it was made)"
        kind, level = ranked(is_alarm=is_high)
        ratio = ratio_of(share, THROTTLED_SHARE)
        statements.append(
            Statement(
                "cgroup-limits",
                text,
                places,
                kind,
                level,
                topic="CPU quota",
                ratio=ratio,
                subject=f"throttling of {group}",
            )
        )


def _events(evidence: ScopeEvidence, figures: list[Figure], statements: list[Statement]) -> None:
    """Add OOM kills and charges that met a limit, counted since the cgroup was made."""
    for name, words, least, level in EVENTS:
        entry = evidence.highest(name)
        if entry is None or not entry.number:
            continue
        is_many = entry.number >= least
        group = entry.label("cgroup") or "a cgroup"
        figures.append(Figure(f"{group}: {words}", entry.number, "count", (entry.place,), is_many))
        if is_many:
            counted = SINGULAR.get(words, words) if entry.number == 1 else words
            text = f"{entry.number:,.0f} {counted} in {group} since it was made"
            subject = f"{words} in {group}"
            statements.append(
                Statement("cgroup-limits", text, (entry.place,), "alarm", level, subject=subject)
            )
