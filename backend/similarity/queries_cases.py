"""What is read of a case and of those that it is compared with; statements are made once."""

from __future__ import annotations

from datetime import datetime  # noqa: TC003 - a NamedTuple resolves its annotations
from typing import TYPE_CHECKING, NamedTuple
from uuid import UUID  # noqa: TC003 - same

from sqlalchemy import ARRAY, Text, Uuid, any_, bindparam, func, select, text, true
from sqlalchemy.dialects.postgresql import aggregate_order_by

from backend.access.decisions import visible
from backend.core.db.base import among
from backend.models.case import Case
from backend.models.case_index import CaseFrame
from backend.models.case_pair import CaseTraits
from backend.models.fact import Fact
from backend.models.finding import Finding
from backend.models.profile import Profile
from backend.models.standing import standing

if TYPE_CHECKING:
    from collections.abc import Collection

    from sqlalchemy.orm import Session

    from backend.access.principals import Principal
    from backend.search.traits import Traits

_OWN = text("""
    select functions.*, case_traits.traits,
        (select count(*) from profile where case_id = :case_id and not has_frames) as unweighed
    from (
        select array_agg(frame_id order by frame_id) as frames, array_agg(name order by frame_id) as names,
            array_agg(total_share order by frame_id) as shares, array_agg(weight order by frame_id) as weights
        from case_frame join frame on frame.id = frame_id
        where case_id = :case_id
    ) as functions left join case_traits on case_traits.case_id = :case_id
""")

_IDS = any_(bindparam("ids", type_=ARRAY(Uuid)))

_FUNCTIONS = (
    select(func.array_agg(CaseFrame.frame_id).label("ids"), func.array_agg(CaseFrame.weight).label("weights"))
    .where(CaseFrame.case_id == Case.id)
    .lateral("functions")
)

_FACTS = (
    standing(
        select(Fact.case_id, Fact.name, func.max(Fact.number), func.max(Fact.text), func.bool_or(Fact.truth)),
        Fact,
    )
    .where(Fact.case_id == _IDS, Fact.name == any_(bindparam("names", type_=ARRAY(Text))))
    .group_by(Fact.case_id, Fact.name)
)

_MATCHES = select(
    Case.id,
    select(func.array_agg(aggregate_order_by(Finding.title, Finding.score.desc())))
    .where(Finding.case_id == Case.id, Finding.verdict == "match")
    .scalar_subquery(),
).where(Case.id == _IDS)

_PROFILES = (
    standing(
        select(
            *(Profile.case_id, Profile.id, Profile.what),
            *(Profile.event, Profile.has_weights, Profile.samples),
        ),
        Profile,
    )
    .where(Profile.case_id == _IDS)
    .order_by(Profile.has_weights.desc(), Profile.samples.desc(), Profile.id)
)


class Function(NamedTuple):
    """A function of a case: see `backend.models.case_index.CaseFrame`."""

    name: str
    total_share: float
    weight: float


class Own(NamedTuple):
    """What a case is compared by.

    Attributes:
        functions: The largest weight of each function over its profiles.
        unweighed: Number of its profiles pending in the index.
    """

    functions: dict[int, Function]
    traits: Traits
    unweighed: int


class Other(NamedTuple):
    """A case to compare: its functions with their weights, 0..1, and its traits."""

    id: UUID
    number: int
    title: str
    state: str
    severity: str | None
    created_at: datetime
    functions: dict[int, float]
    traits: Traits


class FactValue(NamedTuple):
    """A fact of a case that is the same wherever it was read, or its largest number."""

    name: str
    number: float | None
    text: str | None
    truth: bool | None


class ProfileOf(NamedTuple):
    """A profile that could be compared with another."""

    case_id: UUID
    profile_id: UUID
    what: str
    event: str
    has_weights: bool
    samples: float


def own_of(session: Session, case_id: UUID) -> Own:
    """Return what a case is compared by."""
    row = session.execute(_OWN, {"case_id": case_id}).one()
    frames = row.frames or ()
    functions = map(Function, row.names or (), row.shares or (), row.weights or ())
    return Own(dict(zip(frames, functions, strict=True)), row.traits or {}, row.unweighed)


def seen_cases(session: Session, principal: Principal, ids: Collection[UUID]) -> list[Other]:
    """Return the cases of `ids` that are visible and not deleted."""
    query = (
        select(
            *(Case.id, Case.number, Case.title, Case.state, Case.severity, Case.created_at),
            *(_FUNCTIONS.c.ids, _FUNCTIONS.c.weights, CaseTraits.traits),
        )
        .select_from(Case)
        .join(_FUNCTIONS, true())
        .outerjoin(CaseTraits, CaseTraits.case_id == Case.id)
        .where(among(Case.id, ids), Case.deleted_at.is_(None), visible(principal))
    )
    return [
        Other(
            *(row.id, row.number, row.title, row.state, row.severity, row.created_at),
            functions=dict(zip(row.ids or (), row.weights or (), strict=True)),
            traits=row.traits or {},
        )
        for row in session.execute(query)
    ]


def facts_of(session: Session, ids: Collection[UUID], names: Collection[str]) -> dict[UUID, list[FactValue]]:
    """Return the facts of these names by case; the largest number of several."""
    found: dict[UUID, list[FactValue]] = {}
    for case_id, *value in session.execute(_FACTS, {"ids": list(ids), "names": list(names)}):
        found.setdefault(case_id, []).append(FactValue(*value))
    return found


def matches_of(session: Session, ids: Collection[UUID]) -> dict[UUID, list[str]]:
    """Return the titles of the matches of cases, most certain first, by case."""
    rows = session.execute(_MATCHES, {"ids": list(ids)})
    return {case_id: titles or [] for case_id, titles in rows}


def profiles_of(session: Session, ids: Collection[UUID]) -> list[ProfileOf]:
    """Return the profiles of cases, weighted and with most samples first."""
    return [ProfileOf(*row) for row in session.execute(_PROFILES, {"ids": list(ids)})]
