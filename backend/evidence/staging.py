"""Staging of uploads: streamed to a file, counted, hashed, and refused above the limits.

The body is read only after authentication and a space reservation; a refused upload leaves no file.
"""

from __future__ import annotations

import hashlib
import os
import uuid
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from starlette.concurrency import run_in_threadpool
from starlette.requests import ClientDisconnect

from backend.core.errors import TooLargeError, UploadInterruptedError
from backend.core.http.request_limits import streamed
from backend.evidence.multipart import FileParts
from backend.uploads import names
from backend.uploads.space import Reservation

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Iterator
    from pathlib import Path

    from fastapi import Request
    from sqlalchemy.orm import Session

    from backend.core.settings import Settings

MULTIPART_OVERHEAD_BYTES = 1 << 20
PASTE_NAME = "pasted.txt"


@dataclass(frozen=True, slots=True)
class Staged:
    """One complete received file at `path` in the staging directory."""

    path: Path
    filename: str
    captured_path: str
    size_bytes: int
    sha256: str

    @property
    def label(self) -> str:
        """The display name."""
        return self.captured_path or self.filename


class Staging:
    """Writes the files of one request to the staging directory, at most `max_bytes` in total."""

    def __init__(self, folder: Path, *, max_bytes: int, reservation: Reservation | None = None) -> None:
        """Write below `folder`, created if missing, at most what `reservation` covers."""
        self._folder = folder
        self._reservation = reservation
        self.max_bytes = max_bytes
        self._received_bytes = 0
        self._file: _OpenFile | None = None
        self.staged: list[Staged] = []

    def begin(self, sent_name: str, captured_path: str = "") -> None:
        """Start a file."""
        name = names.split(sent_name)
        if captured_path:
            name = names.SentName(name.filename, names.captured(captured_path))
        self._file = _OpenFile(self._folder / uuid.uuid4().hex, name)

    def write(self, chunk: bytes) -> None:
        """Append to the current file."""
        assert self._file is not None  # noqa: S101 - begin comes first
        self._received_bytes += len(chunk)
        if self._received_bytes > self.max_bytes:
            raise too_large(self.max_bytes)
        if self._reservation is not None:
            self._reservation.cover(self._received_bytes)
        self._file.write(chunk)

    def end(self) -> None:
        """Complete the current file."""
        assert self._file is not None  # noqa: S101 - begin comes first
        self.staged.append(self._file.finish())
        self._file = None

    def discard(self) -> None:
        """Remove every file of this request."""
        if self._file is not None:
            self._file.discard()
            self._file = None
        for staged in self.staged:
            staged.path.unlink(missing_ok=True)
        self.staged.clear()


class _OpenFile:
    def __init__(self, path: Path, name: names.SentName) -> None:
        self._path = path
        self._name = name
        self._digest = hashlib.sha256()
        self._size_bytes = 0
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        self._stream = path.open("xb")

    def write(self, chunk: bytes) -> None:
        self._stream.write(chunk)
        self._digest.update(chunk)
        self._size_bytes += len(chunk)

    def finish(self) -> Staged:
        self._stream.flush()
        os.fdatasync(self._stream.fileno())
        self._stream.close()
        return Staged(
            self._path,
            self._name.filename,
            self._name.captured_path,
            self._size_bytes,
            self._digest.hexdigest(),
        )

    def discard(self) -> None:
        self._stream.close()
        self._path.unlink(missing_ok=True)


def too_large(max_bytes: int) -> TooLargeError:
    """Return the error for a request of more than `max_bytes`."""
    return TooLargeError(f"one request may hold {max_bytes:,} bytes; compress the file or send less")


@asynccontextmanager
async def reserving(
    request: Request, session: Session, settings: Settings, *, overhead_bytes: int = 0
) -> AsyncIterator[Reservation]:
    """Reserve space for the body of `request`, released by the transaction that stores the files.

    Raises:
        TooLargeError: The declared size exceeds the limit of one request.
        NoSpaceError: The declared size exceeds the free space.
    """
    stated = request.headers.get("content-length", "")
    declared = int(stated) if stated.isdecimal() else 0
    if declared > settings.max_evidence_bytes + overhead_bytes:
        raise too_large(settings.max_evidence_bytes)
    reservation = Reservation(session, settings)
    await run_in_threadpool(reservation.begin, declared)
    try:
        yield reservation
        await run_in_threadpool(reservation.release)
    except BaseException:
        await run_in_threadpool(reservation.abandon)
        raise


async def receive_multipart(request: Request, reservation: Reservation, settings: Settings) -> list[Staged]:
    """Stage every file of a multipart body.

    Raises:
        TooLargeError: More bytes or files than the limits allow; nothing is stored.
        NoSpaceError: More bytes than there is space for; nothing is stored.
        MalformedRequestError: The body is not multipart or contains no file.
    """
    staging = Staging(settings.staging_dir, max_bytes=settings.max_evidence_bytes, reservation=reservation)
    with _discarding(staging):
        parts = FileParts(
            request.headers.get("content-type", ""), staging, max_files=settings.max_files_per_request
        )
        await _consume(request, parts.feed)
        parts.finish()
    return staging.staged


async def receive_body(
    request: Request, reservation: Reservation, settings: Settings, sent_name: str
) -> list[Staged]:
    """Stage the whole body as one file named `sent_name`.

    Raises:
        TooLargeError: More bytes than the limits allow; nothing is stored.
        NoSpaceError: More bytes than there is space for; nothing is stored.
    """
    staging = Staging(settings.staging_dir, max_bytes=settings.max_evidence_bytes, reservation=reservation)
    with _discarding(staging):
        staging.begin(sent_name)
        await _consume(request, staging.write)
        await run_in_threadpool(staging.end)
    return staging.staged


def content_of(settings: Settings, text: str) -> bytes:
    """Return the bytes of pasted text with terminal CRLF line endings converted to LF.

    Raises:
        TooLargeError: The text exceeds the paste limit.
    """
    content = text.replace("\r\n", "\n").encode("utf-8", "surrogatepass")
    if len(content) > settings.max_paste_bytes:
        raise TooLargeError(
            f"paste too long: at most {settings.max_paste_bytes:,} bytes; upload it as a file instead"
        )
    return content


def keep_text(settings: Settings, content: bytes, *, captured_path: str) -> list[Staged]:
    """Stage pasted text whose space is already reserved."""
    staging = Staging(settings.staging_dir, max_bytes=settings.max_paste_bytes)
    with _discarding(staging):
        staging.begin(PASTE_NAME, captured_path)
        staging.write(content)
        staging.end()
    return staging.staged


async def _consume(request: Request, consume: Callable[[bytes], None]) -> None:
    """Feed the body to `consume` in large chunks off the event loop, without a database connection."""
    try:
        async for piece in streamed(request):
            await run_in_threadpool(consume, piece)
    except ClientDisconnect as error:
        raise UploadInterruptedError(
            "the connection closed before the body was complete; send it again"
        ) from error


@contextmanager
def _discarding(staging: Staging) -> Iterator[None]:
    """Delete staged files on any error."""
    try:
        yield
    except BaseException:
        staging.discard()
        raise
