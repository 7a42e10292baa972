"""Where a case came from: handoffs among its evidence, and whether they are judged here as there."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING, Any, cast

from sqlalchemy import select

from backend.core.errors import NotFoundError
from backend.findings import report
from backend.handoffs import bundle
from backend.handoffs.schemas import OriginDifference, OriginRead
from backend.models import Evidence, EvidenceState
from ingest.archive import ChunkFile
from ingest.opening import BUNDLE_OWN

if TYPE_CHECKING:
    from sqlalchemy.orm import Session

    from backend.core.paging import Page
    from backend.core.storage import Store
    from backend.models import Case

Verdicts = dict[tuple[str, str], dict[str, Any]]
SILENT = frozenset({"", "no_match", "unknown", "not_applicable"})
"""A handoff tells of verdicts that say something; the others are not in it."""


def of_case(session: Session, store: Store, case: Case, page: Page) -> list[OriginRead]:
    """Return a page of the handoffs that the case came as, oldest first."""
    found = select(Evidence).where(
        Evidence.case_id == case.id,
        Evidence.parent_id.is_(None),
        Evidence.deleted_at.is_(None),
        Evidence.state == EvidenceState.READ,
    )
    bundles = [
        one
        for one in session.scalars(found.order_by(Evidence.id))
        if any(skipped["reason"] == BUNDLE_OWN for skipped in one.skipped)
    ]
    now = _placed([one.document for one in report.in_rank(session, case)]) if bundles else {}
    return [_told(store, one, now) for one in page.cut(bundles, lambda one: (str(one.id),))]


def _told(store: Store, evidence: Evidence, now: Verdicts) -> OriginRead:
    told = OriginRead(evidence_id=evidence.id, filename=evidence.filename)
    try:
        with io.BufferedReader(ChunkFile(store.chunks(evidence.sha256))) as stream:
            manifest, findings = bundle.told_by(cast("io.BytesIO", stream))
    except (bundle.BrokenBundleError, NotFoundError) as error:
        return told.model_copy(update={"reason": str(error)})
    before = _placed(findings)
    return told.model_copy(
        update={
            "number": int(manifest["case"]["number"]),
            "title": str(manifest["case"]["title"]),
            "engine": str(manifest["engine"]["version"]),
            "compared": len(before),
            "differences": [
                OriginDifference(
                    signature=place[0], title=known["title"], before=was["verdict"], after=is_now["verdict"]
                )
                for place in sorted(before.keys() | now.keys())
                for was in (before.get(place, {"verdict": ""}),)
                for is_now in (now.get(place, {"verdict": ""}),)
                for known in (before.get(place) or now[place],)
                if was["verdict"] != is_now["verdict"]
                and not (was["verdict"] in SILENT and is_now["verdict"] in SILENT)
            ],
        }
    )


def _placed(findings: list[dict[str, Any]]) -> Verdicts:
    """Return the first verdict of each signature and phase: hosts may be told apart there and not here."""
    placed: Verdicts = {}
    for one in findings:
        placed.setdefault((one["signature"], one["phase"]), one)
    return placed
