"""Endpoints of destinations and their deliveries."""

from __future__ import annotations

from typing import Annotated
from uuid import UUID

from fastapi import APIRouter, Depends, Query, Response

from backend.access.actions import Action
from backend.access.dependencies import BaseUrlDep, PrincipalDep, SessionDep, SettingsDep, needs
from backend.core.http.envelope import Listed
from backend.core.http.locations import locate
from backend.core.http.pagination import PageDep
from backend.destinations import log, service
from backend.destinations.schemas import (
    DeliveryRead,
    DestinationCreate,
    DestinationCreated,
    DestinationRead,
    DestinationUpdate,
    Replayed,
)
from backend.models.destination import Delivery, DeliveryState, Destination

router = APIRouter(tags=["destinations"])


def get_destination(destination_id: UUID, session: SessionDep, principal: PrincipalDep) -> Destination:
    """Return the destination of the path, which the caller manages."""
    return service.managed(session, principal, destination_id)


def get_delivery(delivery_id: UUID, session: SessionDep, principal: PrincipalDep) -> Delivery:
    """Return the delivery of the path, of a destination that the caller manages."""
    return log.delivery(session, principal, delivery_id)


DestinationDep = Annotated[Destination, Depends(get_destination)]
DeliveryDep = Annotated[Delivery, Depends(get_delivery)]


@router.get("/destinations", dependencies=[needs(Action.DESTINATIONS_READ)])
def list_destinations(session: SessionDep, principal: PrincipalDep, page: PageDep) -> Listed[DestinationRead]:
    """List your destinations by name; admins see all."""
    return page.envelope(service.listed(session, principal, page))


@router.post("/destinations", status_code=201, dependencies=[needs(Action.DESTINATION_CHANGE)])
def create_destination(
    body: DestinationCreate,
    response: Response,
    session: SessionDep,
    settings: SettingsDep,
    principal: PrincipalDep,
    base_url: BaseUrlDep,
) -> DestinationCreated:
    """Create a destination; the answer has the signing secret of a webhook, which is shown once."""
    made, secret = service.create(session, settings, principal, body, base_url=base_url)
    locate(response, "destinations", made.id)
    return DestinationCreated(destination=made, secret=secret)


@router.get("/destinations/{destination_id}", dependencies=[needs(Action.DESTINATIONS_READ)])
def read_destination(destination_id: UUID, session: SessionDep, principal: PrincipalDep) -> DestinationRead:
    """Return a destination."""
    return service.described(session, principal, destination_id)


@router.patch("/destinations/{destination_id}", dependencies=[needs(Action.DESTINATION_CHANGE)])
def update_destination(
    body: DestinationUpdate,
    row: DestinationDep,
    session: SessionDep,
    settings: SettingsDep,
    principal: PrincipalDep,
) -> DestinationRead:
    """Change a destination; `is_enabled` disables it, or enables it and sends what waits."""
    service.change(session, settings, principal, row, body.model_dump(exclude_unset=True))
    return service.described(session, principal, row.id)


@router.delete(
    "/destinations/{destination_id}", status_code=204, dependencies=[needs(Action.DESTINATION_CHANGE)]
)
def delete_destination(row: DestinationDep) -> None:
    """Delete a destination; `restore` undoes it."""
    service.remove(row)


@router.post("/destinations/{destination_id}/restore", dependencies=[needs(Action.DESTINATION_CHANGE)])
def restore_destination(
    destination_id: UUID, session: SessionDep, principal: PrincipalDep
) -> DestinationRead:
    """Restore a deleted destination; events from in between are not sent."""
    row = service.managed(session, principal, destination_id, with_deleted=True)
    service.restore(row)
    session.flush()
    return service.described(session, principal, row.id)


@router.post("/destinations/{destination_id}/rotate", dependencies=[needs(Action.DESTINATION_CHANGE)])
def rotate_destination(
    row: DestinationDep, session: SessionDep, settings: SettingsDep, principal: PrincipalDep
) -> DestinationCreated:
    """Rotate the signing secret; the old one signs beside the new one for a day."""
    secret = service.rotate(session, settings, row)
    return DestinationCreated(destination=service.described(session, principal, row.id), secret=secret)


@router.post(
    "/destinations/{destination_id}/test", status_code=201, dependencies=[needs(Action.DESTINATION_CHANGE)]
)
def test_destination(row: DestinationDep, session: SessionDep) -> DeliveryRead:
    """Send a test message; the log shows its result."""
    return log.read(service.send_test(session, row))


@router.get("/destinations/{destination_id}/deliveries", dependencies=[needs(Action.DESTINATIONS_READ)])
def list_deliveries(
    row: DestinationDep,
    session: SessionDep,
    page: PageDep,
    state: Annotated[DeliveryState | None, Query(description="Only those in this state")] = None,
) -> Listed[DeliveryRead]:
    """List what was sent to a destination, newest first; what ended is kept for 30 days."""
    return page.envelope(log.listed(session, row, page, state))


@router.post("/destinations/{destination_id}/replay", dependencies=[needs(Action.DESTINATION_CHANGE)])
def replay_failed(row: DestinationDep, session: SessionDep) -> Replayed:
    """Send every failed delivery again, each under its id."""
    return Replayed(count=service.replay_failed(session, row))


@router.post("/deliveries/{delivery_id}/replay", dependencies=[needs(Action.DESTINATION_CHANGE)])
def replay_delivery(delivery: DeliveryDep, session: SessionDep) -> DeliveryRead:
    """Send a delivery again, under the same id."""
    service.replay(session, delivery)
    return log.read(delivery)
