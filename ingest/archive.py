"""Members of archives as a stream: tar (whatever its compression) and zip; nothing is unpacked to disk.

Links are never followed. A name that leaves the archive (`../`, `/etc`) costs that member, not the others.

Sources: tar(5), POSIX.1-2001 pax; APPNOTE.TXT 6.3.10 (zip).
"""

from __future__ import annotations

import io
import stat
import tarfile
import zipfile
import zlib
from typing import IO, TYPE_CHECKING, NamedTuple

from ingest.errors import IngestError, LimitExceededError, MalformedInputError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from ingest.limits import Limits

TAR_MAGIC_AT = 257
TAR_BLOCK_BYTES = 512
ZIP_METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA)
ZIP_MAGICS = (b"PK\x03\x04", b"PK\x05\x06")


OUTSIDE = "path leaves the archive"
BROKEN = (tarfile.TarError, zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError)
"""What reading a member of a broken archive raises."""


class Member(NamedTuple):
    """One regular file of an archive; `refusal` says why it must not be read, "" when it may."""

    path: str
    size_bytes: int
    refusal: str
    open: Callable[[], IO[bytes]]


class ChunkFile(io.RawIOBase):
    """Chunks behind `read`, remembering whose fault an error was.

    Attributes:
        error: The error the chunks ended with, None when they did not.
        tail: The last bytes read so far, a block of tar at most.
    """

    def __init__(self, chunks: Iterator[bytes]) -> None:
        """Read `chunks` once."""
        super().__init__()
        self._chunks = chunks
        self._held = memoryview(b"")
        self.error: IngestError | None = None
        self.tail = b""

    def readable(self) -> bool:
        """Say yes."""
        return True

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        """Fill `buffer` as far as the next chunk reaches."""
        while not self._held:
            try:
                chunk = next(self._chunks, None)
            except IngestError as error:
                self.error = error
                raise
            if chunk is None:
                return 0
            self.tail = (self.tail + chunk[-TAR_BLOCK_BYTES:])[-TAR_BLOCK_BYTES:]
            self._held = memoryview(chunk)
        size = min(len(buffer), len(self._held))
        buffer[:size] = self._held[:size]
        self._held = self._held[size:]
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
    """Say whether `head` is a header of tar before POSIX: its checksum fits."""
    block = head[:TAR_BLOCK_BYTES]
    if len(block) < TAR_BLOCK_BYTES or not block[0]:
        return False
    try:
        stated = int(block[148:156].split(b"\0")[0].strip() or b"-1", 8)
    except ValueError:
        return False
    return stated == sum(block[:148]) + 8 * 32 + sum(block[156:])


def file_member(file: Path, path: str) -> Member:
    """Return a file on disk as the member it was before it was unpacked."""
    size = file.stat().st_size
    return Member(path, size, "" if size else "empty", lambda: file.open("rb"))


def tar_members(stream: ChunkFile, limits: Limits) -> Iterator[Member]:
    """Yield the members in order; each must be read before the next is asked for.

    Raises:
        MalformedInputError: The archive is broken or ends early.
        LimitExceededError: Too many members.
    """
    count = 0
    try:
        buffered = io.BufferedReader(stream, 1 << 20)
        with tarfile.open(fileobj=buffered, mode="r|") as archive:
            for info in archive:
                count += 1
                _check_count(count, limits)
                if not info.isdir():
                    yield _tar_member(archive, info, limits)
                archive.members.clear()  # type: ignore[attr-defined]
    except (*BROKEN, OSError, ValueError) as error:
        raise MalformedInputError(f"tar archive ends early or is broken after {count} members") from error


def _tar_member(archive: tarfile.TarFile, info: tarfile.TarInfo, limits: Limits) -> Member:
    refusal = _refusal(info.name, info.size, limits)
    if info.issym() or info.islnk():
        refusal = "link"
    elif not info.isreg():
        refusal = "not a regular file"

    def opened() -> IO[bytes]:
        content = archive.extractfile(info)
        if content is None:
            raise MalformedInputError(f"{info.name} has no content")
        return content

    return Member(info.name, info.size, refusal, opened)


def zip_members(file: IO[bytes], limits: Limits) -> Iterator[Member]:
    """Yield the members of a seekable zip file in order.

    Raises:
        MalformedInputError: The archive is broken.
        LimitExceededError: Too many members, or too many bytes in all.
    """
    try:
        with zipfile.ZipFile(file) as archive:
            infos = [info for info in archive.infolist() if not info.is_dir()]
            _check_count(len(infos), limits)
            if sum(info.file_size for info in infos) > limits.decoded_bytes:
                raise LimitExceededError(f"zip archive expands to more than {limits.decoded_bytes:,} bytes")
            for info in infos:
                yield _zip_member(archive, info, limits)
    except (*BROKEN, OSError, ValueError) as error:
        raise MalformedInputError(f"zip archive is broken: {error}") from error


def _zip_member(archive: zipfile.ZipFile, info: zipfile.ZipInfo, limits: Limits) -> Member:
    refusal = _refusal(info.filename, info.file_size, limits)
    mode = info.external_attr >> 16
    if stat.S_ISLNK(mode):
        refusal = "link"
    elif info.flag_bits & 1:
        refusal = "encrypted"
    elif info.file_size > max(limits.ratio_free_bytes, limits.expansion_ratio * info.compress_size):
        refusal = f"expands more than {limits.expansion_ratio} times"
    elif info.compress_type not in ZIP_METHODS:
        refusal = "compressed in a way that is not read here"

    def opened() -> IO[bytes]:
        return archive.open(info)

    return Member(info.filename, info.file_size, refusal, opened)


def _check_count(count: int, limits: Limits) -> None:
    if count > limits.members:
        raise LimitExceededError(f"more than {limits.members:,} members in one archive")


def _refusal(path: str, size: int, limits: Limits) -> str:
    """Return why a member of that name and size is not read, "" when it is."""
    parts = path.replace("\\", "/").split("/")
    if path.startswith(("/", "\\")) or ".." in parts or path[1:2] == ":":
        return OUTSIDE
    if len(path.encode("utf-8", "surrogateescape")) > limits.path_bytes:
        return f"path longer than {limits.path_bytes} bytes"
    if size > limits.member_bytes:
        return f"larger than {limits.member_bytes:,} bytes"
    return "empty" if size == 0 else ""
