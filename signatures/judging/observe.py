"""Observe conditions on readings.

The result of one condition on one reading depends on nothing else, so it is cached under (reading digest,
version of the kind and digest of the condition). Facts are joined over a scope and compared when deciding,
which is cheap.
"""

from __future__ import annotations

import hashlib
from functools import lru_cache
from typing import TYPE_CHECKING, TypeAlias

from signatures.judging import quality_caps as quality
from signatures.judging.observation import MatchResult, Observation
from signatures.judging.observation_versions import version_of_kind
from signatures.judging.profile_index import Trees
from signatures.language.conditions import Group

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, MutableMapping

    from ingest.model.reading import Reading
    from signatures.judging.condition_bases import (
        LogRecordsCondition,
        ReadingCondition,
        ScopeCondition,
        Span,
        WaitGraphCondition,
    )
    from signatures.judging.fact_index import ScopeFacts
    from signatures.judging.scope import Item
    from signatures.judging.scope_logs import ScopeLogs
    from signatures.language.conditions import Condition, Test
    from signatures.language.model import Clause, Signature
    from signatures.waits.model import WaitGraph


class Observations:
    """The observations of the conditions of one signature, in its order.

    Conditions are looked up by identity: the hash of their many fields takes longer than deciding.
    """

    __slots__ = ("_found",)

    def __init__(self, found: Mapping[int, tuple[Condition, tuple[Observation, ...]]] | None = None) -> None:
        """Begin with `found`, by the identity of conditions."""
        self._found = dict(found or {})

    def copy(self) -> Observations:
        """Return a copy."""
        return Observations(self._found)

    def items(self) -> Iterable[tuple[Condition, tuple[Observation, ...]]]:
        """Return the conditions with their observations."""
        return self._found.values()

    def __getitem__(self, condition: Condition) -> tuple[Observation, ...]:
        """Return the observations of a condition."""
        return self._found[id(condition)][1]

    def __setitem__(self, condition: Condition, observed: tuple[Observation, ...]) -> None:
        """Set the observations of a condition."""
        self._found[id(condition)] = condition, observed


Cache: TypeAlias = "MutableMapping[tuple[str, str], tuple[MatchResult, ...]]"


def clause_digest(clause: Clause) -> str:
    """Return the digest of all conditions of a clause."""
    return hashlib.sha256(repr((clause.test, clause.refuted_by)).encode()).hexdigest()


@lru_cache(maxsize=8192)
def condition_key(condition: Condition) -> str:
    """Return `version:digest` of one condition; cached, because conditions are few and their text is long."""
    version = version_of_kind(type(condition).__module__)
    return f"{version}:{hashlib.sha256(repr(condition).encode()).hexdigest()}"


def conditions_of(test: Test | None) -> Iterator[Condition]:
    """Yield the conditions of a test, in the order of the file."""
    if isinstance(test, Group):
        for inner in test.tests:
            yield from conditions_of(inner)
    elif test is not None:
        yield test


def all_conditions(signature: Signature) -> Iterator[Condition]:
    """Yield every condition of a signature."""
    yield from observed_conditions(signature)
    for clause in signature.clauses:
        yield from clause.when


def observed_conditions(signature: Signature) -> Iterator[Condition]:
    """Yield the conditions of a signature, without those on the kernels that can show it."""
    yield from conditions_of(signature.applies)
    for clause in signature.clauses:
        yield from conditions_of(clause.test)
        yield from conditions_of(clause.refuted_by)


def observe_reading(
    condition: ReadingCondition, reading: Reading, trees: Trees | None = None, span: Span | None = None
) -> tuple[MatchResult, ...]:
    """Observe one condition on one reading."""
    return _weighed(condition, reading, condition.observe(reading, trees or Trees(), span))


def _weighed(
    condition: ReadingCondition, reading: Reading, found: Iterable[MatchResult]
) -> tuple[MatchResult, ...]:
    """Return match results with the caps and remarks of the reading's quality."""
    names = reading.quality_names
    capping = condition.capping_qualities if names else frozenset[str]()
    remarks = quality.remarks(capping, names) if names else ()
    caps = quality.caps(capping, names) if names else ()
    if condition.cap is None and not remarks and not caps:
        return tuple(found)
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
    return match_result._replace(
        caps=tuple(caps),
        remarks=remarks,
        confidence_cap=min(match_result.confidence_cap, cap.confidence if cap else 1.0),
        cap_title=cap.title if cap else "",
    )


def observe(
    condition: ReadingCondition, item: Item, trees: Trees, cache: Cache | None = None
) -> tuple[Observation, ...]:
    """Observe one condition on one item; results are cached when the reading has a digest."""
    is_cached = cache is not None and bool(item.digest)
    key = (item.digest, condition_key(condition)) if is_cached else None
    if key is not None and cache is not None and key in cache:
        found = cache[key]
    else:
        found = observe_reading(condition, item.reading, trees)
        if key is not None and cache is not None:
            cache[key] = found
    return _of_item(item, found)


def observe_logs(
    condition: LogRecordsCondition, logs: ScopeLogs, span: Span | None
) -> tuple[Observation, ...]:
    """Observe one condition on the kernel logs of a scope; `span` is the time span of its captures."""
    return tuple(
        observation
        for item, records in logs.selected(condition)
        for observation in _of_item(
            item,
            _weighed(
                condition,
                item.reading,
                condition.observe_records(item.reading, records, span if item.host else None),
            ),
        )
    )


def _of_item(item: Item, found: Iterable[MatchResult]) -> tuple[Observation, ...]:
    evidence, section = item.evidence, item.section
    evidences = (evidence,)
    return tuple(
        [
            Observation(
                match_result,
                evidences,
                item.host,
                item.boot,
                section,
                tuple([(evidence, section, cited) for cited in match_result.citations]),
            )
            for match_result in found
        ]
    )


def observe_facts(condition: ScopeCondition, facts: ScopeFacts) -> tuple[Observation, ...]:
    """Observe one condition on the facts of a scope."""
    return _all_capped(condition, condition.observe(facts))


def observe_waits(condition: WaitGraphCondition, graph: WaitGraph) -> tuple[Observation, ...]:
    """Observe one condition on the wait graph of a scope."""
    return _all_capped(condition, condition.observe(graph)) if graph.tasks else ()


def _all_capped(condition: Condition, found: Iterator[Observation]) -> tuple[Observation, ...]:
    if condition.cap is None:
        return tuple(found)
    return tuple(one._replace(match_result=_capped(condition, one.match_result)) for one in found)
