"""Queries of destinations and deliveries."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import func, select, true

from backend.models.account import Account, Role
from backend.models.case_search import SavedSearch
from backend.models.destination import Delivery, DeliveryState, Destination
from backend.models.team import Team, TeamMember

if TYPE_CHECKING:
    from uuid import UUID

    from sqlalchemy import ColumnElement, Select

    from backend.access.principals import Principal


def manages(principal: Principal) -> ColumnElement[bool]:
    """Return the condition on `Destination` for those a principal manages: their own, of an admin all."""
    return true() if principal.role is Role.ADMIN else Destination.owner_id == principal.id


def described(principal: Principal) -> Select[Destination, str, str | None, str | None, int, int]:
    """Return the query for managed destinations with owner, team, search, pending and failed deliveries."""
    return (
        select(
            Destination,
            Account.name,
            Team.name,
            SavedSearch.name,
            _count(DeliveryState.PENDING),
            _count(DeliveryState.FAILED),
        )
        .join(Account, Account.id == Destination.owner_id)
        .outerjoin(Team, Team.id == Destination.team_id)
        .outerjoin(SavedSearch, SavedSearch.id == Destination.search_id)
        .where(manages(principal), Destination.deleted_at.is_(None))
    )


def destination_of_id(principal: Principal, destination_id: UUID) -> Select[Destination]:
    """Return the query for a destination that a principal manages, deleted ones included."""
    return select(Destination).where(Destination.id == destination_id, manages(principal))


def delivery_of_id(principal: Principal, delivery_id: UUID) -> Select[Delivery]:
    """Return the query for a delivery of a destination that a principal manages."""
    return (
        select(Delivery)
        .join(Destination, Destination.id == Delivery.destination_id)
        .where(Delivery.id == delivery_id, Destination.deleted_at.is_(None), manages(principal))
    )


def team_of_id(principal: Principal, team_id: UUID) -> Select[UUID]:
    """Return the query for a team of the principal, of an admin any."""
    query = select(Team.id).where(Team.id == team_id)
    if principal.role is Role.ADMIN:
        return query
    return query.join(TeamMember).where(TeamMember.account_id == principal.id)


def _count(state: DeliveryState) -> ColumnElement[int]:
    counted = select(func.count()).where(Delivery.destination_id == Destination.id, Delivery.state == state)
    return counted.scalar_subquery()
