"""Long lists, page by page: every list of the API that can grow is told so, and stays whole while it grows.

    GET /api/v1/cases/12/notes?limit=50
    ->  Link: </api/v1/cases/12/notes?limit=50&cursor=WyJj…>; rel="next"

A cursor is the place of the last row in the order of its list, so rows that come or go meanwhile shift
nothing: none that was there is told twice or left out. It goes with the list, the filters and the order that
it was given out for. The last page has no link.

Source: https://www.rfc-editor.org/rfc/rfc8288 and https://use-the-index-luke.com/no-offset
"""

from __future__ import annotations

import base64
import hashlib
import json
from datetime import datetime
from typing import TYPE_CHECKING, Annotated, Any, TypeVar, TypeVarTuple
from urllib.parse import urlencode
from uuid import UUID

from fastapi import Depends, Query, Request, Response
from sqlalchemy import literal, true, tuple_

from backend.core.errors import InvalidCursorError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from sqlalchemy import ColumnElement, Select
    from sqlalchemy.orm import InstrumentedAttribute, Session

RowT = TypeVar("RowT")
Ts = TypeVarTuple("Ts")
Place = tuple[Any, ...]

LIMIT = 200
MOST = 1000
MAX_CURSOR_CHARACTERS = 4000
CURSOR, PAGE_LIMIT = "cursor", "limit"
FARTHEST = 1 << 63
STRANGE = "this cursor was not given out here; begin without one, and follow the `Link` of each answer"
OTHER = "a cursor goes with the list, the filters and the order that it was given out for; begin without one"
LINK: dict[str, Any] = {
    "description": 'Where the next page is, `<…>; rel="next"`; the last page has none.',
    "schema": {"type": "string"},
}


class Page:
    """One page of a list as it is asked for, and where the next one begins once the rows are found.

    Attributes:
        limit: At most so many rows; None is all.
        next_cursor: Where the next page begins; None while this is the last.
    """

    def __init__(
        self,
        name: str,
        cursor: str | None,
        limit: int | None,
        tell: Callable[[str], None] | None = None,
    ) -> None:
        """Ask for what follows `cursor` of the list that `name` tells from others, its filters included.

        `tell` hears the cursor of the next page, if there is one.
        """
        self.limit = limit
        self.next_cursor: str | None = None
        self._name = name
        self._cursor = cursor
        self._tell = tell

    def concerning(self, question: str) -> Page:
        """Return the same page of a list that also depends on `question`, such as the body of a search."""
        return Page(f"{self._name} {question}", self._cursor, self.limit, self._tell)

    def of(
        self,
        session: Session,
        query: Select[*Ts],
        *by: ColumnElement[Any] | InstrumentedAttribute[Any],
        is_descending: bool = False,
    ) -> list[tuple[*Ts]]:
        """Return the rows of this page of `query` in the order of `by`, none null, which name one row.

        Raises:
            InvalidCursorError: The cursor is no place in this order.
        """
        told: Select[Any] = query.add_columns(*by).where(self.beyond(*by, is_descending=is_descending))
        told = told.order_by(*(column.desc() if is_descending else column.asc() for column in by))
        if self.limit is not None:
            told = told.limit(self.limit + 1)
        rows = [tuple(row) for row in session.execute(told)]
        if self.limit is not None and len(rows) > self.limit:
            self._more(rows[self.limit - 1][-len(by) :])
        return [row[: -len(by)] for row in rows[: self.limit]]

    def beyond(
        self, *by: ColumnElement[Any] | InstrumentedAttribute[Any], is_descending: bool = False
    ) -> ColumnElement[bool]:
        """Return the condition for coming after the rows of the pages before, in the order of `by`.

        Raises:
            InvalidCursorError: The cursor is no place in this order.
        """
        after = self._after()
        if after is None:
            return true()
        if len(after) != len(by):
            raise InvalidCursorError(STRANGE)
        here, there = tuple_(*by), tuple_(*map(_value, by, after))
        return here < there if is_descending else here > there

    def cut(self, rows: Sequence[RowT], place: Callable[[RowT], Place]) -> list[RowT]:
        """Return this page of `rows`, which are in the order of their `place`, each at its own.

        Raises:
            InvalidCursorError: The cursor is no place in this order.
        """
        after = self._after()
        try:
            left = [row for row in rows if after is None or place(row) > after]
        except TypeError:
            raise InvalidCursorError(STRANGE) from None
        if self.limit is not None and len(left) > self.limit:
            self._more(place(left[self.limit - 1]))
        return left[: self.limit]

    def _after(self) -> Place | None:
        if self._cursor is None:
            return None
        try:
            told = json.loads(base64.urlsafe_b64decode(self._cursor.encode("ascii")))
            name, place = told[0], tuple(told[1:])
        except (ValueError, TypeError, LookupError, RecursionError):
            raise InvalidCursorError(STRANGE) from None
        if name != self._digest():
            raise InvalidCursorError(OTHER)
        return place

    def _more(self, place: Place) -> None:
        told = [self._digest(), *(one if isinstance(one, bool | int | float) else str(one) for one in place)]
        self.next_cursor = base64.urlsafe_b64encode(json.dumps(told).encode()).decode()
        if self._tell is not None:
            self._tell(self.next_cursor)

    def _digest(self) -> str:
        return hashlib.sha256(self._name.encode()).hexdigest()[:12]


WHOLE = Page("", None, None)
"""The one page that holds a whole list, for whoever needs it here."""


def paged(limit: int = LIMIT, most: int = MOST) -> Any:
    """Return what a route depends on to tell `limit` rows, `most` if asked for, and link the next page."""

    def page(
        request: Request,
        response: Response,
        cursor: Annotated[
            str | None,
            Query(max_length=MAX_CURSOR_CHARACTERS, description="From the `Link` of the page before"),
        ] = None,
        # An annotation is a name here, and could not name `most`.
        limit: int = Query(limit, ge=1, le=most, description="Rows of one page, at most"),
    ) -> Page:
        asked = [(name, value) for name, value in request.query_params.multi_items() if name != CURSOR]
        filters = sorted((name, value) for name, value in asked if name != PAGE_LIMIT and value)
        path: str = request.scope["path"]

        def tell(next_cursor: str) -> None:
            response.headers["Link"] = f'<{path}?{urlencode([*asked, (CURSOR, next_cursor)])}>; rel="next"'

        return Page(f"{path}?{urlencode(filters)}", cursor, limit, tell)

    return Depends(page)


PageDep = Annotated[Page, paged()]


def document(schema: dict[str, Any]) -> None:
    """Say in an OpenAPI `schema` which answers link the next page."""
    for path in schema["paths"].values():
        for operation in path.values():
            if is_paged(operation):
                operation["responses"]["200"].setdefault("headers", {})["Link"] = LINK


def is_paged(operation: dict[str, Any]) -> bool:
    """Say whether an operation of an OpenAPI schema answers page by page."""
    return any(one["name"] == CURSOR for one in operation.get("parameters", ()))


def _value(column: ColumnElement[Any] | InstrumentedAttribute[Any], told: Any) -> ColumnElement[Any]:
    """Return what a cursor told of `column`, as a value of its type.

    Raises:
        InvalidCursorError: It is no such value.
    """
    kind = getattr(column.type, "impl", column.type).python_type
    value: Any
    try:
        value = UUID(told) if kind is UUID else datetime.fromisoformat(told) if kind is datetime else told
    except (ValueError, TypeError, AttributeError):
        raise InvalidCursorError(STRANGE) from None
    if type(value) is not kind or (kind is str and "\0" in value) or (kind is int and abs(value) >= FARTHEST):
        raise InvalidCursorError(STRANGE)
    return literal(value, column.type)
