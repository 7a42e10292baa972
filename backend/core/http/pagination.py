"""Keyset pagination, stable under inserts.

    GET /api/v1/cases/12/notes?limit=50
    ->  Link: </api/v1/cases/12/notes?limit=50&cursor=WyJj…>; rel="next"
        {"items": […], "next_cursor": "WyJj…"}

A cursor holds the sort key of the last row, so rows inserted or deleted meanwhile shift nothing: no existing
row is repeated or skipped. A cursor is valid only for the list, filters and order it was created for. The
last page has no link, and null in place of the cursor.

Source: https://www.rfc-editor.org/rfc/rfc8288 and https://use-the-index-luke.com/no-offset
"""

from __future__ import annotations

import base64
import hashlib
import json
from datetime import datetime
from itertools import islice
from typing import TYPE_CHECKING, Annotated, Any, TypeVar, TypeVarTuple
from urllib.parse import urlencode
from uuid import UUID

from fastapi import Depends, Query, Request, Response
from sqlalchemy import func, literal, select, true, tuple_

from backend.core.errors import InvalidCursorError
from backend.core.http.envelope import Listed

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from sqlalchemy import ColumnElement, Select
    from sqlalchemy.orm import InstrumentedAttribute, Session

RowT = TypeVar("RowT")
Ts = TypeVarTuple("Ts")
Place = tuple[Any, ...]

LIMIT = 200
MOST = 1000
MAX_CURSOR_CHARACTERS = 4000
CURSOR, PAGE_LIMIT, COUNT = "cursor", "limit", "count"
TOTAL = "Total-Count"
FARTHEST = 1 << 63
MALFORMED = "this cursor is malformed; start without one, and follow the `Link` of each response"
OTHER_LIST = "this cursor belongs to another list, filter or order; start without one"
LINK: dict[str, Any] = {
    "description": 'URL of the next page, `<…>; rel="next"`; absent on the last page.',
    "schema": {"type": "string"},
}
COUNTED: dict[str, Any] = {
    "description": "Number of rows of all pages, with `count=true`.",
    "schema": {"type": "integer"},
}


class Page:
    """One requested page of a list, and the cursor of the next one once the rows are read.

    Attributes:
        limit: Maximum number of rows; None is all.
        next_cursor: Cursor of the next page; None on the last.
    """

    def __init__(
        self,
        name: str,
        cursor: str | None,
        limit: int | None,
        on_next: Callable[[str], None] | None = None,
        on_count: Callable[[int], None] | None = None,
    ) -> None:
        """Request the rows after `cursor` of the list `name`, which includes its filters.

        `on_next` is called with the cursor of the next page, if there is one, `on_count` with the number of
        rows of all pages.
        """
        self.limit = limit
        self.next_cursor: str | None = None
        self._name = name
        self._cursor = cursor
        self._on_next = on_next
        self._on_count = on_count

    @property
    def is_first(self) -> bool:
        """Whether it is the first page of the list."""
        return self._cursor is None

    def state_total(self, total: int) -> None:
        """State the number of rows of all pages, if it was asked for."""
        if self._on_count is not None:
            self._on_count(total)

    def concerning(self, question: str) -> Page:
        """Return the same page of a list that also depends on `question`, such as a search body."""
        return Page(f"{self._name} {question}", self._cursor, self.limit, self._on_next, self._on_count)

    def of(
        self,
        session: Session,
        query: Select[*Ts],
        *by: ColumnElement[Any] | InstrumentedAttribute[Any],
        is_descending: bool = False,
        total: int | None = None,
    ) -> list[tuple[*Ts]]:
        """Return the rows of this page of `query`, sorted by `by`: columns without nulls, together unique.

        `total` is the number of rows of all pages, where `query` does not have all of them.

        Raises:
            InvalidCursorError: The cursor does not fit this order.
        """
        if self._on_count is not None:
            counted = select(func.count()).select_from(query.subquery())
            self._on_count((session.scalar(counted) or 0) if total is None else total)
        statement: Select[Any] = query.add_columns(*by).where(self.beyond(*by, is_descending=is_descending))
        statement = statement.order_by(*(column.desc() if is_descending else column.asc() for column in by))
        if self.limit is not None:
            statement = statement.limit(self.limit + 1)
        rows = [tuple(row) for row in session.execute(statement)]
        if self.limit is not None and len(rows) > self.limit:
            self._more(rows[self.limit - 1][-len(by) :])
        return [row[: -len(by)] for row in rows[: self.limit]]

    def beyond(
        self, *by: ColumnElement[Any] | InstrumentedAttribute[Any], is_descending: bool = False
    ) -> ColumnElement[bool]:
        """Return the condition for rows after the previous pages, in the order of `by`.

        Raises:
            InvalidCursorError: The cursor does not fit this order.
        """
        after = self._after()
        if after is None:
            return true()
        if len(after) != len(by):
            raise InvalidCursorError(MALFORMED)
        here, there = tuple_(*by), tuple_(*map(_value, by, after))
        return here < there if is_descending else here > there

    def cut(self, rows: Iterable[RowT], place: Callable[[RowT], Place]) -> list[RowT]:
        """Return this page of `rows`, which are sorted by their unique key `place`; read no further.

        Raises:
            InvalidCursorError: The cursor does not fit this order.
        """
        after = self._after()
        if self._on_count is not None:
            rows = list(rows)
            self._on_count(len(rows))
        try:
            remaining = (row for row in rows if after is None or place(row) > after)
            found = list(islice(remaining, None if self.limit is None else self.limit + 1))
        except TypeError:
            raise InvalidCursorError(MALFORMED) from None
        if self.limit is not None and len(found) > self.limit:
            self._more(place(found[self.limit - 1]))
        return found[: self.limit]

    def envelope(self, items: list[RowT]) -> Listed[RowT]:
        """Return the response of this page, whose rows are read."""
        return Listed(items=items, next_cursor=self.next_cursor)

    def _after(self) -> Place | None:
        if self._cursor is None:
            return None
        try:
            decoded = json.loads(base64.urlsafe_b64decode(self._cursor.encode("ascii")))
            name, place = decoded[0], tuple(decoded[1:])
        except (ValueError, TypeError, LookupError, RecursionError):
            raise InvalidCursorError(MALFORMED) from None
        if name != self._digest():
            raise InvalidCursorError(OTHER_LIST)
        return place

    def _more(self, place: Place) -> None:
        parts = [self._digest(), *(one if isinstance(one, bool | int | float) else str(one) for one in place)]
        self.next_cursor = base64.urlsafe_b64encode(json.dumps(parts).encode()).decode()
        if self._on_next is not None:
            self._on_next(self.next_cursor)

    def _digest(self) -> str:
        return hashlib.sha256(self._name.encode()).hexdigest()[:12]


WHOLE = Page("", None, None)
"""The page that holds a whole list, for internal callers."""


def paged(limit: int = LIMIT, most: int = MOST) -> Any:
    """Return the dependency of a route that returns `limit` rows, at most `most`, and links the next page."""

    def page(
        request: Request,
        response: Response,
        cursor: Annotated[
            str | None,
            Query(max_length=MAX_CURSOR_CHARACTERS, description="Cursor from the previous page's `Link`"),
        ] = None,
        # A default, since the annotation could not refer to `most`.
        limit: int = Query(limit, ge=1, le=most, description="Maximum number of rows"),
        count: Annotated[  # noqa: FBT002 - a query parameter
            bool, Query(description="Whether the header `Total-Count` has the number of rows of all pages")
        ] = False,
    ) -> Page:
        parameters = [(name, value) for name, value in request.query_params.multi_items() if name != CURSOR]
        filters = sorted(
            (name, value) for name, value in parameters if name not in {PAGE_LIMIT, COUNT} and value
        )
        path: str = request.scope["path"]

        def link_next(next_cursor: str) -> None:
            query = urlencode([*parameters, (CURSOR, next_cursor)])
            response.headers["Link"] = f'<{path}?{query}>; rel="next"'

        def state_count(total: int) -> None:
            response.headers[TOTAL] = str(total)

        name = f"{path}?{urlencode(filters)}"
        return Page(name, cursor, limit, link_next, state_count if count else None)

    return Depends(page)


PageDep = Annotated[Page, paged()]


def document(schema: dict[str, Any]) -> None:
    """Document the `Link` header of paginated responses in an OpenAPI `schema`."""
    for path in schema["paths"].values():
        for operation in path.values():
            if is_paged(operation):
                headers = operation["responses"]["200"].setdefault("headers", {})
                headers["Link"], headers[TOTAL] = LINK, COUNTED


def is_paged(operation: dict[str, Any]) -> bool:
    """Return whether an operation of an OpenAPI schema is paginated."""
    return any(one["name"] == CURSOR for one in operation.get("parameters", ()))


def _value(column: ColumnElement[Any] | InstrumentedAttribute[Any], encoded: Any) -> ColumnElement[Any]:
    """Return the value of `column` in a cursor, as its type.

    Raises:
        InvalidCursorError: It is not a value of that type.
    """
    kind = getattr(column.type, "impl", column.type).python_type
    value: Any
    try:
        if kind is UUID:
            value = UUID(encoded)
        else:
            value = datetime.fromisoformat(encoded) if kind is datetime else encoded
    except (ValueError, TypeError, AttributeError):
        raise InvalidCursorError(MALFORMED) from None
    if type(value) is not kind or (kind is str and "\0" in value) or (kind is int and abs(value) >= FARTHEST):
        raise InvalidCursorError(MALFORMED)
    return literal(value, column.type)
