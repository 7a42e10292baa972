"""Findings, and the nearness of near misses."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from signatures.judging.decide import MATCH, NO_MATCH, SUSPECT, UNKNOWN, Decision
from signatures.judging.observation import State
from signatures.judging.observe import conditions_of
from signatures.judging.predicates.kernel import KernelCondition

if TYPE_CHECKING:
    from signatures.documents.finding import Verdict
    from signatures.faults import Fault
    from signatures.judging.applicability import VersionVerdict
    from signatures.judging.states import ClauseState
    from signatures.language.model import Capture, Signature

MAX_NEAR_MISSES = 3

SEVERITY = {"critical": 4.0, "high": 3.0, "medium": 2.0, "low": 1.0}


class Finding(NamedTuple):
    """A signature judged against one scope.

    Attributes:
        affected: Version verdict of the running kernel and its basis.
        sentence: Evidence and version verdict combined.
        entity: Variable to entity; "" when the evidence names none.
        rivals_open: Excluding conditions that could not be checked.
        superseded_by: Id of the more specific signature that matches, "" when none.
        caused_by: Id of the signature that explains it and comes first: at least as certain; "" when none.
        suspected_cause: Id of the suspected signature that may explain this match, "" when none.
        is_divided: Evidence of unknown host excludes what other evidence shows.
        cgroup_version: `v1` or `v2`, "" when unknown.
        is_near_miss: Not listed, but among the closest.
        fault: Why it could not be evaluated; None when it was.
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
    caused_by: str = ""
    suspected_cause: str = ""
    is_near_miss: bool = False
    is_divided: bool = False
    cgroup_version: str = ""
    fault: Fault | None = None

    @property
    def verdict(self) -> Verdict:
        """`match`, `suspect`, `unknown`, `no_match` or `not_applicable`."""
        return self.decision.verdict

    @property
    def title(self) -> str:
        """Title of the signature, or the narrower title of its caps."""
        cores = [s.outcome for s in self.clauses if s.clause.role == "core" and s.state is State.TRUE]
        titles = {outcome.cap_title for outcome in cores}
        narrower = titles.pop() if self.verdict != MATCH and len(titles) == 1 else ""
        return narrower or self.signature.title

    @property
    def is_listed(self) -> bool:
        """Whether reports list it by default: match, suspect, a fault, or unknown with a core clause TRUE.

        That a kernel is of the releases in question distinguishes nothing.
        """
        if self.superseded_by:
            return False
        if self.verdict in (MATCH, SUSPECT) or self.fault:
            return True
        return self.verdict == UNKNOWN and any(
            state.state is State.TRUE and state.clause.role == "core" and not _is_of_kernel(state)
            for state in self.clauses
        )


def _is_of_kernel(state: ClauseState) -> bool:
    """Return whether a clause asks for nothing but the running kernel."""
    return all(isinstance(one, KernelCondition) for one in conditions_of(state.clause.test))


class Settled(NamedTuple):
    """A clause that a capture would settle, with its title; no clause where pieces exclude each other."""

    signature: str
    clause: str
    title: str


@dataclass(frozen=True, slots=True)
class NextCapture:
    """A capture and the clauses it would settle."""

    capture: Capture
    settles: tuple[Settled, ...]


def nearness(finding: Finding) -> float:
    """Return coverage-weighted closeness × severity; 0 when nothing was observed."""
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


def with_near_misses(findings: list[Finding]) -> list[Finding]:
    """Mark the nearest of the findings that are not listed."""
    near = sorted(
        (
            (nearness(finding), finding.signature.id)
            for finding in findings
            if finding.decision.coverage and not finding.is_listed
        ),
        reverse=True,
    )
    chosen = {name for score, name in near[:MAX_NEAR_MISSES] if score > 0.0}
    return [
        finding._replace(is_near_miss=True) if finding.signature.id in chosen else finding
        for finding in findings
    ]
