"""Origin of a case: imported handoffs among its evidence, and changes of their verdicts."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING, cast

from sqlalchemy import select

from backend.core.errors import StoredBytesError
from backend.findings import report
from backend.handoffs.schemas import OriginDifference, OriginRead
from backend.models import Evidence, EvidenceState
from ingest.containers import bundle_manifest
from ingest.containers.archive import ChunkFile
from signatures.handoff import bundle
from signatures.handoff.bundle import BundledVerdict

if TYPE_CHECKING:
    from sqlalchemy.orm import Session

    from backend.core.http.pagination import Page
    from backend.core.storage.object_store import Store
    from backend.models import Case

Verdicts = dict[tuple[str, str, str], BundledVerdict]
SILENT = frozenset({"", "no_match", "unknown", "not_applicable"})
"""Verdicts that are no finding."""

UNJUDGED = BundledVerdict("", "", "", "", "")


def of_case(session: Session, store: Store, case: Case, page: Page) -> list[OriginRead]:
    """Return a page of the handoffs imported into the case, oldest first."""
    found = select(Evidence).where(
        Evidence.case_id == case.id,
        Evidence.parent_id.is_(None),
        Evidence.deleted_at.is_(None),
        Evidence.state == EvidenceState.READ,
        Evidence.skipped.contains([{"reason": bundle_manifest.OWN}]),
    )
    bundles = session.scalars(found.order_by(Evidence.id)).all()
    now = (
        [
            BundledVerdict(one.host, one.phase, one.signature, one.title, one.verdict)
            for _, one in report.in_rank(session, case)
        ]
        if bundles
        else []
    )
    return [_origin(store, one, now) for one in page.cut(bundles, lambda one: (str(one.id),))]


def _origin(store: Store, evidence: Evidence, judged: list[BundledVerdict]) -> OriginRead:
    origin = OriginRead(evidence_id=evidence.id, filename=evidence.filename)
    try:
        with io.BufferedReader(ChunkFile(store.chunks(evidence.sha256))) as stream:
            manifest, findings = bundle.read_manifest(cast("io.BytesIO", stream))
    except (bundle.BrokenBundleError, StoredBytesError) as error:
        return origin.model_copy(update={"reason": str(error)})
    has_hosts = any(bundle_manifest.placement(row) for row in manifest["members"])
    before, now = _by_scope(findings, has_hosts=has_hosts), _by_scope(judged, has_hosts=has_hosts)
    return origin.model_copy(
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
                    title=one_side.title,
                    before=was.verdict,
                    after=is_now.verdict,
                )
                for place in sorted(before.keys() | now.keys())
                for was in (before.get(place, UNJUDGED),)
                for is_now in (now.get(place, UNJUDGED),)
                for one_side in (before.get(place) or now[place],)
                if was.verdict != is_now.verdict and not (was.verdict in SILENT and is_now.verdict in SILENT)
            ],
        }
    )


def _by_scope(findings: list[BundledVerdict], *, has_hosts: bool) -> Verdicts:
    """Return verdicts by host, phase and signature.

    Without `has_hosts`, the first of each phase and signature: an older bundle does not record hosts.
    """
    by_scope: Verdicts = {}
    for one in findings:
        by_scope.setdefault((one.host if has_hosts else "", one.phase, one.signature), one)
    return by_scope
