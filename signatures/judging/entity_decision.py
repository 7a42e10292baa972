"""Decision of a signature for each of its candidate entities, and the best-supported of them.

What looks at no entity is decided once. Entities whose clauses have equal states have equal decisions.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from signatures.judging.decide import RANK, Decision, decide
from signatures.judging.observation import State
from signatures.judging.scope_observations import UNBOUND, Decided, marked
from signatures.judging.states import ClauseState, ruled_out, state_of

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence

    from signatures.judging.entity_resolution import Binding
    from signatures.judging.evaluation_context import KernelVerdict
    from signatures.judging.observation import Observation
    from signatures.judging.scope_observations import ScopeObservations
    from signatures.judging.signature_plan import ClausePlan, ExclusionPlan, SignaturePlan
    from signatures.judging.states import Outcome


class EntityDecision(NamedTuple):
    """The decision for the entities of one binding.

    Attributes:
        states: Clause id to state.
        is_divided: Evidence of unknown host is excluded.
    """

    decision: Decision
    states: dict[str, ClauseState]
    is_divided: bool


def best_decision(
    plan: SignaturePlan, observed: ScopeObservations, host: str, kernel: KernelVerdict
) -> tuple[Binding, EntityDecision]:
    """Return the best-supported entities of a signature, of equal ones the first, and their decision."""
    decider = _Decider(plan, observed, host, kernel)
    if not (plan.signature.bind or plan.bound_clauses):
        return UNBOUND, decider.unbound()
    best: tuple[tuple[float, ...], _Found] | None = None
    for binding in observed.bindings(plan):
        found = decider.found(binding)
        decision = found.decision
        key = (
            RANK[decision.verdict],
            decision.score,
            decision.coverage,
            sum(map(bool, binding.entities.values())),
        )
        if best is None or key > best[0]:
            best = (key, found)
    assert best is not None  # noqa: S101  # there is always the empty binding
    binding, exclusion, outcomes, decision, states = best[1]
    if states is None:
        states = decider.states(exclusion, outcomes)
    return binding, EntityDecision(decision, states, bool(exclusion.evidence))


class _Exclusion(NamedTuple):
    """What vetoes, and the systems of a signature, exclude: the host, and evidence of unknown host."""

    is_vetoed: bool
    vetoed: frozenset[str]
    is_excluded: bool
    excluded: frozenset[str]

    @property
    def evidence(self) -> frozenset[str]:
        """All evidence of unknown host that is excluded."""
        return self.vetoed | self.excluded


class _Found(NamedTuple):
    """The decision for a binding, and the outcomes of the clauses that look at its entities.

    Attributes:
        states: States of all clauses; None where an entity before it has an equal decision.
    """

    binding: Binding
    exclusion: _Exclusion
    outcomes: tuple[Outcome, ...]
    decision: Decision
    states: dict[str, ClauseState] | None


class _Decider:
    """Decides one signature for its entities."""

    def __init__(
        self, plan: SignaturePlan, observed: ScopeObservations, host: str, kernel: KernelVerdict
    ) -> None:
        self._plan, self._observed, self._host, self._kernel = plan, observed, host, kernel
        self._exclusion: _Exclusion | None = None
        self._unbound: dict[frozenset[str], dict[str, Outcome]] = {}
        self._decisions: dict[Hashable, Decision] = {}

    def unbound(self) -> EntityDecision:
        """Decide a signature that looks at no entity."""
        exclusion = self._excluded(UNBOUND)
        without = exclusion.evidence
        decided = self._outcomes(self._plan.clauses, UNBOUND, without)
        states = self._ruled_out(
            {
                planned.clause.id: ClauseState(planned.clause, one.outcome)
                for planned, one in zip(self._plan.clauses, decided, strict=True)
            }
        )
        return EntityDecision(self._decide(exclusion, states), states, bool(without))

    def found(self, binding: Binding) -> _Found:
        """Decide for the entities of a binding."""
        exclusion = self._excluded(binding)
        without = exclusion.evidence
        decided = self._outcomes(self._plan.bound_clauses, binding, without)
        outcomes = tuple([one.outcome for one in decided])
        key = (exclusion, *[one.number for one in decided])
        decision = self._decisions.get(key)
        if decision is not None:
            return _Found(binding, exclusion, outcomes, decision, None)
        states = self.states(exclusion, outcomes)
        decision = self._decisions[key] = self._decide(exclusion, states)
        return _Found(binding, exclusion, outcomes, decision, states)

    def states(self, exclusion: _Exclusion, bound: Sequence[Outcome]) -> dict[str, ClauseState]:
        """Return the states of all clauses; `bound` are the outcomes of those that look at an entity."""
        outcomes = dict(self._of_every_entity(exclusion.evidence))
        for planned, outcome in zip(self._plan.bound_clauses, bound, strict=True):
            outcomes[planned.clause.id] = outcome
        clauses = self._plan.signature.clauses
        return self._ruled_out({clause.id: ClauseState(clause, outcomes[clause.id]) for clause in clauses})

    def _ruled_out(self, states: dict[str, ClauseState]) -> dict[str, ClauseState]:
        """Return states with those of the clauses for which others leave no room."""
        for planned in self._plan.ruled_out:
            name = planned.clause.id
            states[name] = ruled_out(states[name], states)
        return states

    def _decide(self, exclusion: _Exclusion, states: dict[str, ClauseState]) -> Decision:
        is_vetoed, vetoed, is_excluded, excluded = exclusion
        has_core = any(
            one.clause.role == "core" and one.outcome.state is State.TRUE for one in states.values()
        )
        return decide(
            self._plan.signature,
            states,
            is_vetoed=is_vetoed or (bool(vetoed) and not has_core),
            is_applicable=not (is_excluded or (bool(excluded) and not vetoed and not has_core)),
            misfit=self._kernel.foreign,
            version=self._kernel.affected.verdict,
            begins=self._kernel.begins,
        )

    def _excluded(self, binding: Binding) -> _Exclusion:
        """Return what is excluded, for a binding where a test looks at its entities."""
        if self._exclusion is not None:
            return self._exclusion
        plan = self._plan
        found = _Exclusion(
            *self._of_tests(plan.vetoes, binding, State.TRUE),
            *self._of_tests(plan.applies, binding, State.FALSE),
        )
        if not any(one.plan.variables for one in (*plan.vetoes, *plan.applies)):
            self._exclusion = found
        return found

    def _of_tests(
        self, tests: Sequence[ExclusionPlan], binding: Binding, state: State
    ) -> tuple[bool, frozenset[str]]:
        """Return whether a test has `state` for the whole scope, and its evidence of unknown host."""
        foreign: frozenset[str] = frozenset()
        for test in tests:
            is_whole, of_test = self._observed.excluded(test, state, self._host, binding)
            if is_whole:
                return True, foreign
            foreign |= of_test
        return False, foreign

    def _of_every_entity(self, without: frozenset[str]) -> dict[str, Outcome]:
        """Return the outcomes of the clauses that look at no entity."""
        found = self._unbound.get(without)
        if found is None:
            unbound = [planned for planned in self._plan.clauses if not planned.whole.variables]
            decided = self._outcomes(unbound, UNBOUND, without)
            found = self._unbound[without] = {
                planned.clause.id: one.outcome for planned, one in zip(unbound, decided, strict=True)
            }
        return found

    def _outcomes(
        self, clauses: Sequence[ClausePlan], binding: Binding, without: frozenset[str]
    ) -> Sequence[Decided]:
        if not without:
            return self._observed.outcomes_of(clauses, binding)
        return [self._outcome(planned, binding, without) for planned in clauses]

    def _outcome(self, planned: ClausePlan, binding: Binding, without: frozenset[str]) -> Decided:
        if planned.clause.role == "rival":
            return self._observed.outcomes_of([planned], binding)[0]
        outcome = _partial(planned, self._observed, binding, without).outcome
        return Decided(outcome, self._observed.deciding(outcome))


def _partial(
    planned: ClausePlan, observed: ScopeObservations, binding: Binding, without: frozenset[str]
) -> ClauseState:
    """Return the state of a clause without the supporting evidence that is excluded."""
    lookup = observed.lookup(planned.whole, binding)
    state = state_of(
        planned.clause,
        lambda condition: [one for one in lookup(condition) if not _is_set_aside(one, without)],
        lookup,
    )
    return marked(state, lookup, binding) if planned.whole.variables else state


def _is_set_aside(observation: Observation, without: frozenset[str]) -> bool:
    """Return whether a supporting observation is excluded; contrary ones remain."""
    return observation.match_result.state is State.TRUE and not without.isdisjoint(observation.evidences)
