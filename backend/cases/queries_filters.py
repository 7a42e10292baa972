"""Conditions of filtered cases: findings, hosts, kernels, functions, log records and time."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any

from sqlalchemy import func, select

from backend.models.account import Account
from backend.models.case import Case
from backend.models.case_index import CaseFrame
from backend.models.fact import Fact
from backend.models.finding import Finding
from backend.models.frame import frame_id
from backend.models.host import Host
from backend.models.log_record import LogRecord
from backend.models.standing import standing
from ingest.frames.normalise import normalise
from signatures.document.catalog import load_catalog

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from sqlalchemy import ColumnElement

    from backend.cases.schemas_filter import CaseFilter

CITED = ("match", "suspect")
"""Verdicts that say something of a case; every case has the others of most signatures."""


def conditions(by: CaseFilter) -> Iterator[ColumnElement[bool]]:
    """Yield the conditions on `Case` of a filter."""
    if by.state is not None:
        yield Case.state == by.state
    if by.status is not None:
        yield Case.status == by.status
    if by.assignee is not None:
        yield Case.assignee_id == select(Account.id).where(Account.name == by.assignee).scalar_subquery()
    if by.tag is not None:
        yield Case.tags.contains([by.tag.lower()])
    if by.severity is not None:
        yield Case.severity == by.severity
    if by.since is not None:
        yield Case.created_at >= by.since
    if by.until is not None:
        yield Case.created_at < by.until
    if by.signature is not None or by.verdict is not None:
        signatures = None if by.signature is None else [by.signature]
        yield has_finding(signatures, CITED if by.verdict is None else (by.verdict,))
    if by.host is not None:
        yield _among(select(Host.case_id).where(Host.name == by.host))
    if by.kernel is not None:
        releases = standing(select(Fact.case_id), Fact).where(Fact.name == "kernel.release")
        yield _among(releases.where(func.starts_with(Fact.text, by.kernel)))
    if by.frame is not None:
        frame = frame_id(normalise(by.frame))
        yield _among(select(CaseFrame.case_id).where(CaseFrame.frame_id == frame))
    if by.log_class is not None:
        yield _among(standing(select(LogRecord.case_id), LogRecord).where(LogRecord.kind == by.log_class))


def mentions(word: str) -> ColumnElement[bool] | None:
    """Return the condition on `Case` that a finding mentions a word; None when no signature does."""
    found = [signature for signature, names in _names_of_signatures() if word.lower() in names]
    return has_finding(found) if found else None


@lru_cache(maxsize=1)
def _names_of_signatures() -> list[tuple[str, str]]:
    """Return the ids of signatures, each with id, title and other names in lower case."""
    return [
        (one.id, "\n".join((one.id, one.title, *one.aliases)).lower()) for one in load_catalog().signatures
    ]


def has_finding(signatures: Collection[str] | None, verdicts: Collection[str] = CITED) -> ColumnElement[bool]:
    """Return the condition on `Case` that one of the signatures, or any, has one of the verdicts."""
    query = select(Finding.case_id).where(Finding.verdict.in_(verdicts))
    if signatures is not None:
        query = query.where(Finding.signature.in_(signatures))
    return _among(query)


def _among(query: Any) -> ColumnElement[bool]:
    return Case.id.in_(query)
