"""Evaluation context: the items of one host, boot and phase, with every condition observed once.

Conditions shared by signatures are observed once, and only on readings that have the parts they test.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, TypeAlias

from signatures.judging import applicability
from signatures.judging.fact_index import facts_of, implied
from signatures.judging.observation import MAX_EXEMPLARS, Observation, State
from signatures.judging.observe import observe, observe_facts
from signatures.judging.predicates.logs import Span
from signatures.judging.predicates.stacks import threads_result
from signatures.judging.version_inference import infer_version
from signatures.language.conditions import (
    Condition,
    FactCondition,
    HistogramCondition,
    KernelCondition,
    LogCondition,
    RowsCondition,
    SequenceCondition,
    StackCondition,
    SymbolCondition,
)

if TYPE_CHECKING:
    from collections.abc import Iterable

    from signatures.judging.fact_index import ScopeFacts
    from signatures.judging.observe import Cache
    from signatures.judging.profile_index import Trees
    from signatures.judging.scope import Item, Scope
    from signatures.language.model import Implication

Observations: TypeAlias = "dict[Condition, tuple[Observation, ...]]"

_TESTED_PARTS: dict[type, tuple[str, ...]] = {
    StackCondition: ("profiles",),
    SymbolCondition: ("tables",),
    HistogramCondition: ("histograms",),
    RowsCondition: ("row_sets",),
    LogCondition: ("log_records",),
    SequenceCondition: ("profiles", "row_sets"),
}


class EvaluationContext:
    """One scope with its facts and cached observations.

    Attributes:
        scope: Host, phase and items.
        facts: Facts of the items, without those a single signature derives from frames.
    """

    def __init__(self, scope: Scope, trees: Trees, cache: Cache | None) -> None:
        """Index the facts; conditions are observed on demand."""
        self.scope = scope
        self.facts = facts_of(scope.items)
        self._trees = trees
        self._cache = cache
        self._of_items: Observations = {}
        self._of_scope: Observations = {}

    def facts_with(self, implications: tuple[Implication, ...]) -> ScopeFacts:
        """Return the facts, with those that implications prove."""
        if not implications:
            return self.facts
        return self.facts.extended(implied(self.scope.items, implications, self._trees))

    def observations_of(self, conditions: Iterable[Condition], facts: ScopeFacts) -> Observations:
        """Return the observations of each condition."""
        found: Observations = {}
        for condition in conditions:
            if isinstance(condition, FactCondition | KernelCondition):
                found[condition] = self._of_facts(condition, facts)
            else:
                if condition not in self._of_items:
                    self._of_items[condition] = self._of_readings(condition)
                found[condition] = self._of_items[condition]
        return found

    def _of_facts(self, condition: Condition, facts: ScopeFacts) -> tuple[Observation, ...]:
        if facts is not self.facts:
            return observe_facts(condition, facts)
        if condition not in self._of_scope:
            self._of_scope[condition] = observe_facts(condition, facts)
        return self._of_scope[condition]

    def _of_readings(self, condition: Condition) -> tuple[Observation, ...]:
        found = tuple(
            observation
            for item in self._items_by_part[_TESTED_PARTS[type(condition)]]
            for observation in observe(condition, item, self._trees, self._cache, self._capture)
        )
        if isinstance(condition, StackCondition) and condition.is_seen and condition.is_distinct:
            return _pooled(condition, found)
        return found

    @cached_property
    def _items_by_part(self) -> dict[tuple[str, ...], list[Item]]:
        """Parts of a reading to the items that have any of them."""
        return {
            parts: [item for item in self.scope.items if any(getattr(item.reading, part) for part in parts)]
            for parts in set(_TESTED_PARTS.values())
        }

    @cached_property
    def _capture(self) -> Span | None:
        """Time span of the captures of a known host; None without times."""
        times = [
            profile.sample_time
            for item in self.scope.items
            if item.host
            for profile in item.reading.profiles
            if profile.sample_time is not None and len(profile.sample_time)
        ]
        if not times:
            return None
        return Span(min(float(each.min()) for each in times), max(float(each.max()) for each in times))

    @cached_property
    def running(self) -> applicability.Running:
        """The running kernel; values that differ between pieces of evidence count as unknown."""

        def only(name: str) -> str:
            values = {str(fact.value) for fact in self.facts.texts(name)}
            return values.pop() if len(values) == 1 else ""

        release = only("kernel.release")
        code_age = "" if release else infer_version(self.scope.items, self._trees).words
        return applicability.Running(release, only("kernel.build_text"), only("os.version_id"), code_age)


def _pooled(condition: StackCondition, found: tuple[Observation, ...]) -> tuple[Observation, ...]:
    """Pool the threads of all readings: `/proc/PID/stack` has one file per thread."""
    showing = [each for each in found if each.match_result.threads]
    if len(showing) < 2 or any(each.match_result.state is State.TRUE for each in found):
        return found
    threads = tuple(sorted({name for each in showing for name in each.match_result.threads}))
    return (
        Observation(
            threads_result(condition, threads, ()),
            tuple(dict.fromkeys(name for each in showing for name in each.evidences)),
            host=_only({each.host for each in showing}),
            boot=_only({each.boot for each in showing}),
            citations=tuple(cited for each in showing for cited in each.citations)[:MAX_EXEMPLARS],
        ),
    )


def _only(values: set[str]) -> str:
    """Return the only value, "" when there are several."""
    return values.pop() if len(values) == 1 else ""
