r"""Headers of tar members: POSIX ustar and pax, GNU long names and sparse files, base-256 numbers.

Example:
    "proc/loadavg\0…" "00000000036\0" (size, octal) … "0" (type) … "ustar\0" "00"
    pax:  "30 mtime=1704067200.123456789\n" "20 size=9663676416\n"

One header is at most `MAX_EXTENDED` extended headers of `MAX_EXTENDED_BYTES` and the member's own block. A
size that contradicts itself ends the archive: readers would disagree about where the next member begins.

Sources: tar(5), POSIX.1-2001 pax, GNU tar manual "Storing Sparse Files".
"""

from __future__ import annotations

import re
import tarfile
from typing import TYPE_CHECKING, NamedTuple

from ingest.containers.archive_member import label
from ingest.model.errors import MalformedInputError

if TYPE_CHECKING:
    from typing import Protocol

    class Source(Protocol):
        """What headers are read from."""

        def block(self, size: int = tarfile.BLOCKSIZE) -> bytes:
            """Return the next `size` bytes; fewer at the end."""


BLOCK_BYTES = tarfile.BLOCKSIZE
MAX_EXTENDED = 16
MAX_EXTENDED_BYTES = 1 << 20
MAX_SPARSE_BLOCKS = 65_536
OCTAL_BYTES = 8 << 30
"""Sizes from here on do not fit into the octal field of a header."""

_LONG_NAME = (tarfile.GNUTYPE_LONGNAME, tarfile.GNUTYPE_LONGLINK)
_PAX = (tarfile.XHDTYPE, tarfile.XGLTYPE, tarfile.SOLARIS_XHDTYPE)
_SPARSE_SIZES = ("GNU.sparse.realsize", "GNU.sparse.size")
_NUMBER = re.compile(r"-?[0-9]{1,30}")
_USUAL = re.compile(rb"(?:[0-7]{7}\0){3}(?P<size>[0-7]{11})\0[0-7]{11}\0(?P<checksum>[0-7]{6})\0 0")
"""Mode, owner, group, size, time, checksum and type of a regular file."""

_NO_DEVICE = (bytes(16), b"0000000\0" * 2)


class Header(NamedTuple):
    """What the headers of one member state.

    Attributes:
        info: The member's own header, its path and size as extended headers correct them.
        stored_bytes: Length of its data, without padding.
        sparse_bytes: Length that a sparse file claims; None when it is not sparse.
    """

    info: tarfile.TarInfo
    stored_bytes: int
    sparse_bytes: int | None


def read_header(source: Source, number: int) -> Header | None:
    """Read all headers of member `number`; None at the end of the archive.

    Raises:
        MalformedInputError: A header is broken, too long, or states a size that cannot be.
    """
    stated: dict[str, str] = {}
    for count in range(MAX_EXTENDED + 1):
        info, block = _own_header(source, is_expected=number == 1 or count > 0)
        if info is None:
            return None
        if info.type in _LONG_NAME:
            name = _extended(source, info, number).split(b"\0", 1)[0]
            if info.type == tarfile.GNUTYPE_LONGNAME:
                stated["path"] = name.decode("utf-8", "surrogateescape")
        elif info.type in _PAX:
            records = _records(_extended(source, info, number), number)
            if info.type != tarfile.XGLTYPE:
                stated |= records
            elif "size" in records:
                raise MalformedInputError(
                    "the global extended header of the tar archive states one size for every member"
                )
        else:
            return _corrected(source, info, block, stated, number)
    raise MalformedInputError(f"tar archive: member {number} has more than {MAX_EXTENDED} extended headers")


def _own_header(source: Source, *, is_expected: bool) -> tuple[tarfile.TarInfo | None, bytes]:
    """Read one block; None where the archive ends, or where what follows is no header."""
    block = source.block()
    if (usual := _usual(block)) is not None:
        return usual, block
    try:
        return tarfile.TarInfo.frombuf(block, "utf-8", "surrogateescape"), block
    except tarfile.HeaderError as error:
        if is_expected:
            raise MalformedInputError(f"tar archive ends early or is broken: {error}") from error
        return None, block


def _usual(block: bytes) -> tarfile.TarInfo | None:
    """Return the header of a regular file as tar writes nearly all of them, None for any other block.

    `tarfile` takes as long for the owner, the times and the devices, which nobody asks for, as a reader for a
    short file.
    """
    found = _USUAL.fullmatch(block, 100, 157) if len(block) == BLOCK_BYTES else None
    if found is None or block[329:345] not in _NO_DEVICE:
        return None
    if sum(block) - sum(block[148:156]) + 256 != int(found["checksum"], 8):
        return None
    name, prefix = (field.split(b"\0", 1)[0] for field in (block[:100], block[345:500]))
    info = tarfile.TarInfo((prefix + b"/" + name if prefix else name).decode("utf-8", "surrogateescape"))
    info.size = int(found["size"], 8)
    return info


def _extended(source: Source, info: tarfile.TarInfo, number: int) -> bytes:
    if not 0 <= info.size <= MAX_EXTENDED_BYTES:
        raise MalformedInputError(
            f"tar archive: an extended header of member {number} claims {info.size:,} bytes; "
            f"it may have {MAX_EXTENDED_BYTES:,}"
        )
    content = source.block(info.size)
    padding = -info.size % BLOCK_BYTES
    if len(content) < info.size or len(source.block(padding)) < padding:
        raise MalformedInputError(
            f"tar archive ends early: an extended header of member {number} claims {info.size:,} bytes, "
            f"{len(content):,} are stored"
        )
    return content


def _records(content: bytes, number: int) -> dict[str, str]:
    """Return the records of a pax header; each begins with its own length."""
    records = {}
    at = 0
    while content[at : at + 1].strip(b"\0"):
        blank = content.find(b" ", at, at + 12)
        digits = content[at:blank] if blank > at else b""
        end = at + int(digits) if digits.isdigit() else 0
        key, equals, value = content[blank + 1 : end - 1].partition(b"=")
        if not equals or not blank < end <= len(content) or content[end - 1 : end] != b"\n":
            raise MalformedInputError(f"tar archive: an extended header of member {number} is broken")
        records[key.decode("utf-8", "replace")] = value.decode("utf-8", "surrogateescape")
        at = end
    return records


def _corrected(
    source: Source, info: tarfile.TarInfo, block: bytes, stated: dict[str, str], number: int
) -> Header:
    """Return the member's header with what its extended headers state."""
    info.name = stated.get("GNU.sparse.name") or stated.get("path") or info.name
    if info.isdir():
        info.name = info.name.rstrip("/")
    elif info.type == tarfile.AREGTYPE and info.name.endswith("/"):
        info.type = tarfile.DIRTYPE
    who = label(number, info.name)
    if not (info.isreg() or info.type not in tarfile.SUPPORTED_TYPES):
        # Links, directories and devices have no data, whatever they state.
        return Header(info, 0, None)
    size = info.size
    if "size" in stated:
        size = _number(stated["size"], who)
        if size != info.size and 0 <= size < OCTAL_BYTES:
            raise MalformedInputError(
                f"tar archive: {who} claims {size:,} bytes in its extended header, "
                f"{info.size:,} in its header"
            )
    if size < 0:
        raise MalformedInputError(f"tar archive: {who} claims {size:,} bytes")
    info.size = size
    return Header(info, size, _sparse_bytes(source, info, block, stated, who))


def _sparse_bytes(
    source: Source, info: tarfile.TarInfo, block: bytes, stated: dict[str, str], who: str
) -> int | None:
    """Return the length a sparse file claims; the blocks of its map are passed over."""
    if info.type == tarfile.GNUTYPE_SPARSE:
        is_continued, count = bool(block[482]), 0
        while is_continued:
            following = source.block()
            count += 1
            if len(following) < BLOCK_BYTES or count > MAX_SPARSE_BLOCKS:
                raise MalformedInputError(f"tar archive: the map of sparse {who} is broken or too long")
            is_continued = bool(following[504])
        return int(tarfile.nti(block[483:495]))  # type: ignore[attr-defined]
    for name in _SPARSE_SIZES:
        if name in stated:
            return _number(stated[name], who)
    return None


def _number(stated: str, who: str) -> int:
    if not _NUMBER.fullmatch(stated):
        raise MalformedInputError(f"tar archive: an extended header of {who} is broken: no number")
    return int(stated)
