"""Idempotent retries: the `Idempotency-Key` header.

    POST /api/v1/cases        Idempotency-Key: 8e03978e-40d5-43e8-bc93-6894a57f9324   ->  201
    same request, same key                                                           ->  the stored 201
    another request, same key                                                        ->  422 KeyReused
    same request, still in progress                                                  ->  409

The key is committed in the transaction that does the work; the response is stored right after it, before
it is sent. A refused request stores nothing: the same key may try again. A key is valid for a day, per
account, and per case for case tokens. Responses that contain a secret are never stored: routes of tokens,
links and invitations take no key.

Source: https://datatracker.ietf.org/doc/draft-ietf-httpapi-idempotency-key-header/ (revision 07)
"""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Annotated

from fastapi import Depends, Header, Request
from fastapi.responses import Response
from sqlalchemy import delete, func, select, update
from sqlalchemy.orm import Session
from starlette.concurrency import run_in_threadpool

from backend.access.dependencies import PrincipalDep, SessionDep
from backend.access.principals import Principal
from backend.core.errors import (
    InvalidRequestError,
    KeyReusedError,
    RequestInProgressError,
    ResponseUnavailableError,
)
from backend.models.idempotency_key import IdempotencyKey

if TYPE_CHECKING:
    from collections.abc import Sequence
    from uuid import UUID

    from fastapi import FastAPI
    from sqlalchemy.orm import sessionmaker
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

NAME = "Idempotency-Key"
REPLAYED = "Idempotency-Replayed"
LIFETIME = timedelta(days=1)
MAX_KEY = 255
SCOPE_KEY = "casebook.idempotency-key"
CONTENT_HEADERS = ("upload-length", "upload-metadata")
"""Headers that describe the request where it has no body."""

STORED_HEADERS = frozenset(
    {"content-type", "location", "tus-resumable", "tus-version", "upload-expires", "upload-offset"}
)
_PRINTABLE = re.compile(r"[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?")

IdempotencyKeyHeader = Annotated[
    str | None,
    Header(
        alias=NAME,
        max_length=MAX_KEY,
        description="Unique key of your choice, preferably a UUID: within a day, a retry with it returns the "
        "stored response",
        examples=["8e03978e-40d5-43e8-bc93-6894a57f9324"],
    ),
]


class ReplayedError(Exception):
    """Not an error: the request is a retry, and this is its stored response."""

    def __init__(self, response: Response) -> None:
        """Carry the stored response."""
        super().__init__("answered before")
        self.response = response


@dataclass(frozen=True, slots=True)
class IdempotentRequest:
    """A request that may be a retry.

    Attributes:
        key: The idempotency key; None when the request has none.
    """

    request: Request
    session: Session
    principal: Principal
    key: str | None

    def claim(self, *content: str) -> None:
        """Claim the key for a new request; `content` is its content beside the head.

        Call it after the permission check, in the transaction that does the work.

        Raises:
            ReplayedError: The request is a retry; carries the stored response.
            KeyReusedError: The key belongs to another request.
            RequestInProgressError: The first request with this key is still in progress.
            ResponseUnavailableError: The work was committed, but its response was never stored.
        """
        if self.key is None:
            return
        if not _PRINTABLE.fullmatch(self.key):
            raise InvalidRequestError(f"{NAME} takes printable ASCII characters, preferably a UUID")
        # The maker of a case token may have given tokens of several cases, whose URLs are the same.
        key = f"{self.principal.case_id} {self.key}" if self.principal.case_id else self.key
        if not self.session.scalar(select(func.pg_try_advisory_xact_lock(_lock_of(self.principal.id, key)))):
            raise RequestInProgressError(
                "the first request with this key is still in progress; retry in a moment"
            )
        _forget_old(self.session)
        digest = self._digest(content)
        stored = self.session.scalar(
            select(IdempotencyKey).where(
                IdempotencyKey.account_id == self.principal.id, IdempotencyKey.key == key
            )
        )
        if stored is not None:
            response = _stored_response(stored, digest)
            # The audit entry of this retry is committed with the stored response.
            self.session.commit()
            raise ReplayedError(response)
        made = IdempotencyKey(account_id=self.principal.id, key=key, request_digest=digest)
        self.session.add(made)
        self.session.flush()
        self.request.scope[SCOPE_KEY] = made.id

    def _digest(self, content: Sequence[str]) -> str:
        """Return the digest of the request: the case of its token, its target and its content."""
        parts = [
            str(self.principal.case_id or ""),
            self.request.method,
            self.request.scope["path"],
            self.request.scope["query_string"].decode("latin-1"),
        ]
        parts += [self.request.headers.get(name, "") for name in CONTENT_HEADERS]
        return hashlib.sha256("\n".join([*parts, *content]).encode("utf-8", "surrogatepass")).hexdigest()


def get_idempotent_request(
    request: Request, session: SessionDep, principal: PrincipalDep, key: IdempotencyKeyHeader = None
) -> IdempotentRequest:
    """Return the request as a possible retry, for routes that claim the key themselves."""
    return IdempotentRequest(request, session, principal, key)


IdempotentRequestDep = Annotated[IdempotentRequest, Depends(get_idempotent_request)]


async def get_body_digest(request: Request) -> str:
    """Return the SHA-256 of a body that fits into memory."""
    return hashlib.sha256(await request.body()).hexdigest()


def get_claimed(idempotent: IdempotentRequestDep, digest: Annotated[str, Depends(get_body_digest)]) -> None:
    """Claim the idempotency key of a request whose body fits into memory."""
    idempotent.claim(digest)


ClaimedDep = Annotated[None, Depends(get_claimed)]
"""A parameter of routes that create something, after the case in which it is created."""


def _stored_response(stored: IdempotencyKey, digest: str) -> Response:
    """Return the stored response of a retry."""
    if stored.request_digest != digest:
        raise KeyReusedError(f"this {NAME} was used for another request; send a new key with each request")
    if stored.status is None:
        raise ResponseUnavailableError(
            f"this request was done at {stored.created_at:%H:%M:%S} UTC, but the service stopped before "
            "storing the response; look up the result, or repeat the request with a new key"
        )
    return Response(stored.body, stored.status, {**stored.headers, REPLAYED: "true"})


class StoreResponses:
    """Stores the response of each request that claimed a key, before it is sent."""

    def __init__(self, app: ASGIApp) -> None:
        """Wrap `app`."""
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Forward the request, and buffer its response until it is stored."""
        if scope["type"] != "http" or not any(name == b"idempotency-key" for name, _ in scope["headers"]):
            await self.app(scope, receive, send)
            return
        buffered: list[Message] = []

        async def buffer(message: Message) -> None:
            if SCOPE_KEY not in scope:
                await send(message)
                return
            buffered.append(message)
            if message["type"] == "http.response.body" and not message.get("more_body", False):
                sessions: sessionmaker[Session] = scope["app"].state.sessions
                await run_in_threadpool(_store, sessions, scope[SCOPE_KEY], buffered)
                for one in buffered:
                    await send(one)

        await self.app(scope, receive, buffer)


def install(app: FastAPI) -> None:
    """Have `app` answer retries with the stored response."""
    app.add_middleware(StoreResponses)
    app.add_exception_handler(ReplayedError, _replay)


async def _replay(_: Request, error: Exception) -> Response:
    assert isinstance(error, ReplayedError)  # noqa: S101 - registered for it
    return error.response


def _store(sessions: sessionmaker[Session], key_id: UUID, buffered: list[Message]) -> None:
    """Store a response; a refused request has no key to store it under."""
    start = buffered[0]
    headers = {name.decode("latin-1").lower(): value.decode("latin-1") for name, value in start["headers"]}
    body = b"".join(message.get("body", b"") for message in buffered[1:])
    with sessions.begin() as session:
        session.execute(
            update(IdempotencyKey)
            .where(IdempotencyKey.id == key_id)
            .values(
                status=start["status"],
                headers={name: value for name, value in headers.items() if name in STORED_HEADERS},
                body=body.decode(),
            )
        )


def _forget_old(session: Session) -> None:
    """Delete keys older than a day, of any account, except those another process is deleting."""
    old = select(IdempotencyKey.id).where(IdempotencyKey.created_at < datetime.now(UTC) - LIFETIME)
    session.execute(
        delete(IdempotencyKey).where(IdempotencyKey.id.in_(old.with_for_update(skip_locked=True)))
    )


def _lock_of(account_id: UUID, key: str) -> int:
    """Return the advisory lock number of a key: 63 bits of a hash, so collisions are negligible."""
    return int.from_bytes(hashlib.sha256(f"{account_id}\n{key}".encode()).digest()[:8], "big") >> 1
