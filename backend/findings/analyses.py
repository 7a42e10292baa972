"""System-wide analyses of a case, computed from its current readings on request.

They take a fraction of a second and depend on the readings only, so they are not stored.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from uuid import UUID

from sqlalchemy import select

from backend.evidence import readings
from backend.findings.items import item_of
from backend.findings.schemas import AnalysesRead, PanelRead
from backend.models.evidence import Evidence
from signatures.overview import run
from signatures.overview.report import panel_document

if TYPE_CHECKING:
    from sqlalchemy.orm import Session

    from backend.core.storage.object_store import Store
    from backend.models.case import Case


def of_case(session: Session, store: Store, case: Case) -> AnalysesRead:
    """Return one panel per analysis, host and phase of the case."""
    placed = readings.of_case(session, case.id)
    names = names_of(session, case)
    panels = run([item_of(store, one) for one in placed])
    return AnalysesRead(
        evidence_rev=case.evidence_rev,
        panels=[PanelRead(**_named(panel_document(panel), names)) for panel in panels],
    )


def names_of(session: Session, case: Case) -> dict[str, str]:
    """Return the display names of the evidence of the case by id."""
    return {
        str(evidence_id): path or name
        for evidence_id, path, name in session.execute(
            select(Evidence.id, Evidence.captured_path, Evidence.filename).where(Evidence.case_id == case.id)
        )
    }


def cited(document: dict[str, Any], names: dict[str, str]) -> dict[str, Any]:
    """Return `document` with evidence ids beside the display names in its citations."""
    return document | {
        "citations": [
            place | {"evidence_id": UUID(place["evidence"]), "evidence": names.get(place["evidence"], "")}
            for place in document["citations"]
        ]
    }


def _named(panel: dict[str, Any], names: dict[str, str]) -> dict[str, Any]:
    """Return `panel` with evidence ids beside the display names."""
    figures = [cited(figure, names) for figure in panel["figures"]]
    return panel | {"figures": figures}
