"""Finding cases: by id or number, and page by page."""

from __future__ import annotations

import base64
import binascii
import json
from typing import TYPE_CHECKING, Any
from uuid import UUID

from sqlalchemy import String, cast, or_, select, tuple_

from backend.access.decisions import visible
from backend.core.errors import InvalidCursorError, NotFoundError
from backend.models.case import Case

if TYPE_CHECKING:
    from sqlalchemy.orm import InstrumentedAttribute, Session

    from backend.access.askers import Asker
    from backend.cases.schemas import CaseSort, CaseState

SORT_COLUMNS: dict[str, InstrumentedAttribute[Any]] = {
    "created_at": Case.created_at,
    "updated_at": Case.updated_at,
    "title": Case.title,
    "number": Case.number,
}
MAX_NUMBER = 2**31 - 1


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


def page(
    session: Session,
    asker: Asker,
    *,
    q: str,
    state: CaseState | None,
    sort: CaseSort,
    cursor: str | None,
    limit: int,
) -> tuple[list[Case], str | None]:
    """Return up to `limit` cases that `asker` sees after `cursor`, and the cursor of the next page."""
    column = SORT_COLUMNS[sort.removeprefix("-")]
    is_descending = sort.startswith("-")
    query = select(Case).where(Case.deleted_at.is_(None), visible(asker))
    for word in q.split():
        pattern = "%" + word.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_") + "%"
        query = query.where(
            or_(Case.title.ilike(pattern), cast(Case.number, String) == word.removeprefix("#"))
        )
    if state is not None:
        query = query.where(Case.state == state)
    if cursor is not None:
        position = _decode(cursor, sort)
        here = tuple_(column, Case.id)
        after = tuple_(cast(position[0], column.type), cast(position[1], Case.id.type))
        query = query.where(here < after if is_descending else here > after)
    order = (column.desc(), Case.id.desc()) if is_descending else (column.asc(), Case.id.asc())
    cases = list(session.scalars(query.order_by(*order).limit(limit + 1)))
    if len(cases) <= limit:
        return cases, None
    last = cases[limit - 1]
    return cases[:limit], _encode(sort, getattr(last, column.key), last.id)


def _encode(sort: str, value: Any, case_id: UUID) -> str:
    told = json.dumps([sort, value if isinstance(value, int) else str(value), str(case_id)])
    return base64.urlsafe_b64encode(told.encode()).decode()


def _decode(cursor: str, sort: str) -> tuple[Any, str]:
    try:
        told_sort, value, case_id = json.loads(base64.urlsafe_b64decode(cursor))
        UUID(case_id)
    except (binascii.Error, UnicodeDecodeError, ValueError, TypeError, AttributeError):
        raise InvalidCursorError("this cursor was not given out here; start without one") from None
    if told_sort != sort:
        raise InvalidCursorError("a cursor goes with the sort order that it was given out for")
    return value, case_id
