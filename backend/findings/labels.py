"""Labels: opinions on findings, stored beside them; they never change a verdict."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from sqlalchemy import select
from sqlalchemy.dialects.postgresql import insert

from backend.cases import stored_findings
from backend.core import derived_rows, events
from backend.core.db.base import uuid7
from backend.core.errors import NotAllowedError, NotFoundError, UnsupportedQueryError
from backend.findings.schemas_labels import LabelRead
from backend.models.label import Label, Opinion

if TYPE_CHECKING:
    from uuid import UUID

    from sqlalchemy.orm import Session

    from backend.access.principals import Principal
    from backend.core.http.pagination import Page
    from backend.findings.schemas_labels import LabelWrite
    from backend.models.case import Case
    from signatures.documents.finding import FindingDocument


def of_case(session: Session, principal: Principal, case: Case, page: Page) -> list[LabelRead]:
    """Return a page of the labels of the case, oldest first, including those of vanished findings."""
    query = select(Label).where(Label.case_id == case.id)
    return [_read(label, principal) for (label,) in page.of(session, query, Label.created_at, Label.id)]


def put_label(session: Session, principal: Principal, case: Case, body: LabelWrite) -> LabelRead:
    """Store the label of `principal`, replacing their earlier label of the same finding.

    Raises:
        NotFoundError: The case has no such finding.
        UnsupportedQueryError: The signature has no such condition, or a finding labelled right names one.
    """
    finding = _finding(session, case, body)
    _check_clause(finding, body)
    place = {
        "case_id": case.id,
        "signature": body.signature,
        "host": body.host,
        "phase": body.phase,
        "account_id": principal.id,
    }
    values = {
        "author": principal.name,
        "opinion": body.opinion,
        "misled_clause": body.misled_clause,
        "remark": body.remark.strip(),
        "version": finding.version,
        "verdict": finding.verdict,
        "updated_at": datetime.now(UTC),
    }
    query = insert(Label).values(id=uuid7(), **place, **values)
    query = query.on_conflict_do_update(index_elements=list(place), set_=values)
    label_id = session.scalar(query.returning(Label.id))
    label = session.get_one(Label, label_id, populate_existing=True)
    derived_rows.mark(session, case.id)
    _record_event(
        session,
        "label.said",
        label,
        principal,
        opinion=label.opinion.value,
        misled_clause=label.misled_clause,
        remark=label.remark,
    )
    return _read(label, principal)


def take_back(session: Session, principal: Principal, case: Case, label_id: UUID) -> None:
    """Remove a label of `principal`.

    Raises:
        NotFoundError: The case has no such label.
        NotAllowedError: It is the label of another account.
    """
    label = session.scalar(select(Label).where(Label.id == label_id, Label.case_id == case.id))
    if label is None:
        raise NotFoundError(f"no label {label_id}")
    if label.account_id != principal.id:
        raise NotAllowedError(f"this is the label of {label.author}; only its author can remove it")
    session.delete(label)
    session.flush()
    _record_event(session, "label.taken_back", label, principal, opinion=label.opinion.value)


def _finding(session: Session, case: Case, body: LabelWrite) -> FindingDocument:
    named = (body.signature, body.host, body.phase)
    for one in stored_findings.load(session, case.id):
        if (one.signature, one.host, one.phase) == named:
            return one
    raise NotFoundError(f"no finding of {body.signature!r} for host {body.host!r} and phase {body.phase!r}")


def _check_clause(finding: FindingDocument, body: LabelWrite) -> None:
    if not body.misled_clause:
        return
    if body.opinion is Opinion.RIGHT:
        raise UnsupportedQueryError(
            "a finding labelled right cannot have a misleading condition; leave `misled_clause` empty"
        )
    condition_ids = [one.id for one in finding.conditions]
    if body.misled_clause not in condition_ids:
        raise UnsupportedQueryError(
            f"{finding.signature} has no condition {body.misled_clause!r}; "
            f"its conditions are {', '.join(condition_ids)}"
        )


def _read(label: Label, principal: Principal) -> LabelRead:
    return LabelRead.model_validate(
        {name: getattr(label, name) for name in LabelRead.model_fields if name != "is_mine"}
        | {"is_mine": label.account_id == principal.id}
    )


def _record_event(session: Session, kind: str, label: Label, principal: Principal, **details: Any) -> None:
    payload = {"signature": label.signature, "host": label.host, "phase": label.phase, **details}
    events.record(session, kind, case_id=label.case_id, actor=principal.name, payload=payload)
