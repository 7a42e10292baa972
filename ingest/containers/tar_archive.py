"""Members of tar archives as a stream, whatever the compression around it.

How much is stored is not known before the end, so a size is believed no further than the bytes that follow:
data is passed over in large reads, and the first one that comes back short ends the archive.
"""

from __future__ import annotations

import io
from typing import IO, TYPE_CHECKING

from ingest.containers.archive_member import BROKEN, SPARSE, Member, check_count, label, refusal_of
from ingest.containers.tar_headers import BLOCK_BYTES, Header, read_header
from ingest.model.errors import LimitExceededError, MalformedInputError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ingest.model.limits import Limits

READ_BYTES = 1 << 20
SHORT_BYTES = 64 << 10
"""Members up to this size are read at once: most of a sosreport are."""


def tar_members(stream: io.RawIOBase, limits: Limits) -> Iterator[Member]:
    """Yield the members in order; read each before requesting the next.

    Raises:
        MalformedInputError: The archive is broken, ends early or states a size that is not stored.
        LimitExceededError: Too many members.
    """
    count = 0
    source = _Source(stream)
    try:
        while (header := read_header(source, count + 1)) is not None:
            count += 1
            check_count(count, limits)
            source.begin(header.stored_bytes)
            if header.stored_bytes > limits.decoded_bytes:
                _refuse_claim(source, header, count, limits)
            if not header.info.isdir():
                yield _member(source, header, count, limits)
            stored = source.end()
            if stored < header.stored_bytes:
                raise MalformedInputError(_ends_early(header, count, stored))
    except (*BROKEN, OSError, ValueError) as error:
        raise MalformedInputError(f"tar archive ends early or is broken after {count} members") from error


class _Source(io.RawIOBase):
    """The archive read forward; between `begin` and `end` it is the data of one member."""

    def __init__(self, stream: io.RawIOBase) -> None:
        """Read `stream` from its position."""
        super().__init__()
        self._stream = io.BufferedReader(stream, READ_BYTES)
        self._size = self._remaining = 0

    def block(self, size: int = BLOCK_BYTES) -> bytes:
        """Return the next `size` bytes; fewer at the end."""
        return self._stream.read(size)

    def begin(self, size: int) -> None:
        """Begin the data of a member of `size` bytes."""
        self._size = self._remaining = size

    def readable(self) -> bool:
        """Say yes."""
        return True

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        """Read data of the member."""
        size = self._stream.readinto(memoryview(buffer)[: min(len(buffer), self._remaining)])
        self._remaining -= size
        return size

    def whole(self) -> bytes:
        """Return the data of a short member."""
        data = self._stream.read(self._remaining)
        self._remaining -= len(data)
        return data

    def skip(self, size: int) -> int:
        """Pass over `size` bytes; return how many there were."""
        remaining = size
        while remaining and (piece := self._stream.read(min(remaining, READ_BYTES))):
            remaining -= len(piece)
        return size - remaining

    def end(self) -> int:
        """Pass over the rest of the member and its padding; return how many bytes of it were stored."""
        stored = self._size - self._remaining + self.skip(self._remaining)
        self._remaining = 0
        if stored == self._size:
            self.skip(-self._size % BLOCK_BYTES)
        return stored


class _Content(io.RawIOBase):
    """The data of one member; closing it leaves the archive open."""

    def __init__(self, source: _Source) -> None:
        """Read what `source` has begun."""
        super().__init__()
        self._source = source

    def readable(self) -> bool:
        """Say yes."""
        return True

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        """Read on."""
        return self._source.readinto(buffer)


def _member(source: _Source, header: Header, number: int, limits: Limits) -> Member:
    info = header.info
    detail = ""
    refusal = refusal_of(info.name, header.stored_bytes, limits)
    if info.issym() or info.islnk():
        refusal = "link"
    elif header.sparse_bytes is not None:
        refusal = SPARSE
        detail = (
            f"{label(number, info.name)} claims {header.sparse_bytes:,} bytes, "
            f"{header.stored_bytes:,} are stored: pack it without --sparse"
        )
    elif not info.isreg():
        refusal = "not a regular file"

    def opened() -> IO[bytes]:
        is_short = header.stored_bytes <= SHORT_BYTES
        return io.BytesIO(source.whole()) if is_short else io.BufferedReader(_Content(source))

    return Member(info.name, header.stored_bytes, refusal, opened, detail)


def _refuse_claim(source: _Source, header: Header, number: int, limits: Limits) -> None:
    """Refuse more than any archive may hold, without reading on to see that it is not there.

    Raises:
        MalformedInputError: What is stored ends soon.
        LimitExceededError: It does not.
    """
    stored = source.skip(READ_BYTES)
    if stored < READ_BYTES:
        raise MalformedInputError(_ends_early(header, number, stored))
    raise LimitExceededError(
        f"tar archive: {label(number, header.info.name)} claims {header.stored_bytes:,} bytes; "
        f"one archive may hold {limits.decoded_bytes:,}"
    )


def _ends_early(header: Header, number: int, stored: int) -> str:
    return (
        f"tar archive ends early or states a false size: {label(number, header.info.name)} claims "
        f"{header.stored_bytes:,} bytes, {stored:,} are stored"
    )
