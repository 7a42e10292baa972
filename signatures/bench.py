"""What is judged at once: the items of one host, boot and phase, and every question asked of them, each once.

A condition that several signatures ask is observed once, and only of readings that have what it asks about.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, TypeAlias

from signatures import versions
from signatures.dating import dating_of
from signatures.facts import facts_of, implied
from signatures.observation import Observation, Reason, unknown
from signatures.observe import observe, observe_facts
from signatures.questions import (
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

    from signatures.facts import ScopeFacts
    from signatures.model import Implication
    from signatures.nodes import Trees
    from signatures.observe import Cache
    from signatures.scope import Item, Scope

Observations: TypeAlias = "dict[Condition, tuple[Observation, ...]]"

_ASKS: dict[type, tuple[str, ...]] = {
    StackCondition: ("profiles",),
    SymbolCondition: ("tables",),
    HistogramCondition: ("histograms",),
    RowsCondition: ("row_sets",),
    LogCondition: ("log_records",),
    SequenceCondition: ("profiles", "row_sets"),
}


class Bench:
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
            for observation in observe(condition, item, self._trees, self._cache)
        )
        if isinstance(condition, LogCondition) and self._start is not None:
            return tuple(_in_window(condition, observation, self._start) for observation in seen)
        return seen

    @cached_property
    def _having(self) -> dict[tuple[str, ...], list[Item]]:
        """Parts of a reading to the items that have one of them."""
        return {
            parts: [item for item in self.scope.items if any(getattr(item.reading, part) for part in parts)]
            for parts in set(_ASKS.values())
        }

    @cached_property
    def _start(self) -> float | None:
        """Seconds since boot at which the first capture of a known host began; None without times."""
        starts = [
            float(profile.sample_time.min())
            for item in self.scope.items
            if item.host
            for profile in item.reading.profiles
            if profile.sample_time is not None and len(profile.sample_time)
        ]
        return min(starts, default=None)

    @cached_property
    def running(self) -> versions.Running:
        """What the evidence says about the kernel; two different releases say nothing."""

        def only(name: str) -> str:
            values = {str(fact.value) for fact in self.facts.texts(name)}
            return values.pop() if len(values) == 1 else ""

        release = only("kernel.release")
        dating = "" if release else dating_of(self.scope.items, self._trees).words
        return versions.Running(release, only("kernel.build_text"), only("os.version_id"), dating)


def _in_window(condition: LogCondition, observation: Observation, start: float) -> Observation:
    """Turn a record far older than the capture into UNKNOWN; both clocks count from the same boot."""
    uptime = observation.sighting.uptime
    if not observation.host or uptime is None or uptime >= start - condition.window_seconds:
        return observation
    return replace(
        observation,
        sighting=unknown(
            Reason.OUTSIDE_WINDOW,
            f"{start - uptime:.0f} s before the capture",
            observed=observation.sighting.observed,
        ),
    )
