"""Statements about values that cannot be right: more than all memory, longer than an uptime.

MemAvailable, 22.5 GiB, is more than all memory, 1.48 GiB, which cannot be right: it is made of free pages, …

The bounds are rows of `judging/impossible.yaml`. Nothing about their question is calm then
(`signatures.overview.calm`), and nothing is an alarm by them.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple, cast

import numpy as np

from signatures.judging.impossible_values import SECONDS, rules
from signatures.language.number_format import quantity_words, value_words
from signatures.overview.block_histograms import is_of_block_device
from signatures.overview.model import Answer, Figure, Statement, place

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from ingest.model.histogram import Histogram
    from signatures.judging.impossible_values import Rule
    from signatures.judging.scope import Item
    from signatures.overview.model import Place, QuestionName
    from signatures.overview.scope_evidence import FactEntry, ScopeEvidence, Table

YEAR = 365.25 * 86_400.0
FIRST_STEP = "Change nothing by this value: read what it is made of another way first"
UPTIME = "host.uptime_seconds"


class Impossible(NamedTuple):
    """A value that cannot be right: the sentence, its likely cause, where it is, its source."""

    question: QuestionName
    words: str
    cause: str
    value: float
    unit: str
    places: tuple[Place, ...]
    name: str


def found(evidence: ScopeEvidence) -> list[Impossible]:
    """Return the impossible values of a scope: of each rule the one that is furthest beyond its bound."""
    if found not in evidence.memo:
        evidence.memo[found] = [
            most
            for rule in rules()
            if (most := max(_FINDERS[rule.source](evidence, rule), key=_value, default=None))
        ]
    return cast("list[Impossible]", evidence.memo[found])


def impossible(evidence: ScopeEvidence) -> Answer:
    """Return a sentence for each impossible value, with its likely cause."""
    figures, statements = [], []
    for one in found(evidence):
        figures.append(Figure(one.words, one.value, one.unit, one.places, is_notable=True, note=one.cause))
        statements.append(
            Statement(
                one.question,
                one.words,
                one.places,
                "fact",
                "notable",
                is_notable=True,
                subject=f"impossible {one.name}",
                qualifiers=(f", which cannot be right: {one.cause}",),
                first_step=FIRST_STEP,
            )
        )
    if not figures:
        return Answer("No value that cannot be.")
    return Answer(f"{statements[0].text}.", tuple(figures), (), tuple(statements))


def _value(one: Impossible) -> float:
    return one.value


def _in_facts(evidence: ScopeEvidence, rule: Rule) -> Iterator[Impossible]:
    bounds = _bounds(evidence, rule)
    for name in rule.names:
        for entry in evidence.facts(name):
            looks = (bounds.get((id(entry.item), look)) for look in (entry.fact.snapshot, 0))
            bound = max((one for one in looks if one), key=lambda one: one.number, default=None)
            highest = bound.number if bound is not None else 0.0 if rule.bounds else rule.above
            if rule.is_beyond(entry.number, highest):
                # A rate of bytes has the unit of a rate; its name says of what.
                unit = "bytes" if name.endswith("bytes_per_second") else entry.fact.unit
                words = rule.words.format(
                    value=quantity_words(entry.number, unit),
                    bound=quantity_words(bound.number, bound.fact.unit) if bound is not None else "",
                    of=entry.label("comm", "device", "interface", "label") or "a process",
                )
                where = tuple(dict.fromkeys(one.place for one in (entry, bound) if one is not None))
                yield Impossible(rule.question, words, rule.cause, entry.number, entry.fact.unit, where, name)


def _bounds(evidence: ScopeEvidence, rule: Rule) -> dict[tuple[int, int], FactEntry]:
    """Return the highest bound of each look; one that was read once is that of all looks of its text."""
    found: dict[tuple[int, int], FactEntry] = {}
    for name in rule.bounds:
        for entry in evidence.facts(name):
            key = (id(entry.item), entry.fact.snapshot)
            if key not in found or entry.number > found[key].number:
                found[key] = entry
    return found


def _in_rows(evidence: ScopeEvidence, rule: Rule) -> Iterator[Impossible]:
    for name in rule.names:
        for rows in evidence.tables(name):
            if rule.column_of in rows.rows.columns:
                yield from _in_table(rows, rule)


def _in_table(rows: Table, rule: Rule) -> Iterator[Impossible]:
    """Yield the row with the highest value, if it names what the bound is of."""
    values = rows.numbers(rule.column)
    for at in np.argsort(-np.nan_to_num(values, nan=-np.inf), kind="stable")[:1].tolist():
        row = rows.row(at)
        value = row.number(rule.column) or 0.0
        if rule.is_beyond(value, rule.above) and row.cells.get(rule.column_of) is not None:
            name = row.cells.get("comm") or row.cells.get("command") or row.cells[rule.column_of]
            words = rule.words.format(value=quantity_words(value, "share"), of=name)
            yield Impossible(rule.question, words, rule.cause, value, "share", (row.place,), rows.rows.name)


def _in_histograms(evidence: ScopeEvidence, rule: Rule) -> Iterator[Impossible]:
    """Yield histograms of times with values that no host was up for, by its uptime where it is known."""
    for item in evidence.items:
        for one in item.reading.histograms:
            bound = _longest(evidence, item, rule)
            beyond = _buckets_beyond(one, rule, bound)
            if not beyond:
                continue
            least = one.lows[beyond[0]] * SECONDS[one.unit]
            words = rule.words.format(
                count=f"{sum(one.counts[at] for at in beyond):,.0f}",
                all=f"{sum(one.counts):,.0f}",
                of=" ".join(filter(None, (one.name, one.key))) or "the histogram",
                value=_time_words(least),
            )
            where = (place(item, one.bucket_lines[beyond[0]], one.bucket_lines[beyond[-1]]),)
            question: QuestionName = "io" if is_of_block_device(one) else rule.question
            is_known = bound < rule.above
            limit = f"the host was up for {_time_words(bound)}" if is_known else "no host was up that long"
            cause = rule.cause.format(limit=limit)
            yield Impossible(question, words, cause, least, "seconds", where, one.name)


def _longest(evidence: ScopeEvidence, item: Item, rule: Rule) -> float:
    """Return the longest time that can be: the uptime that the same text states, else that of the rule."""
    uptimes = [one.number for one in evidence.facts(UPTIME) if one.item.evidence == item.evidence]
    return min(rule.above, max(uptimes, default=0.0) or math.inf)


def _buckets_beyond(histogram: Histogram, rule: Rule, bound: float) -> list[int]:
    factor = SECONDS.get(histogram.unit, 0.0)
    used = (at for at, count in enumerate(histogram.counts) if count)
    return [at for at in used if rule.is_beyond(histogram.lows[at] * factor, bound)]


def credible(evidence: ScopeEvidence, histogram: Histogram, item: Item) -> Histogram:
    """Return a histogram without the values that cannot be right."""
    beyond = {
        at
        for rule in rules()
        if rule.source == "histograms"
        for at in _buckets_beyond(histogram, rule, _longest(evidence, item, rule))
    }
    if not beyond:
        return histogram
    counts = tuple(0.0 if at in beyond else count for at, count in enumerate(histogram.counts))
    return replace(histogram, counts=counts)


def is_impossible(evidence: ScopeEvidence, name: str) -> bool:
    """Return whether a fact of this name has a value that cannot be right: it makes no alarm."""
    return any(one.name == name for one in found(evidence))


def _time_words(seconds: float) -> str:
    """Return a time in years where it is some."""
    return f"{seconds / YEAR:,.0f} years" if seconds >= YEAR else value_words(seconds, "seconds")


_FINDERS: dict[str, Callable[[ScopeEvidence, Rule], Iterator[Impossible]]] = {
    "facts": _in_facts,
    "rows": _in_rows,
    "histograms": _in_histograms,
}
"""How the values of a rule are found, by the key that names them."""
