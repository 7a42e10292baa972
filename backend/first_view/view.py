"""The first view of a case, put together from the features."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import func, select

from backend.cases import overview, sharing
from backend.core.http.pagination import WHOLE
from backend.core.lru_cache import LruCache
from backend.evidence import queries as evidence_queries
from backend.evidence import report as evidence_report
from backend.findings import analyses, captures, labels, overviews, report, screens
from backend.first_view import row_versions
from backend.first_view.schemas import JudgedView, LiveView
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
    from pydantic import BaseModel
    from sqlalchemy.orm import Session

    from backend.access.principals import Principal
    from backend.core.settings import Settings
    from backend.core.storage.object_store import Store
    from backend.models.case import Case

MOST_ROWS = 500
"""More files or profiles are a list of their own: the view is to be small."""
FACTS = ("human.hung_tool", "kernel.release")
KEPT_BYTES = 24 << 20
"""Of judged parts in memory: 150 kB each of a case of 58 files."""

_kept: LruCache[bytes] = LruCache(KEPT_BYTES, len)


def json_of(session: Session, store: Store, settings: Settings, principal: Principal, case: Case) -> bytes:
    """Return the first view of the case as `principal` sees it, as JSON of `FirstViewRead`."""
    judged = _judged_json(session, case)
    live = _json(_live(session, store, settings, principal, case))
    return live[:-1] + b"," + judged[1:]


def _judged_json(session: Session, case: Case) -> bytes:
    """Return the JSON of the judged part, kept until a row of it is written."""
    version = row_versions.version_of(session, case.id)
    # Read before the rows: what is written in between has another version, and is not kept under this one.
    found = _kept.get((case.id, version)) if version else None
    if found is None:
        found = _json(_judged(session, case))
        if version:
            _kept.put((case.id, version), found)
    return found


def _json(part: BaseModel) -> bytes:
    # By the model itself: the framework would make Python values of it first, which takes half of the time.
    return part.model_dump_json(by_alias=True).encode()


def _judged(session: Session, case: Case) -> JudgedView:
    # Held until both that need it have read it: its documents are decoded once.
    screen = screens.of_case(session, case)
    view = JudgedView(
        evidence=evidence_report.of_case(session, case) if _is_few(session, Evidence, case) else None,
        findings=report.of_case(session, case, with_all=False),
        overview=overviews.of_case(session, case),
        analyses=analyses.of_case(session, case),
        facts={name: evidence_queries.facts_of_case(session, case, WHOLE, name=name) for name in FACTS},
        profiles=profile_queries.profiles_of_case(session, case, WHOLE)
        if _is_few(session, Profile, case)
        else None,
    )
    del screen
    return view


def _live(session: Session, store: Store, settings: Settings, principal: Principal, case: Case) -> LiveView:
    return LiveView(
        case=overview.describe_one(session, case.id),
        access=sharing.describe(session, principal, case),
        uploads=[
            uploads.describe(session, upload, settings)
            for upload in upload_queries.open_of_case(session, case.id, WHOLE)
        ],
        captures=captures.of_case(session, case),
        labels=labels.of_case(session, principal, case, WHOLE),
        incident=incident.describe(session, case),
        origins=origin.of_case(session, store, case, WHOLE),
        seen_before=seen_before.read(session, principal, case),
        stories=stories.of_case(session, principal, case, WHOLE),
    )


def _is_few(session: Session, table: type[Evidence | Profile], case: Case) -> bool:
    counted = select(table.id).where(table.case_id == case.id).limit(MOST_ROWS + 1).subquery()
    return (session.scalar(select(func.count()).select_from(counted)) or 0) <= MOST_ROWS
