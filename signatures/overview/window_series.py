"""The series that the rules of windows look at: columns of tables, looks at files, counters against a base.

    series_of_rule(evidence, rule)  ->  the share of TCP segments sent again between each two looks

A counter that is judged by a share of another one is judged so between two looks: what it grew by, of what
the other grew by. `nstat` without -a may print either what it counted since boot or since its last run
(`net.since.…`): its looks together show which.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, cast

import numpy as np

from ingest.engines.series.model import of_looks, series_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from ingest.engines.series.model import Series
    from ingest.model.facts import Fact
    from ingest.model.reading import Reading
    from signatures.judging.scope import Item
    from signatures.overview.scope_evidence import FactEntry, ScopeEvidence
    from signatures.overview.window_rule import Rule

SINCE = ("net.", "net.since.")
"""Counters of which it is not known since when they count have the second prefix."""

FEW_STEPS = 10
"""Looks that did not fall: with so many the counters count since boot; increments fall half the time."""

LEAST_COUNTED = 10.0
"""A counter that counted less may stand still by chance."""


def series_of_rule(evidence: ScopeEvidence, rule: Rule) -> Iterator[tuple[Series, Sequence[Item]]]:
    """Yield the series of a rule, each with its item, or with one per row where each row is a section."""
    if rule.bases:
        yield from _counted(evidence, rule)
        return
    reaching = None if rule.is_below or rule.of else rule.above
    for item in {id(entry.item): entry.item for entry in evidence.facts(rule.fact)}.values():
        for series in series_of(item.reading, rule.fact, reaching):
            part = _share_of(series, item.reading, rule) if rule.of else series
            if part is not None:
                yield part, (item,)
    wholes = {id(entry.item): entry.number for entry in evidence.facts(rule.of)}
    for entries in looks_at(evidence, rule.fact).values():
        known = [(fact, entry.item) for entry in entries if (fact := _part(entry, rule, wholes)) is not None]
        found = of_looks(rule.fact, [fact for fact, _ in known])
        if found is not None:
            yield found, [item for _, item in known]


def looks_at(evidence: ScopeEvidence, fact: str) -> dict[tuple[str, object], list[FactEntry]]:
    """Return the looks at one number by evidence and labels, where each section of the evidence is one."""
    looks: dict[tuple[str, object], list[FactEntry]] = {}
    for entry in evidence.facts(fact):
        if isinstance(entry.fact.value, float):
            key = (entry.item.evidence, tuple(sorted(entry.fact.labels.items())))
            looks.setdefault(key, []).append(entry)
    return {
        key: entries
        for key, entries in looks.items()
        if len({entry.item.section for entry in entries}) == len(entries)
    }


def _counted(evidence: ScopeEvidence, rule: Rule) -> Iterator[tuple[Series, Sequence[Item]]]:
    """Yield a counter as its share of the bases between looks; nothing where the looks do not meet."""
    counters = [_totals(evidence, name) for name in (rule.fact, *rule.bases)]
    for key, (own, entries) in counters[0].items():
        bases = [totals[key][0] for totals in counters[1:] if key in totals]
        if len(bases) < len(rule.bases) or any(one.times.shape != own.times.shape for one in bases):
            continue
        if any(np.abs(one.times - own.times).max() > (own.interval or 0) / 2 for one in bases):
            continue
        grown = np.diff(own.values, prepend=np.nan)
        parts = [np.diff(one.values, prepend=np.nan) for one in bases]
        is_reset = np.logical_or.reduce([one < 0 for one in (grown, *parts)])
        whole = np.where(is_reset, np.nan, np.sum(parts, axis=0))
        shares = np.divide(grown, whole, out=np.full(whole.shape, np.nan), where=whole > 0)
        yield (
            replace(own, values=shares, unit="share", is_cumulative=False, wholes=whole),
            [entry.item for entry in entries],
        )


def _totals(
    evidence: ScopeEvidence, name: str
) -> dict[tuple[str, object], tuple[Series, Sequence[FactEntry]]]:
    """Return a counter as what it has counted up to each look, by evidence."""
    memo = (_totals, name)
    if memo not in evidence.memo:
        found = {}
        for key, entries in looks_at(evidence, name).items():
            if (series := of_looks(name, [entry.fact for entry in entries])) is not None:
                found[key] = series, entries
        known, unknown = SINCE
        for key, entries in looks_at(evidence, name.replace(known, unknown, 1)).items():
            series = of_looks(name, [replace(entry.fact, name=name) for entry in entries])
            since_boot = _is_since_boot(evidence, key)
            if series is None or since_boot is None or key in found:
                continue
            values = series.values if since_boot else np.cumsum(series.values)
            found[key] = replace(series, values=values), entries
        evidence.memo[memo] = found
    return cast("dict[tuple[str, object], tuple[Series, Sequence[FactEntry]]]", evidence.memo[memo])


def _is_since_boot(evidence: ScopeEvidence, key: tuple[str, object]) -> bool | None:
    """Return whether the looks of one text count since boot, and not since the one before; None if undecided.

    Nothing that counts since boot falls; of ten increments that are not small some do.
    """
    memo = (_is_since_boot, key)
    if memo not in evidence.memo:
        steps = 0
        fallen = False
        for name in evidence.names(SINCE[1]):
            values = np.array([entry.number for entry in looks_at(evidence, name).get(key, ())])
            fallen |= bool((np.diff(values) < 0).any())
            steps += int((values[1:] >= LEAST_COUNTED).sum())
        evidence.memo[memo] = False if fallen else True if steps >= FEW_STEPS else None
    return cast("bool | None", evidence.memo[memo])


def _share_of(series: Series, reading: Reading, rule: Rule) -> Series | None:
    """Return a series as the share that the rule is about; None where the whole is not known row by row."""
    names = [name for name in (rule.of, rule.of_share) if name]
    found = [
        next((one.values for one in series_of(reading, name) if one.labels == series.labels), None)
        for name in names
    ]
    wholes = [one for one in found if one is not None and one.shape == series.values.shape]
    if len(wholes) < len(names):
        return None
    whole = wholes[0] / wholes[1] if rule.of_share else wholes[0]
    values = np.divide(series.values, whole, out=np.full(len(whole), np.nan), where=whole > 0)
    return replace(series, values=values, unit=series.unit if series.is_cumulative else "share")


def _part(entry: FactEntry, rule: Rule, wholes: Mapping[int, float]) -> Fact | None:
    """Return the fact as the share that the rule is about, None where the whole is not known."""
    if not rule.of:
        return entry.fact
    whole = wholes.get(id(entry.item))
    # Seconds that grow become a share when their growth per second is taken.
    unit = "seconds" if entry.fact.unit == "seconds" else "share"
    return replace(entry.fact, value=entry.number / whole, unit=unit) if whole else None
