"""Decoded bytes to lines: UTF-8 and UTF-16, CRLF, and a message for binary data.

A line is what ends with LF, so line numbers are those of `grep -n` and every editor. Bytes that are not UTF-8
become U+FFFD: a latin-1 word does not cost the file.
"""

from __future__ import annotations

import codecs
import re
from typing import IO, TYPE_CHECKING

from ingest.containers import binary_kinds
from ingest.containers.decompression import Stored, decoded, peek
from ingest.model.errors import LimitExceededError, MalformedInputError, UnknownFormatError
from ingest.model.limits import DEFAULT
from ingest.native import _core

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from ingest.model.limits import Limits

HEAD_BYTES = 64 << 10
"""So much of the beginning decides what the bytes are."""

CONTROL_SHARE = 0.05
"""Random bytes have 11 % control characters, any text has next to none."""

NUL_SHARE = 0.2
"""Records of /proc are parted by NULs; programs are a third of them."""

LEAST_HOLE = 512
"""So many NULs in a row are a hole: blocks that a crash left unwritten in a log. They become one U+FFFD."""

_HOLE = re.compile(rb"\x00{%d,}" % LEAST_HOLE)
_REPLACEMENT = b"\xef\xbf\xbd"

_CONTROL = bytes((*range(0x01, 0x07), *range(0x0E, 0x1B), *range(0x1C, 0x20), 0x7F))

_MARK_BYTES = frozenset(mark[:1] for mark in (codecs.BOM_UTF8, codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
"""First bytes of byte order marks."""

_CPIO = "a cpio archive: cpio archives are not read; send it as tar or zip"


def refuse_binary(head: bytes, name: str = "", rest: Iterable[bytes] = ()) -> None:
    """Raise when `head` begins something that is not text, saying what it is and what makes text of it.

    Args:
        head: The first bytes.
        name: Its file name.
        rest: All bytes, of which some are taken where they tell two kinds apart.

    Raises:
        MalformedInputError: There is nothing.
        UnknownFormatError: Not text.
    """
    if not head:
        raise MalformedInputError("the file is empty: 0 bytes")
    if known := binary_kinds.described(head, name, rest):
        raise UnknownFormatError(known)
    if _is_cpio(head):
        raise UnknownFormatError(f"this is {_CPIO}")
    if encoding_of(head) != "utf-8":
        return
    sample = head[:HEAD_BYTES]
    if b"\0" in sample:
        sample = _HOLE.sub(b"\0", sample)
    controls = len(sample) - len(sample.translate(None, _CONTROL))
    if controls > CONTROL_SHARE * len(sample) or sample.count(0) > NUL_SHARE * len(sample):
        if known := binary_kinds.named(name):
            raise UnknownFormatError(known)
        shown = head[:8].hex(" ")
        raise UnknownFormatError(
            f"binary data, none of the formats read here (it begins with {shown}); "
            "send the text that its own tool prints"
        )


def _is_cpio(head: bytes) -> bool:
    """Return whether `head` is the text header of a cpio archive: newc, crc or odc (cpio(5))."""
    newc, odc = head[6:110], head[6:76]
    if head.startswith((b"070701", b"070702")):
        return len(newc) == 104 and not newc.strip(b"0123456789ABCDEFabcdef")
    return head.startswith(b"070707") and len(odc) == 70 and not odc.strip(b"01234567")


def encoding_of(head: bytes) -> str:
    """Return `utf-16-le`, `utf-16-be` or `utf-8` by the byte order mark, or by NULs in every other byte."""
    if head.startswith(codecs.BOM_UTF16_LE):
        return "utf-16-le"
    if head.startswith(codecs.BOM_UTF16_BE):
        return "utf-16-be"
    sample = head[:1024]
    half = len(sample) // 2
    if half >= 8:
        for encoding, nul, char_byte in (("utf-16-le", 1, 0), ("utf-16-be", 0, 1)):
            if sample[nul::2].count(0) > 0.9 * half and sample[char_byte::2].count(0) == 0:
                return encoding
    return "utf-8"


def stored_text(stream: IO[bytes], limits: Limits = DEFAULT) -> Iterator[bytes]:
    """Yield the text of stored bytes as UTF-8 in chunks, decompressed and decoded as by the reader.

    Raises:
        IngestError: They cannot be decompressed, or a limit is exceeded.
    """
    head, chunks = peek(decoded(Stored(stream), limits), HEAD_BYTES)
    return text_chunks(chunks, head, limits)


def is_plain(text: bytes, limits: Limits) -> bool:
    """Return whether `text`, which is whole, is what `text_chunks` makes of it: most short files are."""
    is_unmarked = text[:1] not in _MARK_BYTES and b"\r" not in text and b"\x00" not in text
    return is_unmarked and 0 < len(text) <= limits.line_bytes


def text_chunks(chunks: Iterable[bytes], head: bytes, limits: Limits) -> Iterator[bytes]:
    """Yield UTF-8 with LF line ends, without byte order mark and NULs, refusing endless lines.

    Raises:
        LimitExceededError: A line is longer than `limits.line_bytes`.
    """
    encoding = encoding_of(head)
    utf8 = chunks if encoding == "utf-8" else _transcoded(chunks, encoding)
    return _bounded_lines(_without_nul(_without_cr(_without_mark(utf8))), limits)


def _transcoded(chunks: Iterable[bytes], encoding: str) -> Iterator[bytes]:
    decoder = codecs.getincrementaldecoder(encoding)("replace")
    for chunk in chunks:
        yield decoder.decode(chunk).encode("utf-8", "replace")
    yield decoder.decode(b"", final=True).encode("utf-8", "replace")


def _without_mark(chunks: Iterable[bytes]) -> Iterator[bytes]:
    head, whole = peek(iter(chunks), len(codecs.BOM_UTF8))
    if head.startswith(codecs.BOM_UTF8):
        yield next(whole).removeprefix(codecs.BOM_UTF8)
    yield from whole


def _without_cr(chunks: Iterable[bytes]) -> Iterator[bytes]:
    """Turn CRLF into LF, also where the two fall into two chunks."""
    pending = b""
    for chunk in chunks:
        whole = pending + chunk
        pending = b"\r" if whole.endswith(b"\r") else b""
        whole = whole.removesuffix(b"\r")
        # One byte is searched for many times faster than two.
        yield whole.replace(b"\r\n", b"\n") if b"\r" in whole else whole
    if pending:
        yield pending


def _without_nul(chunks: Iterable[bytes]) -> Iterator[bytes]:
    """Turn NULs into U+FFFD, a hole into one, in any chunks: no database keeps NULs in text."""
    pending = 0
    for chunk in chunks:
        if not pending and b"\x00" not in chunk:
            yield chunk
            continue
        begun = chunk.lstrip(b"\x00")
        pending += len(chunk) - len(begun)
        if not begun:
            continue
        whole = begun.rstrip(b"\x00")
        yield _replaced(pending) + _HOLE.sub(_REPLACEMENT, whole).replace(b"\x00", _REPLACEMENT)
        pending = len(begun) - len(whole)
    if pending:
        yield _replaced(pending)


def _replaced(nuls: int) -> bytes:
    """Return what stands for so many NULs in a row."""
    return _REPLACEMENT * (nuls if nuls < LEAST_HOLE else 1)


def _bounded_lines(chunks: Iterable[bytes], limits: Limits) -> Iterator[bytes]:
    """Pass chunks on until a line is too long."""
    lines = open_bytes = 0
    for chunk in chunks:
        last = chunk.rfind(b"\n")
        if last < 0:
            open_bytes += len(chunk)
        else:
            lines += _core.line_ends(chunk)
            open_bytes = len(chunk) - last - 1
        if open_bytes > limits.line_bytes:
            raise LimitExceededError(
                f"no line end within {limits.line_bytes:,} bytes: this is not line-oriented text",
                line=lines + 1,
            )
        if chunk:
            yield chunk


def lines_of(text: bytes) -> list[str]:
    """Split UTF-8 with LF line ends into lines; a last line without LF counts."""
    lines = text.decode("utf-8", "replace").split("\n")
    if lines and not lines[-1]:
        lines.pop()
    return lines


class LineCounter:
    """Counts the lines of chunks that pass by."""

    def __init__(self) -> None:
        """Start at no line."""
        self._ends = 0
        self._is_open = False

    def passing(self, chunks: Iterable[bytes]) -> Iterator[bytes]:
        """Yield `chunks` as they are."""
        for chunk in chunks:
            if chunk:
                self._ends += _core.line_ends(chunk)
                self._is_open = not chunk.endswith(b"\n")
            yield chunk

    @property
    def count(self) -> int:
        """Lines so far; an unfinished last line counts."""
        return self._ends + self._is_open
