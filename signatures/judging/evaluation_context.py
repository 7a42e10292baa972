"""What is judged at once: the items of one host, boot and phase, and every question asked of them, each once.

A condition that several signatures ask is observed once, and only of readings that have what it asks about.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, TypeAlias

from signatures.judging import applicability
from signatures.judging.fact_index import facts_of, implied
from signatures.judging.observation import MAX_EXEMPLARS, Observation, State
from signatures.judging.observe import observe, observe_facts
from signatures.judging.predicates.logs import Span
from signatures.judging.predicates.stacks import seen_by
from signatures.judging.version_inference import dating_of
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

_ASKS: dict[type, tuple[str, ...]] = {
    StackCondition: ("profiles",),
    SymbolCondition: ("tables",),
    HistogramCondition: ("histograms",),
    RowsCondition: ("row_sets",),
    LogCondition: ("log_records",),
    SequenceCondition: ("profiles", "row_sets"),
}


class EvaluationContext:
    """One scope on the bench.

    Attributes:
        scope: Whose items.
        facts: What they state, without what single signatures derive from frames.
    """

    def __init__(self, scope: Scope, trees: Trees, cache: Cache | None) -> None:
        """Gather the facts; nothing is observed yet."""
        self.scope = scope
        self.facts = facts_of(scope.items)
        self._trees = trees
        self._cache = cache
        self._seen: Observations = {}
        self._stated: Observations = {}

    def facts_with(self, implications: tuple[Implication, ...]) -> ScopeFacts:
        """Return the facts, and those that something seen proves."""
        if not implications:
            return self.facts
        return self.facts.extended(implied(self.scope.items, implications, self._trees))

    def ask(self, conditions: Iterable[Condition], facts: ScopeFacts) -> Observations:
        """Return what the items say about each condition."""
        found: Observations = {}
        for condition in conditions:
            if isinstance(condition, FactCondition | KernelCondition):
                found[condition] = self._of_facts(condition, facts)
            else:
                if condition not in self._seen:
                    self._seen[condition] = self._of_readings(condition)
                found[condition] = self._seen[condition]
        return found

    def _of_facts(self, condition: Condition, facts: ScopeFacts) -> tuple[Observation, ...]:
        if facts is not self.facts:
            return observe_facts(condition, facts)
        if condition not in self._stated:
            self._stated[condition] = observe_facts(condition, facts)
        return self._stated[condition]

    def _of_readings(self, condition: Condition) -> tuple[Observation, ...]:
        seen = tuple(
            observation
            for item in self._having[_ASKS[type(condition)]]
            for observation in observe(condition, item, self._trees, self._cache, self._capture)
        )
        if isinstance(condition, StackCondition) and condition.is_seen and condition.is_distinct:
            return _pooled(condition, seen)
        return seen

    @cached_property
    def _having(self) -> dict[tuple[str, ...], list[Item]]:
        """Parts of a reading to the items that have one of them."""
        return {
            parts: [item for item in self.scope.items if any(getattr(item.reading, part) for part in parts)]
            for parts in set(_ASKS.values())
        }

    @cached_property
    def _capture(self) -> Span | None:
        """When the captures of a known host were taken; None without times."""
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
        """What the evidence says about the kernel; two different releases say nothing."""

        def only(name: str) -> str:
            values = {str(fact.value) for fact in self.facts.texts(name)}
            return values.pop() if len(values) == 1 else ""

        release = only("kernel.release")
        dating = "" if release else dating_of(self.scope.items, self._trees).words
        return applicability.Running(release, only("kernel.build_text"), only("os.version_id"), dating)


def _pooled(condition: StackCondition, seen: tuple[Observation, ...]) -> tuple[Observation, ...]:
    """Add up the threads of all readings: `/proc/PID/stack` is one file for each of them."""
    showing = [each for each in seen if each.match_result.threads]
    if len(showing) < 2 or any(each.match_result.state is State.TRUE for each in seen):
        return seen
    threads = tuple(sorted({name for each in showing for name in each.match_result.threads}))
    return (
        Observation(
            seen_by(condition, threads, ()),
            tuple(dict.fromkeys(name for each in showing for name in each.evidences)),
            host=_only({each.host for each in showing}),
            boot=_only({each.boot for each in showing}),
            citations=tuple(cited for each in showing for cited in each.citations)[:MAX_EXEMPLARS],
        ),
    )


def _only(values: set[str]) -> str:
    """Return what all say, "" when they do not agree."""
    return values.pop() if len(values) == 1 else ""
