"""Raw lines by range: citation numbers, whatever the compression."""

from __future__ import annotations

import bz2
import gzip
import lzma
from functools import cache, partial

import pytest

from backend.core.errors import ConflictError
from backend.evidence import lines
from backend.models.evidence import Evidence, EvidenceState
from ingest.model.zstd import zstd

PLAIN = "".join(f"line {n}\n" for n in range(1, 200_001)).encode()
# The default of `lzma.compress` takes 1.4 CPU seconds.
PACKED = [bytes, gzip.compress, partial(lzma.compress, preset=0), bz2.compress, zstd.compress]


@cache
def packed(pack):
    return pack(PLAIN)


def evidence_of(store, content, *, line_count, state=EvidenceState.READ):
    return Evidence(
        filename="f",
        sha256=store.put_bytes(content),
        size_bytes=len(content),
        line_count=line_count,
        state=state,
    )


@pytest.mark.parametrize("pack", PACKED)
@pytest.mark.parametrize("first", [1, 2, 99_999, 199_999])
def test_lines_have_the_numbers_of_the_decoded_text(store, pack, first):
    excerpt = lines.read(
        store, evidence_of(store, packed(pack), line_count=200_000), first=first, last=first + 1
    )
    assert excerpt.lines == [f"line {first}", f"line {first + 1}"]
    assert (excerpt.first_line, excerpt.last_line, excerpt.total_lines) == (first, first + 1, 200_000)


def test_a_range_is_cut_at_the_end_and_a_last_line_needs_no_break(store):
    evidence = evidence_of(store, b"one\ntwo\n\nfour", line_count=4)
    assert lines.read(store, evidence, first=3, last=99).lines == ["", "four"]
    beyond = lines.read(store, evidence, first=9, last=12)
    assert (beyond.lines, beyond.last_line) == ([], 8)


def test_windows_ends_and_bytes_that_are_not_utf8_are_shown(store):
    evidence = evidence_of(store, b"caf\xe9\r\nnext\r\n", line_count=2)
    assert lines.read(store, evidence, first=1, last=2).lines == ["caf\ufffd", "next"]


def test_an_endless_line_is_cut_and_says_so(store):
    evidence = evidence_of(store, b"x" * 300_000 + b"\nshort\n", line_count=2)
    first, second = lines.read(store, evidence, first=1, last=2).lines
    assert first.endswith("… (200,000 characters more)")
    assert second == "short"


def test_what_was_not_read_has_no_lines(store):
    for state in (EvidenceState.RECEIVED, EvidenceState.REJECTED, EvidenceState.FAILED):
        with pytest.raises(ConflictError, match="lines exist only after it was read"):
            lines.read(store, evidence_of(store, b"x\n", line_count=1, state=state), first=1, last=1)
