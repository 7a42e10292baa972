"""What an original is replaced by: for one key always the same, as long as the original, and known as such.

    analytics-db-02   ->  host-q7x3mfka2ei       user jdoe  ->  zqk3
    db1.acme.com      ->  zqm.k4h.test           password   ->  redacted4wq…, or x when it is short

A second pass knows a pseudonym and leaves it. Short originals have few pseudonyms of their length: those that
others have are passed over, and when all are taken the next is longer.
"""

from __future__ import annotations

import hashlib
import hmac
import ipaddress
import re
from typing import TYPE_CHECKING

from ingest.redact import addresses

if TYPE_CHECKING:
    from collections.abc import Mapping

LETTERS = "abcdefghijklmnopqrstuvwxyz234567"
MARK = "zq"
LONG_NAME = 9
CHECK_LETTERS = 2
LONG_SECRET = 12
TRIES = 64
_SUFFIXES = ((".invalid", 9), (".test", 6), (".zz", 4))
_FOLDED = frozenset({"host", "user", "domain", "mac", "ipv6", "uuid"})
"""Kinds whose names are the same in capitals; a user too, whose name begins a sentence somewhere."""

KNOWN_SECRET = re.compile(r"x+|redacted[a-z2-7]*")


class Pseudonyms:
    """Gives out pseudonyms of one case.

    Attributes:
        given: What was given out, as digest of the original to pseudonym; it holds no original.
    """

    def __init__(self, key: bytes, given: Mapping[str, str] | None = None) -> None:
        """Give out with `key` what `given` does not hold already."""
        self._key = key
        self.given = dict(given or {})
        self._taken = set(self.given.values())
        self._is_full: set[int] = set()

    def of(self, kind: str, original: str) -> str:
        """Return the pseudonym of `original`."""
        told = original.lower() if kind in _FOLDED else original
        digest = self._digest(f"{kind}:{told}").hex()
        known = self.given.get(digest)
        if known is None:
            known = self._new(kind, told)
            self.given[digest] = known
            self._taken.add(known)
        if kind in {"mac", "uuid"}:
            # One machine is written in several ways; the letters are the same, what is between them is not.
            letters = iter(known)
            return "".join(next(letters) if letter.isalnum() else letter for letter in original)
        return known

    def is_own(self, kind: str, text: str) -> bool:
        """Say whether `text` is a pseudonym of `kind`, given out here or by an earlier pass."""
        if kind in {"host", "user"}:
            body = text[:-CHECK_LETTERS]
            is_long = len(text) >= LONG_NAME and body.startswith(f"{kind}-")
            is_short = len(text) == len(MARK) and text.startswith(MARK[0])
            return text.startswith(MARK) or is_short or (is_long and text.endswith(self._check(body)))
        if kind == "domain":
            return text.endswith(tuple(suffix for suffix, _ in _SUFFIXES))
        if kind == "uuid":
            digits = "".join(filter(str.isalnum, text)).lower()
            return digits.startswith("0000") and digits.endswith(self._hex_check(digits[:-4]))
        if kind == "secret":
            return KNOWN_SECRET.fullmatch(text) is not None
        return text.lower().startswith(MARK)

    def _new(self, kind: str, original: str) -> str:
        bare = "".join(filter(str.isalnum, original)) if kind in {"mac", "uuid"} else original
        if kind == "secret":
            return self._secret(original)
        length = len(bare)
        while True:
            for attempt in range(self._first(kind, length), TRIES):
                told = self._try(kind, bare, length, attempt)
                if told not in self._taken and told != bare:
                    self._note(kind, length, attempt)
                    return told
            length += 1

    def _first(self, kind: str, length: int) -> int:
        """Return the first attempt that can succeed: a fleet soon has all addresses for documentation."""
        if kind != "ipv4" or length not in self._is_full:
            return 0
        return addresses.DOCUMENTATION_TRIES

    def _note(self, kind: str, length: int, attempt: int) -> None:
        """Remember when all addresses of a length that are for documentation are given out."""
        if kind != "ipv4" or attempt < addresses.DOCUMENTATION_TRIES or length in self._is_full:
            return
        known = frozenset(addresses.documentation(length))
        if known and known <= self._taken:
            self._is_full.add(length)

    def _try(self, kind: str, original: str, length: int, attempt: int) -> str:
        draw = _Draw(self._digest(f"{attempt}:{kind}:{original}"))
        if kind == "ipv4":
            return addresses.ipv4(min(length, 15), draw, attempt + (length - len(original)))
        if kind == "ipv6":
            return addresses.ipv6(length, draw)
        if kind == "mac":
            return addresses.mac(original, draw)
        if kind == "uuid":
            body = "0000" + "".join(f"{draw(16):x}" for _ in range(length - 8))
            return body + self._hex_check(body)
        if kind == "domain":
            suffix, shortest = next((row for row in _SUFFIXES if length >= row[1]), _SUFFIXES[-1])
            letters = max(length, shortest) - len(suffix)
            return "".join(LETTERS[draw(32)] for _ in range(letters)) + suffix
        if kind in {"host", "user"} and length >= LONG_NAME:
            body = f"{kind}-" + "".join(LETTERS[draw(32)] for _ in range(length - 5 - CHECK_LETTERS))
            return body + self._check(body)
        return _name(length, draw)

    def _secret(self, original: str) -> str:
        """Return what hides a secret: nothing of it but its length and its lines."""
        if len(original) < LONG_SECRET or any(letter.isspace() for letter in original):
            return "".join(letter if letter.isspace() else "x" for letter in original)
        draw = _Draw(self._digest(f"secret:{original}"))
        return "redacted" + "".join(LETTERS[draw(32)] for _ in range(len(original) - len("redacted")))

    def _check(self, body: str) -> str:
        digest = self._digest(f"check:{body}")
        return "".join(LETTERS[byte % 32] for byte in digest[:CHECK_LETTERS])

    def _hex_check(self, body: str) -> str:
        return self._digest(f"check:{body}").hex()[:4]

    def _digest(self, text: str) -> bytes:
        return hmac.digest(self._key, text.encode("utf-8", "surrogateescape"), "sha256")


class _Draw:
    """Numbers that follow from a digest."""

    def __init__(self, digest: bytes) -> None:
        self._state = int.from_bytes(digest)
        self._digest = digest

    def __call__(self, below: int) -> int:
        """Return a number from 0 up to, not including, `below`."""
        if self._state < 1 << 32:
            self._digest = hashlib.sha256(self._digest).digest()
            self._state = int.from_bytes(self._digest)
        self._state, number = divmod(self._state, below)
        return number


def _name(length: int, draw: _Draw) -> str:
    """Return a word that begins with `MARK`, as far as `length` has room for it."""
    if length <= len(MARK):
        return (MARK[0] + LETTERS[draw(32)])[: max(1, length)]
    return MARK + "".join(LETTERS[draw(32)] for _ in range(length - len(MARK)))


def address_of_hex(digits: str) -> ipaddress.IPv4Address:
    """Return the address that procfs writes as eight hexadecimal digits, lowest byte first."""
    return ipaddress.IPv4Address(bytes.fromhex(digits)[::-1])


def hex_of_address(text: str) -> str:
    """Return an address as procfs writes it."""
    return ipaddress.IPv4Address(text).packed[::-1].hex().upper()
