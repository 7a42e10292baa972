"""Pseudonyms: deterministic per key, as long as the original, and recognisable.

    analytics-db-02   ->  host-q7x3mfka2ei       user jdoe  ->  zqk3
    db1.acme.com      ->  zqm.k4h.test           password   ->  redacted4wq…, or x when it is short

A second pass recognises pseudonyms and leaves them. Short originals have few pseudonyms of their length:
taken ones are skipped, and when all are taken the next is longer.
"""

from __future__ import annotations

import hashlib
import hmac
import re
from collections import Counter
from typing import TYPE_CHECKING

from ingest.redact import addresses

if TYPE_CHECKING:
    from collections.abc import Mapping

BASE32 = "abcdefghijklmnopqrstuvwxyz234567"
MARK = "zq"
LONG_NAME = 9
CHECK_CHARS = 2
LONG_SECRET = 12
TRIES = 64
FULL = 8
"""Originals without a free pseudonym of a length after which that length is not tried again."""
_SUFFIXES = ((".invalid", 9), (".test", 6), (".zz", 4))
_FOLDED = frozenset({"host", "user", "domain", "mac", "ipv6", "project", "uuid"})
"""Case-insensitive kinds; users too, since a user name may begin a sentence."""

KNOWN_SECRET = re.compile(r"x+|redacted[a-z2-7]*")


class Pseudonyms:
    """Assigns the pseudonyms of one case.

    Attributes:
        pseudonym_map: Pseudonyms by digest of the original; contains no originals.
    """

    def __init__(self, key: bytes, pseudonym_map: Mapping[str, str] | None = None) -> None:
        """Give out with `key` what `pseudonym_map` does not hold already."""
        self._key = key
        self.pseudonym_map = dict(pseudonym_map or {})
        self._taken = set(self.pseudonym_map.values())
        self._misses: Counter[tuple[str, int]] = Counter()

    def of(self, kind: str, original: str) -> str:
        """Return the pseudonym of `original`."""
        canonical = original.lower() if kind in _FOLDED else original
        digest = self._digest(f"{kind}:{canonical}").hex()
        pseudonym = self.pseudonym_map.get(digest)
        if pseudonym is None:
            pseudonym = self._new(kind, canonical)
            self.pseudonym_map[digest] = pseudonym
            self._taken.add(pseudonym)
        if kind in {"mac", "uuid"}:
            # One address has several forms; the digits are equal, the separators differ.
            chars = iter(pseudonym)
            return "".join(next(chars) if char.isalnum() else char for char in original)
        return pseudonym

    def is_own(self, kind: str, text: str) -> bool:
        """Return whether `text` is a pseudonym of `kind`, of this or an earlier pass."""
        if kind in {"host", "user"}:
            body = text[:-CHECK_CHARS]
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
        is_hidden = text.startswith("redacted") and KNOWN_SECRET.fullmatch(text) is not None
        return text.lower().startswith(MARK) or is_hidden

    def _new(self, kind: str, original: str) -> str:
        bare = "".join(filter(str.isalnum, original)) if kind in {"mac", "uuid"} else original
        if kind == "secret":
            return self._secret(original)
        length = len(bare)
        while True:
            for attempt in range(TRIES if self._misses[kind, length] < FULL else 0):
                candidate = self._try(kind, bare, length, attempt)
                if candidate not in self._taken and candidate != bare:
                    return candidate
            self._misses[kind, length] += 1
            length += 1

    def _try(self, kind: str, original: str, length: int, attempt: int) -> str:
        draw = _Draw(self._digest(f"{attempt}:{kind}:{original}"))
        if kind == "ipv4":
            return addresses.ipv4(min(length, 15), draw)
        if kind == "ipv6":
            return addresses.ipv6(length, draw)
        if kind == "mac":
            return addresses.mac(original, draw)
        if kind == "uuid":
            body = "0000" + "".join(f"{draw(16):x}" for _ in range(length - 8))
            return body + self._hex_check(body)
        if kind == "domain":
            suffix, shortest = next((row for row in _SUFFIXES if length >= row[1]), _SUFFIXES[-1])
            size = max(length, shortest) - len(suffix)
            return "".join(BASE32[draw(32)] for _ in range(size)) + suffix
        if kind in {"host", "user"} and length >= LONG_NAME:
            body = f"{kind}-" + "".join(BASE32[draw(32)] for _ in range(length - 5 - CHECK_CHARS))
            return body + self._check(body)
        return _name(length, draw)

    def _secret(self, original: str) -> str:
        """Return what hides a secret: nothing of it but its length and its lines."""
        if len(original) < LONG_SECRET or any(char.isspace() for char in original):
            return "".join(char if char.isspace() else "x" for char in original)
        draw = _Draw(self._digest(f"secret:{original}"))
        return "redacted" + "".join(BASE32[draw(32)] for _ in range(len(original) - len("redacted")))

    def _check(self, body: str) -> str:
        digest = self._digest(f"check:{body}")
        return "".join(BASE32[byte % 32] for byte in digest[:CHECK_CHARS])

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
        return (MARK[0] + BASE32[draw(32)])[: max(1, length)]
    return MARK + "".join(BASE32[draw(32)] for _ in range(length - len(MARK)))
