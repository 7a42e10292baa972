"""Evaluation context: the items of one host, boot and phase, with every condition observed once.

Conditions shared by signatures are observed once, and only on readings that have the parts they test.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, TypeAlias

from signatures.judging.condition_bases import (
    LogRecordsCondition,
    ReadingCondition,
    ScopeCondition,
    Span,
    WaitGraphCondition,
)
from signatures.judging.fact_index import facts_of, implied
from signatures.judging.kernel_evidence import changelogs_in, functions_in, live_patched
from signatures.judging.observe import observe, observe_facts, observe_logs, observe_waits
from signatures.judging.scope_logs import ScopeLogs
from signatures.judging.systems import system_of
from signatures.judging.version_inference import infer_version
from signatures.kernels.running_kernel import Running
from signatures.waits import graph_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from signatures.judging.fact_index import ScopeFacts
    from signatures.judging.observation import Observation
    from signatures.judging.observe import Cache
    from signatures.judging.profile_index import Trees
    from signatures.judging.scope import Item, Scope
    from signatures.language.conditions import Condition
    from signatures.language.model import Implication
    from signatures.language.systems import System
    from signatures.waits.model import WaitGraph

Observations: TypeAlias = "dict[Condition, tuple[Observation, ...]]"


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
        self._items_by_part: dict[tuple[str, ...], list[Item]] = {}
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
            if isinstance(condition, ScopeCondition):
                found[condition] = self._of_facts(condition, facts)
            elif isinstance(condition, WaitGraphCondition):
                found[condition] = observe_waits(condition, self._waits)
            elif isinstance(condition, ReadingCondition):
                if condition not in self._of_items:
                    self._of_items[condition] = self._of_readings(condition)
                found[condition] = self._of_items[condition]
        return found

    def _of_facts(self, condition: ScopeCondition, facts: ScopeFacts) -> tuple[Observation, ...]:
        if facts is not self.facts:
            return observe_facts(condition, facts)
        if condition not in self._of_scope:
            self._of_scope[condition] = observe_facts(condition, facts)
        return self._of_scope[condition]

    def _of_readings(self, condition: ReadingCondition) -> tuple[Observation, ...]:
        if isinstance(condition, LogRecordsCondition):
            return condition.pooled(observe_logs(condition, self._logs, self._span), self.facts)
        return condition.pooled(
            tuple(
                observation
                for item in self._items_with(condition.PARTS)
                for observation in observe(condition, item, self._trees, self._cache)
            ),
            self.facts,
        )

    def _items_with(self, parts: tuple[str, ...]) -> list[Item]:
        """Return the items whose reading has any of the parts."""
        if parts not in self._items_by_part:
            self._items_by_part[parts] = [
                item for item in self.scope.items if any(getattr(item.reading, part) for part in parts)
            ]
        return self._items_by_part[parts]

    @cached_property
    def _logs(self) -> ScopeLogs:
        return ScopeLogs(self.scope.items)

    @cached_property
    def _waits(self) -> WaitGraph:
        return graph_of(self.scope.items)

    @cached_property
    def _span(self) -> Span | None:
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
    def system(self) -> System:
        """The system that the evidence comes from."""
        formats = {item.format for item in self.scope.items}
        return system_of(formats, self.facts, self.running.build_text)

    @cached_property
    def running(self) -> Running:
        """The running kernel; values that differ between pieces of evidence count as unknown."""

        def only(name: str) -> str:
            values = {str(fact.value) for fact in self.facts.texts(name)}
            return values.pop() if len(values) == 1 else ""

        release = only("kernel.release")
        code_age = "" if release else infer_version(self.scope.items, self._trees).words
        builds = [
            only(name) for name in ("kernel.build_text", "kernel.builder_text", "kernel.version_signature")
        ]
        return Running(
            release,
            " ".join(build for build in builds if build),
            only("os.version_id"),
            code_age,
            only("os.id"),
            frozenset(functions_in(self.scope.items, self._trees)),
            tuple(dict.fromkeys(str(fact.value) for fact in self.facts.texts("kernel.live_patch"))),
            tuple(changelogs_in(self.scope.items)),
            is_live_patched=live_patched(
                self.facts.texts("sysctl.kernel.tainted"), self.facts.texts("kernel.has_live_patch"), release
            ),
            host=self.scope.host,
            command_line=only("boot.cmdline"),
        )
