"""Labels: people say whether a finding is right; kept beside the findings, which they never change."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from sqlalchemy import select
from sqlalchemy.dialects.postgresql import insert

from backend.core import events
from backend.core.db.base import uuid7
from backend.core.errors import NotAllowedError, NotFoundError, UnsupportedQueryError
from backend.findings.schemas_labels import LabelRead
from backend.models.finding import Finding
from backend.models.label import Label, Opinion

if TYPE_CHECKING:
    from uuid import UUID

    from sqlalchemy.orm import Session

    from backend.access.principals import Principal
    from backend.core.http.pagination import Page
    from backend.findings.schemas_labels import LabelWrite
    from backend.models.case import Case


def of_case(session: Session, principal: Principal, case: Case, page: Page) -> list[LabelRead]:
    """Return a page of the labels of the case, oldest first, also of what is no longer found."""
    query = select(Label).where(Label.case_id == case.id)
    return [_read(label, principal) for (label,) in page.of(session, query, Label.created_at, Label.id)]


def say(session: Session, principal: Principal, case: Case, said: LabelWrite) -> LabelRead:
    """Keep the word of `principal`, in place of what they said before of the same.

    Raises:
        NotFoundError: The case has no such finding.
        UnsupportedQueryError: The clause is none of the signature's, or a right finding shall have misled.
    """
    finding = _finding(session, case, said)
    _check_clause(finding, said)
    place = {
        "case_id": case.id,
        "signature": said.signature,
        "host": said.host,
        "phase": said.phase,
        "account_id": principal.id,
    }
    told = {
        "author": principal.name,
        "opinion": said.opinion,
        "misled_clause": said.misled_clause,
        "remark": said.remark.strip(),
        "version": finding.version,
        "verdict": finding.verdict,
        "updated_at": datetime.now(UTC),
    }
    query = insert(Label).values(id=uuid7(), **place, **told)
    query = query.on_conflict_do_update(index_elements=list(place), set_=told)
    label_id = session.scalar(query.returning(Label.id))
    label = session.get_one(Label, label_id, populate_existing=True)
    _tell(
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
        NotAllowedError: It is somebody else's word.
    """
    label = session.scalar(select(Label).where(Label.id == label_id, Label.case_id == case.id))
    if label is None:
        raise NotFoundError(f"there is no label {label_id}")
    if label.account_id != principal.id:
        raise NotAllowedError(f"this is the word of {label.author}; say your own beside it")
    session.delete(label)
    session.flush()
    _tell(session, "label.taken_back", label, principal, opinion=label.opinion.value)


def _finding(session: Session, case: Case, said: LabelWrite) -> Finding:
    finding = session.scalar(
        select(Finding).where(
            Finding.case_id == case.id,
            Finding.signature == said.signature,
            Finding.host == said.host,
            Finding.phase == said.phase,
        )
    )
    if finding is None:
        raise NotFoundError(
            f"there is no finding of {said.signature!r} for host {said.host!r} and phase {said.phase!r}"
        )
    return finding


def _check_clause(finding: Finding, said: LabelWrite) -> None:
    if not said.misled_clause:
        return
    if said.opinion is Opinion.RIGHT:
        raise UnsupportedQueryError(
            "no clause misled where the finding is right; leave `misled_clause` empty"
        )
    known = [str(clause["id"]) for clause in finding.document["clauses"]]
    if said.misled_clause not in known:
        raise UnsupportedQueryError(
            f"{finding.signature} has no clause {said.misled_clause!r}; its clauses are {', '.join(known)}"
        )


def _read(label: Label, principal: Principal) -> LabelRead:
    return LabelRead.model_validate(
        {name: getattr(label, name) for name in LabelRead.model_fields if name != "is_mine"}
        | {"is_mine": label.account_id == principal.id}
    )


def _tell(session: Session, kind: str, label: Label, principal: Principal, **details: Any) -> None:
    payload = {"signature": label.signature, "host": label.host, "phase": label.phase, **details}
    events.record(session, kind, case_id=label.case_id, actor=principal.name, payload=payload)
