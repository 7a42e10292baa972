"""Parse report: evidence with its sections, their contents, skipped lines and quality remarks."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, cast

from sqlalchemy import func, select

from backend.core.http.pagination import WHOLE
from backend.evidence.schemas import EvidenceRead, ProfileSummary, QualityRead, SectionRead, SkippedRead
from backend.evidence.titles import title_of
from backend.models.evidence import Evidence, EvidenceState
from backend.models.fact import Fact
from backend.models.histogram import Histogram
from backend.models.host import Host
from backend.models.log_record import LogRecord
from backend.models.profile import Profile
from backend.models.reading import Reading, Stage
from backend.models.section import Section

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence
    from uuid import UUID

    from sqlalchemy.orm import Session

    from backend.core.http.pagination import Page
    from backend.evidence.schemas_placement import Basis, Phase
    from backend.models.case import Case


def of_case(session: Session, case: Case, page: Page = WHOLE) -> list[EvidenceRead]:
    """Return a page of the evidence of the case, oldest first, archives before their members."""
    query = select(Evidence).where(Evidence.case_id == case.id, Evidence.deleted_at.is_(None))
    is_member = Evidence.parent_id.is_not(None)
    return describe(session, [one for (one,) in page.of(session, query, is_member, Evidence.id)])


def of_one(session: Session, evidence: Evidence) -> EvidenceRead:
    """Return one evidence."""
    return describe(session, [evidence])[0]


def describe(
    session: Session, evidence: Sequence[Evidence], *, duplicates: Collection[UUID] | None = None
) -> list[EvidenceRead]:
    """Return `evidence` with parse reports.

    `duplicates`: of evidence that was just received, the ids of what the case had; all other is unread.
    """
    ids = {one.id for one in evidence} if duplicates is None else set(duplicates)
    sections = _sections(session, ids)
    # New evidence has no sections and no host: skip the queries.
    partial = _partial(session, ids) if sections else set()
    host_ids = {one.host_id for one in evidence if one.host_id}
    named = select(Host.id, Host.name).where(Host.id.in_(host_ids))
    hosts = dict(session.execute(named).all()) if host_ids else {}
    return [
        EvidenceRead(
            id=one.id,
            case_id=one.case_id,
            parent_id=one.parent_id,
            filename=one.filename,
            captured_path=one.captured_path,
            sha256=one.sha256,
            size_bytes=one.size_bytes,
            state=EvidenceState(one.state).value,
            reason=one.reason,
            line_count=one.line_count,
            progress_share=one.progress_share,
            host=hosts.get(one.host_id, "") if one.host_id else "",
            host_basis=cast("Basis", one.host_basis),
            phase=cast("Phase", one.phase),
            phase_basis=cast("Basis", one.phase_basis),
            sections=sections[one.id],
            skipped_members=[SkippedRead(**row) for row in one.skipped],
            is_duplicate_of=one.id if duplicates and one.id in duplicates else None,
            is_deleted=one.deleted_at is not None,
            is_partial=one.id in partial,
        )
        for one in evidence
    ]


def _partial(session: Session, evidence_ids: Collection[UUID]) -> set[UUID]:
    """Return the evidence of which only a first part was read."""
    query = (
        select(Section.evidence_id)
        .join(Reading, Reading.section_id == Section.id)
        .where(Section.evidence_id.in_(evidence_ids), Reading.stage == Stage.PROVISIONAL)
    )
    return set(session.scalars(query))


def _sections(session: Session, evidence_ids: Collection[UUID]) -> dict[UUID, list[SectionRead]]:
    if not evidence_ids:
        return defaultdict(list)
    rows = session.execute(
        select(Section, Reading)
        .join(Reading, (Reading.section_id == Section.id) & Reading.is_current)
        .where(Section.evidence_id.in_(evidence_ids))
        .order_by(Section.evidence_id, Section.ordinal)
    ).all()
    if not rows:
        return defaultdict(list)
    reading_ids = [reading.id for _, reading in rows]
    profiles = _profiles(session, reading_ids)
    facts, histograms, records = (
        _counts(session, table, reading_ids) for table in (Fact, Histogram, LogRecord)
    )
    by_key: dict[UUID, list[SectionRead]] = defaultdict(list)
    for section, reading in rows:
        by_key[section.evidence_id].append(
            SectionRead(
                ordinal=section.ordinal,
                format=section.format,
                title=title_of(section.format),
                first_line=section.first_line,
                last_line=section.last_line,
                path=section.path,
                command=section.command,
                skipped=[SkippedRead(**row) for row in reading.skipped],
                quality=[QualityRead(**row) for row in reading.quality],
                profiles=profiles[reading.id],
                fact_count=facts.get(reading.id, 0),
                histogram_count=histograms.get(reading.id, 0),
                log_record_count=records.get(reading.id, 0),
            )
        )
    return by_key


def _profiles(session: Session, reading_ids: Collection[UUID]) -> dict[UUID, list[ProfileSummary]]:
    by_key: dict[UUID, list[ProfileSummary]] = defaultdict(list)
    query = (
        select(Profile)
        .where(Profile.reading_id.in_(reading_ids))
        .order_by(Profile.reading_id, Profile.ordinal)
    )
    for profile in session.scalars(query):
        by_key[profile.reading_id].append(ProfileSummary.model_validate(profile, from_attributes=True))
    return by_key


def _counts(
    session: Session, table: type[Fact | Histogram | LogRecord], reading_ids: Collection[UUID]
) -> dict[UUID, int]:
    query = (
        select(table.reading_id, func.count())
        .where(table.reading_id.in_(reading_ids))
        .group_by(table.reading_id)
    )
    return dict(session.execute(query).all())
