"""The first view of a case, put together from the features."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import func, select

from backend.cases import overview, sharing
from backend.core.http.pagination import WHOLE
from backend.evidence import queries as evidence_queries
from backend.evidence import report as evidence_report
from backend.findings import analyses, captures, labels, overviews, report
from backend.first_view.schemas import FirstViewRead
from backend.handoffs import origin
from backend.models.evidence import Evidence
from backend.models.profile import Profile
from backend.postmortems import incident
from backend.profiles import queries as profile_queries
from backend.similarity import seen_before
from backend.stories import report as stories
from backend.uploads import queries as upload_queries
from backend.uploads import service as uploads

if TYPE_CHECKING:
    from sqlalchemy.orm import Session

    from backend.access.principals import Principal
    from backend.core.settings import Settings
    from backend.core.storage.object_store import Store
    from backend.models.case import Case

MOST_ROWS = 500
"""More files or profiles are a list of their own: the view is to be small."""
FACTS = ("human.hung_tool", "kernel.release")


def of_case(
    session: Session, store: Store, settings: Settings, principal: Principal, case: Case
) -> FirstViewRead:
    """Return the first view of the case as `principal` sees it."""
    return FirstViewRead(
        case=overview.describe_one(session, case),
        access=sharing.describe(session, principal, case),
        evidence=evidence_report.of_case(session, case) if _is_few(session, Evidence, case) else None,
        uploads=[
            uploads.describe(session, upload, settings)
            for upload in upload_queries.open_of_case(session, case.id, WHOLE)
        ],
        findings=report.of_case(session, case, with_all=False),
        overview=overviews.of_case(session, case),
        analyses=analyses.of_case(session, case),
        captures=captures.of_case(session, case),
        labels=labels.of_case(session, principal, case, WHOLE),
        facts={name: evidence_queries.facts_of_case(session, case, WHOLE, name=name) for name in FACTS},
        incident=incident.describe(session, case),
        origins=origin.of_case(session, store, case, WHOLE),
        profiles=profile_queries.profiles_of_case(session, case, WHOLE)
        if _is_few(session, Profile, case)
        else None,
        seen_before=seen_before.read(session, principal, case),
        stories=stories.of_case(session, principal, case, WHOLE),
    )


def _is_few(session: Session, table: type[Evidence | Profile], case: Case) -> bool:
    counted = select(table.id).where(table.case_id == case.id).limit(MOST_ROWS + 1).subquery()
    return (session.scalar(select(func.count()).select_from(counted)) or 0) <= MOST_ROWS
