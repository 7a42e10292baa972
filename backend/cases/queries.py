"""Case queries: by id or number, and found."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from uuid import UUID

from sqlalchemy import select

from backend.access.decisions import visible
from backend.core.errors import NotFoundError
from backend.models.case import Case
from backend.search import retrieval as search
from backend.search.known_values import require_known
from backend.search.language import Every
from backend.search.retrieval import RELEVANCE

if TYPE_CHECKING:
    from sqlalchemy import Select
    from sqlalchemy.orm import InstrumentedAttribute, Session

    from backend.access.principals import Principal
    from backend.cases.schemas_filter import CaseFilter
    from backend.core.http.pagination import Page

SORT_COLUMNS: dict[str, InstrumentedAttribute[Any]] = {
    "created_at": Case.created_at,
    "updated_at": Case.updated_at,
    "title": Case.title,
    "number": Case.number,
}
MAX_NUMBER = 2**31 - 1


def case_named(name: str, *, with_deleted: bool = False) -> Select[Case]:
    """Return the query for the case whose UUID or number is `name`.

    Raises:
        NotFoundError: It is neither.
    """
    query = select(Case)
    if name.isascii() and name.isdecimal() and int(name) <= MAX_NUMBER:
        query = query.where(Case.number == int(name))
    else:
        try:
            query = query.where(Case.id == UUID(name))
        except ValueError:
            raise NotFoundError(f"there is no case {name!r}; use its number or UUID") from None
    if not with_deleted:
        query = query.where(Case.deleted_at.is_(None))
    return query


def absent(name: str) -> str:
    """Return the message for a case that does not exist or is not visible."""
    return f"there is no case {name}"


def hold(session: Session, case_id: UUID) -> Case | None:
    """Return the current row of the case, locked against changes until the transaction ends.

    Foreign keys to it stay possible (FOR NO KEY UPDATE): a writer of its events needs one, and holds the
    event lock that this transaction waits for at its end.
    """
    locking_query = select(Case).where(Case.id == case_id).with_for_update(key_share=True)
    return session.scalar(locking_query.execution_options(populate_existing=True))


def found(
    session: Session, principal: Principal, page: Page, by: CaseFilter
) -> tuple[list[UUID], int | None]:
    """Return a page of the cases that `principal` sees, and how many there are; None for all of them.

    Raises:
        QueryError: The query cannot be read.
    """
    node = by.node()
    if node == Every(()):
        sort = "-created_at" if by.sort == RELEVANCE else by.sort
        query = select(Case.id).where(Case.deleted_at.is_(None), visible(principal))
        column = SORT_COLUMNS[sort.removeprefix("-")]
        rows = page.of(session, query, column, Case.id, is_descending=sort.startswith("-"))
        return [case_id for (case_id,) in rows], None
    hits = search.found(session, principal, page, node, by.sort)
    if not hits.total:
        require_known(node)
    return hits.case_ids, hits.total
