"""Is anything left? An independent look at what is about to leave; it shares no code with `ingest.redact`.

Every original is looked for in many writings: as it is, in capitals, in URLs, in base64, in hexadecimal, with
a byte of NUL between letters, cut to the 15 bytes of a task's name; addresses also dashed, reversed and as
procfs and EUI-64 write them. A second, small set of rules looks for what no list of originals can tell.

A text is looked at through windows that overlap by more than the longest writing of any original, so that
one of any length costs the memory of one window, and a name across the end of a window is seen in the next.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from ingest.native import _core

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

WINDOW_BYTES = 4 << 20
OVERLAP_BYTES = 64 << 10
"""At least so much of a window is looked at again with the next: tokens have no fixed length."""

_ADDRESS = "private address"
_SHAPES = (
    ("e-mail address", r"(?i)\b[a-z0-9._%+-]+@(?:[a-z0-9-]+\.)+(?:com|net|org|io|de|fr|uk|eu)\b"),
    (_ADDRESS, r"\b(?:10|192\.168|172\.(?:1[6-9]|2[0-9]|3[01]))(?:\.[0-9]{1,3}){2,3}\b"),
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


_RESERVED = re.compile(rb"(?:^|[^0-9.])2(?:4[0-9]|5[0-4])\.\Z")
"""What an address that no machine has (RFC 1112, class E) begins with: `10.1.217` inside of it is its end."""


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


class Detector:
    """Looks for a set of originals.

    Attributes:
        reach: No writing of any original is longer; bytes.
    """

    def __init__(self, originals: Collection[str]) -> None:
        """Look for `originals` in all writings, and for shapes."""
        self._originals = sorted(originals)
        self._writings = _core.Writings(
            [original.encode("utf-8", "surrogateescape") for original in self._originals]
        )
        self._shapes = _shapes()
        self.reach = max(OVERLAP_BYTES, self._writings.longest)

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
        words = [
            (begins, ends, 0, self._originals[number], written)
            for begins, ends, number, written in self._writings.places(text, start)
        ]
        shapes = [
            (begins, ends, 1, _SHAPES[number][0], "its shape")
            for begins, ends, number in self._shapes.places(text, start)
        ]
        behind = start
        for begins, ends, is_shape, what, written in sorted(words + shapes):
            if begins < behind or (is_shape and _is_harmless(what, text, begins, ends)):
                continue
            behind = ends
            yield begins, ends, what, written


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


def _is_harmless(shape: str, text: bytes, begins: int, ends: int) -> bool:
    """Say whether what looks like a leak is a pseudonym, the end of one, or everybody's."""
    is_end = shape == _ADDRESS and _RESERVED.search(text[max(0, begins - 5) : begins]) is not None
    return is_end or _HARMLESS.match(text[begins:ends]) is not None


@lru_cache(maxsize=1)
def _shapes() -> _core.Patterns:
    """Return the second set of rules, compiled once in a process."""
    return _core.Patterns([shape for _, shape in _SHAPES])
