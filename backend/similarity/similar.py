"""Cases similar to one case, and the stories that fit it.

Compares the functions of all profiles by weight, the traits that say whether cases are the same problem,
and the facts used by signatures. The response contains every score. Cases not visible to the principal are
neither compared nor counted.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from backend.access.reach import reach_of
from backend.findings import library
from backend.library.recognise import Judged, Recognised
from backend.library.search import best
from backend.models.case_index import EVERY_CASE
from backend.profiles.queries_postings import counts_of, single_counts
from backend.search import queries_pairs
from backend.search.likeness import most_telling
from backend.search.pairs import MAX_TELLING
from backend.similarity import queries, queries_cases, score
from backend.similarity.schemas import SimilarCase, SimilarityRead, SimilarRead
from signatures.judging.observe import conditions_of
from signatures.reporting.search_strengths import SEEN, STRENGTHS

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence
    from uuid import UUID

    from sqlalchemy.orm import Session

    from backend.access.principals import Principal
    from backend.access.reach import Reach
    from backend.models.case import Case
    from backend.search.traits import Traits
    from backend.similarity.queries_cases import FactValue, Function, Other, ProfileOf
    from backend.similarity.score import Similarity
    from signatures.documents.finding import FindingDocument

WEIGHTS = {"stacks": 0.5, "traits": 0.35, "facts": 0.15}
SHOWN = 8
STORIES = 5
LEAST = 0.05
"""Minimum share of a similar case."""

MOST_BY_TRAITS = 32
"""Maximum number of candidates by traits, and of single cases, to compare."""

MOST_FUNCTIONS = 200
"""Number of heaviest functions used for the search."""

_STRENGTH = {**STRENGTHS, "unknown": SEEN}


class Subject(NamedTuple):
    """The query case: its functions, its facts, and its traits."""

    case: Case
    functions: dict[int, Function]
    facts: list[FactValue]
    traits: Traits

    @property
    def names(self) -> dict[int, str]:
        """Name by function."""
        return {frame: function.name for frame, function in self.functions.items()}

    @property
    def weights(self) -> dict[int, float]:
        """Weight by function."""
        return {frame: function.weight for frame, function in self.functions.items()}


class Compared(NamedTuple):
    """A case with its similarity scores."""

    case: Other
    share: float
    similarities: dict[str, Similarity]


def before(session: Session, principal: Principal, case: Case) -> SimilarRead:
    """Return the cases and stories similar to `case`."""
    own = queries_cases.own_of(session, case.id)
    facts = queries_cases.facts_of(session, [case.id], distinctive_facts()).get(case.id, [])
    subject = Subject(case, own.functions, facts, own.traits)
    reach = reach_of(session, principal)
    rarities = _Rarities(session, reach)
    others = _candidates(session, principal, reach, rarities, subject)
    compared = _compare(session, rarities, subject, others)
    found = [one for one in compared if one.share >= LEAST][:SHOWN]
    return SimilarRead(
        weights=WEIGHTS,
        compared=len(others),
        unweighed_profiles=own.unweighed,
        cases=_described(session, case, found),
        stories=best(session, _recognised(session, subject), limit=STORIES),
    )


@lru_cache(maxsize=1)
def distinctive_facts() -> frozenset[str]:
    """Return the names of facts used by signatures, and the kernel release."""
    asked = {
        name
        for signature in library.catalog().signatures
        for clause in signature.clauses
        for condition in conditions_of(clause.test)
        for name in condition.fact_names
    }
    return frozenset({*asked, "kernel.release"})


def _candidates(
    session: Session, principal: Principal, reach: Reach, rarities: _Rarities, subject: Subject
) -> list[Other]:
    """Return the cases that share functions or text facts with this one."""
    heaviest = {frame: subject.functions[frame] for frame in _heaviest(subject.weights)}
    rare = rarities.of(heaviest)
    by_functions = queries.sharing_functions(session, reach, subject.case.id, heaviest, rare)
    by_facts = queries.sharing_facts(session, reach, subject.case.id, subject.facts)
    telling = most_telling(subject.traits, MAX_TELLING)
    by_traits = queries_pairs.sharing_traits(session, subject.case.id, telling, reach.audiences)
    found = {*by_functions, *by_facts, *by_traits[:MOST_BY_TRAITS], *reach.cases[:MOST_BY_TRAITS]}
    return queries_cases.seen_cases(session, principal, found - {subject.case.id})


def _compare(
    session: Session, rarities: _Rarities, subject: Subject, others: Sequence[Other]
) -> list[Compared]:
    """Score every candidate; highest first."""
    own, names, facts = subject.weights, subject.names, subject.facts
    stated = queries_cases.facts_of(session, [other.id for other in others], [fact.name for fact in facts])
    rare = rarities.of(own.keys() | {frame for other in others for frame in other.functions})
    compared = []
    for other in others:
        theirs = other.functions
        alike: dict[str, Similarity | None] = {
            "stacks": score.of_functions(own, theirs, rare, names) if own or theirs else None,
            "traits": score.of_traits(subject.traits, other.traits),
            "facts": score.of_facts(facts, stated.get(other.id, [])),
        }
        known = {kind: one for kind, one in alike.items() if one is not None}
        compared.append(Compared(other, score.joined(known, WEIGHTS), known))
    return sorted(compared, key=lambda one: (-one.share, -one.case.number))


class _Rarities:
    """Rarity weights of functions among the cases within a reach; each is counted once."""

    def __init__(self, session: Session, reach: Reach) -> None:
        self._session, self._reach = session, reach
        self._single = single_counts(session, reach)
        self._asked: set[int] = set()
        self._having: dict[int, int] = {}

    def of(self, frames: Collection[int]) -> dict[int, float]:
        """Return the rarity weight of each function."""
        missing = {*frames, EVERY_CASE} - self._asked
        if missing:
            self._having |= counts_of(self._session, self._reach, missing, single=self._single)
            self._asked |= missing
        cases = self._having.get(EVERY_CASE, 0) + len(self._reach.cases)
        return {frame: score.rarity(cases, self._having.get(frame, 1)) for frame in frames}


def _described(session: Session, case: Case, found: Sequence[Compared]) -> list[SimilarCase]:
    ids = [one.case.id for one in found]
    matching = queries_cases.matches_of(session, ids)
    profiles = queries_cases.profiles_of(session, [case.id, *ids])
    own = [profile for profile in profiles if profile.case_id == case.id]
    return [
        SimilarCase(
            number=other.number,
            title=other.title,
            state=other.state,
            severity=other.severity,
            created_at=other.created_at,
            share=round(one.share, 3),
            similarities=[
                SimilarityRead.model_validate(
                    {"kind": kind, "share": round(alike.share, 3), "common": alike.shown}
                )
                for kind, alike in one.similarities.items()
            ],
            findings=list(dict.fromkeys(matching.get(other.id, ()))),
            **_pair(own, [profile for profile in profiles if profile.case_id == other.id]),
        )
        for one in found
        for other in [one.case]
    ]


def _pair(own: Sequence[ProfileOf], theirs: Sequence[ProfileOf]) -> dict[str, UUID | None]:
    """Return the two largest comparable profiles, for a diff."""
    for mine in own:
        for other in theirs:
            if mine.has_weights and other.has_weights and mine.what == other.what:
                return {"profile_id": other.profile_id, "own_profile_id": mine.profile_id}
    return {"profile_id": None, "own_profile_id": None}


def _heaviest(functions: Mapping[int, float]) -> list[int]:
    return sorted(functions, key=lambda frame: (-functions[frame], frame))[:MOST_FUNCTIONS]


def _recognised(session: Session, subject: Subject) -> Recognised:
    """Return the case as a recognised query of the library: functions, findings and title."""
    heaviest = _heaviest(subject.weights)
    judged: dict[str, Judged] = {}
    for finding in queries.findings_of(session, subject.case.id):
        judged.setdefault(finding.signature, _judged(finding))
    functions = (subject.functions[frame] for frame in heaviest)
    frames = {function.name: function.weight for function in functions}
    return Recognised(prose=subject.case.title, frames=frames, judged=judged)


def _judged(finding: FindingDocument) -> Judged:
    own = [one for one in finding.conditions if one.role != "rival"]
    return Judged(
        finding.signature,
        finding.verdict,
        _STRENGTH[finding.verdict] * (0.5 if finding.superseded_by else 1.0),
        tuple(one.title for one in own if one.state == "TRUE"),
        finding.affected.verdict,
        finding.affected.basis,
    )
