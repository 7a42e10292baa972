"""The largest quantities of readings that no other analysis states anything of.

    context(evidence)  ->  The largest size is 16.2 GiB: container memory (container mysql); whether that is …

It looks at what the others left, so it needs no knowledge of a tool: the units of facts and columns decide.
Its statements are of level *context*, never alarms, and change the state of no question.
"""

from __future__ import annotations

import statistics
from itertools import chain, zip_longest
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ingest.readers.logs import text as plain
from ingest.readers.logs.text.stated import is_bound
from signatures.language.number_format import quantity_words, value_words
from signatures.overview.context_looks import in_time
from signatures.overview.measures import measures
from signatures.overview.model import Answer, Figure, Quantity, Statement, place
from signatures.overview.reading_values import (
    kinds,
    question_of,
    seen_in,
    subject_of,
    values_of,
)
from signatures.overview.thresholds import thresholds_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from signatures.judging.scope import Item
    from signatures.overview.model import Place
    from signatures.overview.reading_values import Value
    from signatures.overview.scope_evidence import ScopeEvidence

LIMITS = thresholds_of("context")
MOST, ENOUGH = int(LIMITS["statements"]), int(LIMITS["readings"])
"""Statements of a host, and readings that are looked at."""

UNKNOWN = "; whether that is normal is not known from this"


class _Found(NamedTuple):
    """A sentence without its end, what it is about, and its lines."""

    words: str
    about: str
    place: Place
    subject: str = ""
    quantity: Quantity | None = None


def context(evidence: ScopeEvidence) -> Answer:
    """Return statements about the readings that no statement of the panels so far cites.

    What cites one output of a tool in a text speaks for all of them.
    """
    formats = {(one.evidence, one.section): one.format for one in evidence.items}
    cited = evidence.cited_outputs()
    left = [one for one in evidence.items if (one.evidence, one.format) not in cited]
    looks = in_time(left)
    told = {(one.place.evidence, formats[one.place.evidence, one.place.section]) for one in looks}
    others = [_of_reading(one) for one in left[:ENOUGH] if (one.evidence, one.format) not in told]
    found = [_Found(one.words + UNKNOWN, one.about, one.place, one.subject, one.quantity) for one in looks]
    found = [*found[: MOST if not others else 1], *_one_each(others)]
    if not found:
        found = _one_each([_described(item) for item in left[:ENOUGH] if not evidence.stated])[:1]
    statements = tuple(
        Statement(
            question_of(one.about),
            f"{one.words[:1].upper()}{one.words[1:]}",
            (one.place,),
            "fact",
            "context",
            subject=one.subject,
            quantity=one.quantity,
            engine="quantities",
        )
        for one in found[:MOST]
    )
    if not statements:
        return Answer("Every reading is stated.")
    figures = tuple(map(_figure, statements))
    return Answer(f"{statements[0].text}.", figures, statements=statements, is_undecided=True)


def _figure(statement: Statement) -> Figure:
    if statement.quantity is None:
        return Figure("Read", statement.text, "", statement.places)
    return Figure(statement.subject or "Largest", *statement.quantity, statement.places)


def _one_each(found: Sequence[Sequence[_Found]]) -> list[_Found]:
    """Return the first of each reading, then the second ones."""
    return [one for one in chain.from_iterable(zip_longest(*found)) if one is not None]


def _of_reading(item: Item) -> list[_Found]:
    """Return what stands out, the largest share of a total, the largest values; else what is seen."""
    values = list(values_of(item))
    if not values:
        return [_Found(one.words + UNKNOWN, item.format, one.place) for one in seen_in(item)]
    if all(one.number == 0 for one in values):
        return [_zeros(item, values)]
    found: list[_Found] = []
    stated: set[str] = set()
    for one in (*_standing_out(values), *_largest_shares(values), *_largest(values)):
        if one.about not in stated:
            stated.add(one.about)
            found.append(one)
    return found[:MOST]


def _zeros(item: Item, values: Sequence[Value]) -> _Found:
    """Return that all values are 0, and which others are not: counts of names that no dictionary has."""
    others = [one for one in measures(item) if np.any(one.values)]
    all_of = "" if others else "All "
    count = "The value" if len(values) == 1 else f"{all_of}{len(values):,} values"
    verb = "is" if len(values) == 1 else "are"
    words = f"{count} of this reading {verb} 0: {_names([one.label for one in values])}"
    if others:
        names = _names([f"{one.label} ({one.values[np.argmax(np.abs(one.values))]:,g})" for one in others])
        words += f"; not 0, of unknown meaning: {names}"
    lines = [one.place for one in values] + [one.place() for one in others]
    where = place(item, min(one.first_line for one in lines), max(one.last_line for one in lines))
    return _Found(words, values[0].name, where)


def _names(every: Sequence[str]) -> str:
    different = list(dict.fromkeys(every))
    rest = len(different[MOST:])
    more = f" and {rest:,} more" if rest else ""
    return ", ".join(different[:MOST]) + more


def _standing_out(values: Sequence[Value]) -> Iterator[_Found]:
    """Yield the value that is furthest above its peers."""
    best: tuple[float, _Found] | None = None
    for peers in _peers(values):
        first, second, *_ = sorted(peers, key=lambda one: -one.number)
        typical = statistics.median(one.number for one in peers if one is not first)
        if (
            len(peers) < LIMITS["fewest_peers"]
            or second.number <= 0
            or first.number < LIMITS["above_next"] * second.number
        ):
            continue
        if first.number < LIMITS["far_above"] * typical:
            continue
        words = (
            f"{first.label} stands out at {first.subject}: {_words(first)}; the next of {len(peers):,} is "
            f"{_words(second)}{UNKNOWN}"
        )
        factor = first.number / second.number
        if best is None or factor > best[0]:
            best = (factor, _found(words, first))
    if best:
        yield best[1]


def _largest_shares(values: Sequence[Value]) -> Iterator[_Found]:
    """Yield the largest share that one subject has of the sum over all of them."""
    best: tuple[tuple[int, float], _Found] | None = None
    units = list(kinds())
    for peers in _peers(values):
        first, total = max(peers, key=lambda one: one.number), sum(one.number for one in peers)
        if not kinds()[first.unit].adds_up or any(one.number < 0 for one in peers):
            continue
        if sum(one.number > 0 for one in peers) < 2 or not LIMITS["most_share"] <= first.number / total <= 1:
            continue
        share = first.number / total
        words = (
            f"{first.subject} has the largest share of {first.label}: {value_words(share, 'share')}, "
            f"{_words(first)} of {quantity_words(total, first.unit)}{UNKNOWN}"
        )
        rank = (-units.index(first.unit), share)
        if best is None or rank > best[0]:
            best = (rank, _found(words, first))
    if best:
        yield best[1]


def _largest(values: Sequence[Value]) -> Iterator[_Found]:
    """Yield the largest value of each unit that is not 0."""
    for unit, kind in kinds().items():
        first = max(
            (one for one in values if one.unit == unit and one.number),
            key=lambda one: (not is_bound(one.label), one.number),
            default=None,
        )
        if first is not None:
            of = f"{first.label} ({first.subject})" if first.subject else first.label
            yield _found(f"the largest {kind.noun} is {_words(first)}: {of}{UNKNOWN}", first)


def _peers(values: Sequence[Value]) -> Iterator[list[Value]]:
    """Yield the values of each quantity that several subjects have, the largest of each subject."""
    series: dict[str, dict[str, Value]] = {}
    for one in values:
        subjects = series.setdefault(one.name, {})
        if one.subject and (one.subject not in subjects or one.number > subjects[one.subject].number):
            subjects[one.subject] = one
    return (list(subjects.values()) for subjects in series.values() if len(subjects) > 1)


def _found(words: str, value: Value) -> _Found:
    subject = f"{value.label} ({value.subject})" if value.subject else value.label
    return _Found(words, value.name, value.place, subject, Quantity(value.number, value.unit))


def _words(value: Value) -> str:
    return quantity_words(value.number, value.unit)


def _described(item: Item) -> list[_Found]:
    """Return what a reading without quantities describes: its first facts."""
    facts = item.reading.facts
    if not facts or item.format == plain.NAME:
        return []
    shown = "; ".join(
        f"{' '.join(filter(None, (one.name, subject_of(one))))} = {quantity_words(one.value, one.unit)[:80]}"
        for one in facts[:MOST]
    )
    more = f"; and {len(facts) - MOST:,} more" if len(facts) > MOST else ""
    where = place(item, facts[0].lines.first, facts[min(len(facts), MOST) - 1].lines.last)
    return [_Found(f"no quantity to judge, only what describes: {shown}{more}", facts[0].name, where)]
