"""Pages of found cases, facets and values: everything is asked of the index row, visibility included."""

from __future__ import annotations

from collections import defaultdict
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, NamedTuple

from sqlalchemy import and_, func, literal, select, text, true, union_all

from backend.access.decisions import finds
from backend.models.case import Case
from backend.models.case_search import CaseSearch
from backend.search.conditions import Asker, condition_of, required_lexemes, strength_conditions_of
from backend.search.fields import COUNTED
from backend.search.language import Every

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from uuid import UUID

    from sqlalchemy import CTE, ColumnElement, Select
    from sqlalchemy.orm import Session

    from backend.access.principals import Principal
    from backend.core.http.pagination import Page
    from backend.search.language import Node

RELEVANCE, NEWEST, TITLE = "relevance", "-created_at", "title"
SAMPLED = 1000
"""Newest cases whose values facets and completion count."""
MAX_VALUES = 12
COMMON = 10_000
"""Found cases from which a page is looked for among the newest first: to sort them all takes 10 ms."""
TRIED = 3000
"""The newest cases that are looked through at most: enough for who sees every second case or fewer."""
BY_AGE = (CaseSearch.created_at, CaseSearch.case_id)
_GUESSED = text("explain (format json) select from case_search where terms @@ cast(:lexemes as tsquery)")


class Found(NamedTuple):
    """A page of found cases, in order, and how many there are in all."""

    case_ids: list[UUID]
    total: int


class _Strength(NamedTuple):
    """Found cases of one relevance.

    Attributes:
        place: What they sort by before their age, the same for all; empty for the order of age only.
        condition: What sets them apart from those of another relevance.
    """

    place: tuple[ColumnElement[bool], ...]
    condition: ColumnElement[bool]


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
    strengths = _strengths(node, sort)
    with _by_index(session):
        if strengths and page.is_first and page.limit is not None and _is_common(session, principal, node):
            return _found_by_age(session, principal, page, node, strengths)
        strong = strengths[0].condition if len(strengths) > 1 else None
        is_strong = (
            literal(False)
            if strong is None
            else CaseSearch.case_id.in_(select(CaseSearch.case_id).where(strong))
        )
        times = (CaseSearch.created_at, CaseSearch.updated_at, CaseSearch.number)
        hits = _hits(principal, node, *times, is_strong.label("is_strong"))
        total = select(func.count()).select_from(hits).scalar_subquery()
        query = select(hits.c.case_id, total)
        columns: list[ColumnElement[Any]]
        if sort == RELEVANCE:
            columns = [hits.c.is_strong, hits.c.created_at, hits.c.case_id]
        elif sort == TITLE:
            query = query.join(Case, Case.id == hits.c.case_id)
            columns = [Case.__table__.c.title, hits.c.case_id]
        else:
            columns = [hits.c[sort.removeprefix("-")], hits.c.case_id]
        is_descending = sort == RELEVANCE or sort.startswith("-")
        rows = page.of(session, query, *columns, is_descending=is_descending)
    return Found([case_id for case_id, _ in rows], rows[0][1] if rows else 0)


def _strengths(node: Node, sort: str) -> list[_Strength]:
    """Return the relevances of the cases of a query, the highest first; none for an order by a column."""
    if sort == NEWEST:
        return [_Strength((), true())]
    if sort != RELEVANCE:
        return []
    conditions = strength_conditions_of(node)
    if conditions is None:
        return [_Strength((literal(False),), true())]
    is_strong, is_weak = conditions
    return [_Strength((literal(True),), is_strong), _Strength((literal(False),), is_weak)]


def _is_common(session: Session, principal: Principal, node: Node) -> bool:
    """Return whether PostgreSQL guesses that very many cases have the lexemes of a query, at any time."""
    lexemes, is_all = required_lexemes(node, asker_of(principal))
    if not (is_all and lexemes.text):
        return False
    plan = session.scalar(_GUESSED, {"lexemes": lexemes.text})
    return bool(plan[0]["Plan"]["Plan Rows"] >= COMMON)


def _found_by_age(
    session: Session, principal: Principal, page: Page, node: Node, strengths: Sequence[_Strength]
) -> Found:
    """Return the first page of a query that very many cases meet, and how many there are.

    What most cases say, the newest do, too: they are looked through first. If too few of them are of the
    highest relevance, the index finds all of it, and of the lower one where the page has room.
    """
    condition = and_(condition_of(node, asker_of(principal)), finds(principal))
    counted = select(func.count()).select_from(CaseSearch).where(condition).scalar_subquery()
    newest = select(CaseSearch.created_at).order_by(*(one.desc() for one in BY_AGE))
    total, since = session.execute(select(counted, newest.offset(TRIED).limit(1).scalar_subquery())).one()
    if since is not None:
        tried = and_(condition, CaseSearch.created_at >= since)
        case_ids = _by_age(session, page, tried, strengths[:1], total, is_tried=True)
        if page.next_cursor is not None:
            return Found(case_ids, total)
    return Found(_by_age(session, page, condition, strengths, total), total)


def _by_age(
    session: Session,
    page: Page,
    condition: ColumnElement[bool],
    strengths: Sequence[_Strength],
    total: int,
    *,
    is_tried: bool = False,
) -> list[UUID]:
    """Return the first page of the cases that meet a condition, by relevance and age.

    With `is_tried` the words of the newest cases are read, else the index finds the cases before they are
    sorted: `offset` keeps that apart.
    """
    most = (page.limit or 0) + 1
    arms: list[Select[Any]] = []
    for place, has_strength in strengths:
        arm = select(*(one.label("is_strong") for one in place), *BY_AGE).where(condition, has_strength)
        if arms:
            higher = select(func.count()).select_from(arms[-1].subquery()).scalar_subquery()
            arm = arm.where(higher < most)
        hits = (arm if is_tried else arm.offset(0)).subquery()
        arm = select(hits).order_by(hits.c.created_at.desc(), hits.c.case_id.desc()).limit(most)
        arms.append(select(arm.cte().prefix_with("materialized")))
    found = union_all(*arms).subquery()
    by = [*(found.c.is_strong for _ in strengths[0].place), found.c.created_at, found.c.case_id]
    rows = page.of(session, select(found.c.case_id), *by, is_descending=True, total=total)
    return [case_id for (case_id,) in rows]


def facets_of(session: Session, principal: Principal, node: Node, *, is_counted: bool = True) -> Facets:
    """Return how often the found cases have which values; the total is a guess unless it `is_counted`.

    Raises:
        QueryError: The query cannot be answered.
    """
    if node == Every(()):
        # All cases are in the order of an index already.
        newest = select(CaseSearch.facets).where(finds(principal)).order_by(*(one.desc() for one in BY_AGE))
        every = select(func.count()).select_from(CaseSearch).where(finds(principal))
    else:
        hits = _hits(principal, node, CaseSearch.created_at)
        every = select(func.count()).select_from(hits)
        last = select(hits.c.case_id).order_by(hits.c.created_at.desc(), hits.c.case_id.desc()).limit(SAMPLED)
        newest = select(CaseSearch.facets).where(CaseSearch.case_id.in_(last))
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
    session.execute(text("set local enable_seqscan = off; set local jit = off; set local work_mem = '16MB'"))
    yield
    session.execute(text("set local enable_seqscan = on; set local jit = on; set local work_mem to default"))
