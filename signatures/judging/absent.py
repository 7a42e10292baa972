"""Findings of signatures of which the evidence has no trace: nothing is observed for them.

Each of their conditions is absent, or undecided by the logs or stacks that lack its names, whatever these are
(`Condition.unnamed`). So the decision depends on the kernel and the system alone, and the outcomes of clauses
are few values that all of them share.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from signatures.judging import applicability
from signatures.judging.decide import decide
from signatures.judging.extract import extract, of_clauses
from signatures.judging.finding import Finding
from signatures.judging.observation import State
from signatures.judging.observe import observed_conditions
from signatures.judging.states import NOTHING, ClauseState, Outcome, not_observable
from signatures.language.conditions import Group
from signatures.language.systems import misfit

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator, Mapping

    from signatures.judging.decide import Decision
    from signatures.judging.evaluation_context import EvaluationContext
    from signatures.language.conditions import Condition, Test
    from signatures.language.model import Signature


class AbsentSignature:
    """A signature as it is decided where no trace of it is in the evidence.

    Attributes:
        unnamed: Conditions of which logs, stacks or waits without their names state something, by the number
            of what that depends on.
    """

    def __init__(self, signature: Signature, numbers: dict[Hashable, int]) -> None:
        """Find which clauses logs or stacks leave undecided, and what does not depend on clauses.

        Args:
            signature: The signature.
            numbers: A number for each `Condition.unnamed`, which is faster to look up; new ones are added.
        """
        self._signature = signature
        self._absent = tuple(ClauseState(clause, NOTHING) for clause in signature.clauses)
        of_clauses_ = [
            [condition.unnamed for condition in _first(clause.test)] for clause in signature.clauses
        ]
        self.unnamed: dict[int, Condition] = {
            numbers.setdefault(one.unnamed, len(numbers)): one
            for one in observed_conditions(signature)
            if one.unnamed is not None
        }
        self._keys = [[numbers[key] for key in of if key is not None] for of in of_clauses_]
        self._entity = tuple((variable, "") for variable in signature.bind)
        self._sources = of_clauses(signature.extract, is_met=False)
        self._rivals = tuple(clause.id for clause in signature.clauses if clause.role == "rival")
        self._kernels = [condition for clause in signature.clauses for condition in clause.when]
        self._decisions: dict[tuple[str, str, tuple[str, ...]], Decision] = {}

    def finding(self, context: EvaluationContext, outcomes: Mapping[int, Outcome]) -> Finding:
        """Return the finding of a scope; `outcomes` are those of conditions without a trace."""
        signature, scope = self._signature, context.scope
        affected = context.kernel_verdict(signature)
        begins = applicability.too_old(signature.affected, context.running)
        foreign = misfit(signature.system, context.system, context.kernel)
        states = self._states(outcomes) if outcomes and self.unnamed else self._absent
        hidden = self._hidden(context) if self._kernels else {}
        if hidden:
            states = tuple(
                ClauseState(state.clause, hidden.get(state.clause.id, state.outcome)) for state in states
            )
        return Finding(
            signature=signature,
            host=scope.host,
            phase=scope.phase,
            decision=self._decision(affected.verdict, begins, foreign, tuple(hidden)),
            clauses=states,
            affected=affected,
            sentence=applicability.sentence(affected, is_firing=False),
            entity=self._entity,
            cgroup_version=context.cgroup_version,
            extract=extract(self._sources, {}, context.facts, {}, scope.items) if self._sources else (),
            rivals_open=tuple(name for name in self._rivals if name not in hidden),
        )

    def _states(self, outcomes: Mapping[int, Outcome]) -> tuple[ClauseState, ...]:
        """Return the states of the clauses: the first condition that is more than absent counts."""
        states = list(self._absent)
        for at, keys in enumerate(self._keys):
            for key in keys:
                if key in outcomes:
                    states[at] = ClauseState(states[at].clause, outcomes[key])
                    break
        return tuple(states)

    def _hidden(self, context: EvaluationContext) -> dict[str, Outcome]:
        """Return the outcomes of the clauses that the kernel of a scope cannot show, by their ids."""
        observed = context.observations_of(self._kernels, context.facts)
        found = {
            clause.id: not_observable(clause, observed.__getitem__)
            for clause in self._signature.clauses
            if clause.when
        }
        return {name: outcome for name, outcome in found.items() if outcome is not None}

    def _decision(self, version: str, begins: str, foreign: str, hidden: tuple[str, ...]) -> Decision:
        """Return the decision; without any condition that is met it does not depend on the version."""
        key = (begins, foreign, hidden)
        if key not in self._decisions:
            not_shown = Outcome(State.NOT_OBSERVABLE)
            self._decisions[key] = decide(
                self._signature,
                {
                    state.clause.id: ClauseState(state.clause, not_shown)
                    if state.clause.id in hidden
                    else state
                    for state in self._absent
                },
                is_vetoed=False,
                is_applicable=True,
                misfit=foreign,
                version=version,
                begins=begins,
            )
        return self._decisions[key]


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
