"""Saved searches: of one account, or of a team whose members all see and change them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import func, or_, select

from backend.core.errors import ConflictError, NotFoundError
from backend.models.account import Account
from backend.models.case_search import SavedSearch
from backend.models.team import Team, TeamMember
from backend.search.language import parse
from backend.search.schemas import SavedSearchRead
from signatures.rendering.case_columns import COLUMNS

if TYPE_CHECKING:
    from uuid import UUID

    from sqlalchemy import ColumnElement, Select
    from sqlalchemy.orm import Session

    from backend.access.principals import Principal
    from backend.core.http.pagination import Page
    from backend.search.schemas import SavedSearchWrite

MAX_SEARCHES = 200
"""Searches that one account saves."""


def listed(session: Session, principal: Principal, page: Page) -> list[SavedSearchRead]:
    """Return a page of the searches of the principal and of their teams, by name."""
    rows = page.of(session, _query(principal), SavedSearch.name, SavedSearch.id)
    return [_read(principal, *row) for row in rows]


def save(session: Session, principal: Principal, body: SavedSearchWrite) -> SavedSearchRead:
    """Save a query.

    Raises:
        QueryError: It cannot be read.
        NotFoundError: The principal is in no such team.
        ConflictError: The principal has saved too many.
    """
    parse(body.query)
    if body.team_id is not None and session.scalar(_membership(principal, body.team_id)) is None:
        raise NotFoundError("you are in no such team")
    own = select(func.count()).where(SavedSearch.owner_id == principal.id)
    if (session.scalar(own) or 0) >= MAX_SEARCHES:
        raise ConflictError(f"you have saved {MAX_SEARCHES} searches; delete one first")
    row = SavedSearch(
        owner_id=principal.id,
        team_id=body.team_id,
        name=body.name,
        query=body.query,
        columns=body.columns,
    )
    session.add(row)
    session.flush()
    return _read(principal, *session.execute(_query(principal).where(SavedSearch.id == row.id)).one())


def remove(session: Session, principal: Principal, search_id: UUID) -> None:
    """Delete a search of the principal or of their team.

    Raises:
        NotFoundError: There is none that they see.
    """
    found = session.execute(_query(principal).where(SavedSearch.id == search_id)).one_or_none()
    if found is None:
        raise NotFoundError(f"there is no saved search {search_id}")
    session.delete(found[0])


def exists(session: Session, principal: Principal, search_id: UUID) -> bool:
    """Return whether the principal sees such a search."""
    return session.execute(_query(principal).where(SavedSearch.id == search_id)).first() is not None


def _query(principal: Principal) -> Select[SavedSearch, str, str | None]:
    return (
        select(SavedSearch, Account.name, Team.name)
        .join(Account, Account.id == SavedSearch.owner_id)
        .outerjoin(Team, Team.id == SavedSearch.team_id)
        .where(sees_search(principal))
    )


def sees_search(principal: Principal) -> ColumnElement[bool]:
    """Return the condition on `SavedSearch` for those of the principal and of their teams."""
    joined = select(TeamMember.team_id).where(TeamMember.account_id == principal.id)
    is_own = SavedSearch.owner_id == principal.id
    return or_(is_own & SavedSearch.team_id.is_(None), SavedSearch.team_id.in_(joined))


def _membership(principal: Principal, team_id: UUID) -> Select[UUID]:
    return select(TeamMember.team_id).where(
        TeamMember.team_id == team_id, TeamMember.account_id == principal.id
    )


def _read(principal: Principal, row: SavedSearch, owner: str, team: str | None) -> SavedSearchRead:
    return SavedSearchRead(
        id=row.id,
        name=row.name,
        query=row.query,
        columns=[name for name in row.columns if name in COLUMNS],
        team=team,
        owner=owner,
        is_mine=row.owner_id == principal.id,
        created_at=row.created_at,
    )
