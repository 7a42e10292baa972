"""Earlier cases that are the same problem as a case, with how they ended, and labels of such pairs.

A label writes no event, because events of a case are read by people who do not see the other one; the audit
log has it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from backend.cases import overview
from backend.core.errors import NotFoundError, UnsupportedQueryError
from backend.models.case import Status
from backend.search import pairs, queries_pairs
from backend.search.likeness import most_telling
from backend.similarity import queries_seen
from backend.similarity.schemas_seen import PairLabelRead, SeenBeforeRead, SeenCase

if TYPE_CHECKING:
    from uuid import UUID

    from sqlalchemy.orm import Session

    from backend.access.principals import Principal
    from backend.models.case import Case
    from backend.models.case_pair import PairOpinion
    from backend.search.traits import Traits

SHOWN = 20
MAX_COMMON = 4


def read(session: Session, principal: Principal, case: Case) -> SeenBeforeRead:
    """Return the visible earlier cases that are the same problem, the newest first."""
    shares = queries_pairs.earlier_cases(session, principal, case.id)
    earlier = queries_seen.newest(session, shares, SHOWN)
    traits = {
        one.case_id: one.traits
        for one in queries_pairs.stored_traits(session, [case.id, *(other.id for other in earlier)])
    }
    opinions = queries_seen.own_opinions(session, principal, case.id) if earlier else {}
    own = traits.get(case.id, {})
    names = {one.id: one.name for one in overview.describe(session, [other.id for other in earlier])}
    return SeenBeforeRead(
        count=len(shares),
        cases=[
            SeenCase(
                number=other.number,
                name=names[other.id],
                status=other.status,
                created_at=other.created_at,
                closed_at=other.closed_at,
                fix=other.fix,
                outcome=_outcome(other),
                common=_common(own, traits.get(other.id, {})),
                opinion=opinions.get(other.id),
            )
            for other in earlier
        ],
    )


def put_label(
    session: Session, principal: Principal, case: Case, other: Case, opinion: PairOpinion
) -> PairLabelRead:
    """Store what `principal` says of two cases, replacing their earlier label.

    Raises:
        UnsupportedQueryError: It is one case.
    """
    later, earlier = _ordered(case, other)
    agreeing = pairs.compare_stored(session, later, earlier).agreeing
    label = queries_seen.write_label(session, later, earlier, principal, opinion, agreeing)
    return PairLabelRead(
        number=other.number, opinion=label.opinion, author=label.author, updated_at=label.updated_at
    )


def delete_label(session: Session, principal: Principal, case: Case, other: Case) -> None:
    """Delete the label of `principal`.

    Raises:
        NotFoundError: They have none.
        UnsupportedQueryError: It is one case.
    """
    later, earlier = _ordered(case, other)
    if not queries_seen.delete_label(session, later, earlier, principal):
        raise NotFoundError("you did not label this pair")


def _ordered(case: Case, other: Case) -> tuple[UUID, UUID]:
    if case.id == other.id:
        raise UnsupportedQueryError("a case is the same as itself; name another one")
    return max(case.id, other.id), min(case.id, other.id)


def _outcome(case: Case) -> Literal["cleared", "resolved", "mitigated", "investigating"]:
    if case.status is Status.RESOLVED:
        return "cleared" if case.cleared else "resolved"
    return "mitigated" if case.status is Status.MITIGATED else "investigating"


def _common(own: Traits, other: Traits) -> list[str]:
    common = {trait: min(own[trait], other[trait]) for trait in own.keys() & other.keys()}
    return list(most_telling(common, MAX_COMMON))
