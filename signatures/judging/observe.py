"""Observe conditions on readings.

The result of one condition on one reading depends on nothing else, so it is cached under (reading digest,
condition digest). Facts are joined over a scope and compared when deciding, which is cheap.
"""

from __future__ import annotations

import hashlib
from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING, TypeAlias

from signatures.judging import quality_caps as quality
from signatures.judging.observation import MatchResult, Observation
from signatures.judging.predicates import facts as fact_predicate
from signatures.judging.predicates import histograms, logs, rows, sequences, stacks, symbols
from signatures.judging.profile_index import Trees
from signatures.language.conditions import (
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

    from ingest.model.reading import Reading
    from signatures.judging.fact_index import ScopeFacts
    from signatures.judging.scope import Item
    from signatures.language.conditions import Condition, Test
    from signatures.language.model import Clause

Cache: TypeAlias = "MutableMapping[tuple[str, str], tuple[MatchResult, ...]]"


def clause_digest(clause: Clause) -> str:
    """Return the digest of all conditions of a clause."""
    return hashlib.sha256(repr((clause.test, clause.refuted_by)).encode()).hexdigest()


@lru_cache(maxsize=8192)
def condition_digest(condition: Condition) -> str:
    """Return the digest of one condition; cached, because conditions are few and their text is long."""
    return hashlib.sha256(repr(condition).encode()).hexdigest()


def conditions_of(test: Test | None) -> Iterator[Condition]:
    """Yield the conditions of a test, in the order of the file."""
    if isinstance(test, Group):
        for inner in test.tests:
            yield from conditions_of(inner)
    elif test is not None:
        yield test


def observe_reading(
    condition: Condition, reading: Reading, trees: Trees | None = None, capture: logs.Span | None = None
) -> tuple[MatchResult, ...]:
    """Observe one condition on one reading; fact conditions are excluded."""
    found = list(_match_results(condition, reading, trees or Trees(), capture))
    remarks = tuple(quality.remarks(condition, reading.quality_names))
    caps = tuple(quality.caps(condition, reading.quality_names))
    return tuple(_capped(condition, match_result, caps, remarks) for match_result in found)


def _capped(
    condition: Condition,
    match_result: MatchResult,
    quality_caps: tuple[str, ...] = (),
    remarks: tuple[str, ...] = (),
) -> MatchResult:
    """Return the match result with the caps of its reading and of its condition."""
    cap = condition.cap
    if cap is None and not quality_caps and not remarks:
        return match_result
    caps = dict.fromkeys((*match_result.caps, *quality_caps, *((cap.because,) if cap else ())))
    return replace(
        match_result,
        caps=tuple(caps),
        remarks=remarks,
        confidence_cap=min(match_result.confidence_cap, cap.confidence if cap else 1.0),
        cap_title=cap.title if cap else "",
    )


def _match_results(
    condition: Condition, reading: Reading, trees: Trees, capture: logs.Span | None
) -> Iterator[MatchResult]:
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
        yield from logs.observe(condition, reading, capture)
    elif isinstance(condition, SequenceCondition):
        if condition.rows:
            for row_set in reading.row_sets:
                yield from sequences.observe_rows(condition, row_set)
        else:
            for index, tree in enumerate(trees.of(reading)):
                yield from sequences.observe_profile(condition, tree, index)


def observe(
    condition: Condition,
    item: Item,
    trees: Trees,
    cache: Cache | None = None,
    capture: logs.Span | None = None,
) -> tuple[Observation, ...]:
    """Observe one condition on one item; results are cached when the reading has a digest.

    Log conditions depend on the time of the captures (`capture`) and are not cached.
    """
    window = capture if item.host and isinstance(condition, LogCondition) else None
    is_cached = cache is not None and bool(item.digest) and window is None
    key = (item.digest, condition_digest(condition)) if is_cached else None
    if key is not None and cache is not None and key in cache:
        found = cache[key]
    else:
        found = observe_reading(condition, item.reading, trees, window)
        if key is not None and cache is not None:
            cache[key] = found
    return tuple(
        Observation(
            match_result,
            (item.evidence,),
            item.host,
            item.boot,
            item.section,
            tuple((item.evidence, item.section, cited) for cited in match_result.citations),
        )
        for match_result in found
    )


def observe_facts(condition: Condition, facts: ScopeFacts) -> tuple[Observation, ...]:
    """Observe a fact or kernel condition on the facts of a scope."""
    if isinstance(condition, FactCondition):
        found = fact_predicate.observe(condition, facts)
    elif isinstance(condition, KernelCondition):
        found = fact_predicate.observe_kernel(condition, facts)
    else:
        return ()
    if condition.cap is None:
        return tuple(found)
    return tuple(replace(one, match_result=_capped(condition, one.match_result)) for one in found)
