"""Texts are cut at line ends and before unfinished private keys, in time linear in their length."""

from __future__ import annotations

import pytest

from ingest.redact import chunks
from tests.growth import grows


@pytest.fixture(autouse=True)
def _small_pieces(monkeypatch):
    monkeypatch.setattr(chunks, "PIECE_BYTES", 64)


def test_pieces_end_with_lines_and_none_is_lost():
    text = b"".join(b"line %d\n" % number for number in range(100)) + b"the end"
    pieces = list(chunks.whole_lines(text[at : at + 10] for at in range(0, len(text), 10)))
    assert b"".join(pieces) == text
    assert len(pieces) > 5
    assert [piece for piece in pieces[:-1] if not piece.endswith(b"\n")] == []


def test_a_private_key_is_not_cut():
    key = b"-----BEGIN PRIVATE KEY-----\n" + b"MIIEpAIBAAKCAQ\n" * 10 + b"-----END PRIVATE KEY-----\n"
    text = b"a\n" * 20 + key + b"b\n" * 20
    pieces = list(chunks.whole_lines(text[at : at + 10] for at in range(0, len(text), 10)))
    assert b"".join(pieces) == text
    assert [piece for piece in pieces if key in piece]


def test_a_line_of_many_pieces_is_joined_once():
    def joined(size: int):
        return lambda: list(chunks.whole_lines([b"x" * 64] * size))

    assert grows(joined) == ""
