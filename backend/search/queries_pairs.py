"""Queries of traits and pairs of cases."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from sqlalchemy import ARRAY, Double, Uuid, any_, bindparam, delete, func, literal, select, text, union
from sqlalchemy.dialects.postgresql import insert

from backend.access.decisions import finds
from backend.core.db.base import among
from backend.models.case_index import EVERYBODY, RESTRICTED
from backend.models.case_pair import CasePair, CaseTraits, PairLabel, PairOpinion, TraitPosting
from backend.models.case_search import CaseSearch

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence
    from uuid import UUID

    from sqlalchemy import CompoundSelect, Subquery
    from sqlalchemy.orm import Session

    from backend.access.principals import Principal

NEWEST = 40
"""Cases read of each trait and audience."""
MAX_OF_AUDIENCE = 24
MAX_COMPARED = 240

_CANDIDATES = text("""
    with own as materialized (
        select hashtextextended(trait, 0) as token, weight
        from unnest(cast(:traits as text[]), cast(:weights as float[])) as own(trait, weight)
    ),
    posting as (
        select near.case_id, reached.audience, own.weight
        from own
        cross join (
            select unnest(cast(:audiences as uuid[])) union all select id from team where :with_teams
        ) as reached(audience)
        cross join lateral (
            select case_id from trait_posting
            where token = own.token and audience = reached.audience
            order by case_id desc limit :each
        ) as near
    ),
    ranked as (
        select case_id,
            row_number() over (partition by audience order by sum(weight) desc, case_id desc) as place
        from posting where case_id <> :own
        group by case_id, audience
    )
    select case_id from ranked where place <= :of_audience order by place, case_id desc limit :most
""")

_POSTINGS = text("""
    insert into trait_posting (case_id, token, audience)
    select "case".id, hashtextextended(trait, 0), audience
    from "case" cross join unnest(cast(:traits as text[])) as trait
    where "case".id = :case_id
    on conflict do nothing
""")


class Stored(NamedTuple):
    """The traits of a case, and a number that changes with them."""

    case_id: UUID
    digest: int
    traits: dict[str, float]


def stored_traits(session: Session, case_ids: Collection[UUID]) -> list[Stored]:
    """Return the traits of cases."""
    query = select(CaseTraits.case_id, CaseTraits.digest, CaseTraits.traits)
    return [Stored(*row) for row in session.execute(query.where(among(CaseTraits.case_id, case_ids)))]


def write_traits(
    session: Session,
    case_id: UUID,
    traits: dict[str, float],
    digest: int,
    telling: Sequence[str],
    *,
    is_first: bool,
) -> None:
    """Replace the traits of a case, and the postings of the most telling ones; `is_first`: it had none."""
    values = {"traits": traits, "digest": digest}
    row = insert(CaseTraits).values(case_id=case_id, **values)
    replaced = {name: row.excluded[name] for name in values}
    session.execute(row.on_conflict_do_update(index_elements=["case_id"], set_=replaced))
    if not is_first:
        session.execute(delete(TraitPosting).where(TraitPosting.case_id == case_id))
    session.execute(_POSTINGS, {"case_id": case_id, "traits": list(telling)})


def sharing_traits(
    session: Session, case_id: UUID, telling: Mapping[str, float], reached: Sequence[UUID] | None
) -> list[UUID]:
    """Return cases of each audience that share the most of these traits, by weight; `reached` None: of all.

    Cost is bounded: of each trait the newest cases of each audience are read.
    """
    parameters = {
        "traits": list(telling),
        "weights": list(telling.values()),
        "audiences": [EVERYBODY, RESTRICTED] if reached is None else list(reached),
        "with_teams": reached is None,
        "own": case_id,
        "each": NEWEST,
        "of_audience": MAX_OF_AUDIENCE,
        "most": MAX_COMPARED,
    }
    return list(session.scalars(_CANDIDATES, parameters)) if telling else []


def write_pairs(
    session: Session, case_id: UUID, pairs: Sequence[tuple[UUID, int, float]], *, is_first: bool
) -> None:
    """Replace the pairs of a case: the other case, the digest of its traits, and the share.

    `is_first`: it had no traits, and so no pairs.
    """
    if not is_first:
        session.execute(delete(CasePair).where(CasePair.case_id == case_id))
    rows = [
        {"case_id": case_id, "other_id": other, "other_digest": digest, "share": share}
        for other, digest, share in pairs
    ]
    if rows:
        session.execute(insert(CasePair), rows)


def label_counts(session: Session) -> list[tuple[str, bool, int]]:
    """Return how many labelled pairs agree in each kind, by what people say of them."""
    each = select(
        func.unnest(PairLabel.kinds).label("kind"), (PairLabel.opinion == PairOpinion.SAME).label("is_same")
    ).subquery()
    query = select(each.c.kind, each.c.is_same, func.count()).group_by(each.c.kind, each.c.is_same)
    return [(kind, is_same, count) for kind, is_same, count in session.execute(query)]


def seen_counts(session: Session, principal: Principal, case_ids: Collection[UUID]) -> dict[UUID, int]:
    """Return how many visible earlier cases are the same as each case; cases without one are left out."""
    query = (
        select(_PAIRS.c.later_id, func.count(_PAIRS.c.earlier_id.distinct()))
        .join(CaseSearch, CaseSearch.case_id == _PAIRS.c.earlier_id)
        .where(finds(principal))
        .group_by(_PAIRS.c.later_id)
    )
    return dict(session.execute(query, {"case_ids": list(case_ids)}).all()) if case_ids else {}


def earlier_cases(session: Session, principal: Principal, case_id: UUID) -> dict[UUID, float]:
    """Return the visible earlier cases that are the same as a case, with the share; 1 where people say so."""
    query = (
        select(_PAIRS.c.earlier_id, func.max(_PAIRS.c.share))
        .join(CaseSearch, CaseSearch.case_id == _PAIRS.c.earlier_id)
        .where(finds(principal))
        .group_by(_PAIRS.c.earlier_id)
    )
    return dict(session.execute(query, {"case_ids": [case_id]}).all())


def _pairs() -> Subquery:
    """Return pairs of the cases `:case_ids` and earlier ones.

    They are found, or labelled the same, and by nobody different.
    A pair that one case found holds as long as the traits of the other are those that were compared.
    """
    every = _found().subquery()
    is_different = (
        select(PairLabel.id)
        .where(
            PairLabel.later_id == every.c.later_id,
            PairLabel.earlier_id == every.c.earlier_id,
            PairLabel.opinion == PairOpinion.DIFFERENT,
        )
        .exists()
    )
    return select(every.c.later_id, every.c.earlier_id, every.c.share).where(~is_different).subquery()


def _found() -> CompoundSelect[tuple[UUID, UUID, float]]:
    asked = any_(bindparam("case_ids", type_=ARRAY(Uuid)))
    holds = (CaseTraits.case_id == CasePair.other_id) & (CaseTraits.digest == CasePair.other_digest)
    own = (
        select(CasePair.case_id.label("later_id"), CasePair.other_id.label("earlier_id"), CasePair.share)
        .join(CaseTraits, holds)
        .where(CasePair.case_id == asked, CasePair.other_id < CasePair.case_id)
    )
    of_others = (
        select(CasePair.other_id, CasePair.case_id, CasePair.share)
        .join(CaseTraits, holds)
        .where(CasePair.other_id == asked, CasePair.other_id > CasePair.case_id)
    )
    said = select(PairLabel.later_id, PairLabel.earlier_id, literal(1.0, Double)).where(
        PairLabel.later_id == asked, PairLabel.opinion == PairOpinion.SAME
    )
    return union(own, of_others, said)


# Made once: to make it takes longer than to run it.
_PAIRS = _pairs()
