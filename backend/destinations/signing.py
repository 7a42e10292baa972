"""Secrets of webhooks and their signatures, after the Standard Webhooks specification.

    webhook-id: 01990000-0000-7000-8000-000000000007
    webhook-timestamp: 1763693591
    webhook-signature: v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=

A rotated secret signs beside the new one for a day.

Source: https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md
"""

from __future__ import annotations

import base64
import hmac
import json
import secrets
from dataclasses import asdict, dataclass
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from backend.core import encryption

if TYPE_CHECKING:
    from uuid import UUID

    from backend.core.settings import Settings

PREFIX = "whsec_"
SECRET_BYTES = 32
OVERLAP = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class Secrets:
    """Signing secrets of a destination; the previous one signs until `previous_until`, an ISO time."""

    secret: str
    previous: str = ""
    previous_until: str = ""

    def at(self, now: datetime) -> list[str]:
        """Return the secrets that sign at `now`, the current one first."""
        if self.previous and datetime.fromisoformat(self.previous_until) > now:
            return [self.secret, self.previous]
        return [self.secret]

    def rotated(self) -> Secrets:
        """Return a new secret, with this one as the previous."""
        return Secrets(mint(), self.secret, (datetime.now(UTC) + OVERLAP).isoformat())


def mint() -> str:
    """Return a new signing secret."""
    return PREFIX + base64.b64encode(secrets.token_bytes(SECRET_BYTES)).decode()


def seal(settings: Settings, destination_id: UUID, found: Secrets) -> str:
    """Return the secrets encrypted for their destination."""
    return encryption.seal(settings, json.dumps(asdict(found)), about=_about(destination_id))


def unseal(settings: Settings, destination_id: UUID, sealed: str) -> Secrets:
    """Return the secrets of a destination.

    Raises:
        DecryptionError: They were encrypted with another key, or modified.
    """
    return Secrets(**json.loads(encryption.unseal(settings, sealed, about=_about(destination_id))))


def headers_of(message_id: UUID, now: datetime, body: bytes, signers: list[str]) -> dict[str, str]:
    """Return the three headers of a message, with a signature by each secret."""
    seconds = int(now.timestamp())
    signed = f"{message_id}.{seconds}.".encode() + body
    return {
        "webhook-id": str(message_id),
        "webhook-timestamp": str(seconds),
        "webhook-signature": " ".join(f"v1,{_signature(secret, signed)}" for secret in signers),
    }


def _signature(secret: str, signed: bytes) -> str:
    key = base64.b64decode(secret.removeprefix(PREFIX))
    return base64.b64encode(hmac.digest(key, signed, "sha256")).decode()


def _about(destination_id: UUID) -> str:
    return f"secrets of destination {destination_id}"
