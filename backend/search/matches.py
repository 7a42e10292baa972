"""New matches of saved searches: the event `search.matched`, once for each search and case.

A search that finds the case as it was before a change does not find it newly. `remember` keeps these before
the index row is replaced; searches that are older than the row were kept or announced when it was written.
"""

from __future__ import annotations

from collections import defaultdict
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from sqlalchemy import ARRAY, Text, cast, func, literal, select, union_all
from sqlalchemy.dialects.postgresql import TSQUERY, insert

from backend.access import principals
from backend.access.decisions import finds
from backend.core import events
from backend.models.account import Account
from backend.models.case_search import CaseSearch, SavedSearch, SearchMatch
from backend.search.conditions import Asker, condition_of, required_lexemes
from backend.search.language import QueryError, parse

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from uuid import UUID

    from sqlalchemy.orm import Session

    from backend.models.case import Case

MATCHED = "search.matched"
OVERLAP = timedelta(minutes=5)
"""A search may be committed so long after the time it states, unseen by a change in between."""
ASKED = 50
"""Conditions of one statement."""


class _Search(NamedTuple):
    """A saved search with its owner, whose view of the cases it has."""

    id: UUID
    query: str
    created_at: datetime
    owner: Account


def remember(session: Session, case_id: UUID) -> bool:
    """Keep which searches find the case as its index row says; return whether it has none yet."""
    row = session.execute(select(CaseSearch.settled_at).where(CaseSearch.case_id == case_id)).one_or_none()
    if row is None:
        return True
    if row.settled_at is not None:
        _keep(session, case_id, _matching(session, case_id, since=row.settled_at - OVERLAP))
    return False


def announce(session: Session, case: Case, *, is_first: bool) -> None:
    """Record an event for each search that newly finds a case whose evidence is judged.

    `is_first`: the case had no index row. A search that is younger than such a case keeps it silently.
    """
    found = {one.id: one for one in _matching(session, case.id)}
    for search_id in _keep(session, case.id, found.values()):
        if not is_first or found[search_id].created_at <= case.created_at:
            payload = {"search_id": str(search_id), "number": case.number}
            events.record(session, MATCHED, case_id=case.id, payload=payload)


def _keep(session: Session, case_id: UUID, found: Iterable[_Search]) -> list[UUID]:
    """Store matches; return the searches that had none with this case."""
    rows = [{"search_id": search_id, "case_id": case_id} for search_id in sorted(one.id for one in found)]
    if not rows:
        return []
    written = insert(SearchMatch).values(rows).on_conflict_do_nothing().returning(SearchMatch.search_id)
    return list(session.scalars(written))


def _matching(session: Session, case_id: UUID, since: datetime | None = None) -> list[_Search]:
    """Return the searches, saved from `since` on, that find the case and whose owners see it."""
    query = (
        select(SavedSearch.id, SavedSearch.query, SavedSearch.created_at, Account)
        .join(Account, Account.id == SavedSearch.owner_id)
        .where(Account.disabled_at.is_(None))
    )
    if since is not None:
        query = query.where(SavedSearch.created_at >= since)
    searches = [_Search(*row) for row in session.execute(query)]
    likely = _with_lexemes(session, case_id, searches)
    by_owner: dict[UUID, list[tuple[_Search, bool]]] = defaultdict(list)
    for search, is_decided in likely:
        by_owner[search.owner.id].append((search, is_decided))
    found: list[_Search] = []
    for some in by_owner.values():
        principal = principals.standing_for(some[0][0].owner)
        own = select(CaseSearch.case_id).where(CaseSearch.case_id == case_id, finds(principal))
        if session.scalar(own) is not None:
            found += [search for search, is_decided in some if is_decided]
            found += _that_hold(session, case_id, [search for search, is_decided in some if not is_decided])
    return found


def _with_lexemes(session: Session, case_id: UUID, searches: Sequence[_Search]) -> list[tuple[_Search, bool]]:
    """Return the searches whose lexemes the case has, and whether that decides."""
    asked = [(one, *lexemes) for one in searches if (lexemes := _lexemes(one.query, one.owner.name))]
    texts = [text for _, text, _ in asked if text]
    if not asked:
        return []
    each = func.unnest(cast(literal(texts, ARRAY(Text)), ARRAY(Text))).table_valued("text").render_derived()
    has = (
        select(each.c.text)
        .join(CaseSearch, CaseSearch.terms.op("@@")(cast(each.c.text, TSQUERY)))
        .where(CaseSearch.case_id == case_id)
    )
    held = set(session.scalars(has)) if texts else set()
    return [(one, is_whole) for one, text, is_whole in asked if not text or text in held]


@lru_cache(maxsize=20_000)
def _lexemes(query: str, owner: str) -> tuple[str, bool] | None:
    """Return what the index must have for a search, and whether that is all; None when it cannot be read."""
    try:
        lexemes, is_whole = required_lexemes(parse(query), Asker(owner, datetime.now(UTC)))
    except QueryError:
        return None
    return lexemes.text, is_whole


def _that_hold(session: Session, case_id: UUID, searches: Sequence[_Search]) -> list[_Search]:
    """Return the searches whose conditions, on numbers and times too, hold of the case."""
    now = datetime.now(UTC)
    held: set[int] = set()
    for first in range(0, len(searches), ASKED):
        questions = [
            select(literal(at)).where(
                CaseSearch.case_id == case_id, condition_of(parse(one.query), Asker(one.owner.name, now))
            )
            for at, one in enumerate(searches[first : first + ASKED], first)
        ]
        held.update(session.scalars(union_all(*questions)))
    return [one for at, one in enumerate(searches) if at in held]
