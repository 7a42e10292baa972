"""Response cache on disk for immutable answers, with conditional requests (ETag).

    views/3f/3f9a…c1.gz

The key is a digest of the code, the reading and the query.
"""

from __future__ import annotations

import gzip
import hashlib
import logging
import os
import uuid
from contextlib import suppress
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from fastapi import Response
from starlette.concurrency import run_in_threadpool

import ingest
from backend.core.http.computing import compute
from backend.core.layout import make_private_dir
from backend.core.version import VERSION

if TYPE_CHECKING:
    from collections.abc import Callable

    from fastapi import Request
    from sqlalchemy.orm import Session

logger = logging.getLogger(__name__)

# Revalidate each time, because permissions may change; only the private browser cache stores the body.
CACHE_CONTROL = "private, no-cache"
GZIP_FROM_BYTES = 1024
GZIP_LEVEL = 5
NOT_KEPT = {"Cache-Control": "no-store"}
ROOM_SHARE = 0.9
"""Target fill level of the directory after eviction."""


class Partial(NamedTuple):
    """An answer without what could not be read: true now, and not kept."""

    content: bytes


class _Packed(NamedTuple):
    """An answer as it is kept, compressed with gzip."""

    content: bytes


Work: TypeAlias = "Callable[[], bytes | Partial]"


async def respond(
    request: Request,
    session: Session,
    digest: str,
    question: str,
    prepare: Callable[[], Work],
    *,
    media_type: str = "application/json",
    headers: dict[str, str] | None = None,
) -> Response:
    """Return an answer, cached on disk; 304 when the client's ETag matches.

    Args:
        request: Of the client.
        session: Of the request; it has no connection while the answer is computed.
        digest: Of the readings.
        question: What is asked of them.
        prepare: Looks up what the computation needs, with the session, and returns the computation.
        media_type: Of the answer.
        headers: Of the response.

    Raises:
        NotComputedError: It failed, or needs more than a request may use.
        UnsupportedQueryError: The profile lacks the data for this query.
    """
    name = hashlib.sha256(f"{_program()} {digest} {question}".encode()).hexdigest()[:32]
    etag = f'"{name}"'
    all_headers = {"ETag": etag, "Cache-Control": CACHE_CONTROL, "Vary": "Accept-Encoding", **(headers or {})}
    client_etags = request.headers.get("if-none-match", "")
    if etag in (candidate.strip().removeprefix("W/") for candidate in client_etags.split(",")):
        return Response(status_code=304, headers=all_headers)
    settings = request.app.state.settings
    cache = Answers(settings.views_dir, settings.views_bytes)

    def looked_up() -> _Packed | Work:
        packed = cache.get(name)
        if packed is not None:
            return _Packed(packed)
        work = prepare()
        session.commit()
        return work

    def computed(work: Work) -> bytes | Partial | _Packed:
        content = work()
        if isinstance(content, Partial) or len(content) < GZIP_FROM_BYTES:
            return content
        packed = gzip.compress(content, GZIP_LEVEL, mtime=0)
        cache.put(name, packed)
        return _Packed(packed)

    found = await run_in_threadpool(looked_up)
    answer = found if isinstance(found, _Packed) else await compute(request, partial(computed, found))
    if isinstance(answer, Partial):
        del all_headers["ETag"]
        return Response(answer.content, media_type=media_type, headers=all_headers | NOT_KEPT)
    if isinstance(answer, bytes):
        return Response(answer, media_type=media_type, headers=all_headers)
    if "gzip" in request.headers.get("accept-encoding", ""):
        packed_headers = all_headers | {"Content-Encoding": "gzip"}
        return Response(answer.content, media_type=media_type, headers=packed_headers)
    return Response(gzip.decompress(answer.content), media_type=media_type, headers=all_headers)


class Answers:
    """LRU cache of compressed responses in a directory of bounded size, shared between processes."""

    def __init__(self, directory: Path, max_bytes: int) -> None:
        """Store at most about `max_bytes` below `directory`."""
        self._directory = directory
        self._max_bytes = max_bytes

    def get(self, name: str) -> bytes | None:
        """Return the content cached under `name`, None when there is none; marks it as used."""
        path = self._path(name)
        try:
            content = path.read_bytes()
            os.utime(path)
        except FileNotFoundError:
            return None
        return content

    def put(self, name: str, content: bytes) -> None:
        """Store `content`, evicting the least recently used; content larger than the cache is not stored.

        Errors of the disk are ignored: the next request computes again.
        """
        if len(content) > self._max_bytes * ROOM_SHARE:
            return
        path = self._path(name)
        partial = path.with_name(f".{uuid.uuid4().hex}")
        try:
            make_private_dir(path.parent)
            partial.write_bytes(content)
            partial.replace(path)
        except OSError as error:
            logger.warning("an answer of %s bytes cannot be kept: %s", f"{len(content):,}", error)
            with suppress(OSError):
                partial.unlink()
            return
        # Scanning all files is slow; each of the 256 folders fills equally fast.
        if sum(size for _, size, _ in _files(path.parent)) > self._max_bytes / 256:
            self._make_room()

    def _make_room(self) -> None:
        found = [file for folder in self._directory.iterdir() for file in _files(folder)]
        used = sum(size for _, size, _ in found)
        if used <= self._max_bytes:
            return
        for _, size, place in sorted(found):
            Path(place).unlink(missing_ok=True)
            used -= size
            if used <= self._max_bytes * ROOM_SHARE:
                return

    def _path(self, name: str) -> Path:
        return self._directory / name[:2] / f"{name}.gz"


def _files(folder: Path) -> list[tuple[int, int, str]]:
    """Return last use, size and path of every file; another process may delete some meanwhile."""
    found = []
    with os.scandir(folder) as entries:
        for entry in entries:
            with suppress(FileNotFoundError):
                status = entry.stat()
                found.append((status.st_mtime_ns, status.st_size, entry.path))
    return found


@cache
def _program() -> str:
    """Return a digest of the code that computes responses."""
    root = Path(ingest.__file__).parent
    own = Path(__file__).parent
    computations = own.parent / "sandbox" / "computations"
    sources = [*root.glob("export/*.py"), *root.glob("native/*.py"), *root.glob("native/_core*.so")]
    digest = hashlib.sha256(VERSION.encode())
    for path in sorted([*sources, *own.glob("*.py"), *computations.glob("*.py")]):
        digest.update(path.read_bytes())
    return digest.hexdigest()
