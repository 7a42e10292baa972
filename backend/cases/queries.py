"""Case queries: by id or number, and paginated."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from uuid import UUID

from sqlalchemy import or_, select

from backend.access.decisions import visible
from backend.cases import queries_filters
from backend.core.errors import NotFoundError
from backend.models.case import Case

if TYPE_CHECKING:
    from sqlalchemy import ColumnElement, Select
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
MAX_DIGITS = len(str(MAX_NUMBER))


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


def found(session: Session, principal: Principal, page: Page, by: CaseFilter) -> list[Case]:
    """Return a page of the cases that `principal` sees."""
    query = select(Case).where(Case.deleted_at.is_(None), visible(principal), *queries_filters.conditions(by))
    for word in by.q.split():
        pattern = "%" + word.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_") + "%"
        in_title, number = Case.title.ilike(pattern), word.removeprefix("#")
        is_number = len(number) <= MAX_DIGITS and number.isascii() and number.isdecimal()
        is_number = is_number and number == str(int(number)) and int(number) <= MAX_NUMBER
        mentioned = queries_filters.mentions(word)
        ways: list[ColumnElement[bool]] = [in_title]
        if is_number:
            ways.append(Case.number == int(number))
        if mentioned is not None:
            ways.append(mentioned)
        query = query.where(or_(*ways))
    column = SORT_COLUMNS[by.sort.removeprefix("-")]
    rows = page.of(session, query, column, Case.id, is_descending=by.sort.startswith("-"))
    return [case for (case,) in rows]
