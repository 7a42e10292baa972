"""A finding, how near a missed one is, and what to collect next."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from signatures.decide import MATCH, NO_MATCH, SUSPECT, UNKNOWN, Decision
from signatures.observation import State

if TYPE_CHECKING:
    from collections.abc import Sequence

    from signatures.model import Capture, Signature
    from signatures.states import ClauseState
    from signatures.versions import VersionVerdict

SEVERITY = {"critical": 4.0, "high": 3.0, "medium": 2.0, "low": 1.0}
MAX_NEXT = 5


@dataclass(frozen=True, slots=True)
class Finding:
    """A signature judged against one scope.

    Attributes:
        affected: Version verdict of the running kernel and its basis.
        sentence: What evidence and version mean together.
        entity: Binding variable to what it is bound to; "" when the evidence names none.
        rivals_open: Rivals the evidence could not exclude.
        superseded_by: Id of the specialisation that matches, "" when none.
        is_near_miss: Not there, but among the nearest.
    """

    signature: Signature
    host: str
    phase: str
    decision: Decision
    clauses: tuple[ClauseState, ...]
    affected: VersionVerdict
    sentence: str
    entity: tuple[tuple[str, str], ...]
    extract: tuple[tuple[str, str], ...] = ()
    rivals_open: tuple[str, ...] = ()
    superseded_by: str = ""
    is_near_miss: bool = False

    @property
    def verdict(self) -> str:
        """`match`, `suspect`, `unknown`, `no_match` or `not_applicable`."""
        return self.decision.verdict

    @property
    def is_listed(self) -> bool:
        """Worth a line without being asked: match, suspect, or unknown with a core clause TRUE."""
        if self.superseded_by:
            return False
        if self.verdict in (MATCH, SUSPECT):
            return True
        return self.verdict == UNKNOWN and any(
            state.state is State.TRUE and state.clause.role == "core" for state in self.clauses
        )


@dataclass(frozen=True, slots=True)
class NextCapture:
    """A capture and the clauses it would settle."""

    capture: Capture
    settles: tuple[tuple[str, str], ...]


def nearness(finding: Finding) -> float:
    """Return coverage-weighted closeness × severity; 0 when nothing of it was seen."""
    if finding.verdict not in (UNKNOWN, NO_MATCH) or finding.superseded_by:
        return 0.0
    closeness = 0.0
    for state in finding.clauses:
        outcome = state.outcome
        if state.clause.role in ("rival", "context"):
            continue
        if state.state is State.TRUE:
            closeness += state.clause.weight
        elif isinstance(outcome.observed, float) and outcome.observed > 0 and outcome.distance is not None:
            closeness += state.clause.weight * max(0.0, 1.0 - outcome.distance)
    return closeness * finding.decision.coverage * SEVERITY[finding.signature.severity]


def next_captures(findings: Sequence[Finding]) -> list[NextCapture]:
    """Return what to collect next, each command once and none that hurts under what is suspected.

    The first settles most: the weight of every open clause it would decide, a core clause twice, a clause met
    by capped readings half, a clause of a finding that is only unknown a tenth.
    """
    present = {finding.signature.id for finding in findings if finding.verdict in (MATCH, SUSPECT)}
    captures: dict[str, Capture] = {}
    settles: dict[str, list[tuple[str, str]]] = {}
    worth: dict[str, float] = {}
    for finding in findings:
        is_shown = finding.is_listed or finding.is_near_miss
        if not is_shown or finding.verdict not in (MATCH, SUSPECT, UNKNOWN):
            continue
        for state in finding.clauses:
            gain = _gain(finding, state)
            offered = finding.signature.next.get(state.clause.id, ())
            capture = next((each for each in offered if not present.intersection(each.unsafe_if)), None)
            if capture is None or not gain:
                continue
            captures[capture.run] = capture
            settles.setdefault(capture.run, []).append((finding.signature.id, state.clause.id))
            worth[capture.run] = worth.get(capture.run, 0.0) + gain
    ranked = sorted(worth, key=lambda run: -worth[run])[:MAX_NEXT]
    return [NextCapture(captures[run], tuple(settles[run])) for run in ranked]


def _gain(finding: Finding, state: ClauseState) -> float:
    """Return what deciding the clause would be worth; 0 when it is decided."""
    if state.state is State.UNKNOWN:
        openness = 1.0
    elif state.state is State.TRUE and state.outcome.caps:
        openness = 0.5
    else:
        return 0.0
    role = 2.0 if state.clause.role == "core" else 1.0
    return max(state.clause.weight, 0.5) * role * openness * (0.1 if finding.verdict == UNKNOWN else 1.0)
