"""Pages of found cases, facets and values: everything is asked of the index row, visibility included."""

from __future__ import annotations

from collections import defaultdict
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, NamedTuple

from sqlalchemy import false, func, select, text

from backend.access.decisions import finds
from backend.models.case import Case
from backend.models.case_search import CaseSearch
from backend.search.conditions import Asker, condition_of, strong_condition_of
from backend.search.fields import COUNTED
from backend.search.language import Every

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator
    from uuid import UUID

    from sqlalchemy import CTE, ColumnElement
    from sqlalchemy.orm import Session

    from backend.access.principals import Principal
    from backend.core.http.pagination import Page
    from backend.search.language import Node

RELEVANCE, TITLE = "relevance", "title"
SAMPLED = 1000
"""Newest cases whose values facets and completion count."""
MAX_VALUES = 12


class Found(NamedTuple):
    """A page of found cases, in order, and how many there are in all."""

    case_ids: list[UUID]
    total: int


class Facets(NamedTuple):
    """Values of the found cases by field, the most frequent first.

    Attributes:
        total: Found cases.
        counted: The newest of them, whose values are counted.
    """

    total: int
    counted: int
    values: dict[str, list[tuple[str, int]]]


def asker_of(principal: Principal) -> Asker:
    """Return the principal as of now."""
    return Asker(principal.name.removesuffix(" (token)"), datetime.now(UTC))


def found(session: Session, principal: Principal, page: Page, node: Node, sort: str) -> Found:
    """Return a page of the visible cases of a query.

    `sort` is a column, descending with `-` before it, or `relevance`: first the cases whose title, headline
    or findings say all words, then the newest.

    Raises:
        QueryError: The query cannot be answered.
        InvalidCursorError: The cursor does not fit the order.
    """
    strong = strong_condition_of(node) if sort == RELEVANCE else None
    is_strong = (
        false() if strong is None else CaseSearch.case_id.in_(select(CaseSearch.case_id).where(strong))
    )
    times = (CaseSearch.created_at, CaseSearch.updated_at, CaseSearch.number)
    hits = _hits(principal, node, *times, is_strong.label("is_strong"))
    total = select(func.count()).select_from(hits).scalar_subquery()
    query = select(hits.c.case_id, total)
    columns: list[ColumnElement[Any]]
    if sort == RELEVANCE:
        columns = [hits.c.is_strong, hits.c.created_at, hits.c.case_id]
    elif sort == TITLE:
        query, columns = query.join(Case, Case.id == hits.c.case_id), [Case.__table__.c.title, hits.c.case_id]
    else:
        columns = [hits.c[sort.removeprefix("-")], hits.c.case_id]
    is_descending = sort == RELEVANCE or sort.startswith("-")
    with _by_index(session):
        rows = page.of(session, query, *columns, is_descending=is_descending)
    return Found([case_id for case_id, _ in rows], rows[0][1] if rows else 0)


def facets_of(session: Session, principal: Principal, node: Node, *, is_counted: bool = True) -> Facets:
    """Return how often the found cases have which values; the total is a guess unless it `is_counted`.

    Raises:
        QueryError: The query cannot be answered.
    """
    by_age = (CaseSearch.created_at, CaseSearch.case_id)
    if node == Every(()):
        # All cases are in the order of an index already.
        newest = select(CaseSearch.facets).where(finds(principal)).order_by(*(one.desc() for one in by_age))
        every = select(func.count()).select_from(CaseSearch).where(finds(principal))
    else:
        hits = _hits(principal, node, CaseSearch.created_at, CaseSearch.facets)
        newest = select(hits.c.facets).order_by(hits.c.created_at.desc(), hits.c.case_id.desc())
        every = select(func.count()).select_from(hits)
    each = select(func.unnest(newest.limit(SAMPLED).subquery().c.facets).label("facet")).subquery()
    counted = select(each.c.facet, func.count()).group_by(each.c.facet)
    with _by_index(session):
        total = (session.scalar(every) or 0) if is_counted else SAMPLED
        rows = session.execute(counted).all()
    values: dict[str, list[tuple[str, int]]] = defaultdict(list)
    for facet, count in sorted(rows, key=lambda row: (-row[1], row[0])):
        field, _, value = facet.partition(":")
        values[field].append((value, count))
    return Facets(total, min(total, SAMPLED), {field: values[field] for field in COUNTED if field in values})


def values_of(
    session: Session, case_ids: Collection[UUID], fields: Collection[str]
) -> dict[tuple[UUID, str], list[str]]:
    """Return the values that facets count of cases, by case and field; those without any are empty."""
    rows = session.execute(
        select(CaseSearch.case_id, CaseSearch.facets).where(CaseSearch.case_id.in_(case_ids))
    )
    values: dict[tuple[UUID, str], list[str]] = defaultdict(list)
    for case_id, facets in rows:
        for facet in facets:
            field, _, value = facet.partition(":")
            if field in fields:
                values[case_id, field].append(value)
    return values


def _hits(principal: Principal, node: Node, *columns: Any) -> CTE:
    """Return the visible cases of a query, found by the index before anything is sorted."""
    query = select(CaseSearch.case_id, *columns)
    query = query.where(condition_of(node, asker_of(principal)), finds(principal))
    return query.cte("hits").prefix_with("materialized")


@contextmanager
def _by_index(session: Session) -> Iterator[None]:
    """Context manager: read no table from end to end.

    The planner knows how many cases have a common word, but not that reading the words of all cases costs a
    hundred times what reading their rows does.
    """
    # To compile a query takes longer than to run it.
    session.execute(text("set local enable_seqscan = off; set local jit = off"))
    yield
    session.execute(text("set local enable_seqscan = on; set local jit = on"))
