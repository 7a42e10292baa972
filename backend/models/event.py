"""The event log; the table is `backend.core.event`, in the layer that appends to it."""

from backend.core.event import Event

__all__ = ["Event"]
