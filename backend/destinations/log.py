"""The log of deliveries."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import select

from backend.core.errors import NotFoundError
from backend.destinations import queries
from backend.destinations.schemas import DeliveryRead
from backend.models.destination import Delivery, DeliveryState

if TYPE_CHECKING:
    from uuid import UUID

    from sqlalchemy.orm import Session

    from backend.access.principals import Principal
    from backend.core.http.pagination import Page
    from backend.models.destination import Destination


def listed(session: Session, row: Destination, page: Page, state: DeliveryState | None) -> list[DeliveryRead]:
    """Return a page of the deliveries of a destination, newest first."""
    query = select(Delivery).where(Delivery.destination_id == row.id)
    if state is not None:
        query = query.where(Delivery.state == state)
    return [read(one) for (one,) in page.of(session, query, Delivery.id, is_descending=True)]


def delivery(session: Session, principal: Principal, delivery_id: UUID) -> Delivery:
    """Return a delivery, locked.

    Raises:
        NotFoundError: The principal manages no destination that has it.
    """
    query = queries.delivery_of_id(principal, delivery_id).with_for_update(of=Delivery)
    found = session.scalar(query)
    if found is None:
        raise NotFoundError(f"there is no delivery {delivery_id}")
    return found


def read(one: Delivery) -> DeliveryRead:
    """Return a delivery as the API shows it."""
    shown = DeliveryRead.model_validate(one)
    return shown if one.state is DeliveryState.PENDING else shown.model_copy(update={"next_at": None})
