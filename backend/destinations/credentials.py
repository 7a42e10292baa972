"""Credentials of chat and mail destinations: URL, token and target, encrypted as one."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from backend.core import encryption
from backend.destinations.channels import Entered

if TYPE_CHECKING:
    from uuid import UUID

    from backend.core.settings import Settings


def seal(settings: Settings, destination_id: UUID, entered: Entered) -> str:
    """Return the credentials encrypted for their destination."""
    return encryption.seal(settings, json.dumps(list(entered)), about=_about(destination_id))


def unseal(settings: Settings, destination_id: UUID, sealed: str) -> Entered:
    """Return the credentials of a destination.

    Raises:
        DecryptionError: They were encrypted with another key, or modified.
    """
    return Entered(*json.loads(encryption.unseal(settings, sealed, about=_about(destination_id))))


def _about(destination_id: UUID) -> str:
    return f"credentials of destination {destination_id}"
