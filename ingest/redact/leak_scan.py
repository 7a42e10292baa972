"""Independent leak scan of redacted files; shares no code with the rest of `ingest.redact`.

Searches for every original in many encodings: verbatim, case-insensitive, URL, base64, hexadecimal, UTF-16,
truncated to the 15 bytes of a task name; addresses also dashed, reversed, as in procfs and as EUI-64. A
second, small set of patterns finds names that are in no list of originals.

A text is scanned in windows that overlap by more than the longest encoding of any original: memory is bounded
by one window, and a name across the end of a window is found in the next.

A name that is a word (`code`, once a host) is a leak only where it stands as a value, and one of three
letters nowhere: text is full of words.
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
"""Minimum overlap of two windows: tokens have no fixed length."""

_ADDRESS = "private address"
SHAPES = (
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
    rb"(?i)/(?:home|users)/(?:zq|user-|z+$)|password[=:]\s*\W?(?:x+|redacted|yes\W|no\W)|\w[^@]*@[^@]*\b(?:kernel|debian|ubuntu|canonical|redhat|intel|oracle|github|openssh|libssh|example|gserviceaccount)\."
)


_VALUE_BEGINS = re.compile(rb"(?:[=:@\"'`<\[]|://|[\w.)] ?[=:] +)\Z")
_VALUE_ENDS = re.compile(rb"\Z|[\"'`>\]),;@]|:[0-9]|\.?\s*(?:\n|\Z)")
_GOES_ON = re.compile(rb"[\"']?[ \t]?=|[\"']?:(?![0-9])|\.?[\w(/-]")
"""Behind a key, a call, a part of a path or of a longer word."""
_PARTS = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
_QUANTITY = re.compile(
    r"[0-9]+(?:\.[0-9]+)?(?:[kmgtpe]i?b?|bt)|[0-9]{1,5}-[0-9]{1,6}|[0-9]{4}(?:-[0-9]{2}){2}", re.IGNORECASE
)
SHORTEST_PART = 3
PLAIN, CUT = "as it is", "cut to 15 bytes"
"""Encodings, as the core calls them."""
AROUND = 40
_MARKS = ".,:;()[]{}<>\"'`=*-"

_RESERVED = re.compile(rb"(?:^|[^0-9.])2(?:4[0-9]|5[0-4])\.\Z")
"""First octet of a reserved address (RFC 1112, class E): `10.1.217` may be the end of one."""


class Leak(NamedTuple):
    """One leak.

    Attributes:
        what: The original, or the name of the pattern.
        written: Its encoding.
        line: 1-based.
    """

    what: str
    written: str
    line: int


class Detector:
    """Scans for a set of originals.

    Attributes:
        reach: Maximum length of an encoding; bytes.
    """

    def __init__(
        self, originals: Collection[str], words: Collection[str] = (), usual: Collection[str] = ()
    ) -> None:
        """Scan for `originals` in all encodings, and for patterns.

        An original that is one of `words` is a leak only as a value, and none if it is `usual` as a value.
        """
        self._originals = sorted(name for name in originals if name.lower() not in usual)
        self._words = words
        self._encodings = _core.LeakEncodings(
            [original.encode("utf-8", "surrogateescape") for original in self._originals]
        )
        self._shapes = _shapes()
        self.reach = max(OVERLAP_BYTES, self._encodings.longest)

    def scan(self, content: bytes) -> Iterator[Leak]:
        """Yield the leaks in `content`, in order."""
        look = self.look()
        yield from look.at(content)
        yield from look.end()

    def look(self) -> Look:
        """Start the scan of a text that arrives in pieces."""
        return Look(self)

    def places(self, text: bytes, start: int) -> Iterator[tuple[int, int, str, str]]:
        """Yield start, end (exclusive), original and encoding of each leak after `start`."""
        words = [
            (begins, ends, 0, self._originals[number], written)
            for begins, ends, number, written in self._encodings.places(text, start)
        ]
        shapes = [
            (begins, ends, 1, SHAPES[number][0], "its shape")
            for begins, ends, number in self._shapes.places(text, start)
        ]
        behind = start
        for begins, ends, is_shape, what, written in sorted(words + shapes):
            if begins < behind:
                continue
            if is_shape and _is_harmless(what, text, begins, ends):
                continue
            if not is_shape and self._is_a_word(what, written, text, begins, ends):
                continue
            behind = ends
            yield begins, ends, what, written

    def _is_a_word(self, name: str, written: str, text: bytes, begins: int, ends: int) -> bool:
        """Return whether a match is a word of the text rather than the name, see above."""
        if written == CUT:
            # `nqn.2014-08.org` is how many names begin, of which each goes on.
            beginning = text[begins:ends].decode("utf-8", "replace")
            return _GOES_ON.match(text, ends) is not None and self._is_known(beginning)
        bare = name.strip(_MARKS)
        if written != PLAIN or not (bare.isalpha() or _QUANTITY.fullmatch(bare)) or not self._is_known(bare):
            return False
        if len(bare) <= SHORTEST_PART:
            return True
        before = text[max(0, begins - AROUND) : begins]
        is_assigned = before.endswith(b"=") and text[ends : ends + 1].isspace()
        is_value = _VALUE_BEGINS.search(before) and (is_assigned or _VALUE_ENDS.match(text, ends))
        return not is_value or _GOES_ON.match(text, ends) is not None

    def _is_known(self, text: str) -> bool:
        """Return whether every part of `text` is a word."""
        parts = (part.lower() for part in _PARTS.findall(text) if len(part) >= SHORTEST_PART)
        return bool(self._words) and all(part in self._words for part in parts)


class Look:
    """Scan of one text that arrives in arbitrary pieces; buffers one window."""

    def __init__(self, detector: Detector) -> None:
        """Scan with `detector`."""
        self._detector = detector
        self._buffer: list[bytes] = []
        self._size = 0
        self._from = 0
        self._line = 1

    def at(self, piece: bytes) -> Iterator[Leak]:
        """Add the next piece; yield the leaks that are certain so far, in order."""
        self._buffer.append(piece)
        self._size += len(piece)
        reach = self._detector.reach
        if self._size >= WINDOW_BYTES + reach:
            yield from self._scan_until(self._size - reach)

    def end(self) -> Iterator[Leak]:
        """Yield the leaks at the end of the text."""
        yield from self._scan_until(self._size)

    def _scan_until(self, until: int) -> Iterator[Leak]:
        """Yield the leaks that begin before `until`; the next window begins there."""
        text = b"".join(self._buffer)
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
        # Keep one byte before it: word boundaries depend on it.
        before = max(0, resume - 1)
        self._buffer, self._size, self._from = [text[before:]], len(text) - before, resume - before


def _is_harmless(shape: str, text: bytes, begins: int, ends: int) -> bool:
    """Return whether a pattern match is a pseudonym, the end of one, or public."""
    is_end = shape == _ADDRESS and _RESERVED.search(text[max(0, begins - 5) : begins]) is not None
    return is_end or _HARMLESS.match(text[begins:ends]) is not None


@lru_cache(maxsize=1)
def _shapes() -> _core.Patterns:
    """Return the patterns, compiled once per process."""
    return _core.Patterns([shape for _, shape in SHAPES])
