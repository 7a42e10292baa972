"""Findings of signatures of which the evidence has no trace: nothing is observed for them.

Each of their conditions is absent, or undecided by the logs or stacks that lack its names, whatever these are
(`Condition.unnamed`). So the decision depends on the kernel and the system alone, and the outcomes of clauses
are few values that all of them share.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from signatures.judging.decide import decide
from signatures.judging.extract import extract, of_clauses
from signatures.judging.finding import Finding
from signatures.judging.observation import State
from signatures.judging.states import NOTHING, ClauseState, Outcome
from signatures.language.conditions import Group

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from signatures.judging.condition_plan import Plan
    from signatures.judging.decide import Decision
    from signatures.judging.evaluation_context import EvaluationContext, KernelVerdict
    from signatures.judging.scope_observations import ScopeObservations
    from signatures.judging.signature_plan import SignaturePlan
    from signatures.language.conditions import Condition, Test


class AbsentSignature:
    """A signature as it is decided where no trace of it is in the evidence.

    Attributes:
        unnamed: Conditions of which logs, stacks or waits without their names state something, by the number
            of what that depends on.
    """

    def __init__(self, plan: SignaturePlan) -> None:
        """Find which clauses logs or stacks leave undecided, and what does not depend on clauses."""
        signature = plan.signature
        self._plan = plan
        self._absent = tuple(ClauseState(clause, NOTHING) for clause in signature.clauses)
        by_condition = {id(one.condition): one for one in plan.conditions}
        unnamed = [(one.unnamed, one) for one in plan.conditions if one.unnamed is not None]
        self.unnamed: dict[int, Plan] = {key: one for key, one in unnamed if key is not None}
        of_clauses_ = [
            [by_condition[id(one)].unnamed for one in _first(clause.test)] for clause in signature.clauses
        ]
        keys = (tuple(key for key in of if key is not None) for of in of_clauses_)
        self._keys = [(at, of) for at, of in enumerate(keys) if of]
        self._entity = tuple((variable, "") for variable in signature.bind)
        self._sources = of_clauses(signature.extract, is_met=False)
        self._rivals = tuple(clause.id for clause in signature.clauses if clause.role == "rival")
        self._of_kernels = [clause for clause in plan.clauses if clause.clause.when]
        self._decisions: dict[tuple[str, str, tuple[str, ...]], Decision] = {}

    def finding(self, context: EvaluationContext, outcomes: Mapping[int, Outcome]) -> Finding:
        """Return the finding of a scope; `outcomes` are those of conditions without a trace."""
        signature, scope = self._plan.signature, context.scope
        kernel = context.kernel_verdict(self._plan)
        states = self._states(outcomes) if outcomes and self.unnamed else self._absent
        hidden = self._hidden(context.observations) if self._of_kernels else {}
        if hidden:
            states = tuple(
                ClauseState(state.clause, hidden.get(state.clause.id, state.outcome)) for state in states
            )
        return Finding(
            signature=signature,
            host=scope.host,
            phase=scope.phase,
            decision=self._decision(kernel, tuple(hidden)),
            clauses=states,
            affected=kernel.affected,
            sentence=kernel.unseen,
            entity=self._entity,
            cgroup_version=context.cgroup_version,
            extract=extract(self._sources, {}, context.facts, {}, scope.items) if self._sources else (),
            rivals_open=tuple(name for name in self._rivals if name not in hidden)
            if hidden
            else self._rivals,
        )

    def _states(self, outcomes: Mapping[int, Outcome]) -> tuple[ClauseState, ...]:
        """Return the states of the clauses: the first condition that is more than absent counts."""
        states = list(self._absent)
        for at, keys in self._keys:
            for key in keys:
                outcome = outcomes.get(key)
                if outcome is not None:
                    states[at] = ClauseState(states[at].clause, outcome)
                    break
        return tuple(states)

    def _hidden(self, observed: ScopeObservations) -> dict[str, Outcome]:
        """Return the outcomes of the clauses that the kernel of a scope cannot show, by their ids."""
        found = ((clause.clause.id, observed.not_observable(clause)) for clause in self._of_kernels)
        return {name: outcome for name, outcome in found if outcome is not None}

    def _decision(self, kernel: KernelVerdict, hidden: tuple[str, ...]) -> Decision:
        """Return the decision; without any condition that is met it does not depend on the version."""
        key = (kernel.begins, kernel.foreign, hidden)
        found = self._decisions.get(key)
        if found is None:
            not_shown = Outcome(State.NOT_OBSERVABLE)
            found = self._decisions[key] = decide(
                self._plan.signature,
                {
                    state.clause.id: ClauseState(state.clause, not_shown)
                    if state.clause.id in hidden
                    else state
                    for state in self._absent
                },
                is_vetoed=False,
                is_applicable=True,
                misfit=kernel.foreign,
                version=kernel.affected.verdict,
                begins=kernel.begins,
            )
        return found


def _first(test: Test) -> Iterator[Condition]:
    """Yield the conditions of which the first with an outcome decides that of a test.

    Of alternatives the first that states more than its absence counts, of conditions that must all hold the
    first (`states.outcome_of`).
    """
    if isinstance(test, Group):
        for inner in test.tests[:1] if test.op == "all" else test.tests:
            yield from _first(inner)
    else:
        yield test
