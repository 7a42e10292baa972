"""Members of archives as a stream: tar (whatever its compression) and zip; nothing is unpacked to disk.

A member that claims more than is stored ends the archive (`tar_archive`, `zip_archive`). Links are never
followed. A name that leaves the archive (`../`, `/etc`) costs that member, not the others.

Sources: tar(5), POSIX.1-2001 pax; APPNOTE.TXT 6.3.10 (zip).
"""

from __future__ import annotations

import io
from typing import TYPE_CHECKING

from ingest.containers.archive_member import BROKEN, OUTSIDE, SPARSE, Member, file_member
from ingest.containers.tar_archive import tar_members
from ingest.containers.zip_archive import zip_members
from ingest.model.errors import IngestError

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = [
    "BROKEN",
    "OUTSIDE",
    "SPARSE",
    "ChunkFile",
    "Member",
    "file_member",
    "kind",
    "tar_members",
    "zip_members",
]

TAR_MAGIC_AT = 257
TAR_BLOCK_BYTES = 512
ZIP_MAGICS = (b"PK\x03\x04", b"PK\x05\x06")


class ChunkFile(io.RawIOBase):
    """File object over chunks that keeps the first error of the source.

    Attributes:
        error: The error the chunks ended with, None when they did not.
        tail: The last bytes read so far, a block of tar at most.
    """

    def __init__(self, chunks: Iterator[bytes]) -> None:
        """Read `chunks` once."""
        super().__init__()
        self._chunks = chunks
        self._buffer = memoryview(b"")
        self.error: IngestError | None = None
        self.tail = b""

    def readable(self) -> bool:
        """Say yes."""
        return True

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        """Fill `buffer` as far as the next chunk reaches."""
        while not self._buffer:
            try:
                chunk = next(self._chunks, None)
            except IngestError as error:
                self.error = error
                raise
            if chunk is None:
                return 0
            self.tail = (self.tail + chunk[-TAR_BLOCK_BYTES:])[-TAR_BLOCK_BYTES:]
            self._buffer = memoryview(chunk)
        size = min(len(buffer), len(self._buffer))
        buffer[:size] = self._buffer[:size]
        self._buffer = self._buffer[size:]
        return size

    @property
    def ends_in_nul(self) -> bool:
        """Whether what was read ends in a block of NULs, as tar marks its end."""
        return len(self.tail) == TAR_BLOCK_BYTES and not any(self.tail)


def kind(head: bytes) -> str:
    """Return `tar` or `zip` by the first bytes, "" for neither."""
    if head.startswith(ZIP_MAGICS):
        return "zip"
    if head[TAR_MAGIC_AT : TAR_MAGIC_AT + 5] == b"ustar":
        return "tar"
    return "tar" if _is_old_tar(head) else ""


def _is_old_tar(head: bytes) -> bool:
    """Return whether `head` is a header of tar before POSIX: its checksum fits."""
    block = head[:TAR_BLOCK_BYTES]
    if len(block) < TAR_BLOCK_BYTES or not block[0]:
        return False
    try:
        stated = int(block[148:156].split(b"\0")[0].strip() or b"-1", 8)
    except ValueError:
        return False
    return stated == sum(block[:148]) + 8 * 32 + sum(block[156:])
