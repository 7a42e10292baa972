"""The section `webhooks` of the OpenAPI schema: what is sent, by kind of event."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

from fastapi import Header

from backend.core.outgoing_kinds import OUTGOING, TEST
from backend.destinations.schemas import Message  # noqa: TC001 - FastAPI reads the annotations

if TYPE_CHECKING:
    from fastapi import FastAPI

ANSWERS = {"2XX": {"description": "It arrived. Everything else is sent again, under the same id."}}


def receive(
    body: Message,
    webhook_id: Annotated[str, Header(description="The same in every attempt")],
    webhook_timestamp: Annotated[str, Header(description="Seconds since 1970 of this attempt")],
    webhook_signature: Annotated[str, Header(description="`v1,` and the HMAC-SHA256 in base64")],
) -> None:
    """Receive an event; https://www.standardwebhooks.com describes the headers."""


def describe(app: FastAPI) -> None:
    """Add the webhooks to the schema of `app`, once."""
    if app.webhooks.routes:
        return
    for kind, summary in {**OUTGOING, TEST: "The test button was pressed."}.items():
        app.webhooks.add_api_route(
            kind,
            receive,
            methods=["POST"],
            summary=summary,
            operation_id=f"receive_{kind.replace('.', '_')}",
            tags=["destinations"],
        )


def document(schema: dict[str, Any]) -> None:
    """State in an OpenAPI `schema` what the receiver answers."""
    for operations in schema.get("webhooks", {}).values():
        for operation in operations.values():
            operation["responses"] = ANSWERS
