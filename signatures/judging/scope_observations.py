"""Observations of a scope: every condition is observed once, and equal tests are decided once.

The observations of a condition have a number in a scope: equal conditions have the same, and so have all of a
kind without a trace in the evidence. Tests of one shape over observations of the same numbers have the same
outcome, whichever signatures they are of.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple, Protocol

from signatures.judging.condition_bases import ScopeCondition
from signatures.judging.entity_resolution import Binding, bindings
from signatures.judging.joined import NamedObservations
from signatures.judging.observation import State
from signatures.judging.observe import Observations, conditions_of
from signatures.judging.predicates.stack import StackCondition
from signatures.judging.states import ClauseState, not_observable, outcome_of, state_of

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Iterator

    from signatures.judging.condition_plan import Plan
    from signatures.judging.fact_index import ScopeFacts
    from signatures.judging.observation import Observation
    from signatures.judging.signature_plan import ClausePlan, ExclusionPlan, SignaturePlan, TestPlan
    from signatures.judging.states import Lookup, Outcome
    from signatures.language.conditions import Condition

ABSENT: Final = -1
"""Number of the observations of a condition that is absent: there are none."""

UNBOUND: Final = Binding({}, frozenset())
"""Entities of a signature that looks at none."""


class Decided(NamedTuple):
    """An outcome, and a number that it shares with those that a decision does not distinguish from it."""

    outcome: Outcome
    number: int


class Scope(Protocol):
    """A scope that is observed; `evaluation_context.EvaluationContext` describes the methods."""

    @property
    def shown(self) -> set[int]: ...  # noqa: D102
    def number_of(self, plan: Plan) -> int: ...  # noqa: D102
    def observed(self, condition: Condition, facts: ScopeFacts) -> tuple[Observation, ...]: ...  # noqa: D102


class ScopeObservations:
    """The conditions of a scope, observed with some facts.

    Attributes:
        facts: The facts.
    """

    def __init__(
        self, scope: Scope, facts: ScopeFacts, without_more: ScopeObservations | None = None
    ) -> None:
        """Begin with nothing observed.

        Args:
            scope: The scope.
            facts: Its facts; more than its own where a signature derives some.
            without_more: What the scope shows without these; None for the facts of the scope.
        """
        self.facts = facts
        self._scope = scope
        self._without_more = without_more
        self._numbers: dict[Plan, int] = {}
        self._observed: dict[int, tuple[Observation, ...]] = {ABSENT: ()}
        self._named: dict[tuple[int, str], NamedObservations] = {}
        self._of_tests: dict[Hashable, dict[Hashable, Decided]] = {}
        self._of_clauses: dict[int, dict[Hashable, Decided]] = {}
        self._contents: dict[Hashable, int] = {}
        self._deciding: dict[int, tuple[int, Outcome]] = {}
        self._alike: dict[Hashable, int] = {}
        self._not_observable: dict[Hashable, Outcome | None] = {}
        self._excluded: dict[Hashable, tuple[bool, frozenset[str]]] = {}
        self._bindings: dict[Hashable, tuple[Binding, ...]] = {}

    def number_of(self, plan: Plan) -> int:
        """Return the number of the observations of a condition."""
        number = self._numbers.get(plan)
        if number is None:
            is_own = self._without_more is not None and isinstance(plan.condition, ScopeCondition)
            number = plan.number if is_own else self._scope.number_of(plan)
            if number > ABSENT and isinstance(plan.condition, StackCondition):
                number = self._equal(number, plan)
            self._numbers[plan] = number
        return number

    def _equal(self, number: int, plan: Plan) -> int:
        """Return the number of the first condition with these observations, of none that of an absent one."""
        observed = self._of_number(number, plan)
        # Conditions on one pattern have the same results, not equal ones (`judging.stack_shares`).
        content = tuple([(id(one.match_result), one.evidences, one.section) for one in observed])
        return self._contents.setdefault(content, number) if observed else ABSENT

    def of(self, plan: Plan) -> tuple[Observation, ...]:
        """Return the observations of a condition."""
        return self._of_number(self.number_of(plan), plan)

    def _of_number(self, number: int, plan: Plan) -> tuple[Observation, ...]:
        found = self._observed.get(number)
        if found is None:
            is_shared = self._without_more is not None and not isinstance(plan.condition, ScopeCondition)
            found = self._observed[number] = (
                self._without_more.of(plan)  # type: ignore[union-attr]
                if is_shared
                else self._scope.observed(plan.condition, self.facts)
            )
        return found

    def outcomes_of(self, clauses: Iterable[ClausePlan], binding: Binding) -> list[Decided]:
        """Return the outcomes of clauses for the entities of a binding."""
        keys: dict[tuple[str, ...], Hashable] = {}
        outcomes = []
        for clause in clauses:
            test = clause.whole
            by_entity = self._of_clauses.get(id(test))
            if by_entity is None:
                by_entity = self._of_clauses[id(test)] = self._of_tests.setdefault(self._numbers_of(test), {})
            entities = keys.get(test.variables)
            if entities is None:
                entities = keys[test.variables] = binding.key(test.variables)
            found = by_entity.get(entities)
            if found is None:
                lookup = self.lookup(test, binding)
                outcome = marked(state_of(clause.clause, lookup), lookup, binding).outcome
                found = by_entity[entities] = Decided(outcome, self.deciding(outcome))
            outcomes.append(found)
        return outcomes

    def deciding(self, outcome: Outcome) -> int:
        """Return a number that outcomes have in common which a decision does not distinguish."""
        found = self._deciding.get(id(outcome))
        if found is None:
            key = (
                id(outcome.state),
                outcome.strength,
                outcome.is_seen,
                outcome.caps,
                outcome.confidence_cap,
            )
            number = self._alike.setdefault(key, len(self._alike))
            # The outcome is kept, so that no other gets its identity.
            found = self._deciding[id(outcome)] = number, outcome
        return found[0]

    def not_observable(self, clause: ClausePlan) -> Outcome | None:
        """Return the outcome of a clause that the running kernel cannot show, None when it may."""
        key = self._numbers_of(clause.kernels)
        if key not in self._not_observable:
            lookup = self.lookup(clause.kernels, UNBOUND)
            self._not_observable[key] = not_observable(clause.clause, lookup)
        return self._not_observable[key]

    def excluded(
        self, test: ExclusionPlan, state: State, host: str, binding: Binding
    ) -> tuple[bool, frozenset[str]]:
        """Return whether a test has `state` for the whole host, and the evidence of unknown host that has."""
        key = (id(state), host, self._numbers_of(test.plan), binding.key(test.plan.variables))
        found = self._excluded.get(key)
        if found is None:
            found = self._excluded[key] = _excluded(test, self.lookup(test.plan, binding), host, state)
        return found

    def bindings(self, plan: SignaturePlan) -> tuple[Binding, ...]:
        """Return the combinations of entities that a signature is decided for: of equal ones the first."""
        signature = plan.signature
        if not signature.bind:
            return (UNBOUND,)
        numbers = tuple((one.condition.at, self.number_of(one)) for one in plan.bound)
        key = (tuple(signature.bind.items()), tuple(signature.own_of.items()), numbers)
        found = self._bindings.get(key)
        if found is None:
            found = self._bindings[key] = tuple(self._different(plan))
        return found

    def _different(self, plan: SignaturePlan) -> Iterator[Binding]:
        observations = Observations()
        for one in plan.bound:
            observations[one.condition] = self.of(one)
        kinds = plan.signature.bind
        named = [
            (one.condition.at, self._named_of(one, kinds.get(one.condition.at, "process")))
            for one in plan.bound
        ]
        known: set[Hashable] = set()
        for binding in bindings(plan.signature, observations, self.facts):
            entities = binding.entities
            alike = [by_name.alike(entities.get(variable) or "") for variable, by_name in named]
            if None not in alike:
                outcome = (*alike, *map(bool, entities.values()), binding.assumed)
                if outcome in known:
                    continue
                known.add(outcome)
            yield binding

    def lookup(self, test: TestPlan, binding: Binding) -> Lookup:
        """Return the observations of the conditions of a test, as they apply to the entities of a binding."""
        found = {
            id(plan.condition): self._named_of(plan, kind).of(binding.entities.get(plan.condition.at) or "")
            if kind
            else self.of(plan)
            for plan, kind in zip(test.plans, test.kinds, strict=True)
        }
        return lambda condition: found[id(condition)]

    def _named_of(self, plan: Plan, kind: str) -> NamedObservations:
        key = self.number_of(plan), kind
        found = self._named.get(key)
        if found is None:
            found = self._named[key] = NamedObservations(self.of(plan), kind)
        return found

    def _numbers_of(self, test: TestPlan) -> Hashable:
        """Return what the outcome of a test depends on, but for entities."""
        is_whole = self._without_more is None
        if is_whole and test.absent is not None and self._scope.shown.isdisjoint(test.places):
            return test.absent
        return (test.shape, *map(self.number_of, test.plans))


def _excluded(test: ExclusionPlan, lookup: Lookup, host: str, state: State) -> tuple[bool, frozenset[str]]:
    units = {
        (one.evidences, one.host)
        for plan in test.plan.plans
        for one in lookup(plan.condition)
        if one.evidences
    }
    of_host = {evidences for evidences, of in units if host and of == host}
    foreign: set[str] = set()
    for group in [of_host, *({evidences} for evidences, of in units if evidences not in of_host)]:
        if not group:
            continue
        outcome = outcome_of(test.test, lambda c, g=group: [o for o in lookup(c) if o.evidences in g])  # type: ignore[misc]
        if outcome.state is state:
            if group is of_host:
                return True, frozenset()
            foreign.update(name for evidences in group for name in evidences)
    return False, frozenset(foreign)


def marked(state: ClauseState, lookup: Lookup, binding: Binding) -> ClauseState:
    """Mark a TRUE clause as assumed when its evidence does not name the entity, or its cgroup is assumed."""
    if state.state is not State.TRUE:
        return state
    for condition in conditions_of(state.clause.test):
        variable = condition.at
        if variable and binding.entities.get(variable):
            for observation in lookup(condition):
                match_result = observation.match_result
                is_named = (
                    bool(match_result.process or match_result.cgroup) and variable not in binding.assumed
                )
                if match_result.state is State.TRUE and not is_named:
                    return state._replace(outcome=state.outcome._replace(assumed=True))
    return state
