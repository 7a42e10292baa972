"""Versions of answers: what has not changed is not sent again, and what changed meanwhile is not overwritten.

    GET   /api/v1/cases/12    If-None-Match: "5f1c…"    ->  304, no body
    PATCH /api/v1/cases/12    If-Match: "5f1c…"         ->  412 when anything of it changed since
    PATCH /api/v1/cases/12    If-Match: "a93e…"         ->  412 when somebody wrote since; its `version`

A tag is a digest of the answer as JSON, before it is compressed; an answer that has one of its own keeps it.

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
        description="`ETag`, or `version` if it has one, of what was read; 412 if it changed",
    ),
]
READS: dict[str, Any] = {
    "304": {
        "description": "Not changed since the answer with the `ETag` that `If-None-Match` names.",
        "headers": {"ETag": {"description": "The same.", "schema": {"type": "string"}}},
    }
}


def tag_of(told: BaseModel) -> str:
    """Return the tag of an answer."""
    return _tag(told.model_dump_json().encode())


def version_of(*told: str | None) -> str:
    """Return the version of a part of an answer: a tag without quotes."""
    return _tag(json.dumps(told).encode()).strip('"')


def is_among(tag: str, listed: str) -> bool:
    """Return whether a header lists `tag`; a proxy that compresses makes a tag weak."""
    names = [one.strip().removeprefix("W/") for one in listed.split(",")]
    return tag in names or "*" in names


def check(if_match: str | None, told: BaseModel, *, version: str = "") -> None:
    """Go on when what is to be changed is still what was read, in all or in the part that `version` is of.

    Raises:
        PreconditionError: It is not.
    """
    tags = [tag_of(told), *([f'"{version}"'] if version else [])]
    if if_match is not None and not any(is_among(tag, if_match) for tag in tags):
        raise PreconditionError("this was changed since you read it; read it again, and change that")


class Tags:
    """Tags every JSON that is read, and sends only the tag where the sender has that already."""

    def __init__(self, app: ASGIApp) -> None:
        """Stand around `app`."""
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, and look at its answer."""
        if scope["type"] != "http" or scope["method"] != "GET" or not scope["path"].startswith(API):
            await self.app(scope, receive, send)
            return
        known = Headers(scope=scope).get("if-none-match", "")
        held: list[Message] = []

        async def tagging(message: Message) -> None:
            if not held and (message["type"] != "http.response.start" or not _is_plain_json(message)):
                await send(message)
                return
            held.append(message)
            if message["type"] == "http.response.body" and not message.get("more_body", False):
                for one in _tagged(held, known):
                    await send(one)
                held.clear()

        await self.app(scope, receive, tagging)


def install(app: FastAPI) -> None:
    """Tag what `app` answers."""
    app.add_middleware(Tags)


def document(schema: dict[str, Any]) -> None:
    """Say in an OpenAPI `schema` what may be answered with the tag alone."""
    for path in schema["paths"].values():
        told = path.get("get", {}).get("responses", {})
        if JSON in told.get("200", {}).get("content", {}):
            told.update(READS)


def _is_plain_json(start: Message) -> bool:
    headers = Headers(raw=start["headers"])
    is_json = headers.get("content-type", "").partition(";")[0] == JSON
    return start["status"] == HTTPStatus.OK and is_json and "content-encoding" not in headers


def _tagged(held: list[Message], known: str) -> list[Message]:
    """Return the answer with its tag, or the tag alone when it is `known`."""
    start = held[0]
    headers = MutableHeaders(raw=start["headers"])
    headers.setdefault("ETag", _tag(b"".join(message.get("body", b"") for message in held[1:])))
    if not is_among(headers["etag"], known):
        return held
    for name in ("content-length", "content-type"):
        del headers[name]
    return [{**start, "status": HTTPStatus.NOT_MODIFIED}, {"type": "http.response.body", "body": b""}]


def _tag(content: bytes) -> str:
    return f'"{hashlib.sha256(content).hexdigest()[:TAG_CHARACTERS]}"'
