"""Archives with false sizes: headers and members of tar, entries of zip."""

from __future__ import annotations

import io
import struct
import tarfile
import zipfile

LOADAVG = b"20.29 11.04 5.31 24/163 14880\n"
HUGE = 1 << 62
END = bytes(1024)


def number_field(size: int) -> bytes:
    """Return a number as a tar header stores it: octal, or binary when it is negative or long."""
    return tarfile.itn(size, 12, tarfile.GNU_FORMAT)  # type: ignore[attr-defined] # missing in the stubs


def header(name: str = "x", size: int = 0, kind: bytes = b"0", *, field: bytes | None = None) -> bytes:
    """One block as GNU tar writes it: sizes beyond 8 GiB, and negative ones, in base 256."""
    info = tarfile.TarInfo(name)
    info.type = kind
    block = bytearray(info.tobuf(tarfile.GNU_FORMAT))
    block[124:136] = field if field is not None else number_field(size)
    return stated(block)


def stated(block: bytearray) -> bytes:
    """The block with its checksum."""
    block[148:156] = b" " * 8
    block[148:156] = b"%06o\0 " % sum(block)
    return bytes(block)


def padded(content: bytes) -> bytes:
    return content + bytes(-len(content) % 512)


def member(name: str, content: bytes) -> bytes:
    return header(name, len(content)) + padded(content)


def record(key: str, value: str) -> bytes:
    """One record of an extended header: its length counts itself."""
    rest = f" {key}={value}\n".encode()
    size = len(rest) + 1
    while size != len(rest) + len(str(size)):
        size = len(rest) + len(str(size))
    return str(size).encode() + rest


def extended(records: bytes, kind: bytes = b"x") -> bytes:
    return header("PaxHeaders/x", len(records), kind) + padded(records)


def old_sparse(real: int, *, blocks: int = 0) -> bytes:
    """A header of GNU's first sparse format, with that many blocks of its map behind it, and 512 bytes."""
    block = bytearray(header("log", 512, b"S"))
    block[386:410] = b"00000000000\0" + b"00000001000\0"
    block[482] = bool(blocks)
    block[483:495] = number_field(real)
    following = [bytes(504) + bytes([at + 1 < blocks]) + bytes(7) for at in range(blocks)]
    return stated(block) + b"".join(following) + padded(b"a" * 512)


def pax_sparse(real: int, version: str) -> bytes:
    if version == "1.0":
        header = record("GNU.sparse.major", "1") + record("GNU.sparse.minor", "0")
        header += record("GNU.sparse.name", "log") + record("GNU.sparse.realsize", str(real))
        return extended(header) + member("GNUSparseFile.1/log", b"1\n0\n512\n" + bytes(504) + b"a" * 512)
    header = record("GNU.sparse.size", str(real)) + record("GNU.sparse.numblocks", "1")
    if version == "0.0":
        header += record("GNU.sparse.offset", "0") + record("GNU.sparse.numbytes", "512")
    else:
        header += record("GNU.sparse.map", "0,512") + record("GNU.sparse.name", "log")
    return extended(header) + member("log", b"a" * 512)


def zipped(*entries: tuple[str, bytes], method: int = zipfile.ZIP_DEFLATED) -> bytearray:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", method) as archive:
        for name, content in entries:
            archive.writestr(name, content)
    return bytearray(packed.getvalue())


def centrals(archive: bytearray) -> list[int]:
    """Where the entries of the central directory are."""
    at = archive.find(b"PK\x01\x02")
    found = []
    while at >= 0:
        found.append(at)
        at = archive.find(b"PK\x01\x02", at + 1)
    return found


def changed(archive: bytearray, field: int, value: int, *, entry: int = -1) -> bytes:
    """The archive with 4 bytes of the central directory's entry changed."""
    struct.pack_into("<I", archive, centrals(archive)[entry] + field, value)
    return bytes(archive)


PACKED, UNPACKED, STANDS_AT = 20, 24, 42


def one_stream_many_entries(count: int) -> bytes:
    """A zip whose entries all point at the first one's bytes."""
    archive = zipped(*((f"proc/{number}/status", LOADAVG) for number in range(count)))
    for at in centrals(archive):
        struct.pack_into("<I", archive, at + STANDS_AT, 0)
    return bytes(archive)


def entries_in_one_another() -> bytes:
    """A zip whose first entry reaches over the second one's header, as bombs of overlapping files do."""
    archive = zipped(("a", b"a" * 100), ("b", b"b" * 100), method=zipfile.ZIP_STORED)
    struct.pack_into("<II", archive, centrals(archive)[0] + PACKED, 150, 150)
    return bytes(archive)
