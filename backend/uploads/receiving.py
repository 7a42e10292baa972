"""The body of one request, written to its upload as it comes, off the event loop."""

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
    """Write the body to `upload` from where its headers say; return where the upload stands then.

    Raises:
        WrongContentError: The body is not what tus sends.
        InvalidRequestError: A header says nothing that can be understood.
        CasebookError: What `receive` refuses.
    """
    if request.headers.get("content-type", "") != protocol.CONTENT_TYPE:
        raise WrongContentError(f"bytes of an upload are sent as {protocol.CONTENT_TYPE}")
    start = protocol.count_of("the header Upload-Offset", offset)
    digest = protocol.checksum_of(checksum)
    upload_id = upload.id
    # The connection to the database is given back: others must not wait for somebody's slow line.
    await run_in_threadpool(session.commit)
    writer = await run_in_threadpool(Writer, request.app.state.sessions, settings, upload_id, start, digest)
    return await receive(request, writer)


async def get_first_bytes(
    request: Request,
    checksum: Annotated[
        str, Header(alias="Upload-Checksum", description="Of the bytes that come along")
    ] = "",
) -> bytes:
    """Return the bytes that come with the creation of an upload, none if they are no such.

    The body of such a request is limited like that of any other; the rest follows by PATCH.

    Raises:
        ChecksumError: They are not those of `checksum`.
    """
    if request.headers.get("content-type", "") != protocol.CONTENT_TYPE:
        return b""
    content = await request.body()
    stated = protocol.checksum_of(checksum)
    if stated and hashlib.new(stated.algorithm, content, usedforsecurity=False).digest() != stated.digest:
        raise ChecksumError(f"the {stated.algorithm} of the bytes is another: send them again")
    return content


FirstBytesDep = Annotated[bytes, Depends(get_first_bytes)]


async def receive(request: Request, writer: Writer) -> int:
    """Write the whole body; return where the upload stands then.

    When the connection breaks or falls silent, what came is kept, unless a checksum of it was announced.

    Raises:
        UploadInterruptedError: The connection broke.
        BodyTooSlowError: It fell silent.
        CasebookError: What `Writer` refuses.
    """
    declared = request.headers.get("content-length", "")
    if declared.isdecimal():
        writer.require_room(int(declared))
    try:
        async for piece in streamed(request):
            await run_in_threadpool(writer.write, piece)
    except BodyTooSlowError:
        await run_in_threadpool(_keep, writer)
        raise
    except ClientDisconnect as error:
        await run_in_threadpool(_keep, writer)
        raise UploadInterruptedError("the connection closed; what came is kept, send the rest") from error
    return await run_in_threadpool(writer.finish)


def _keep(writer: Writer) -> None:
    """Keep what came before the connection broke; nobody is there to be told why not."""
    with suppress(CasebookError):
        writer.finish()
