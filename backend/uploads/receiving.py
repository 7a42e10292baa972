"""Receives request bodies into uploads, off the event loop."""

from __future__ import annotations

import hashlib
from contextlib import suppress
from typing import TYPE_CHECKING, Annotated

from fastapi import Depends, Header, Request
from starlette.concurrency import run_in_threadpool
from starlette.requests import ClientDisconnect

from backend.core.errors import CasebookError, ChecksumError, UploadInterruptedError, WrongContentError
from backend.core.http.request_limits import BodyTooSlowError, streamed
from backend.uploads import protocol
from backend.uploads.writer import Writer

if TYPE_CHECKING:
    from sqlalchemy.orm import Session

    from backend.core.settings import Settings
    from backend.models.upload import Upload


async def take(
    request: Request, session: Session, settings: Settings, upload: Upload, *, offset: str, checksum: str
) -> int:
    """Write the body to `upload` at the announced offset; return the new offset.

    Raises:
        WrongContentError: The Content-Type is not that of tus.
        InvalidRequestError: A header is malformed.
        CasebookError: Any error of `receive`.
    """
    if request.headers.get("content-type", "") != protocol.CONTENT_TYPE:
        raise WrongContentError(f"upload bytes must have the Content-Type {protocol.CONTENT_TYPE}")
    start = protocol.count_of("the header Upload-Offset", offset)
    digest = protocol.checksum_of(checksum)
    upload_id = upload.id
    # The database connection is released: it must not wait for a slow client.
    await run_in_threadpool(session.commit)
    writer = await run_in_threadpool(Writer, request.app.state.sessions, settings, upload_id, start, digest)
    return await receive(request, writer)


async def get_first_bytes(
    request: Request,
    checksum: Annotated[
        str, Header(alias="Upload-Checksum", description="Checksum of the bytes in this request")
    ] = "",
) -> bytes:
    """Return the bytes sent with the creation of an upload; empty for another Content-Type.

    The body of such a request has the ordinary limit; the rest follows by PATCH.

    Raises:
        ChecksumError: They do not match `checksum`.
    """
    if request.headers.get("content-type", "") != protocol.CONTENT_TYPE:
        return b""
    content = await request.body()
    stated = protocol.checksum_of(checksum)
    if stated and hashlib.new(stated.algorithm, content, usedforsecurity=False).digest() != stated.digest:
        raise ChecksumError(f"checksum mismatch ({stated.algorithm}): send the bytes again")
    return content


FirstBytesDep = Annotated[bytes, Depends(get_first_bytes)]


async def receive(request: Request, writer: Writer) -> int:
    """Write the whole body; return the new offset.

    When the connection breaks or stalls, received bytes are stored, unless a checksum was announced.

    Raises:
        UploadInterruptedError: The connection closed.
        BodyTooSlowError: The body stalled.
        CasebookError: Any error of `Writer`.
    """
    declared = request.headers.get("content-length", "")
    if declared.isdecimal():
        writer.require_room(int(declared))
    try:
        async for piece in streamed(request):
            await run_in_threadpool(writer.write, piece)
    except BodyTooSlowError:
        await run_in_threadpool(_store_received, writer)
        raise
    except ClientDisconnect as error:
        await run_in_threadpool(_store_received, writer)
        raise UploadInterruptedError(
            "the connection closed; received bytes are stored, resume from the offset"
        ) from error
    return await run_in_threadpool(writer.finish)


def _store_received(writer: Writer) -> None:
    """Store the bytes received before the connection broke; errors have no recipient."""
    with suppress(CasebookError):
        writer.finish()
