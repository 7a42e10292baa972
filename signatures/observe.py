"""Observe: what each condition of a clause says about each reading.

What one reading says about one condition depends on nothing else, so it can be kept under (reading digest,
clause digest). Facts are joined over a scope and are asked when deciding: they cost nothing.
"""

from __future__ import annotations

import hashlib
from dataclasses import replace
from typing import TYPE_CHECKING, TypeAlias

from signatures import caps as quality
from signatures.nodes import Trees
from signatures.observation import Observation, Sighting
from signatures.predicates import facts as fact_predicate
from signatures.predicates import histograms, logs, rows, sequences, stacks, symbols
from signatures.questions import (
    FactCondition,
    Group,
    HistogramCondition,
    KernelCondition,
    LogCondition,
    RowsCondition,
    SequenceCondition,
    StackCondition,
    SymbolCondition,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, MutableMapping

    from ingest.reading import Reading
    from signatures.facts import ScopeFacts
    from signatures.model import Clause
    from signatures.questions import Condition, Test
    from signatures.scope import Item

Cache: TypeAlias = "MutableMapping[tuple[str, str], tuple[Sighting, ...]]"


def clause_digest(clause: Clause) -> str:
    """Return the digest that names everything a clause asks; it changes when the question changes."""
    return hashlib.sha256(repr((clause.test, clause.refuted_by)).encode()).hexdigest()


def condition_digest(condition: Condition) -> str:
    """Return the digest of one condition."""
    return hashlib.sha256(repr(condition).encode()).hexdigest()


def conditions_of(test: Test | None) -> Iterator[Condition]:
    """Yield the conditions of a test, in the order of the file."""
    if isinstance(test, Group):
        for inner in test.tests:
            yield from conditions_of(inner)
    elif test is not None:
        yield test


def observe_reading(
    condition: Condition, reading: Reading, trees: Trees | None = None
) -> tuple[Sighting, ...]:
    """Ask one condition of one reading; facts are not asked here."""
    found = list(_sightings(condition, reading, trees or Trees()))
    remarks = tuple(quality.remarks(condition, reading.quality_names))
    holding = tuple(quality.caps(condition, reading.quality_names))
    cap = condition.cap
    result = []
    for sighting in found:
        caps = dict.fromkeys((*sighting.caps, *holding, *((cap.because,) if cap else ())))
        confidence_cap = min(sighting.confidence_cap, cap.confidence if cap else 1.0)
        title = cap.title if cap else ""
        result.append(
            replace(
                sighting,
                caps=tuple(caps),
                remarks=remarks,
                confidence_cap=confidence_cap,
                cap_title=title,
            )
        )
    return tuple(result)


def _sightings(condition: Condition, reading: Reading, trees: Trees) -> Iterator[Sighting]:
    if isinstance(condition, StackCondition):
        for index, tree in enumerate(trees.of(reading)):
            yield from stacks.observe(condition, tree, index)
    elif isinstance(condition, SymbolCondition):
        for table in reading.tables:
            yield symbols.observe(condition, table)
    elif isinstance(condition, HistogramCondition):
        is_filtered = "filtered" in reading.quality_names
        for histogram in reading.histograms:
            found = histograms.observe(condition, histogram, is_filtered=is_filtered)
            if found is not None:
                yield found
    elif isinstance(condition, RowsCondition):
        for row_set in reading.row_sets:
            yield from rows.observe(condition, row_set, quality=reading.quality_names)
    elif isinstance(condition, LogCondition):
        yield from logs.observe(condition, reading)
    elif isinstance(condition, SequenceCondition):
        if condition.rows:
            for row_set in reading.row_sets:
                yield from sequences.observe_rows(condition, row_set)
        else:
            for index, tree in enumerate(trees.of(reading)):
                yield from sequences.observe_profile(condition, tree, index)


def observe(
    condition: Condition, item: Item, trees: Trees, cache: Cache | None = None
) -> tuple[Observation, ...]:
    """Ask one condition of one item, keeping the answer in `cache` where the reading has a digest."""
    key = (item.digest, condition_digest(condition)) if cache is not None and item.digest else None
    if key is not None and cache is not None and key in cache:
        found = cache[key]
    else:
        found = observe_reading(condition, item.reading, trees)
        if key is not None and cache is not None:
            cache[key] = found
    return tuple(
        Observation(
            sighting,
            (item.evidence,),
            item.host,
            item.boot,
            item.section,
            tuple((item.evidence, item.section, cited) for cited in sighting.citations),
        )
        for sighting in found
    )


def observe_facts(condition: Condition, facts: ScopeFacts) -> tuple[Observation, ...]:
    """Ask a fact or kernel condition of the facts of a scope."""
    if isinstance(condition, FactCondition):
        return tuple(fact_predicate.observe(condition, facts))
    if isinstance(condition, KernelCondition):
        return tuple(fact_predicate.observe_kernel(condition, facts))
    return ()
