"""The overview of a case: headline, what was assessed, statements and the next capture."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from backend.findings import screens
from backend.findings.schemas_overview import OverviewRead
from signatures.documents.codec import widened
from signatures.overview.first_screen import overview_of
from signatures.overview.headline import Headline
from signatures.overview.screen_document import overview_document

if TYPE_CHECKING:
    from sqlalchemy.orm import Session

    from backend.models.case import Case

ANALYSED_NEXT = Headline("not assessed", "The evidence is being analysed")


def of_case(session: Session, case: Case) -> OverviewRead:
    """Return the overview of the case as of its judged revision."""
    screen = screens.of_case(session, case)
    if screen is not None:
        document = screens.named(screen.overview, screens.names_of(session, case))
    else:
        document = overview_document(overview_of((), (), (), ()))
        if case.evidence_rev > 0:
            document = replace(
                document,
                headline=replace(document.headline, **ANALYSED_NEXT._asdict(), detail=ANALYSED_NEXT.text),
            )
    return widened(OverviewRead, document, evidence_rev=case.evidence_rev, judged_rev=case.judged_rev)
