"""Plan of judging a signature: what is the same for all evidence.

Tests of the same *shape* combine observations alike, whatever their conditions are: tests of one shape with
equal observations have equal outcomes, so a scope decides them once (`judging.scope_observations`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from signatures.judging.observe import all_conditions, conditions_of
from signatures.language.conditions import Group

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Iterator, Mapping

    from signatures.judging.condition_plan import Plan, Plans
    from signatures.language.conditions import Test
    from signatures.language.model import Clause, Signature

Shapes: TypeAlias = "dict[Hashable, int]"


class TestPlan(NamedTuple):
    """A test, or the tests of a clause.

    Attributes:
        plans: Plans of its conditions, in the order of the file.
        kinds: For each of them `process` or `cgroup`, the kind of entity that it looks at; "" for none.
        shape: Number of how observations are combined.
        absent: Number of that and of what its conditions show in evidence without a trace of them; None where
            any evidence shows one.
        places: Places of the plans.
        variables: Binding variables of its conditions; () for a test that looks at no entity.
    """

    plans: tuple[Plan, ...]
    kinds: tuple[str, ...]
    shape: int
    absent: int | None
    places: frozenset[int]
    variables: tuple[str, ...]


class ExclusionPlan(NamedTuple):
    """A test that excludes evidence: a veto, or that of the systems that a signature is about."""

    test: Test
    plan: TestPlan


class ClausePlan(NamedTuple):
    """A clause with its tests.

    Attributes:
        whole: What its outcome depends on: the test, its refutation, the kernels that can show it.
        kernels: The kernels that can show it, alone.
    """

    clause: Clause
    whole: TestPlan
    kernels: TestPlan


class SignaturePlan(NamedTuple):
    """A signature with the plans of its tests.

    Attributes:
        conditions: Plans of all conditions, each once.
        bound: Those of the conditions that look at an entity.
        bound_clauses: Clauses that look at an entity.
        ruled_out: Clauses for which others may leave no room.
        vetoes: Tests of the excluding clauses.
        applies: The test of the systems that it is about, if it has one.
        of_kernel: Number of what a kernel is compared with: its version table, and its system.
    """

    signature: Signature
    conditions: tuple[Plan, ...]
    bound: tuple[Plan, ...]
    clauses: tuple[ClausePlan, ...]
    bound_clauses: tuple[ClausePlan, ...]
    ruled_out: tuple[ClausePlan, ...]
    vetoes: tuple[ExclusionPlan, ...]
    applies: tuple[ExclusionPlan, ...]
    of_kernel: int


def signature_plan(signature: Signature, plans: Plans, shapes: Shapes) -> SignaturePlan:
    """Return the plan of a signature; new shapes are added to `shapes`."""
    made = _Planner(plans, shapes, signature.bind)
    clauses = tuple(made.clause(clause) for clause in signature.clauses)
    conditions = tuple({id(one): plans.of(one) for one in all_conditions(signature)}.values())
    of_kernel = (
        signature.kind,
        signature.reason,
        id(signature.affected),
        signature.decide.match_aspect,
        signature.system,
    )
    return SignaturePlan(
        signature,
        conditions,
        tuple(plan for plan in conditions if plan.condition.at),
        clauses,
        tuple(one for one in clauses if one.whole.variables),
        tuple(one for one in clauses if one.clause.ruled_out_by),
        tuple(made.exclusion(clause.test) for clause in signature.clauses if clause.is_veto),
        () if signature.applies is None else (made.exclusion(signature.applies),),
        shapes.setdefault(of_kernel, len(shapes)),
    )


class _Planner:
    """Plans the tests of one signature; `kinds` is `process` or `cgroup` by variable."""

    def __init__(self, plans: Plans, shapes: Shapes, kinds: Mapping[str, str]) -> None:
        self._plans, self._shapes, self._kinds = plans, shapes, kinds

    def clause(self, clause: Clause) -> ClausePlan:
        needs_several = clause.role in {"core", "corroborates"}
        tests = (clause.test, clause.refuted_by, *clause.when)
        return ClausePlan(clause, self._of(tests, (needs_several, len(clause.when))), self._of(clause.when))

    def exclusion(self, test: Test) -> ExclusionPlan:
        return ExclusionPlan(test, self._of((test,)))

    def _of(self, tests: Iterable[Test | None], more: Hashable = None) -> TestPlan:
        tests = tuple(tests)
        conditions = [one for test in tests for one in conditions_of(test)]
        variables = tuple(dict.fromkeys(one.at for one in conditions if one.at))
        shape = (more, *(None if test is None else tuple(self._shape(test, variables)) for test in tests))
        plans = tuple(map(self._plans.of, conditions))
        shape_number = self._shapes.setdefault(shape, len(self._shapes))
        absent = (shape_number, *(plan.unnamed for plan in plans))
        return TestPlan(
            plans,
            tuple(self._kinds.get(one.at, "process") if one.at else "" for one in conditions),
            shape_number,
            None
            if any(plan.is_anywhere for plan in plans)
            else self._shapes.setdefault(absent, len(self._shapes)),
            frozenset(plan.at for plan in plans),
            variables,
        )

    def _shape(self, test: Test, variables: tuple[str, ...]) -> Iterator[Hashable]:
        """Yield what the combination of observations depends on."""
        if isinstance(test, Group):
            yield test.op
            for inner in test.tests:
                yield tuple(self._shape(inner, variables))
        else:
            bound = (variables.index(test.at), self._kinds.get(test.at, "process")) if test.at else ()
            yield test.is_absence, test.stands_for_share, test.is_tabular, bound
