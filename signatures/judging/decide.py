"""Decide a verdict from the states of clauses; a pure function.

score = met positive weight − met rival weight. confidence = (score − cost) ÷ decidable positive weight, where
presence without weight counts half and a refuted corroborating clause costs its weight. coverage = decidable
÷ all positive weight observable on this kernel.

A match also needs every excluding condition decided and refuted: an alternative that nothing rules out, or
that the evidence shows as well, leaves a suspect.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from signatures.judging.observation import State

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from signatures.documents.finding import Verdict
    from signatures.judging.states import ClauseState
    from signatures.language.model import Decide, Require, Signature

MATCH: Final = "match"
SUSPECT: Final = "suspect"
UNKNOWN: Final = "unknown"
NO_MATCH: Final = "no_match"
NOT_APPLICABLE: Final = "not_applicable"

CAPPED_CONFIDENCE = 0.6
"""Upper limit of the confidence in a suspect that rests on capped readings alone."""

RANK = {MATCH: 4, SUSPECT: 3, UNKNOWN: 2, NO_MATCH: 1, NOT_APPLICABLE: 0}


class Decision(NamedTuple):
    """A verdict with its numbers.

    Attributes:
        confidence: None unless match or suspect.
        caps: (reason, clause id) of every reading too weak for a match on its own.
        is_capped: Suspected on capped readings alone, so that no fix is justified.
        because: Reason for a verdict other than match.
    """

    verdict: Verdict
    score: float
    confidence: float | None
    coverage: float
    caps: tuple[tuple[str, str], ...]
    is_capped: bool = False
    because: str = ""


def decide(
    signature: Signature,
    states: Mapping[str, ClauseState],
    *,
    is_vetoed: bool = False,
    is_applicable: bool = True,
    misfit: str = "",
    version: str = "unknown",
    begins: str = "",
) -> Decision:
    """Return the verdict over clause states.

    Args:
        signature: Source of the rules.
        states: Clause id to state.
        is_vetoed: A veto is TRUE for the whole scope.
        is_applicable: False when `applies` is FALSE for the whole scope.
        misfit: Why the signature is about another system; "" when it is not.
        version: Version verdict of the running kernel.
        begins: Release in which the defect begins, when the running kernel is older; "" otherwise.
    """
    rules = signature.decide
    tally = _tally(states.values())
    score, coverage, caps, cores = tally.score, tally.coverage, tally.caps, tally.cores
    if misfit:
        return Decision(NOT_APPLICABLE, score, None, coverage, caps, because=misfit)
    if not is_applicable:
        return Decision(NOT_APPLICABLE, score, None, coverage, caps, because="does not apply to this system")
    if begins and not any(
        state.clause.role == "core" and state.outcome.state is State.TRUE and not state.outcome.caps
        for state in states.values()
    ):
        because = f"this kernel is older than {begins}, in which it begins"
        return Decision(NOT_APPLICABLE, score, None, coverage, caps, because=because)
    if is_vetoed:
        return Decision(NO_MATCH, score, None, coverage, caps, because=_veto_reason(states.values()))
    required = require_state(rules.require, states)
    if required is State.FALSE:
        return Decision(NO_MATCH, score, None, coverage, caps, because="a required condition is not met")
    if State.FALSE in cores and not {State.TRUE, State.UNKNOWN}.intersection(cores):
        return Decision(NO_MATCH, score, None, coverage, caps, because="every distinguishing sign is refuted")
    if score + tally.open_weight < rules.suspect_score:
        return Decision(
            NO_MATCH, score, None, coverage, caps, because="the remaining conditions cannot reach the score"
        )
    if State.TRUE not in cores or score < rules.suspect_score or not _is_any(rules.suspect_any, states):
        return Decision(UNKNOWN, score, None, coverage, caps, because="no distinguishing sign found")
    confidence = _confidence(states, tally.decidable)
    is_complete = required is State.TRUE and _is_match(rules, states, score, coverage, version)
    is_capped = _is_capped_only(rules, states, is_complete=is_complete)
    if is_capped:
        confidence = min(confidence, CAPPED_CONFIDENCE)
    # A veto that is TRUE here holds for evidence of unknown host, and has set that aside.
    rivals = {
        state.state
        for state in states.values()
        if state.clause.role == "rival" and not (state.clause.is_veto and state.state is State.TRUE)
    }
    if is_complete and not is_capped and not rivals & {State.UNKNOWN, State.TRUE}:
        return Decision(MATCH, score, confidence, coverage, caps)
    because = (
        "every supporting reading is of low quality"
        if is_capped
        else "more evidence is needed"
        if not is_complete
        else "an alternative is met, too"
        if State.TRUE in rivals
        else "an alternative is not decided"
    )
    return Decision(SUSPECT, score, confidence, coverage, caps, is_capped, because)


class _Tally(NamedTuple):
    """Sums over clauses; weights are of those that this kernel can show, but for excluding ones.

    Attributes:
        decidable: Weight that is decided.
        whole: Weight of all.
        open_weight: Weight that is undecided.
        cores: States of the distinguishing ones.
    """

    score: float
    decidable: float
    whole: float
    open_weight: float
    caps: tuple[tuple[str, str], ...]
    cores: list[State]

    @property
    def coverage(self) -> float:
        """Share of the weight that is decided."""
        return self.decidable / self.whole if self.whole else 0.0


def _tally(states: Iterable[ClauseState]) -> _Tally:
    """Sum in one pass: a thousand signatures are decided for a paste."""
    score = decidable = whole = open_weight = 0.0
    caps: list[tuple[str, str]] = []
    cores: list[State] = []
    for clause, outcome in states:
        state, weight = outcome.state, clause.weight
        is_true = state is State.TRUE
        if clause.role == "rival":
            if is_true:
                score -= weight * outcome.strength
            continue
        if clause.role == "core":
            cores.append(state)
        if state is State.NOT_OBSERVABLE:
            continue
        whole += weight
        if state is State.UNKNOWN:
            open_weight += weight
            continue
        decidable += weight
        if is_true:
            score += weight * outcome.strength
            caps += [(cap, clause.id) for cap in outcome.caps]
    return _Tally(score, decidable, whole, open_weight, tuple(caps), cores)


def _score(states: Iterable[ClauseState], *, presence_weight: float) -> float:
    total = 0.0
    for state in states:
        if state.state is State.TRUE:
            weight = state.clause.weight * state.outcome.strength
            if state.clause.role == "rival":
                total -= weight
            else:
                total += weight * (presence_weight if state.outcome.is_seen else 1.0)
    return total


def _cost(states: Iterable[ClauseState]) -> float:
    """Return the weight of the supporting conditions that are refuted."""
    return sum(
        state.clause.weight
        for state in states
        if state.clause.role == "corroborates" and state.state is State.FALSE
    )


def _confidence(states: Mapping[str, ClauseState], decidable: float) -> float:
    net = _score(states.values(), presence_weight=0.5) - _cost(states.values())
    confidence = net / decidable if decidable else 0.0
    cores = [state for state in states.values() if state.clause.role == "core" and state.state is State.TRUE]
    if cores and all(state.outcome.caps for state in cores):
        confidence = min(confidence, max(state.outcome.confidence_cap for state in cores))
    return min(1.0, max(0.0, confidence))


def _veto_reason(states: object) -> str:
    vetoes = [s.clause for s in states if s.clause.is_veto and s.state is State.TRUE]  # type: ignore[attr-defined]
    return "excluded: " + ", ".join(clause.title or clause.id for clause in vetoes)


def require_state(require: Require, states: Mapping[str, ClauseState]) -> State:
    """Return the three-valued state of `require`."""

    def of(name: str) -> State:
        state = states[name].state
        return State.FALSE if state is State.NOT_OBSERVABLE else state

    parts = [of(name) for name in require.all]
    if require.any:
        alternatives = [of(name) for name in require.any]
        parts.append(
            State.TRUE
            if State.TRUE in alternatives
            else State.UNKNOWN
            if State.UNKNOWN in alternatives
            else State.FALSE
        )
    parts.extend(State.FALSE for name in require.not_false if of(name) is State.FALSE)
    count, of_these = require.at_least
    if count:
        found = [of(name) for name in of_these]
        true_count, unknown_count = found.count(State.TRUE), found.count(State.UNKNOWN)
        parts.append(
            State.TRUE
            if true_count >= count
            else State.UNKNOWN
            if true_count + unknown_count >= count
            else State.FALSE
        )
    if State.FALSE in parts:
        return State.FALSE
    return State.UNKNOWN if State.UNKNOWN in parts else State.TRUE


def _is_true(name: str, states: Mapping[str, ClauseState]) -> bool:
    return states[name].state is State.TRUE


def _is_any(names: Sequence[str], states: Mapping[str, ClauseState]) -> bool:
    return not names or any(_is_true(name, states) for name in names)


def _is_match(
    rules: Decide, states: Mapping[str, ClauseState], score: float, coverage: float, version: str
) -> bool:
    pairs = rules.match_pairs
    return (
        score >= rules.match_score
        and coverage >= rules.min_coverage
        and all(_is_true(name, states) for name in rules.match_all)
        and _is_any(rules.match_any, states)
        and (not pairs or any(all(_is_true(name, states) for name in pair) for pair in pairs))
        and (not rules.match_version or version in rules.match_version)
    )


def _is_capped_only(rules: Decide, states: Mapping[str, ClauseState], *, is_complete: bool) -> bool:
    """Return whether capped readings alone meet every core clause: of the match rules when those are met."""
    pairs = (name for pair in rules.match_pairs for name in pair)
    named = {*rules.match_all, *rules.match_any, *pairs} if is_complete else set()
    supporting = [
        state
        for state in states.values()
        if state.clause.role == "core"
        and state.state is State.TRUE
        and (not named or state.clause.id in named)
    ]
    return bool(supporting) and all(state.outcome.caps for state in supporting)
