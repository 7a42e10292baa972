"""Three-valued logic over observations: from match results to the state of a clause.

Over several readings a condition is TRUE if any reading is TRUE (the strongest uncapped one is cited), FALSE
if all decided readings are FALSE, else UNKNOWN; with `at_most` the reverse. `any` follows the same rule;
`all` needs every part.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from signatures.judging.observation import MAX_EXEMPLARS, Cited, Observation, Reason, State
from signatures.judging.several_stacks import too_few
from signatures.language.conditions import Group

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from signatures.language.conditions import Condition, Test
    from signatures.language.model import Clause

    Lookup: TypeAlias = Callable[[Condition], Sequence[Observation]]


class Outcome(NamedTuple):
    """The state of a test, with its support.

    Attributes:
        caps: Reasons why it is too weak for a match; empty when one uncapped reading is TRUE.
        cap_title: Narrower title when this is the only support.
        is_half_there: Some, but not all, of the facts it needs are in the evidence.
        samples: Number of samples measured, 0 when the value is not a share of samples.
        assumed: Its entity is not named by the evidence.
        citations: (evidence, section, lines), strongest first.
    """

    state: State
    reason: str = ""
    observed: float | str | None = None
    threshold: float | str | None = None
    unit: str = ""
    distance: float | None = None
    strength: float = 0.0
    is_seen: bool = False
    caps: tuple[str, ...] = ()
    confidence_cap: float = 1.0
    cap_title: str = ""
    is_half_there: bool = False
    remarks: tuple[str, ...] = ()
    note: str = ""
    samples: float = 0.0
    assumed: bool = False
    evidences: tuple[str, ...] = ()
    citations: tuple[tuple[str, int, Cited], ...] = ()


NOTHING = Outcome(State.UNKNOWN, str(Reason.ABSENT))
STACKED = "low quality: stacks of the same evidence show another caller"
MEASURED = "low quality: its share is measured in the same evidence, and is too small"


class ClauseState(NamedTuple):
    """A clause and its outcome."""

    clause: Clause
    outcome: Outcome

    @property
    def state(self) -> State:
        """The state of the clause."""
        return self.outcome.state


def outcome_of(test: Test, lookup: Lookup, *, needs_several: bool = False) -> Outcome:
    """Combine the observations of a test.

    Args:
        test: Of one condition or a group.
        lookup: Observations of each condition.
        needs_several: A stack that stands for a share of time needs as many like it.
    """
    if isinstance(test, Group):
        parts = [outcome_of(inner, lookup, needs_several=needs_several) for inner in test.tests]
        if test.op == "all":
            return _all(parts)
        found = _any(_measured_first(_stacks_first(test.tests, parts)))
        return found if test.op == "any" else _not(found)
    observations = lookup(test)
    found = _condition(test, observations)
    return _if_several(found, observations) if needs_several and test.stands_for_share else found


def _if_several(found: Outcome, observations: Sequence[Observation]) -> Outcome:
    """Return the outcome, UNKNOWN where presence rests on fewer stacks than anything ordinary shows."""
    reason = too_few(observations) if found.state is State.TRUE and found.is_seen else ""
    return found._replace(state=State.UNKNOWN, strength=0.0, reason=reason) if reason else found


def _condition(condition: Condition, observations: Sequence[Observation]) -> Outcome:
    parts = [_single(observation) for observation in observations]
    if not parts:
        return NOTHING
    if condition.is_absence:
        decided = [part for part in parts if part.state in (State.TRUE, State.FALSE)]
        return _all(decided) if decided else parts[0]
    return _any(parts)


def _single(observation: Observation) -> Outcome:
    match_result = observation.match_result
    return Outcome(
        match_result.state,
        match_result.reason,
        match_result.observed,
        match_result.threshold,
        match_result.unit,
        match_result.distance,
        match_result.strength,
        match_result.is_seen,
        match_result.caps,
        match_result.confidence_cap,
        match_result.cap_title,
        match_result.is_half_there,
        match_result.remarks,
        match_result.note,
        match_result.samples,
        evidences=observation.evidences,
        citations=observation.citations,
    )


def _any(parts: Sequence[Outcome]) -> Outcome:
    true = [part for part in parts if part.state is State.TRUE]
    if true:
        ranked = sorted(true, key=_rank, reverse=True)
        return ranked[0]._replace(citations=_merged(ranked), evidences=_evidences(ranked))
    decided = [part for part in parts if part.state is State.FALSE]
    if decided:
        nearest = min(decided, key=lambda part: part.distance if part.distance is not None else 1.0)
        if len(decided) == 1 and not nearest.citations:
            return nearest
        return nearest._replace(citations=_merged([nearest]), evidences=_evidences(decided))
    informative = [part for part in parts if part.reason != str(Reason.ABSENT)]
    return informative[0] if informative else parts[0] if parts else NOTHING


def _measured_first(parts: Sequence[Outcome]) -> list[Outcome]:
    """Return the parts; one merely seen gives way to a measured share of the same evidence."""
    measured = {
        name
        for part in parts
        if part.state is State.FALSE and part.samples and not part.caps
        for name in part.evidences
    }
    return [
        part._replace(state=State.UNKNOWN, strength=0.0, reason=MEASURED)
        if part.state is State.TRUE and part.is_seen and measured.issuperset(part.evidences)
        else part
        for part in parts
    ]


def _stacks_first(tests: Sequence[Test], parts: Sequence[Outcome]) -> list[Outcome]:
    """Return the parts; a row of a table gives way to stacks of the same evidence that refute it."""
    measured = {
        name
        for test, part in zip(tests, parts, strict=True)
        if part.state is State.FALSE and part.samples and not _is_tabular(test)
        for name in part.evidences
    }
    return [
        part._replace(state=State.UNKNOWN, strength=0.0, reason=STACKED)
        if part.state is State.TRUE and _is_tabular(test) and measured.issuperset(part.evidences)
        else part
        for test, part in zip(tests, parts, strict=True)
    ]


def _is_tabular(test: Test) -> bool:
    """Return whether a test looks at rows of tables."""
    return any(map(_is_tabular, test.tests)) if isinstance(test, Group) else test.is_tabular


def _rank(part: Outcome) -> tuple[bool, bool, float, float, float]:
    """Return the sort key of TRUE outcomes: uncapped, weighted, strength, samples, ratio to the threshold."""
    return (not part.caps, not part.is_seen, part.strength, part.samples, _ratio(part))


def _ratio(part: Outcome) -> float:
    """Return how many times a met value exceeds its limit, or stays below it; 0 when it is not a number."""
    value, limit = part.observed, part.threshold
    if not isinstance(value, float | int) or not isinstance(limit, float | int) or limit <= 0:
        return 0.0
    return max(value / limit, limit / value) if value > 0 else math.inf


def _all(parts: Sequence[Outcome]) -> Outcome:
    false = [part for part in parts if part.state is State.FALSE]
    if false:
        return max(false, key=lambda part: part.distance or 0.0)
    open_ = [part for part in parts if part.state is not State.TRUE]
    if open_:
        return open_[0]
    weakest = min(parts, key=lambda part: part.strength)
    caps = tuple(dict.fromkeys(cap for part in parts for cap in part.caps))
    return weakest._replace(
        caps=caps,
        is_seen=any(part.is_seen for part in parts),
        citations=_merged(parts),
        evidences=_evidences(parts),
    )


def _not(part: Outcome) -> Outcome:
    inverted = {State.TRUE: State.FALSE, State.FALSE: State.TRUE}.get(part.state, part.state)
    return part._replace(state=inverted, strength=1.0 if inverted is State.TRUE else 0.0)


def _merged(parts: Iterable[Outcome]) -> tuple[tuple[str, int, Cited], ...]:
    """Return at most five citations, or as many as one part has, one of each part first.

    Every kind of evidence is cited, and every record of a count.
    """
    rows = [list(part.citations) for part in parts]
    merged: list[tuple[str, int, Cited]] = []
    most = max(MAX_EXEMPLARS, *map(len, rows)) if rows else MAX_EXEMPLARS
    for rank in range(most):
        merged.extend(row[rank] for row in rows if rank < len(row))
    return tuple(dict.fromkeys(merged))[:most]


def _evidences(parts: Iterable[Outcome]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(name for part in parts for name in part.evidences))


def state_of(clause: Clause, lookup: Lookup, whole: Lookup | None = None) -> ClauseState:
    """Return the state of one clause.

    Args:
        clause: The clause.
        lookup: Observations, without those a veto excluded.
        whole: All observations; excluded ones still refute and are still shown.
    """
    everything = whole or lookup
    needs_several = clause.role in {"core", "corroborates"}
    outcome = outcome_of(clause.test, lookup, needs_several=needs_several)
    if whole is not None and outcome.state is State.UNKNOWN:
        before = outcome_of(clause.test, whole, needs_several=needs_several)
        if before.state is State.TRUE:
            outcome = before._replace(
                state=State.UNKNOWN, strength=0.0, reason="excluded: a veto applies to this evidence"
            )
    if clause.refuted_by is not None and outcome.state is not State.TRUE:
        refutation = outcome_of(clause.refuted_by, everything)
        if refutation.state is State.TRUE:
            outcome = refutation._replace(
                state=State.FALSE,
                strength=0.0,
                distance=1.0,
                reason="refuted",
                caps=(),
                is_seen=False,
            )
    if outcome.state is not State.TRUE:
        outcome = not_observable(clause, everything) or outcome
    return ClauseState(clause, outcome)


def not_observable(clause: Clause, lookup: Lookup) -> Outcome | None:
    """Return the outcome of a clause that the running kernel cannot show, None when it may."""
    for needed in reversed(clause.when):
        if outcome_of(needed, lookup).state is State.FALSE:
            words = f"this kernel cannot show it (needs {needed.describe().text})"
            return Outcome(State.NOT_OBSERVABLE, words)
    return None


def ruled_out(state: ClauseState, states: Mapping[str, ClauseState]) -> ClauseState:
    """Return an undecided rival as FALSE when a clause that leaves no room for it is TRUE and uncapped."""
    if state.state is not State.UNKNOWN:
        return state
    for name in state.clause.ruled_out_by:
        other = states[name]
        if other.state is State.TRUE and not other.outcome.caps:
            reason = f"ruled out: {other.clause.title or name}"
            outcome = NOTHING._replace(
                state=State.FALSE,
                reason=reason,
                evidences=other.outcome.evidences,
                citations=other.outcome.citations,
            )
            return ClauseState(state.clause, outcome)
    return state
