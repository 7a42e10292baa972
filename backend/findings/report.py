"""Findings and alarms for display: citations resolved to evidence and profile ids."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from uuid import UUID, uuid5

from sqlalchemy import case as sql_case
from sqlalchemy import select

from backend.cases.overview import IS_CONSEQUENCE
from backend.core.http.pagination import WHOLE
from backend.findings.schemas import AlarmRead, FindingRead, FindingsRead, NextCaptureRead
from backend.models.evidence import Evidence
from backend.models.finding import Finding
from backend.models.profile import Profile
from backend.models.reading import Reading
from backend.models.section import Section
from signatures.overview.alarm_findings import place_of as place_of_alarm
from signatures.overview.alarm_findings import rank_of
from signatures.reporting.finding_order import RANK, SEVERITY_RANK, place_of

if TYPE_CHECKING:
    from sqlalchemy.orm import Session

    from backend.core.http.pagination import Page
    from backend.models.case import Case

Place = tuple[bool | int | float | str, ...]


def of_case(session: Session, case: Case, page: Page = WHOLE, *, with_all: bool) -> FindingsRead:
    """Return a page of the findings by rank; without `with_all` only the relevant ones, and all alarms."""
    findings = _listed(session, case, with_all=with_all)
    rows: list[Finding | dict[str, Any]] = sorted(
        [*findings, *case.alarms], key=lambda one: rank_of(_document(one))
    )
    places = _Places(session, case)
    shown = page.cut(rows, _place)
    return FindingsRead(
        judged_rev=case.judged_rev,
        evidence_rev=case.evidence_rev,
        items=[_read(one, case, places) for one in shown],
        next_cursor=page.next_cursor,
        next_captures=[NextCaptureRead(**row) for row in case.next_captures],
    )


def signatures_of_case(session: Session, case: Case, *, with_all: bool) -> list[FindingRead]:
    """Return the findings of signatures by rank; without `with_all` only the relevant ones."""
    places = _Places(session, case)
    return [_read_signature(one, places) for one in _listed(session, case, with_all=with_all)]


def _listed(session: Session, case: Case, *, with_all: bool) -> list[Finding]:
    return [
        finding
        for finding in in_rank(session, case)
        if with_all or finding.is_near_miss or finding.document.get("is_listed")
    ]


def _document(row: Finding | dict[str, Any]) -> dict[str, Any]:
    return row.document if isinstance(row, Finding) else row


def _place(row: Finding | dict[str, Any]) -> Place:
    """Return the sort key of a finding: matches, alarms, all others, each in their own order."""
    document = _document(row)
    key: Place = place_of(document) if isinstance(row, Finding) else place_of_alarm(document)
    return (rank_of(document), *key)


def in_rank(session: Session, case: Case) -> list[Finding]:
    """Return every finding of the case, by certainty, causes first, then by severity."""
    query = (
        select(Finding)
        .where(Finding.case_id == case.id)
        .order_by(
            Finding.document["superseded_by"].astext != "",
            sql_case(RANK, value=Finding.verdict),
            IS_CONSEQUENCE,
            sql_case(SEVERITY_RANK, value=Finding.severity),
            Finding.confidence.desc().nulls_last(),
            Finding.coverage.desc(),
            Finding.signature,
            Finding.host,
        )
    )
    return list(session.scalars(query))


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

    def enrich(self, citation: dict[str, Any]) -> dict[str, Any]:
        """Return `citation` with the ids needed for links."""
        evidence = citation["evidence"]
        is_known = evidence in self._names
        return citation | {
            "evidence_id": UUID(evidence) if is_known else None,
            "evidence": self._names.get(evidence, evidence),
            "profile_id": self._profiles.get((evidence, citation["section"], citation.get("profile", -1))),
        }


def _read(row: Finding | dict[str, Any], case: Case, places: _Places) -> FindingRead | AlarmRead:
    if isinstance(row, Finding):
        return _read_signature(row, places)
    cited = [places.enrich(citation) for citation in row["citations"]]
    return AlarmRead(id=uuid5(case.id, row["fingerprint"]), **row | {"citations": cited})


def _read_signature(finding: Finding, places: _Places) -> FindingRead:
    document = dict(finding.document)
    document["clauses"] = [
        clause | {"citations": [places.enrich(citation) for citation in clause["citations"]]}
        for clause in document["clauses"]
    ]
    return FindingRead(id=finding.id, **document)
