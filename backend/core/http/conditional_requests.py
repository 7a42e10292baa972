"""Conditional requests: GET with `If-None-Match`, and optimistic locking by `If-Match`.

    GET   /api/v1/cases/12    If-None-Match: "5f1c…"    ->  304, no body
    PATCH /api/v1/cases/12    If-Match: "5f1c…"         ->  412 if the resource changed since
    PATCH /api/v1/cases/12    If-Match: "a93e…"         ->  412 if an edited field changed; its `version`

An ETag is a digest of the JSON response before compression; a route's own ETag takes precedence.

Source: https://www.rfc-editor.org/rfc/rfc9110#section-8.8.3
"""

from __future__ import annotations

import hashlib
import json
from http import HTTPStatus
from typing import TYPE_CHECKING, Annotated, Any

from fastapi import Header
from starlette.datastructures import Headers, MutableHeaders

from backend.core.errors import PreconditionError

if TYPE_CHECKING:
    from fastapi import FastAPI
    from pydantic import BaseModel
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

API = "/api/"
JSON = "application/json"
TAG_CHARACTERS = 32

IfMatch = Annotated[
    str | None,
    Header(
        alias="If-Match",
        max_length=500,
        description="`ETag`, or `version` where present, of the last read; 412 if it changed since",
    ),
]
READS: dict[str, Any] = {
    "304": {
        "description": "Not modified since the response whose `ETag` is in `If-None-Match`.",
        "headers": {"ETag": {"description": "The current ETag.", "schema": {"type": "string"}}},
    }
}


def tag_of(resource: BaseModel) -> str:
    """Return the ETag of a response."""
    return _tag(resource.model_dump_json().encode())


def version_of(*fields: str | None) -> str:
    """Return the version of some fields of a resource: an ETag without quotes."""
    return _tag(json.dumps(fields).encode()).strip('"')


def is_among(tag: str, listed: str) -> bool:
    """Return whether a header lists `tag`; weak tags match too, since compressing proxies weaken them."""
    names = [one.strip().removeprefix("W/") for one in listed.split(",")]
    return tag in names or "*" in names


def check(if_match: str | None, resource: BaseModel, *, version: str = "") -> None:
    """Check `If-Match` against the ETag of `resource`, or the `version` of some of its fields.

    Raises:
        PreconditionError: It was changed since.
    """
    tags = [tag_of(resource), *([f'"{version}"'] if version else [])]
    if if_match is not None and not any(is_among(tag, if_match) for tag in tags):
        raise PreconditionError("this was changed since you read it; read it again and reapply your change")


class ETags:
    """Adds an ETag to every JSON response to a GET, and answers 304 when `If-None-Match` lists it."""

    def __init__(self, app: ASGIApp) -> None:
        """Wrap `app`."""
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Forward the request, and buffer a JSON response to compute its ETag."""
        if scope["type"] != "http" or scope["method"] != "GET" or not scope["path"].startswith(API):
            await self.app(scope, receive, send)
            return
        requested = Headers(scope=scope).get("if-none-match", "")
        buffered: list[Message] = []

        async def send_tagged(message: Message) -> None:
            if not buffered and (message["type"] != "http.response.start" or not _is_plain_json(message)):
                await send(message)
                return
            buffered.append(message)
            if message["type"] == "http.response.body" and not message.get("more_body", False):
                for one in _tagged(buffered, requested):
                    await send(one)
                buffered.clear()

        await self.app(scope, receive, send_tagged)


def install(app: FastAPI) -> None:
    """Add ETags to the responses of `app`."""
    app.add_middleware(ETags)


def document(schema: dict[str, Any]) -> None:
    """Document the 304 responses in an OpenAPI `schema`."""
    for path in schema["paths"].values():
        responses = path.get("get", {}).get("responses", {})
        if JSON in responses.get("200", {}).get("content", {}):
            responses.update(READS)


def _is_plain_json(start: Message) -> bool:
    headers = Headers(raw=start["headers"])
    is_json = headers.get("content-type", "").partition(";")[0] == JSON
    return start["status"] == HTTPStatus.OK and is_json and "content-encoding" not in headers


def _tagged(buffered: list[Message], requested: str) -> list[Message]:
    """Return the response with its ETag, or a 304 when `requested` lists it."""
    start = buffered[0]
    headers = MutableHeaders(raw=start["headers"])
    headers.setdefault("ETag", _tag(b"".join(message.get("body", b"") for message in buffered[1:])))
    if not is_among(headers["etag"], requested):
        return buffered
    for name in ("content-length", "content-type"):
        del headers[name]
    return [{**start, "status": HTTPStatus.NOT_MODIFIED}, {"type": "http.response.body", "body": b""}]


def _tag(content: bytes) -> str:
    return f'"{hashlib.sha256(content).hexdigest()[:TAG_CHARACTERS]}"'
