"""One attempt at a delivery, by its channel."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from backend.core.encryption import DecryptionError
from backend.destinations import calls, chat, credentials, signing
from backend.destinations.calls import Answer
from backend.destinations.schemas import Message
from backend.models.destination import Channel

if TYPE_CHECKING:
    from uuid import UUID

    from backend.core.settings import Settings


@dataclass(frozen=True, slots=True)
class Call:
    """What is sent, and where: a copy of the rows, so that no transaction waits for the receiver.

    Attributes:
        template: Template of the text; "" for the default.
        reference: Name of the message of the case at the receiver; "" for none yet.
        posted_status: Status of the case when it was last posted; "" for never.
    """

    destination_id: UUID
    delivery_id: UUID
    url: str
    sealed: str
    body: bytes
    channel: Channel = Channel.WEBHOOK
    template: str = ""
    reference: str = ""
    posted_status: str = ""

    @property
    def message(self) -> Message:
        """The message in the body."""
        return Message.model_validate_json(self.body)


def send(settings: Settings, call: Call) -> Answer:
    """Make one attempt; never raises for what a receiver does."""
    try:
        if call.channel is Channel.WEBHOOK:
            return _call_webhook(settings, call)
        entered = credentials.unseal(settings, call.destination_id, call.sealed)
    except DecryptionError as failure:
        return Answer(None, "", f"the credentials cannot be read: {failure}; enter them again")
    last = chat.Last(call.reference, call.posted_status)
    return chat.post(settings, call.channel, entered, call.message, template=call.template, last=last)


def _call_webhook(settings: Settings, call: Call) -> Answer:
    found = signing.unseal(settings, call.destination_id, call.sealed)
    now = datetime.now(UTC)
    headers = signing.headers_of(call.delivery_id, now, call.body, found.at(now))
    return calls.call(settings, call.url, call.body, headers)
