"""Finding cases: by id or number, and page by page."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from uuid import UUID

from sqlalchemy import or_, select

from backend.access.decisions import visible
from backend.core.errors import NotFoundError
from backend.models.case import Case

if TYPE_CHECKING:
    from sqlalchemy.orm import InstrumentedAttribute, Session

    from backend.access.principals import Principal
    from backend.cases.schemas import CaseSort, CaseState
    from backend.core.http.pagination import Page

SORT_COLUMNS: dict[str, InstrumentedAttribute[Any]] = {
    "created_at": Case.created_at,
    "updated_at": Case.updated_at,
    "title": Case.title,
    "number": Case.number,
}
MAX_NUMBER = 2**31 - 1
MAX_DIGITS = len(str(MAX_NUMBER))


def case_named(session: Session, name: str, *, with_deleted: bool = False) -> Case:
    """Return the case whose UUID or number is `name`.

    Raises:
        NotFoundError: There is none.
    """
    query = select(Case)
    if name.isascii() and name.isdecimal() and int(name) <= MAX_NUMBER:
        query = query.where(Case.number == int(name))
    else:
        try:
            query = query.where(Case.id == UUID(name))
        except ValueError:
            raise NotFoundError(f"there is no case {name!r}; a case is named by its number or UUID") from None
    if not with_deleted:
        query = query.where(Case.deleted_at.is_(None))
    case = session.scalar(query)
    if case is None:
        raise NotFoundError(absent(name))
    return case


def absent(name: str) -> str:
    """Return what is told of a case that is not there, or that may not be seen."""
    return f"there is no case {name}"


def hold(session: Session, case_id: UUID) -> Case | None:
    """Return the case as it is now, and keep others from changing it until the transaction ends.

    Not from naming it: whoever writes an event of the case does that, and holds the lock of the events that
    this transaction will wait for at its end.
    """
    held = select(Case).where(Case.id == case_id).with_for_update(key_share=True)
    return session.scalar(held.execution_options(populate_existing=True))


def found(
    session: Session, principal: Principal, page: Page, *, q: str, state: CaseState | None, sort: CaseSort
) -> list[Case]:
    """Return a page of the cases that `principal` sees."""
    query = select(Case).where(Case.deleted_at.is_(None), visible(principal))
    for word in q.split():
        pattern = "%" + word.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_") + "%"
        in_title, number = Case.title.ilike(pattern), word.removeprefix("#")
        is_number = len(number) <= MAX_DIGITS and number.isascii() and number.isdecimal()
        is_number = is_number and number == str(int(number)) and int(number) <= MAX_NUMBER
        query = query.where(or_(in_title, Case.number == int(number)) if is_number else in_title)
    if state is not None:
        query = query.where(Case.state == state)
    by = SORT_COLUMNS[sort.removeprefix("-")]
    rows = page.of(session, query, by, Case.id, is_descending=sort.startswith("-"))
    return [case for (case,) in rows]
