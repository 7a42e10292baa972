"""Is anything left? An independent look at what is about to leave; it shares no code with `ingest.redact`.

Every original is looked for in many writings: as it is, in capitals, in URLs, in base64, in hexadecimal, with
a byte of NUL between letters, cut to the 15 bytes of a task's name; addresses also dashed, reversed and as
procfs and EUI-64 write them. A second, small set of rules looks for what no list of originals can tell.

A text is looked at through windows that overlap by more than the longest writing of any original, so that
one of any length costs the memory of one window, and a name across the end of a window is seen in the next.
"""

from __future__ import annotations

import base64
import ipaddress
import re
from typing import TYPE_CHECKING, NamedTuple

from ingest.native import _core

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

COMM_BYTES = 15
SHORT = 6
"""Originals shorter than this are looked for as words only: three letters stand in any base64."""

WINDOW_BYTES = 4 << 20
OVERLAP_BYTES = 64 << 10
"""At least so much of a window is looked at again with the next: tokens have no fixed length."""

_MAC = re.compile(r"[0-9A-Fa-f]{2}(?:[:-][0-9A-Fa-f]{2}){5}")
_SHAPES = (
    ("e-mail address", r"(?i)\b[a-z0-9._%+-]+@(?:[a-z0-9-]+\.)+(?:com|net|org|io|de|fr|uk|eu)\b"),
    ("private address", r"\b(?:10|192\.168|172\.(?:1[6-9]|2[0-9]|3[01]))(?:\.[0-9]{1,3}){2,3}\b"),
    ("private key", r"-----BEGIN [A-Z ]*PRIVATE KEY-----\s+[A-Za-z0-9+/=]*[A-Zyz0-9+/=][A-Za-z0-9+/=]*"),
    ("AWS key", r"\bA(?:KIA|SIA)[0-9A-Z]{16}\b"),
    ("GitHub token", r"\bgh[pousr]_[0-9A-Za-z]{36}"),
    ("JSON web token", r"\beyJ[0-9A-Za-z_-]{8,}\.eyJ[0-9A-Za-z_-]{8,}"),
    ("home directory", r"/(?:home|Users)/[a-z][a-z0-9_.-]*"),
    ("password", r"(?i)\bpassword[=:]\s*[^\s]{4,}"),
)
_HARMLESS = re.compile(
    rb"(?i)/(?:home|users)/(?:zq|user-|z+$)|password[=:]\s*(?:x+|redacted|yes\W|no\W)|\w[^@]*@[^@]*\b(?:kernel|debian|ubuntu|canonical|redhat|intel|oracle|github|openssh|libssh|example)\."
)


class Leak(NamedTuple):
    """One place that tells something.

    Attributes:
        what: The original, or what the second set of rules takes it for.
        written: How it is written there.
        line: 1-based.
    """

    what: str
    written: str
    line: int


class Needle(NamedTuple):
    """What a writing looks like: whether capitals count, and whether it is not found inside of a word."""

    letters: bytes
    is_exact: bool = False
    is_bounded: bool = False


class Detector:
    """Looks for a set of originals.

    Attributes:
        reach: No writing of any original is longer; bytes.
    """

    def __init__(self, originals: Collection[str]) -> None:
        """Look for `originals` in all writings, and for shapes."""
        found: dict[Needle, tuple[str, str]] = {}
        for original in originals:
            for written, needle in _writings(original):
                found.setdefault(needle, (original, written))
        self._told = list(found.values())
        self._words = _core.Words([(one.letters, one.is_exact, one.is_bounded) for one in found])
        self._shapes = _core.Patterns([shape for _, shape in _SHAPES])
        self.reach = max(OVERLAP_BYTES, *(len(needle.letters) for needle in found), 0)

    def leaks(self, content: bytes) -> Iterator[Leak]:
        """Yield what `content` tells, in order."""
        look = self.look()
        yield from look.at(content)
        yield from look.end()

    def look(self) -> Look:
        """Begin to look at a text that comes in pieces."""
        return Look(self)

    def places(self, text: bytes, start: int) -> Iterator[tuple[int, int, str, str]]:
        """Yield first byte, the byte behind the last, original and writing of what stands behind `start`."""
        words = [(*place, 0) for place in self._words.places(text, start)]
        shapes = [(*place, 1) for place in self._shapes.places(text, start)]
        behind = start
        for begins, ends, number, is_shape in sorted(words + shapes):
            if begins < behind or (is_shape and _HARMLESS.match(text[begins:ends])):
                continue
            behind = ends
            yield begins, ends, *((_SHAPES[number][0], "its shape") if is_shape else self._told[number])


class Look:
    """A look at one text that comes in pieces, cut anywhere; it holds one window of it."""

    def __init__(self, detector: Detector) -> None:
        """Look for what `detector` knows."""
        self._detector = detector
        self._held: list[bytes] = []
        self._size = 0
        self._from = 0
        self._line = 1

    def at(self, piece: bytes) -> Iterator[Leak]:
        """Take the next piece; yield what is certain so far, in order."""
        self._held.append(piece)
        self._size += len(piece)
        reach = self._detector.reach
        if self._size >= WINDOW_BYTES + reach:
            yield from self._leaks(self._size - reach)

    def end(self) -> Iterator[Leak]:
        """Yield what the end of the text tells."""
        yield from self._leaks(self._size)

    def _leaks(self, until: int) -> Iterator[Leak]:
        """Yield what begins in the window before `until`; the next window begins there."""
        text = b"".join(self._held)
        at, line = self._from, self._line
        resume = until
        for start, end, what, written in self._detector.places(text, self._from):
            if start >= until:
                break
            resume = max(until, end)
            line += text.count(b"\n", at, start)
            at = start
            yield Leak(what, written, line)
        self._line = line + text.count(b"\n", at, resume)
        # One byte stays before it: whether a word begins there depends on it.
        before = max(0, resume - 1)
        self._held, self._size, self._from = [text[before:]], len(text) - before, resume - before


def _writings(original: str) -> Iterator[tuple[str, Needle]]:
    """Yield ways to write `original`, each with what finds it."""
    raw = original.encode("utf-8", "surrogateescape")
    is_short = len(raw) < SHORT
    if raw:
        yield "as it is", Needle(raw, is_bounded=is_short)
    if is_short:
        return
    yield "in a URL", Needle(_in_a_url(raw))
    yield "with NULs", Needle(b"\0".join(raw[at : at + 1] for at in range(len(raw))), is_exact=True)
    yield "in hexadecimal", Needle(raw.hex().encode())
    yield "backwards", Needle(raw[::-1])
    for shift in range(3):
        inner = base64.b64encode(b"\0" * shift + raw)
        yield "in base64", Needle(inner[(0, 2, 3)[shift] : len(inner) - 4].rstrip(b"="), is_exact=True)
    if len(raw) > COMM_BYTES:
        yield "cut to 15 bytes", Needle(raw[:COMM_BYTES])
    for written, text, is_bounded in _of_address(original):
        yield written, Needle(text.encode(), is_bounded=is_bounded)


def _of_address(original: str) -> Iterator[tuple[str, str, bool]]:
    if _MAC.fullmatch(original):
        octets = [int(part, 16) for part in re.split("[:-]", original)]
        yield "without separators", bytes(octets).hex(), False
        for separator in ":._-":
            yield "with other separators", bytes(octets).hex(separator), False
        eui = [octets[0] ^ 2, *octets[1:3], 0xFF, 0xFE, *octets[3:]]
        groups = [f"{eui[at]:02x}{eui[at + 1]:02x}".lstrip("0") or "0" for at in range(0, 8, 2)]
        yield "as EUI-64", ":".join(groups), False
        return
    try:
        octets = list(ipaddress.IPv4Address(original).packed)
    except ValueError:
        return
    yield "dashed", "-".join(map(str, octets)), True
    yield "reversed", ".".join(map(str, reversed(octets))), True
    yield "as procfs writes it", f"{bytes(octets[::-1]).hex()}:", True
    yield "in hexadecimal", bytes(octets).hex(), True


def _in_a_url(raw: bytes) -> bytes:
    return b"".join(
        bytes([b]) if (b < 128 and chr(b).isalnum()) or b in b"-._~" else b"%%%02x" % b for b in raw
    )
