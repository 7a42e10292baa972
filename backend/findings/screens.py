"""The screen of a case: overview, panels, wait graphs and comparisons, kept with its judgement."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, TypeVar

from sqlalchemy import select
from sqlalchemy.dialects.postgresql import insert

from backend.cases import stored_findings
from backend.models.case import Case
from backend.models.case_screen import CaseScreen
from backend.models.evidence import Evidence
from signatures.documents.case import Judgement
from signatures.documents.citation import with_places
from signatures.engine_version import engine_version

if TYPE_CHECKING:
    from collections.abc import Mapping
    from uuid import UUID

    from sqlalchemy.orm import Session

    from backend.findings.case_analysis import CaseAnalysis

T = TypeVar("T")


def of_case(session: Session, case: Case) -> CaseScreen | None:
    """Return the screen of a case, None before it was analysed."""
    return session.get(CaseScreen, case.id)


def keep(session: Session, case: Case, analysis: CaseAnalysis) -> None:
    """Replace the screen of a case; the caller holds the case lock."""
    screen = analysis.screen
    case.headline, case.alarms = screen.headline, screen.alarms
    values = {
        "evidence_rev": analysis.revision,
        "engine": engine_version(),
        "overview": screen.overview,
        "panels": screen.panels,
        "waits": screen.waits,
        "comparisons": screen.comparisons,
    }
    row = insert(CaseScreen).values(case_id=case.id, **values)
    replaced = {name: row.excluded[name] for name in values}
    session.execute(row.on_conflict_do_update(index_elements=["case_id"], set_=replaced))


def judgement_of(session: Session, case_id: UUID) -> tuple[int, Judgement]:
    """Return the kept judgement of a case with the revision that it is of."""
    revision, captures = session.execute(
        select(Case.judged_rev, Case.next_captures).where(Case.id == case_id)
    ).one()
    return revision, Judgement(stored_findings.load(session, case_id), captures)


def names_of(session: Session, case: Case) -> dict[str, str]:
    """Return the display names of the evidence of the case by id."""
    rows = session.execute(
        select(Evidence.id, Evidence.captured_path, Evidence.filename).where(Evidence.case_id == case.id)
    )
    return {str(evidence_id): path or name for evidence_id, path, name in rows}


def named(value: T, names: Mapping[str, str]) -> T:
    """Return a wire value with the ids of evidence beside the display names in its citations."""
    return with_places(
        value,
        lambda place: replace(place, evidence_id=place.evidence, evidence=names.get(place.evidence, "")),
    )
