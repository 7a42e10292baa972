"""Text decoding: encodings, line ends, and messages for binary data."""

from __future__ import annotations

import pytest

from ingest.containers.text_decoding import LineCounter, lines_of, refuse_binary, text_chunks
from ingest.evidence import read_bytes
from ingest.model.errors import IngestError, LimitExceededError, UnknownFormatError
from ingest.model.limits import DEFAULT, Limits

TEXT = "Prozeß 1 → läuft\n[  1.5] second\n"


def read(content: bytes, limits: Limits = DEFAULT, size: int = 5) -> list[str]:
    chunks = [content[at : at + size] for at in range(0, len(content), size)]
    return lines_of(b"".join(text_chunks(chunks, content, limits)))


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le"])
@pytest.mark.parametrize("size", [1, 3, 7, 4096])
def test_every_encoding_gives_the_same_lines_however_it_is_cut(encoding, size):
    if encoding == "utf-16-le":
        text = "VmRSS:\t  156432 kB\nThreads:\t801\n"
        assert read(text.encode(encoding), size=size) == text.splitlines()
        return
    assert read(TEXT.encode(encoding), size=size) == TEXT.splitlines()


@pytest.mark.parametrize("size", [1, 2, 5, 4096])
def test_crlf_is_one_line_end(size):
    assert read(b"a\r\nb\r\n\r\nc", size=size) == ["a", "b", "", "c"]


def test_a_lone_carriage_return_stays():
    assert read(b"10%\r20%\n") == ["10%\r20%"]


def test_latin_1_replaces_characters_and_keeps_the_file():
    assert read("Prozeß läuft\n".encode("latin-1")) == ["Proze\ufffd l\ufffduft"]


def test_a_nul_becomes_what_a_database_can_keep():
    assert read(b"PATH=/bin\x00HOME=/root\x00\n") == ["PATH=/bin\ufffdHOME=/root\ufffd"]


@pytest.mark.parametrize("size", [1, 7, 512, 4096])
def test_a_hole_of_nuls_is_one_character_however_it_falls_into_chunks(size):
    content = b"before\n" + bytes(511) + b"a" + bytes(512) + b"b" + bytes(90_000) + b"\nafter\n" + bytes(1)
    chunks = [content[at : at + size] for at in range(0, len(content), size)]
    text = b"".join(text_chunks(chunks, content[:4096], Limits(line_bytes=10_000))).decode()
    assert text == "before\n" + "\ufffd" * 511 + "a\ufffdb\ufffd\nafter\n\ufffd"


def test_a_log_that_a_crash_left_with_a_hole_is_read():
    content = b"Nov 29 10:00:00 web-1 app: slow request took 812 ms\n" * 20 + bytes(20 << 20)
    assert read_bytes(content, name="app.log").state == "read"


@pytest.mark.parametrize(
    ("head", "message"),
    [
        (b"", "the file is empty: 0 bytes"),
        (b"\xff\xd8\xff\xe0\x00\x10JFIF", "JPEG"),
        (b"\x89PNG\r\n\x1a\n", "PNG"),
        (b"PERFILE2\x68", "perf script -i perf.data --header"),
        (b"LPKSHHRH", "journalctl -k"),
        (b"\x7fELF\x02", "ELF"),
        (bytes(range(256)) * 16, "binary data"),
        (bytes(4096), "it begins with 00 00"),
    ],
)
def test_what_is_not_text_is_refused_with_what_it_looks_like(head, message):
    with pytest.raises(IngestError, match=message):
        refuse_binary(head)


def test_text_with_colours_and_a_few_nuls_is_text():
    content = b"\x1b[31mred\x1b[0m key \x00\x00\n" * 3 + b"plain text of a log line\n" * 80
    assert read_bytes(content, name="coloured.txt").state == "read"


def test_a_line_without_end_is_refused_long_before_its_end():
    taken: list[int] = []

    def endless():
        while True:
            taken.append(1)
            yield b"a" * 1024

    limits = Limits(line_bytes=64 << 10)
    with pytest.raises(LimitExceededError, match="line 1: no line end within 65,536 bytes"):
        for _ in text_chunks(endless(), b"aaaa", limits):
            pass
    assert len(taken) < 70


def test_the_line_that_is_too_long_is_named():
    content = b"ok\nok\n" + b"x" * 100
    with pytest.raises(LimitExceededError, match="line 3"):
        read(content, Limits(line_bytes=50))


def test_binary_that_is_named_by_nothing_is_an_unknown_format():
    with pytest.raises(UnknownFormatError):
        refuse_binary(bytes(range(256)) * 4)


@pytest.mark.parametrize(("text", "count"), [(b"", 0), (b"a", 1), (b"a\n", 1), (b"a\nb", 2), (b"\n\n", 2)])
def test_lines_are_counted_as_they_pass(text, count):
    counter = LineCounter()
    assert b"".join(counter.passing([text[:1], text[1:]])) == text
    assert counter.count == count
