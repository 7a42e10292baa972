"""What happened, in order; the table itself is `backend.core.event`, whose floor appends to it."""

from backend.core.event import Event

__all__ = ["Event"]
