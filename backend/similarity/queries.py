"""What cases are made of: functions and their weight, facts, words; only of cases that the asker sees."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, TypeVarTuple

from sqlalchemy import and_, func, or_, select

from backend.access.decisions import visible
from backend.models.case import Case
from backend.models.evidence import Evidence
from backend.models.fact import Fact
from backend.models.finding import Finding
from backend.models.frame import Frame, ProfileFrame
from backend.models.profile import Profile
from backend.models.reading import Reading
from backend.models.section import Section

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence
    from uuid import UUID

    from sqlalchemy import Select
    from sqlalchemy.orm import Session

    from backend.access.askers import Asker

Columns = TypeVarTuple("Columns")

IN_STACK, IN_SELF = 0.2, 0.8
"""Being in a stack is little, being busy in it much."""

MAX_CANDIDATES = 200
"""Cases that share the most functions or facts; only these are compared."""


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


def seen_cases(session: Session, asker: Asker, ids: Collection[UUID]) -> list[Case]:
    """Return those of `ids` that the asker sees and nobody put away."""
    query = select(Case).where(Case.id.in_(ids), Case.deleted_at.is_(None), visible(asker))
    return list(session.scalars(query))


def count_cases(session: Session, asker: Asker) -> int:
    """Return how many cases the asker sees."""
    query = select(func.count()).select_from(Case).where(Case.deleted_at.is_(None), visible(asker))
    return session.scalar(query) or 0


def functions_of(session: Session, ids: Collection[UUID]) -> dict[UUID, dict[int, float]]:
    """Return what each function weighs in each case: the most it does in any of its profiles, 0..1."""
    weight = IN_STACK * ProfileFrame.total_share + IN_SELF * ProfileFrame.self_share
    query = (
        _current(select(Profile.case_id, ProfileFrame.frame_id, func.max(weight)))
        .where(Profile.case_id.in_(ids))
        .group_by(Profile.case_id, ProfileFrame.frame_id)
    )
    found: dict[UUID, dict[int, float]] = {}
    for case_id, frame, share in session.execute(query):
        found.setdefault(case_id, {})[frame] = share
    return found


def sharing_functions(session: Session, asker: Asker, frames: Sequence[int]) -> dict[UUID, int]:
    """Return cases that the asker sees and how many of `frames` they have, those with most."""
    count = func.count(func.distinct(ProfileFrame.frame_id))
    query = (
        _current(select(Profile.case_id, count))
        .join(Case, Case.id == Profile.case_id)
        .where(ProfileFrame.frame_id.in_(frames), Case.deleted_at.is_(None), visible(asker))
        .group_by(Profile.case_id)
        .order_by(count.desc(), Profile.case_id.desc())
        .limit(MAX_CANDIDATES)
    )
    return dict(session.execute(query).all())


def cases_with_function(session: Session, asker: Asker, frames: Sequence[int]) -> dict[int, int]:
    """Return in how many cases that the asker sees each function is."""
    query = (
        _current(select(ProfileFrame.frame_id, func.count(func.distinct(Profile.case_id))))
        .join(Case, Case.id == Profile.case_id)
        .where(ProfileFrame.frame_id.in_(frames), Case.deleted_at.is_(None), visible(asker))
        .group_by(ProfileFrame.frame_id)
    )
    return dict(session.execute(query).all())


def names_of(session: Session, frames: Collection[int]) -> dict[int, str]:
    """Return the names of functions."""
    return {
        row.id: row.name for row in session.execute(select(Frame.id, Frame.name).where(Frame.id.in_(frames)))
    }


def facts_of(session: Session, ids: Collection[UUID], names: Collection[str]) -> dict[UUID, list[FactValue]]:
    """Return the facts of these names of each case, each name once; the largest number of several."""
    query = (
        select(Fact.case_id, Fact.name, func.max(Fact.number), func.max(Fact.text), func.bool_or(Fact.truth))
        .join(Reading, Reading.id == Fact.reading_id)
        .where(Fact.case_id.in_(ids), Fact.name.in_(names), Reading.is_current)
        .group_by(Fact.case_id, Fact.name)
    )
    found: dict[UUID, list[FactValue]] = {}
    for case_id, *value in session.execute(query):
        found.setdefault(case_id, []).append(FactValue(*value))
    return found


def sharing_facts(session: Session, asker: Asker, facts: Sequence[FactValue]) -> list[UUID]:
    """Return cases that the asker sees in which facts have the very same words, the most recent."""
    same = [and_(Fact.name == fact.name, Fact.text == fact.text) for fact in facts if fact.text is not None]
    if not same:
        return []
    query = (
        select(Fact.case_id)
        .join(Case, Case.id == Fact.case_id)
        .where(or_(*same), Case.deleted_at.is_(None), visible(asker))
        .group_by(Fact.case_id)
        .order_by(Fact.case_id.desc())
        .limit(MAX_CANDIDATES)
    )
    return list(session.scalars(query))


def findings_of(session: Session, ids: Collection[UUID]) -> list[Finding]:
    """Return what matches or is suspect in each case, the most certain first."""
    query = select(Finding).where(Finding.case_id.in_(ids), Finding.verdict.in_(["match", "suspect"]))
    return list(session.scalars(query.order_by(Finding.verdict, Finding.score.desc())))


def profiles_of(session: Session, ids: Collection[UUID]) -> list[ProfileOf]:
    """Return the profiles of cases, those with weights and most samples first."""
    query = (
        select(Profile.case_id, Profile.id, Profile.what, Profile.event, Profile.has_weights, Profile.samples)
        .join(Reading, Reading.id == Profile.reading_id)
        .join(Section, Section.id == Reading.section_id)
        .join(Evidence, Evidence.id == Section.evidence_id)
        .where(Profile.case_id.in_(ids), Reading.is_current, Evidence.deleted_at.is_(None))
        .order_by(Profile.has_weights.desc(), Profile.samples.desc(), Profile.id)
    )
    return [ProfileOf(*row) for row in session.execute(query)]


def count_unweighed(session: Session, case_id: UUID) -> int:
    """Return how many profiles of the case wait until their functions are counted."""
    query = select(func.count()).select_from(Profile).where(Profile.case_id == case_id, ~Profile.has_frames)
    return session.scalar(query) or 0


def _current(query: Select[*Columns]) -> Select[*Columns]:
    """Join profiles with the reading and evidence that hold: read last, and not taken out."""
    return (
        query.select_from(ProfileFrame)
        .join(Profile, Profile.id == ProfileFrame.profile_id)
        .join(Reading, Reading.id == Profile.reading_id)
        .join(Section, Section.id == Reading.section_id)
        .join(Evidence, Evidence.id == Section.evidence_id)
        .where(Reading.is_current, Evidence.deleted_at.is_(None))
    )
