"""Archives whose members claim more than is stored: rejected early, with the member and both sizes."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import struct
import tarfile
import zipfile
from typing import TYPE_CHECKING, NamedTuple

import lz4.frame
import pytest

from backend.sandbox.members import MemberBytes
from ingest.evidence import read_bytes
from ingest.model.limits import Limits
from ingest.model.zstd import zstd
from tests.cpu_time import cpu_time
from tests.ingest.false_sizes import (
    END,
    HUGE,
    LOADAVG,
    PACKED,
    STANDS_AT,
    UNPACKED,
    changed,
    entries_in_one_another,
    extended,
    header,
    member,
    old_sparse,
    one_stream_many_entries,
    padded,
    pax_sparse,
    record,
    zipped,
)

if TYPE_CHECKING:
    from collections.abc import Callable

CPU_SECONDS = 0.4
"""The most that a rejection takes: 0.01 s on a quiet machine, minutes for the size that is claimed."""


class Hostile(NamedTuple):
    """An archive, and the words of its refusal."""

    content: bytes
    words: tuple[str, ...]


HOSTILE = {
    "base-256 size": Hostile(
        header("proc/loadavg", HUGE) + padded(LOADAVG),
        ("member 1 (proc/loadavg) claims 4,611,686,018,427,387,904 bytes", "512 are stored"),
    ),
    "octal size": Hostile(
        header("big", field=b"77777777777\0") + padded(LOADAVG),
        ("member 1 (big) claims 8,589,934,591 bytes", "512 are stored"),
    ),
    "second member": Hostile(
        member("proc/loadavg", LOADAVG) + header("big", HUGE) + END,
        ("member 2 (big) claims 4,611,686,018,427,387,904 bytes", "1,024 are stored"),
    ),
    "negative size": Hostile(header("x", -512) + END, ("member 1 (x) claims -512 bytes",)),
    "largest negative size": Hostile(header("x", -HUGE) + END, ("member 1 (x) claims -4,611,",)),
    "size of no member": Hostile(header("dev", HUGE, b"V") + END, ("member 1 (dev) claims 4,611,",)),
    "long name": Hostile(header("././@LongLink", HUGE, b"L") + END, ("extended header", "4,611,686,018")),
    "negative long name": Hostile(header("././@LongLink", -1, b"L") + END, ("extended header", "-1 bytes")),
    "extended header": Hostile(header("PaxHeaders", HUGE, b"x") + END, ("extended header", "4,611,686,018")),
    "chain of extended headers": Hostile(
        (header("././@LongLink", 4, b"L") + padded(b"abc\0")) * 5000 + member("x", LOADAVG),
        ("extended headers",),
    ),
    "size by extended header": Hostile(
        extended(record("size", str(HUGE))) + member("x", LOADAVG) + END,
        ("member 1 (x) claims 4,611,686,018,427,387,904 bytes", "are stored"),
    ),
    "two sizes": Hostile(
        extended(record("size", "512")) + member("x", LOADAVG) + END,
        ("member 1 (x) claims 512 bytes in its extended header, 30 in its header",),
    ),
    "negative size by extended header": Hostile(
        extended(record("size", "-1")) + member("x", LOADAVG) + END, ("member 1 (x) claims -1 bytes",)
    ),
    "size of every member": Hostile(
        extended(record("size", "512"), b"g") + member("x", LOADAVG) + END, ("global extended header",)
    ),
    "broken extended header": Hostile(
        extended(b"999999 path=x\n") + member("x", LOADAVG) + END, ("extended header", "broken")
    ),
    "sparse": Hostile(old_sparse(HUGE) + END, ("sparse", "4,611,686,018,427,387,904", "512 are stored")),
    "sparse with a long map": Hostile(old_sparse(HUGE, blocks=64) + END, ("sparse", "512 are stored")),
    "sparse 0.0": Hostile(pax_sparse(HUGE, "0.0") + END, ("sparse", "4,611,686,018", "512 are stored")),
    "sparse 0.1": Hostile(pax_sparse(HUGE, "0.1") + END, ("sparse", "4,611,686,018", "512 are stored")),
    "sparse 1.0": Hostile(pax_sparse(HUGE, "1.0") + END, ("sparse", "4,611,686,018", "1,024 are stored")),
    "inside another": Hostile(
        member("inner.tar", header("proc/loadavg", HUGE) + padded(LOADAVG)) + END,
        ("member 1 (proc/loadavg) claims 4,611,686,018,427,387,904 bytes", "512 are stored"),
    ),
    "inside a zip": Hostile(
        bytes(zipped(("inner.tar", header("x", HUGE) + padded(LOADAVG)))), ("member 1 (x) claims 4,611,",)
    ),
    "zip: packed": Hostile(
        changed(zipped(("x", LOADAVG)), PACKED, 0x7FFFFFFF),
        ("member 1 (x) claims 2,147,483,647 compressed bytes", "are stored"),
    ),
    "zip: stored as it is": Hostile(
        changed(zipped(("x", LOADAVG), method=zipfile.ZIP_STORED), UNPACKED, 1 << 20),
        ("member 1 (x) claims 1,048,576 bytes", "30 are stored"),
    ),
    "zip: header and directory differ": Hostile(
        changed(zipped(("x", LOADAVG)), UNPACKED, 1 << 20),
        ("member 1 (x) claims 1,048,576 bytes in the directory, 30 in its header",),
    ),
    "zip: one stream, many entries": Hostile(one_stream_many_entries(500), ("overlaps",)),
    "zip: entries in one another": Hostile(
        entries_in_one_another(), ("member 1 (a)", "overlaps member 2 (b)")
    ),
    "zip: outside": Hostile(changed(zipped(("x", LOADAVG)), STANDS_AT, 1 << 30), ("zip archive is broken",)),
    "cpio": Hostile(
        b"070701" + b"%08X" % 1 * 6 + b"7FFFFFFF" + b"%08X" % 0 * 4 + b"00000002" + b"00000000" + b"x\0",
        ("cpio archive", "send it as tar or zip"),
    ),
    "cpio odc": Hostile(
        b"070707" + b"000001" * 7 + b"00000000000" + b"000002" + b"77777777777" + b"x\0",
        ("cpio archive", "send it as tar or zip"),
    ),
    "cpio binary": Hostile(b"\xc7\x71" + bytes(24) + b"x\0", ("cpio archive", "send it as tar or zip")),
}

COMPRESSORS: dict[str, Callable[[bytes], bytes]] = {
    "plain": bytes,
    "gzip": gzip.compress,
    "xz": lzma.compress,
    "zstd": zstd.compress,
    "bzip2": bz2.compress,
    "lz4": lz4.frame.compress,
}


def reasons_of(evidence) -> str:
    """All that is stated of what was not read, down to the innermost archive."""
    reasons = [evidence.reason, *(skipped.reason for skipped in evidence.skipped)]
    return "; ".join([*reasons, *(reasons_of(one) for one in evidence.members)])


@pytest.mark.parametrize("compress", COMPRESSORS)
@pytest.mark.parametrize("hostile", HOSTILE)
def test_a_size_beyond_the_input_is_rejected_early(hostile, compress):
    content = COMPRESSORS[compress](HOSTILE[hostile].content)
    with cpu_time() as spent:
        read = read_bytes(content, name="evidence")
    for words in HOSTILE[hostile].words:
        assert words in reasons_of(read)
    assert "inside" in hostile or read.state == "rejected"
    assert spent.seconds <= CPU_SECONDS


@pytest.mark.parametrize("hostile", HOSTILE)
def test_the_second_look_ends_as_soon(hostile, tmp_path):
    content = HOSTILE[hostile].content
    members = MemberBytes(tmp_path / "members")
    # Any member of that size is looked at, as when the archive was changed between the two.
    reference = read_bytes(member("proc/loadavg", LOADAVG) + END, name="known")
    with cpu_time() as spent:
        members.save(io.BytesIO(content), reference)
    assert spent.seconds <= CPU_SECONDS


@pytest.mark.parametrize("kind", [b"1", b"2", b"3", b"5", b"6"])
def test_members_without_content_may_claim_any_size(kind):
    read = read_bytes(header("x", HUGE, kind) + member("proc/loadavg", LOADAVG) + END, name="a.tar")
    assert [one.captured_path for one in read.members] == ["proc/loadavg"]


def test_a_sparse_member_is_rejected_alone():
    read = read_bytes(old_sparse(HUGE, blocks=3) + member("proc/loadavg", LOADAVG) + END, name="a.tar")
    assert [one.captured_path for one in read.members] == ["proc/loadavg"]
    assert "sparse" in reasons_of(read)


def test_the_same_path_twice_is_two_members():
    twice = member("proc/loadavg", LOADAVG) + member("proc/loadavg", b"1.00 1.00 1.00 1/100 7\n") + END
    assert len(read_bytes(twice, name="a.tar").members) == 2


def test_long_names_and_extended_headers_are_read():
    name = "a" * 150 + "/proc/loadavg"
    for format_ in (tarfile.GNU_FORMAT, tarfile.PAX_FORMAT, tarfile.USTAR_FORMAT):
        packed = io.BytesIO()
        with tarfile.open(fileobj=packed, mode="w", format=format_) as archive:
            info = tarfile.TarInfo(name)
            info.size = len(LOADAVG)
            info.mtime = 1.5 if format_ == tarfile.PAX_FORMAT else 1
            archive.addfile(info, io.BytesIO(LOADAVG))
        assert [one.captured_path for one in read_bytes(packed.getvalue(), name="a.tar").members] == [name]


def test_a_size_beyond_eight_gigabytes_is_stated_in_the_extended_header_alone():
    size = 9 << 30
    content = extended(record("size", str(size))) + header("big", 0) + END
    read = read_bytes(content, name="a.tar", limits=Limits(decoded_bytes=16 << 30))
    assert read.reason == (
        "tar archive ends early or states a false size: member 1 (big) claims 9,663,676,416 bytes, "
        "1,024 are stored"
    )


class TestBombsInBombs:
    """What archives inside an archive expand to counts against what was sent."""

    LIMITS = Limits(ratio_free_bytes=1 << 20, expansion_ratio=20)

    def test_members_share_what_may_be_expanded(self):
        inner = gzip.compress(b"a\n" * (1 << 19))  # each alone is within what is free
        content = b"".join(member(f"{number}.gz", inner) for number in range(300)) + END
        with cpu_time() as spent:
            read = read_bytes(gzip.compress(content), name="a.tgz", limits=self.LIMITS)
        assert read.state == "rejected"
        assert spent.seconds < 1
        assert "expand to more than" in read.reason

    def test_zips_in_a_zip_do_too(self):
        picture = b"\x89PNG\r\n\x1a\n" + bytes(20_000)
        inner = bytes(zipped(*((f"{number}", picture) for number in range(40))))
        content = bytes(zipped(*((f"{number}.zip", inner) for number in range(60))))
        read = read_bytes(content, name="a.zip", limits=self.LIMITS)
        assert read.state == "rejected"
        assert "expand to more than" in read.reason

    def test_entries_of_one_zip_do_too(self):
        content = bytes(zipped(*((f"{number}", b"a\n" * (1 << 18)) for number in range(100))))
        read = read_bytes(content, name="a.zip", limits=self.LIMITS)
        assert read.state == "rejected"
        assert "expand to more than" in read.reason

    def test_a_directory_of_more_entries_than_may_be_is_not_parsed(self):
        entry = (
            struct.pack("<4s6H3I5H2I", b"PK\x01\x02", 20, 20, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0) + b"x"
        )
        count = 400_000
        end = struct.pack("<4s4H2IH", b"PK\x05\x06", 0, 0, 7, 7, len(entry) * count, 10, 0)
        content = b"PK\x03\x04" + bytes(6) + entry * count + end
        with cpu_time() as spent:
            read = read_bytes(content, name="a.zip")
        assert spent.seconds < 1, "0.05 s on a quiet machine, 2 s for every entry"
        assert read.reason == "more than 200,000 members in one archive"
