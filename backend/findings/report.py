"""Findings for display: citations resolved to evidence and profile ids."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from uuid import UUID

from sqlalchemy import case as sql_case
from sqlalchemy import select

from backend.cases.overview import IS_CONSEQUENCE, SEVERITY_RANK, VERDICT_RANK
from backend.core.http.pagination import WHOLE
from backend.findings.schemas import FindingRead, FindingsRead, NextCaptureRead
from backend.models.evidence import Evidence
from backend.models.finding import Finding
from backend.models.profile import Profile
from backend.models.reading import Reading
from backend.models.section import Section

if TYPE_CHECKING:
    from sqlalchemy.orm import Session

    from backend.core.http.pagination import Page
    from backend.models.case import Case

RANK = VERDICT_RANK | {"unknown": 2, "not_applicable": 3, "no_match": 4}


def of_case(session: Session, case: Case, page: Page = WHOLE, *, with_all: bool) -> FindingsRead:
    """Return a page of the findings by rank; without `with_all` only the relevant ones."""
    findings = [
        finding
        for finding in in_rank(session, case)
        if with_all or finding.is_near_miss or finding.document.get("is_listed")
    ]
    places = _Places(session, case)
    shown = page.cut(findings, _place)
    return FindingsRead(
        judged_rev=case.judged_rev,
        evidence_rev=case.evidence_rev,
        items=[_read(finding, places) for finding in shown],
        next_cursor=page.next_cursor,
        next_captures=[NextCaptureRead(**row) for row in case.next_captures],
    )


def _place(finding: Finding) -> tuple[bool, int, bool, int, float, float, str, str, str]:
    """Return the sort key of a finding, as in `in_rank`."""
    return (
        bool(finding.document["superseded_by"]),
        RANK[finding.verdict],
        bool(finding.document.get("caused_by")),
        SEVERITY_RANK[finding.severity],
        1.0 if finding.confidence is None else -finding.confidence,
        -finding.coverage,
        finding.signature,
        finding.host,
        finding.phase,
    )


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
            "profile_id": self._profiles.get((evidence, citation["section"], citation["profile"])),
        }


def _read(finding: Finding, places: _Places) -> FindingRead:
    document = dict(finding.document)
    document["clauses"] = [
        clause | {"citations": [places.enrich(citation) for citation in clause["citations"]]}
        for clause in document["clauses"]
    ]
    return FindingRead(id=finding.id, **document)
