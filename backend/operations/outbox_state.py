"""What waits to leave the service: events whose destinations are not looked up, and deliveries."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from sqlalchemy import text

if TYPE_CHECKING:
    from sqlalchemy.orm import Session

_STATE = text("""
    with open_delivery as (
        select delivery.state, delivery.created_at,
            destination.is_enabled and destination.deleted_at is null
                and account.disabled_at is null as is_sent
        from delivery
            join destination on destination.id = delivery.destination_id
            join account on account.id = destination.owner_id
        where delivery.state = 'pending'
    )
    select (select count(*) from outbox),
        (select count(*) from open_delivery where is_sent),
        (select count(*) from open_delivery where not is_sent),
        coalesce(extract(epoch from now() - least(
            (select min(created_at) from outbox),
            (select min(created_at) from open_delivery where is_sent))), 0)
""")


class Outgoing(NamedTuple):
    """Events and deliveries by what they wait for.

    Attributes:
        unsent: Events whose destinations are not looked up yet.
        pending: Deliveries to be sent, or to be repeated.
        held: Deliveries of destinations that are disabled, or whose owner is: nobody sends them.
        oldest_seconds: Age of the oldest that is not held.
    """

    unsent: int
    pending: int
    held: int
    oldest_seconds: float


def read(session: Session) -> Outgoing:
    """Return what waits now."""
    unsent, pending, held, oldest = session.execute(_STATE).one()
    return Outgoing(unsent, pending, held, max(float(oldest), 0.0))
