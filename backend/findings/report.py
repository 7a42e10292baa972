"""Findings and alarms for display: citations resolved to evidence and profile ids."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple
from uuid import uuid5

from sqlalchemy import select

from backend.cases import stored_findings
from backend.cases.stored_findings import SHOWN
from backend.core.http.pagination import WHOLE
from backend.findings.schemas import AlarmRead, FindingRead, FindingsRead
from backend.models.evidence import Evidence
from backend.models.finding import Finding
from backend.models.profile import Profile
from backend.models.reading import Reading
from backend.models.section import Section
from signatures.documents.citation import Citation, with_places
from signatures.documents.codec import widened
from signatures.fixes.plan import with_dangers
from signatures.overview.alarm_findings import place_of as place_of_alarm
from signatures.overview.alarm_findings import rank_of
from signatures.reporting.finding_order import place_of

if TYPE_CHECKING:
    from uuid import UUID

    from sqlalchemy.orm import Session

    from backend.cases.stored_findings import Choice
    from backend.core.http.pagination import Page
    from backend.models.case import Case
    from signatures.documents.alarm import AlarmDocument, AnyFinding
    from signatures.documents.citation import Place
    from signatures.documents.finding import FindingDocument

Rank = tuple[bool | int | float | str, ...]


class JudgedFinding(NamedTuple):
    """A finding of a case, with the id that links name."""

    id: UUID
    document: FindingDocument


def of_case(session: Session, case: Case, page: Page = WHOLE, *, with_all: bool) -> FindingsRead:
    """Return a page of the findings by rank; without `with_all` only the relevant ones, and all alarms."""
    findings = in_rank(session, case, None if with_all else SHOWN)
    rows: list[JudgedFinding | AlarmDocument] = sorted(
        [*findings, *case.alarms], key=lambda one: rank_of(_document(one))
    )
    places = _Places(session, case)
    shown = page.cut(rows, _place)
    return FindingsRead(
        judged_rev=case.judged_rev,
        evidence_rev=case.evidence_rev,
        items=[_read(one, case, places) for one in shown],
        next_cursor=page.next_cursor,
        next_captures=case.next_captures,
    )


def signatures_of_case(session: Session, case: Case, *, with_all: bool) -> list[FindingRead]:
    """Return the findings of signatures by rank; without `with_all` only the relevant ones."""
    places = _Places(session, case)
    return [_read_signature(one, places) for one in in_rank(session, case, None if with_all else SHOWN)]


def _document(row: JudgedFinding | AlarmDocument) -> AnyFinding:
    return row.document if isinstance(row, JudgedFinding) else row


def _place(row: JudgedFinding | AlarmDocument) -> Rank:
    """Return the sort key of a finding: matches, alarms, all others, each in their own order."""
    key: Rank = place_of(row.document) if isinstance(row, JudgedFinding) else place_of_alarm(row)
    return (rank_of(_document(row)), *key)


def in_rank(session: Session, case: Case, choice: Choice | None = None) -> list[JudgedFinding]:
    """Return every finding of the case, or the chosen ones, by certainty, causes first, then by severity."""
    rows = select(Finding.host, Finding.phase, Finding.signature, Finding.id).where(
        Finding.case_id == case.id
    )
    ids = {(host, phase, signature): row_id for host, phase, signature, row_id in session.execute(rows)}
    return [
        JudgedFinding(ids.get((one.host, one.phase, one.signature)) or id_of(case.id, one), one)
        for one in sorted(stored_findings.load(session, case.id, choice), key=place_of)
    ]


def id_of(case_id: UUID, finding: FindingDocument) -> UUID:
    """Return the id of a finding of a case, the same in every revision."""
    return uuid5(case_id, finding.fingerprint)


class _Places:
    """Evidence names and profile ids of one case, to resolve citations."""

    def __init__(self, session: Session, case: Case) -> None:
        evidence = session.execute(
            select(Evidence.id, Evidence.captured_path, Evidence.filename).where(Evidence.case_id == case.id)
        )
        self._names = {str(evidence_id): path or name for evidence_id, path, name in evidence}
        profiles = session.execute(
            select(Section.evidence_id, Section.ordinal, Profile.ordinal, Profile.id)
            .join(Reading, Reading.section_id == Section.id)
            .join(Profile, Profile.reading_id == Reading.id)
            .where(Profile.case_id == case.id, Reading.is_current)
        )
        self._profiles = {
            (str(evidence_id), section, ordinal): profile_id
            for evidence_id, section, ordinal, profile_id in profiles
        }

    def resolved(self, place: Place) -> Place:
        """Return a citation with the ids needed for links."""
        evidence = place.evidence
        is_known = evidence in self._names
        named = replace(
            place,
            evidence=self._names.get(evidence, evidence),
            evidence_id=evidence if is_known else None,
        )
        if not isinstance(named, Citation):
            return named
        profile = -1 if named.profile is None else named.profile
        profile_id = self._profiles.get((evidence, place.section, profile))
        return replace(named, profile_id=str(profile_id) if profile_id else None)


def _read(row: JudgedFinding | AlarmDocument, case: Case, places: _Places) -> FindingRead | AlarmRead:
    if isinstance(row, JudgedFinding):
        return _read_signature(row, places)
    cited = tuple(
        places.resolved(Citation(one.evidence, one.section, one.first_line, one.last_line))
        for one in row.citations
    )
    return widened(AlarmRead, replace(row, citations=cited), id=uuid5(case.id, row.fingerprint))


def _read_signature(finding: JudgedFinding, places: _Places) -> FindingRead:
    document = with_places(finding.document, places.resolved)
    return widened(FindingRead, replace(document, fixes=with_dangers(document.fixes)), id=finding.id)
