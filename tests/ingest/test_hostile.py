"""Files made to hurt: endless lines, deep documents, floods of names; each ends soon."""

from __future__ import annotations

import io
import json

import pytest

from ingest.evidence import read_bytes, read_stream
from ingest.model.limits import Limits
from tests.cpu_time import cpu_time

GIGABYTE = 1 << 30


class Endless(io.RawIOBase):
    """A stream of `size` equal bytes, never buffered."""

    def __init__(self, size: int) -> None:
        self._remaining = size

    def readable(self) -> bool:
        return True

    def readinto(self, buffer) -> int:
        count = min(len(buffer), self._remaining)
        buffer[:count] = b"a" * count
        self._remaining -= count
        return count


def test_a_line_of_a_gigabyte_is_rejected_and_never_buffered():
    evidence = read_stream(io.BufferedReader(Endless(GIGABYTE), 1 << 20), name="endless")
    assert evidence.state == "rejected"
    assert "no line end within 16,777,216 bytes" in evidence.reason
    assert evidence.size_bytes == GIGABYTE


@pytest.mark.parametrize(
    "head",
    [
        b'{"$schema": "https://www.speedscope.app/file-format-schema.json", "shared": ',
        b'{"traceEvents": ',
        b'{"meta": {"processType": 0}, "threads": ',
    ],
)
def test_a_document_nested_too_deeply_is_rejected(head):
    evidence = read_bytes(head + b"[" * 10_000, name="deep.json")
    assert evidence.state == "rejected"
    assert "this is no whole" in evidence.reason


def test_a_document_larger_than_its_limit_is_rejected_before_it_is_parsed():
    content = b'{"traceEvents": [' + b" " * (2 << 20) + b"]}"
    evidence = read_bytes(content, name="large.json", limits=Limits(document_bytes=1 << 20))
    assert evidence.reason.startswith("a document of more than 1,048,576 bytes")


def test_ids_made_to_collide_cost_nothing():
    prime = (1 << 61) - 1
    nodes = [{"id": prime * n, "callFrame": {"functionName": "f"}} for n in range(1, 20_001)]
    nodes_only = {"nodes": [{"id": 1, "callFrame": {"functionName": "g"}}, *nodes]}
    document = nodes_only | {"samples": [1, 1], "timeDeltas": [0, 5]}
    content = b'{"nodes":[{' + json.dumps(document).encode()[len('{"nodes": [{') :]
    with cpu_time() as spent:
        evidence = read_bytes(content, name="x.cpuprofile")
    assert spent.seconds < 5
    assert evidence.state == "read"


def test_many_different_functions_are_interned_in_time():
    lines = b"".join(b"main;f%d 1\n" % number for number in range(20_000))
    with cpu_time() as spent:
        evidence = read_bytes(lines, name="flood.folded")
    assert spent.seconds < 30
    (section,) = evidence.sections
    assert len(section.reading.profiles[0].frames) == 20_001


def test_numbers_beyond_everything_are_skipped_or_infinite():
    text = b"nr_free_pages 1\n" + b"".join(b"pgfiller%d %s\n" % (n, b"9" * 400) for n in range(30))
    evidence = read_bytes(text, name="vmstat", captured_path="proc/vmstat")
    assert evidence.state == "read"
    (section,) = evidence.sections
    assert section.reading.skipped[0].count == 30
