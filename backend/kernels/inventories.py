"""Inventories: replace one as a whole, list and delete them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import ARRAY, Text, cast, delete, func, insert, literal, select
from sqlalchemy.dialects.postgresql import insert as upsert

from backend.core.errors import ConflictError, NotFoundError
from backend.kernels.queries import sees_inventory
from backend.kernels.schemas import InventoryRead, InventoryWritten, RejectedRow
from backend.models.account import Role
from backend.models.base import uuid7
from backend.models.kernel_fleet import Inventory, InventoryHost
from backend.models.team import Team, TeamMember

if TYPE_CHECKING:
    from uuid import UUID

    from sqlalchemy import Insert, Select
    from sqlalchemy.orm import Session

    from backend.access.principals import Principal
    from backend.core.http.pagination import Page
    from backend.kernels.inventory_rows import InventoryRow, Rows

MAX_INVENTORIES = 50
"""Inventories of one team, and of those without a team."""


def listed(session: Session, principal: Principal, page: Page) -> list[InventoryRead]:
    """Return a page of the visible inventories, by source."""
    rows = page.of(session, _query(principal), Inventory.source, Inventory.id)
    return [_read(row, team) for row, team in rows]


def replace(
    session: Session, principal: Principal, source: str, team_id: UUID | None, rows: Rows
) -> InventoryWritten:
    """Replace the inventory of a source by `rows`, in this transaction; others see all of it or none.

    Raises:
        NotFoundError: The principal is in no such team.
        ConflictError: There are too many inventories.
    """
    _check_team(session, principal, team_id)
    own = Inventory.team_id.is_not_distinct_from(team_id)
    others = select(func.count()).select_from(Inventory).where(own, Inventory.source != source)
    if (session.scalar(others) or 0) >= MAX_INVENTORIES:
        raise ConflictError(f"there are {MAX_INVENTORIES} inventories already; delete one first")
    values = {
        "author": principal.name,
        "hosts": len(rows.taken),
        "rejected": rows.rejected,
        "updated_at": func.now(),
    }
    written = upsert(Inventory).values(id=uuid7(), source=source, team_id=team_id, **values)
    # The lock of the row has uploads of one source follow each other.
    inventory_id = session.scalar(
        written.on_conflict_do_update(index_elements=["source", "team_id"], set_=values).returning(
            Inventory.id
        )
    )
    assert inventory_id is not None  # noqa: S101 - one of both is written
    session.execute(delete(InventoryHost).where(InventoryHost.inventory_id == inventory_id))
    session.execute(_inserted(inventory_id, rows.taken))
    row, team = session.execute(
        _query(principal).where(Inventory.id == inventory_id).execution_options(populate_existing=True)
    ).one()
    named = [RejectedRow(row=one.row, reason=one.reason) for one in rows.named]
    return InventoryWritten(**_read(row, team).model_dump(), first_rejected=named)


def remove(session: Session, principal: Principal, source: str, team_id: UUID | None) -> None:
    """Delete an inventory with its hosts.

    Raises:
        NotFoundError: The principal sees none of this source and team.
    """
    _check_team(session, principal, team_id)
    query = _query(principal).where(
        Inventory.source == source, Inventory.team_id.is_not_distinct_from(team_id)
    )
    found = session.execute(query).one_or_none()
    if found is None:
        raise NotFoundError(f"there is no inventory {source}")
    session.delete(found[0])


def _check_team(session: Session, principal: Principal, team_id: UUID | None) -> None:
    if team_id is None:
        return
    query = select(Team.id).where(Team.id == team_id)
    if principal.role is not Role.ADMIN:
        query = query.join(TeamMember, TeamMember.team_id == Team.id)
        query = query.where(TeamMember.account_id == principal.id)
    if session.scalar(query) is None:
        raise NotFoundError("you are in no such team")


def _inserted(inventory_id: UUID, rows: list[InventoryRow]) -> Insert:
    """Return one statement that stores rows: a column of each is sent, not a statement of each row."""
    fields = list(rows[0]._fields)
    columns = [
        cast(literal([row[at] for row in rows], ARRAY(Text)), ARRAY(Text)) for at in range(len(fields))
    ]
    each = func.unnest(*columns).table_valued(*fields).render_derived()
    stored = select(literal(inventory_id), *(each.c[name] for name in fields))
    return insert(InventoryHost).from_select(["inventory_id", *fields], stored)


def _query(principal: Principal) -> Select[Inventory, str | None]:
    return (
        select(Inventory, Team.name)
        .outerjoin(Team, Team.id == Inventory.team_id)
        .where(sees_inventory(principal))
    )


def _read(row: Inventory, team: str | None) -> InventoryRead:
    return InventoryRead(
        id=row.id,
        source=row.source,
        team=team,
        team_id=row.team_id,
        author=row.author,
        hosts=row.hosts,
        rejected=row.rejected,
        updated_at=row.updated_at,
    )
