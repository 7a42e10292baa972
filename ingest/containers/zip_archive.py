"""Members of zip archives, once directory, headers and sizes agree with each other.

A zip states each size twice, and where each member begins: entries that share bytes, or claim more than lies
before the next one, are refused before anything is decompressed.

Source: APPNOTE.TXT 6.3.10; D. Fifield, A better zip bomb (WOOT 2019).
"""

from __future__ import annotations

import stat
import struct
import zipfile
from typing import IO, TYPE_CHECKING, NamedTuple

from ingest.containers.archive_member import BROKEN, Member, check_count, label, refusal_of
from ingest.model.errors import LimitExceededError, MalformedInputError

if TYPE_CHECKING:
    import io
    from collections.abc import Iterator

    from ingest.model.limits import Limits

METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA)
DIRECTORY_MAGIC = b"PK\x01\x02"

_LOCAL = struct.Struct("<4s5H3I2H")
_LOCAL_MAGIC = b"PK\x03\x04"
_ENCRYPTED = 1
_SIZES_FOLLOW = 8
_IN_ZIP64 = 0xFFFFFFFF


def zip_members(file: io.BytesIO, limits: Limits) -> Iterator[Member]:
    """Yield the members of a zip file in order.

    Raises:
        MalformedInputError: The archive is broken, or states sizes and places that cannot be.
        LimitExceededError: Too many members, or too many bytes in all.
    """
    # Parsing an entry costs far more than finding one.
    content = file.getvalue()
    check_count(content.count(DIRECTORY_MAGIC), limits)
    stored_bytes = len(content)
    del content
    try:
        with zipfile.ZipFile(file) as archive:
            _check_places(file, archive)
            infos = [info for info in archive.infolist() if not info.is_dir()]
            members = [_member(archive, info, limits) for info in infos]
            _check_total(members, stored_bytes, limits)
            yield from members
    except (*BROKEN, OSError, ValueError, struct.error) as error:
        raise MalformedInputError(f"zip archive is broken: {error}") from error


class _Place(NamedTuple):
    """Where one entry is."""

    begins_at: int
    number: int
    info: zipfile.ZipInfo


def _check_places(file: io.BytesIO, archive: zipfile.ZipFile) -> None:
    """Refuse entries that share bytes, reach beyond the next one, or differ from their own header.

    Raises:
        MalformedInputError: There is one.
    """
    entries = enumerate(archive.infolist(), 1)
    places = sorted(_Place(info.header_offset, number, info) for number, info in entries)
    for at, place in enumerate(places):
        following = places[at + 1] if at + 1 < len(places) else None
        ends_at = following.begins_at if following else archive.start_dir
        _check_place(file, place, following, ends_at)


def _check_place(file: io.BytesIO, place: _Place, following: _Place | None, ends_at: int) -> None:
    info = place.info
    who = label(place.number, info.filename)
    file.seek(place.begins_at)
    head = file.read(_LOCAL.size)
    if len(head) < _LOCAL.size or not head.startswith(_LOCAL_MAGIC):
        raise MalformedInputError(f"zip archive is broken: {who} has no header where the directory says")
    _, _, flags, _, _, _, _, packed, unpacked, name_bytes, extra_bytes = _LOCAL.unpack(head)
    stored = ends_at - (place.begins_at + _LOCAL.size + name_bytes + extra_bytes)
    if info.compress_size > stored:
        if following is not None:
            other = label(following.number, following.info.filename)
            raise MalformedInputError(f"zip archive states false sizes or places: {who} overlaps {other}")
        raise MalformedInputError(
            f"zip archive states a false size: {who} claims {info.compress_size:,} compressed bytes, "
            f"{max(0, stored):,} are stored"
        )
    is_as_it_is = info.compress_type == zipfile.ZIP_STORED and not info.flag_bits & _ENCRYPTED
    if is_as_it_is and info.file_size != info.compress_size:
        raise MalformedInputError(
            f"zip archive states a false size: {who} claims {info.file_size:,} bytes, "
            f"{info.compress_size:,} are stored"
        )
    if flags & _SIZES_FOLLOW:
        return
    for claimed, in_header in ((info.file_size, unpacked), (info.compress_size, packed)):
        if in_header not in {claimed, _IN_ZIP64}:
            raise MalformedInputError(
                f"zip archive states a false size: {who} claims {claimed:,} bytes in the directory, "
                f"{in_header:,} in its header"
            )


def _check_total(members: list[Member], stored_bytes: int, limits: Limits) -> None:
    """Refuse an archive whose members expand to too much together.

    Raises:
        LimitExceededError: They do.
    """
    total = sum(member.size_bytes for member in members if not member.refusal)
    if total > limits.decoded_bytes:
        raise LimitExceededError(f"zip archive expands to more than {limits.decoded_bytes:,} bytes")
    if total > max(limits.ratio_free_bytes, limits.expansion_ratio * stored_bytes):
        raise LimitExceededError(
            f"{stored_bytes:,} stored bytes expand to more than {total - 1:,}: "
            f"over {limits.expansion_ratio} times is refused"
        )


def _member(archive: zipfile.ZipFile, info: zipfile.ZipInfo, limits: Limits) -> Member:
    refusal = refusal_of(info.filename, info.file_size, limits)
    mode = info.external_attr >> 16
    if stat.S_ISLNK(mode):
        refusal = "link"
    elif info.flag_bits & _ENCRYPTED:
        refusal = "encrypted"
    elif info.file_size > max(limits.ratio_free_bytes, limits.expansion_ratio * info.compress_size):
        refusal = f"expands more than {limits.expansion_ratio} times"
    elif info.compress_type not in METHODS:
        refusal = "compressed in a way that is not read here"

    def opened() -> IO[bytes]:
        return archive.open(info)

    return Member(info.filename, info.file_size, refusal, opened, is_packed=True)
