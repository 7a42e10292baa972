"""System-wide analyses of a case, independent of signatures."""

from __future__ import annotations

from typing import TYPE_CHECKING

from backend.findings import screens
from backend.findings.schemas import AnalysesRead, ChartsRead
from backend.profiles import queries_series

if TYPE_CHECKING:
    from sqlalchemy.orm import Session

    from backend.models.case import Case


def of_case(session: Session, case: Case) -> AnalysesRead:
    """Return one panel per analysis, host and phase of the case."""
    screen = screens.of_case(session, case)
    panels = screens.named(screen.panels, screens.names_of(session, case)) if screen else ()
    return AnalysesRead(
        evidence_rev=screen.evidence_rev if screen else case.evidence_rev,
        panels=panels,
        charts=ChartsRead(
            numbers=queries_series.has_any(session, case),
            waits=screen is not None and any(graph.tasks for graph in screen.waits),
        ),
    )
