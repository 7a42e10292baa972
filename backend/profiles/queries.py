"""Queries for profiles and the location of their readings."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from sqlalchemy import select

from backend.models.case import Case
from backend.models.evidence import Evidence
from backend.models.profile import Profile
from backend.models.reading import Reading
from backend.models.section import Section
from backend.models.standing import standing
from backend.profiles.schemas import ProfileRead

if TYPE_CHECKING:
    from collections.abc import Sequence
    from uuid import UUID

    from sqlalchemy import Select
    from sqlalchemy.orm import Session

    from backend.core.http.pagination import Page


class Place(NamedTuple):
    """Location of the columns of a profile, and its evidence."""

    digest: str
    store_key: str
    evidence_id: UUID
    evidence_name: str


def profile_of_id(profile_id: UUID) -> Select[Profile]:
    """Return the query for one profile of active evidence."""
    return (
        select(Profile)
        .join(Reading, Reading.id == Profile.reading_id)
        .join(Section, Section.id == Reading.section_id)
        .join(Evidence, Evidence.id == Section.evidence_id)
        .join(Case, Case.id == Evidence.case_id)
        .where(Profile.id == profile_id, Evidence.deleted_at.is_(None), Case.deleted_at.is_(None))
    )


def absent(profile_id: UUID) -> str:
    """Return the message for a profile that does not exist or is not visible."""
    return f"there is no profile {profile_id}"


def place_of(session: Session, profile: Profile) -> Place:
    """Return the location of the columns of `profile`."""
    row = session.execute(
        select(Reading.digest, Reading.store_key, Evidence.id, Evidence.captured_path, Evidence.filename)
        .join(Section, Section.id == Reading.section_id)
        .join(Evidence, Evidence.id == Section.evidence_id)
        .where(Reading.id == profile.reading_id)
    ).one()
    digest, store_key, evidence_id, path, filename = row
    return Place(digest, store_key, evidence_id, path or filename)


def profiles_of_case(session: Session, case: Case, page: Page) -> list[ProfileRead]:
    """Return a page of the active profiles of the case: weighted ones first, then by samples.

    Of prints of one recording that with most nodes is first: another one may lack the callers.
    """
    query = standing(select(Profile), Profile).where(Profile.case_id == case.id)
    by = (Profile.has_weights, Profile.what == "cpu", Profile.samples, Profile.nodes, Profile.id)
    return describe(session, [profile for (profile,) in page.of(session, query, *by, is_descending=True)])


def describe(session: Session, profiles: Sequence[Profile]) -> list[ProfileRead]:
    """Return profiles with their evidence, in the order of `profiles`."""
    found = session.execute(
        select(Reading.id, Section.ordinal, Evidence.id, Evidence.captured_path, Evidence.filename)
        .join(Section, Section.id == Reading.section_id)
        .join(Evidence, Evidence.id == Section.evidence_id)
        .where(Reading.id.in_({profile.reading_id for profile in profiles}))
    )
    places = {
        reading_id: (section, evidence_id, path or filename)
        for reading_id, section, evidence_id, path, filename in found
    }
    described = []
    for profile in profiles:
        section, evidence_id, name = places[profile.reading_id]
        described.append(
            ProfileRead(
                id=profile.id,
                case_id=profile.case_id,
                evidence_id=evidence_id,
                evidence_name=name,
                section=section,
                event=profile.event,
                unit=profile.unit,
                what=profile.what,
                samples=profile.samples,
                weight=profile.weight,
                nodes=profile.nodes,
                is_ordered=profile.is_ordered,
                has_weights=profile.has_weights,
                has_time=profile.has_time,
                has_cpu=profile.has_cpu,
                from_s=profile.from_s,
                to_s=profile.to_s,
            )
        )
    return described
