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
from ingest.containers import bundle_manifest
from ingest.containers.archive import ChunkFile

if TYPE_CHECKING:
    from sqlalchemy.orm import Session

    from backend.core.http.pagination import Page
    from backend.core.storage.object_store import Store
    from backend.models import Case

Document = dict[str, Any]
Verdicts = dict[tuple[str, str, str], Document]
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
        if any(skipped["reason"] == bundle_manifest.OWN for skipped in one.skipped)
    ]
    now = [one.document for one in report.in_rank(session, case)] if bundles else []
    return [_told(store, one, now) for one in page.cut(bundles, lambda one: (str(one.id),))]


def _told(store: Store, evidence: Evidence, judged: list[Document]) -> OriginRead:
    told = OriginRead(evidence_id=evidence.id, filename=evidence.filename)
    try:
        with io.BufferedReader(ChunkFile(store.chunks(evidence.sha256))) as stream:
            manifest, findings = bundle.told_by(cast("io.BytesIO", stream))
    except (bundle.BrokenBundleError, NotFoundError) as error:
        return told.model_copy(update={"reason": str(error)})
    has_hosts = any(bundle_manifest.placement(row) for row in manifest["members"])
    before, now = _placed(findings, has_hosts=has_hosts), _placed(judged, has_hosts=has_hosts)
    return told.model_copy(
        update={
            "number": int(manifest["case"]["number"]),
            "title": str(manifest["case"]["title"]),
            "engine": str(manifest["engine"]["version"]),
            "compared": len(before),
            "differences": [
                OriginDifference(
                    host=place[0],
                    phase=place[1],
                    signature=place[2],
                    title=known["title"],
                    before=was["verdict"],
                    after=is_now["verdict"],
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


def _placed(findings: list[Document], *, has_hosts: bool) -> Verdicts:
    """Return verdicts by host, phase and signature.

    Without `has_hosts`, the first of each phase and signature: a bundle made before hosts were told in it may
    hold some that are told apart there and not here.
    """
    placed: Verdicts = {}
    for one in findings:
        placed.setdefault((one["host"] if has_hosts else "", one["phase"], one["signature"]), one)
    return placed
