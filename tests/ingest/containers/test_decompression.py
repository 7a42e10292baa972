"""Decompression: every codec opens; broken streams are rejected with codec and position."""

from __future__ import annotations

import bz2
import gzip
import hashlib
import io
import lzma

import lz4.frame
import pytest

from ingest.containers import decompression
from ingest.containers.decompression import Stored, decoded, peek
from ingest.model.errors import LimitExceededError, MalformedInputError
from ingest.model.limits import DEFAULT, Limits
from ingest.model.zstd import zstd

TEXT = b"".join(b"cache %d\nrss %d\n" % (number * 7919, number * 104729) for number in range(9000))
PACKED = {
    "gzip": gzip.compress(TEXT, mtime=0),
    "xz": lzma.compress(TEXT),
    "zstd": zstd.compress(TEXT),
    "bzip2": bz2.compress(TEXT),
    "lz4": lz4.frame.compress(TEXT),
}
TINY = Limits(ratio_free_bytes=1 << 20, expansion_ratio=20)


def opened(content: bytes, limits: Limits = DEFAULT) -> bytes:
    return b"".join(decoded(Stored(io.BytesIO(content)), limits))


def test_plain_bytes_pass_as_they_are():
    assert opened(TEXT) == TEXT


@pytest.mark.parametrize("name", PACKED)
def test_every_compression_is_opened_by_its_magic(name):
    assert opened(PACKED[name]) == TEXT


@pytest.mark.parametrize("name", PACKED)
def test_streams_one_after_another_are_one_text(name):
    assert opened(PACKED[name] * 2) == TEXT * 2


@pytest.mark.parametrize("name", PACKED)
def test_a_truncated_stream_is_reported_with_its_position(name):
    with pytest.raises(MalformedInputError, match=rf"{name} stream ends early after [\d,]+ decoded bytes"):
        opened(PACKED[name][:-20])


@pytest.mark.parametrize("name", PACKED)
def test_a_broken_stream_is_reported_with_its_position(name):
    middle = len(PACKED[name]) // 2
    broken = PACKED[name][:middle] + b"\xff" * 64 + PACKED[name][middle + 64 :]
    with pytest.raises(MalformedInputError, match=rf"{name} stream is broken after [\d,]+ decoded bytes"):
        opened(broken)


@pytest.mark.parametrize("name", PACKED)
def test_trailing_garbage_is_refused(name):
    with pytest.raises(MalformedInputError, match="followed by junk"):
        opened(PACKED[name] + b"and then some")


def test_padding_of_nul_behind_a_stream_is_allowed():
    assert opened(PACKED["gzip"] + bytes(512)) == TEXT


def test_a_skippable_frame_of_zstd_is_skipped():
    frame = b"\x50\x2a\x4d\x18" + (4).to_bytes(4, "little") + b"seek"
    assert opened(PACKED["zstd"] + frame) == TEXT


def test_compressions_inside_one_another_are_opened_to_a_depth():
    content = TEXT
    for _ in range(DEFAULT.archive_depth):
        content = gzip.compress(content)
    assert opened(content) == TEXT
    with pytest.raises(LimitExceededError, match="compressions inside one another"):
        opened(gzip.compress(content))


@pytest.mark.parametrize(
    "pack", [gzip.compress, lzma.compress, zstd.compress, bz2.compress, lz4.frame.compress]
)
def test_a_bomb_is_refused_by_its_ratio(pack):
    bomb = pack(b"a\n" * (2 << 20))
    with pytest.raises(LimitExceededError, match="over 20 times is refused"):
        opened(bomb, TINY)


def test_more_than_the_limit_decoded_is_refused():
    with pytest.raises(LimitExceededError, match="more than 1,000 bytes"):
        opened(PACKED["xz"], Limits(decoded_bytes=1000))


def test_chunks_stay_small_however_well_the_bytes_compress():
    stored = Stored(io.BytesIO(bz2.compress(b"a\n" * (2 << 20))))
    assert max(map(len, decoded(stored, DEFAULT))) <= 1 << 20


def test_the_stored_bytes_are_hashed_and_counted_on_the_way():
    heard: list[int] = []
    stored = Stored(io.BytesIO(PACKED["gzip"]), heard.append)
    for _ in decoded(stored, DEFAULT):
        pass
    assert stored.sha256 == hashlib.sha256(PACKED["gzip"]).hexdigest()
    assert heard[-1] == stored.read_bytes == len(PACKED["gzip"])


def test_peeking_loses_nothing():
    head, chunks = peek(iter([b"a", b"bc", b"def"]), 2)
    assert head.startswith(b"ab")
    assert b"".join(chunks) == b"abcdef"


def test_lz4_without_its_extra_is_refused_with_what_to_do(monkeypatch):
    monkeypatch.setattr(decompression, "lz4_frame", None)
    with pytest.raises(MalformedInputError, match=r"lz4 -d.*kernel-casebook\[lz4\]"):
        list(decoded(Stored(io.BytesIO(lz4.frame.compress(TEXT))), DEFAULT))
