"""The overview of a case: headline, what was assessed, statements and the next capture.

It is computed on request from the current readings and the stored findings.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from backend.evidence import readings
from backend.findings import analyses
from backend.findings.items import item_of
from backend.findings.report import in_rank
from backend.findings.schemas_overview import OverviewRead
from signatures.overview import run
from signatures.overview.alarm_findings import alarm_findings
from signatures.overview.first_screen import overview_of
from signatures.overview.screen_document import headline_document, overview_document

if TYPE_CHECKING:
    from sqlalchemy.orm import Session

    from backend.core.storage.object_store import Store
    from backend.models.case import Case


def of_case(session: Session, store: Store, case: Case) -> OverviewRead:
    """Return the overview of the case as of its evidence and judged revisions."""
    items = [item_of(store, one) for one in readings.of_case(session, case.id)]
    names = analyses.names_of(session, case)
    findings = [finding.document for finding in in_rank(session, case) if not finding.is_provisional]
    captures = [str(row["run"]) for row in case.next_captures]
    panels = run(items)
    overview = overview_of(panels, findings, captures, {item.format for item in items})
    headline = headline_document(overview, findings, alarm_findings(panels, findings))
    document = overview_document(overview, headline["severity"])
    statements = [analyses.cited(statement, names) for statement in document["statements"]]
    read: dict[str, Any] = document | {"statements": statements}
    return OverviewRead(evidence_rev=case.evidence_rev, judged_rev=case.judged_rev, **read)
