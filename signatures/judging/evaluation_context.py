"""Evaluation context: the items of one host, boot and phase, with every condition observed once.

Conditions shared by signatures are observed once, and only on readings that have the parts they test.
"""

from __future__ import annotations

from dataclasses import fields
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from ingest.frames import normalise
from ingest.model.reading import Reading
from signatures.judging import applicability
from signatures.judging.alike_stacks import shows_nothing, stack_of
from signatures.judging.condition_bases import (
    TIMED,
    LogRecordsCondition,
    ReadingCondition,
    ScopeCondition,
    Span,
    WaitGraphCondition,
)
from signatures.judging.extract import cgroup_version
from signatures.judging.fact_index import facts_of, implied
from signatures.judging.kernel_evidence import changelogs_in, functions_in, live_patched
from signatures.judging.name_index import NameIndex
from signatures.judging.observe import observe, observe_facts, observe_logs, observe_waits
from signatures.judging.scope_logs import ScopeLogs
from signatures.judging.scope_observations import ABSENT, ScopeObservations
from signatures.judging.systems import system_of
from signatures.judging.version_inference import infer_version
from signatures.kernels.running_kernel import Running
from signatures.language.conditions import Trace
from signatures.language.systems import misfit
from signatures.waits import graph_of
from signatures.waits.sentences import blockers

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator

    from signatures.judging.applicability import VersionVerdict
    from signatures.judging.condition_plan import Plan
    from signatures.judging.fact_index import ScopeFacts
    from signatures.judging.observation import Observation
    from signatures.judging.observe import Cache
    from signatures.judging.profile_index import Trees
    from signatures.judging.scope import Item, Scope
    from signatures.judging.signature_plan import SignaturePlan
    from signatures.language.conditions import Condition
    from signatures.language.kernel_families import Kernel
    from signatures.language.model import Implication
    from signatures.language.systems import System
    from signatures.waits.model import WaitGraph

_PARTS = tuple(part.name for part in fields(Reading))


class KernelVerdict(NamedTuple):
    """What the running kernel and system say of a signature.

    Attributes:
        affected: Version verdict.
        begins: Release in which the defect begins, when the kernel is older; "" otherwise.
        foreign: Why the signature is about another system; "" when it is not.
        unseen: The sentence about the version of a signature that the evidence does not show.
    """

    affected: VersionVerdict
    begins: str
    foreign: str
    unseen: str


class EvaluationContext:
    """One scope with its facts and cached observations.

    Attributes:
        scope: Host, phase and items.
        facts: Facts of the items, without those a single signature derives from frames.
        shown: Places of the plans of which the items have a trace; none before candidates are sought.
    """

    def __init__(self, scope: Scope, trees: Trees, cache: Cache | None) -> None:
        """Index the facts; conditions are observed on demand."""
        self.scope = scope
        self.facts = facts_of(scope.items)
        self.shown: set[int] = set()
        self._trees = trees
        self._cache = cache
        self._items_by_part: dict[tuple[str, ...], list[Item]] = {}
        self._of_implications: dict[int, ScopeObservations] = {}
        self._verdicts: dict[int, KernelVerdict] = {}
        self._names: dict[str, NameIndex] = {}
        self._patterns: dict[Trace, bool] = {}

    @cached_property
    def traces(self) -> frozenset[Trace]:
        """What the items have, but for texts of messages."""
        found = {Trace("fact", name) for name in self.facts.names}
        for item in self.scope.items:
            reading = item.reading
            found.update(Trace("part", part) for part in _PARTS if getattr(reading, part))
            found.update(Trace("rows", rows.name) for rows in reading.row_sets)
            found.update(Trace("function", one) for tree in self._trees.of(reading) for one in tree.names)
            for table in reading.tables:
                names = (name for row in table.symbols for name in (row.name, normalise(row.name)))
                found.update(Trace("function", name) for name in names)
        found.update(Trace("class", kind) for kind in self._logs.classes)
        found.update(Trace("waits", name) for name in blockers(self._waits))
        return frozenset(found)

    def has_trace(self, trace: Trace) -> bool:
        """Return whether the items may have what a trace is a pattern of."""
        if trace not in self._patterns:
            self._patterns[trace] = (
                self._logs.has_message(trace.name)
                if trace.kind == "text"
                else self._names_of(trace.kind).has(trace.name)
            )
        return self._patterns[trace]

    def _names_of(self, kind: str) -> NameIndex:
        if kind not in self._names:
            self._names[kind] = NameIndex([trace.name for trace in self.traces if trace.kind == kind])
        return self._names[kind]

    def has_part_of(self, condition: Condition) -> bool:
        """Return whether there is a reading with a part that a condition tests, or a wait graph for it."""
        if isinstance(condition, WaitGraphCondition):
            return bool(self._waits.tasks)
        return isinstance(condition, ReadingCondition) and bool(self._items_with(condition.parts))

    def kernel_verdict(self, plan: SignaturePlan) -> KernelVerdict:
        """Return the verdict of the running kernel and system; of one version table it is made once."""
        signature = plan.signature
        found = self._verdicts.get(plan.of_kernel)
        if found is None:
            affected = applicability.kernel_verdict(signature, self.running)
            found = self._verdicts[plan.of_kernel] = KernelVerdict(
                affected,
                applicability.too_old(signature.affected, self.running),
                misfit(signature.system, self.system, self.kernel),
                applicability.sentence(affected, is_firing=False),
            )
        return found

    @cached_property
    def kernel(self) -> Kernel | None:
        """The parsed release of the running kernel, None when it is unknown."""
        return self.running.kernel

    @cached_property
    def cgroup_version(self) -> str:
        """The version of cgroups, "" when it is unknown."""
        return cgroup_version(self.facts)

    @cached_property
    def observations(self) -> ScopeObservations:
        """What the scope shows of tests."""
        return ScopeObservations(self, self.facts)

    def observations_with(self, implications: tuple[Implication, ...]) -> ScopeObservations:
        """Return what the scope shows of tests with the facts that implications prove."""
        if not implications:
            return self.observations
        found = self._of_implications.get(id(implications))
        if found is None:
            more = tuple(implied(self.scope.items, implications, self._trees))
            found = (
                ScopeObservations(self, self.facts.extended(more), self.observations)
                if more
                else self.observations
            )
            self._of_implications[id(implications)] = found
        return found

    def number_of(self, plan: Plan) -> int:
        """Return the number of the observations of a condition; without a trace that of its kind."""
        if plan.is_anywhere or plan.at in self.shown:
            return plan.number
        return ABSENT if plan.unnamed is None else ABSENT - 1 - plan.unnamed

    def observed(self, condition: Condition, facts: ScopeFacts) -> tuple[Observation, ...]:
        """Observe a condition."""
        if isinstance(condition, ScopeCondition):
            return observe_facts(condition, facts)
        if isinstance(condition, WaitGraphCondition):
            return observe_waits(condition, self._waits)
        return self._of_readings(condition) if isinstance(condition, ReadingCondition) else ()

    def _of_readings(self, condition: ReadingCondition) -> tuple[Observation, ...]:
        if isinstance(condition, LogRecordsCondition):
            return condition.pooled(observe_logs(condition, self._logs, self._span), self.facts)
        return condition.pooled(tuple(self._observed_one_by_one(condition)), self.facts)

    def _observed_one_by_one(self, condition: ReadingCondition) -> Iterator[Observation]:
        """Yield the observations of the readings; of stacks that are alike and show nothing, of the first."""
        passed: set[int | None] = set()
        for item in self._items_with(condition.parts):
            stack = self._stacks.get(id(item))
            if stack in passed:
                continue
            found = observe(condition, item, self._trees, self._cache)
            yield from found
            if stack is not None and shows_nothing(found):
                passed.add(stack)

    @cached_property
    def _stacks(self) -> dict[int, int]:
        """The number of its stack by the identity of each item that has one; alike stacks have the same."""
        numbers: dict[Hashable, int] = {}
        stacks = ((id(item), stack_of(item.reading)) for item in self._items_with(("profiles",)))
        return {at: numbers.setdefault(one, len(numbers)) for at, one in stacks if one is not None}

    def _items_with(self, parts: tuple[str, ...]) -> list[Item]:
        """Return the items whose reading has any of the parts."""
        if parts not in self._items_by_part:
            self._items_by_part[parts] = [
                item for item in self.scope.items if any(self._has(item.reading, part) for part in parts)
            ]
        return self._items_by_part[parts]

    def _has(self, reading: Reading, part: str) -> bool:
        if part == TIMED:
            return any(tree.is_timed for tree in self._trees.of(reading))
        return bool(getattr(reading, part))

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
