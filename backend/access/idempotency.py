"""Requests that may be sent again without being done again: `Idempotency-Key`.

    POST /api/v1/cases        Idempotency-Key: 8e03978e-40d5-43e8-bc93-6894a57f9324   ->  201, once
    the same again                                                                    ->  the same 201
    another body, same key                                                            ->  422 KeyReused
    the same at the same moment                                                       ->  409
    RequestInProgress

The key is kept in the transaction that does what was asked, so either both are there or neither; the answer
is kept right behind it, before it leaves. What is refused is not kept: the same key may try again. A key is
known for a day, to the account that sent it. Answers that tell a secret are never kept: routes of tokens,
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
SCOPE_KEY = "casebook.once"
TOLD_BY = ("upload-length", "upload-metadata")
"""Headers that say what is asked for, where no body does."""

KEPT_HEADERS = frozenset(
    {"content-type", "location", "tus-resumable", "tus-version", "upload-expires", "upload-offset"}
)
_PRINTABLE = re.compile(r"[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?")

IdempotencyKeyHeader = Annotated[
    str | None,
    Header(
        alias=NAME,
        max_length=MAX_KEY,
        description="Words of your own, best a UUID: within a day the same request with the same key is done "
        "once, and answered the same again",
        examples=["8e03978e-40d5-43e8-bc93-6894a57f9324"],
    ),
]


class ReplayedError(Exception):
    """Not an error: the request was done before, and this is what it was answered."""

    def __init__(self, response: Response) -> None:
        """Keep the answer."""
        super().__init__("answered before")
        self.response = response


@dataclass(frozen=True, slots=True)
class IdempotentRequest:
    """A request that may have come before.

    Attributes:
        key: None when its sender did not say that it may come again.
    """

    request: Request
    session: Session
    principal: Principal
    key: str | None

    def claim(self, *brought: str) -> None:
        """Go on if the request is new; `brought` is what it brings besides what its head says.

        Call it behind what decides whether it may be done at all, in the transaction that does it.

        Raises:
            ReplayedError: It was done; carries the answer.
            KeyReusedError: The key belongs to another request.
            RequestInProgressError: The same key is at work in another connection.
            ResponseUnavailableError: It was done, and the service was killed before it kept the answer.
        """
        if self.key is None:
            return
        if not _PRINTABLE.fullmatch(self.key):
            raise InvalidRequestError(f"{NAME} takes printable characters of ASCII, best a UUID")
        if not self.session.scalar(
            select(func.pg_try_advisory_xact_lock(_lock_of(self.principal.id, self.key)))
        ):
            raise RequestInProgressError(
                "a request with this key is being done now; send it again in a moment"
            )
        _forget_old(self.session)
        digest = self._digest(brought)
        known = self.session.scalar(
            select(IdempotencyKey).where(
                IdempotencyKey.account_id == self.principal.id, IdempotencyKey.key == self.key
            )
        )
        if known is not None:
            answer = _answer(known, digest)
            # What was noted of this request stays, as it is answered.
            self.session.commit()
            raise ReplayedError(answer)
        made = IdempotencyKey(account_id=self.principal.id, key=self.key, request_digest=digest)
        self.session.add(made)
        self.session.flush()
        self.request.scope[SCOPE_KEY] = made.id

    def _digest(self, brought: Sequence[str]) -> str:
        """Return what tells one request from another: where it goes and what it brings."""
        told = [
            self.request.method,
            self.request.scope["path"],
            self.request.scope["query_string"].decode("latin-1"),
        ]
        told += [self.request.headers.get(name, "") for name in TOLD_BY]
        return hashlib.sha256("\n".join([*told, *brought]).encode("utf-8", "surrogatepass")).hexdigest()


def get_once(
    request: Request, session: SessionDep, principal: PrincipalDep, key: IdempotencyKeyHeader = None
) -> IdempotentRequest:
    """Return the request as one that may have come before, for routes that claim it themselves."""
    return IdempotentRequest(request, session, principal, key)


IdempotentRequestDep = Annotated[IdempotentRequest, Depends(get_once)]


async def get_body_digest(request: Request) -> str:
    """Return the SHA-256 of a body that is no evidence."""
    return hashlib.sha256(await request.body()).hexdigest()


def get_claimed(once: IdempotentRequestDep, digest: Annotated[str, Depends(get_body_digest)]) -> None:
    """Claim a request with a body that fits into memory."""
    once.claim(digest)


ClaimedDep = Annotated[None, Depends(get_claimed)]
"""A parameter of routes that make something, behind the case it is made in."""


def _answer(known: IdempotencyKey, digest: str) -> Response:
    """Return what a request was answered that was done before."""
    if known.request_digest != digest:
        raise KeyReusedError(f"this {NAME} was sent with another request; take a new one for each")
    if known.status is None:
        raise ResponseUnavailableError(
            f"this was done at {known.created_at:%H:%M:%S} UTC, and the service ended before it could "
            "answer; look for what it made, and take a new key to do it once more"
        )
    return Response(known.body, known.status, {**known.headers, REPLAYED: "true"})


class KeepAnswers:
    """Keeps the answer to each request that claimed a key, before it leaves."""

    def __init__(self, app: ASGIApp) -> None:
        """Stand around `app`."""
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, and hold its answer until it is kept."""
        if scope["type"] != "http" or not any(name == b"idempotency-key" for name, _ in scope["headers"]):
            await self.app(scope, receive, send)
            return
        held: list[Message] = []

        async def keeping(message: Message) -> None:
            if SCOPE_KEY not in scope:
                await send(message)
                return
            held.append(message)
            if message["type"] == "http.response.body" and not message.get("more_body", False):
                sessions: sessionmaker[Session] = scope["app"].state.sessions
                await run_in_threadpool(_keep, sessions, scope[SCOPE_KEY], held)
                for one in held:
                    await send(one)

        await self.app(scope, receive, keeping)


def install(app: FastAPI) -> None:
    """Have `app` answer what was done before as it was answered then."""
    app.add_middleware(KeepAnswers)
    app.add_exception_handler(ReplayedError, _replay)


async def _replay(_: Request, error: Exception) -> Response:
    assert isinstance(error, ReplayedError)  # noqa: S101 - registered for it
    return error.response


def _keep(sessions: sessionmaker[Session], key_id: UUID, held: list[Message]) -> None:
    """Keep an answer; of a request that was refused there is no key any more."""
    start = held[0]
    headers = {name.decode("latin-1").lower(): value.decode("latin-1") for name, value in start["headers"]}
    body = b"".join(message.get("body", b"") for message in held[1:])
    with sessions.begin() as session:
        session.execute(
            update(IdempotencyKey)
            .where(IdempotencyKey.id == key_id)
            .values(
                status=start["status"],
                headers={name: value for name, value in headers.items() if name in KEPT_HEADERS},
                body=body.decode(),
            )
        )


def _forget_old(session: Session) -> None:
    """Delete keys of before a day, of whomever, but for those that another does already."""
    old = select(IdempotencyKey.id).where(IdempotencyKey.created_at < datetime.now(UTC) - LIFETIME)
    session.execute(
        delete(IdempotencyKey).where(IdempotencyKey.id.in_(old.with_for_update(skip_locked=True)))
    )


def _lock_of(account_id: UUID, key: str) -> int:
    """Return the number of the lock of a key: 63 bits, so that two keys meet by chance never."""
    return int.from_bytes(hashlib.sha256(f"{account_id}\n{key}".encode()).digest()[:8], "big") >> 1
