"""Checks of a signature that is being written, in a limited child; nothing of it is stored."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any
from uuid import UUID

from backend.evidence import readings
from backend.findings.case_analysis import child_item, folders_of
from backend.findings.fault_log import log_noted
from backend.findings.schemas import FindingRead
from backend.proposals.schemas import SignatureCheck, SignatureCheckOnCase
from backend.sandbox.envelope import result_of_request
from signatures.documents.codec import from_document

if TYPE_CHECKING:
    from sqlalchemy.orm import Session

    from backend.core.settings import Settings
    from backend.core.storage.object_store import Store
    from backend.models import Case
    from backend.sandbox.documents import SignatureCheckArguments

WHAT = "the check of the signature"


def on_fixtures(settings: Settings, text: str) -> SignatureCheck:
    """Return what is wrong with a signature, and its verdicts on fixtures.

    Raises:
        NotComputedError: It needs more than a request may use.
    """
    result = _checked(settings, {"text": text, "items": [], "with_fixtures": True})
    return SignatureCheck.model_validate(result)


def on_case(
    settings: Settings, session: Session, store: Store, case: Case, text: str
) -> SignatureCheckOnCase:
    """Return what is wrong with a signature, and its findings on a case.

    Raises:
        NotComputedError: It needs more than a request may use, or a reading is lost.
    """
    placed = readings.of_case(session, case.id)
    session.rollback()
    items = [child_item(store, one) for one in placed]
    result = _checked(
        settings,
        {"text": text, "items": items, "with_fixtures": False},
        readable=folders_of(store, placed),
    )
    findings = [
        replace(from_document(FindingRead, one | {"id": ""}), id=UUID(one["fingerprint"][:32]))
        for one in result["findings"]
    ]
    return SignatureCheckOnCase(id=result["id"], problems=result["problems"], findings=findings)


def _checked(settings: Settings, arguments: SignatureCheckArguments, **reach: Any) -> dict[str, Any]:
    result: dict[str, Any] = result_of_request(settings, "check signature", arguments, what=WHAT, **reach)
    log_noted(result["faults"])
    return result
