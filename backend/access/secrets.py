"""Secrets: format and checksum of tokens, and the digest that is stored of each.

    cbk_p_9hV0…(43 characters of 0-9A-Za-z, 256 random bits)…2fQzR1

`cbk_` lets scanners of repositories and logs find a leaked one, the character after it is the kind (personal,
service, case, guest), and the last six characters are the CRC-32 of all before in base 62: a mistyped token
is detected without a database query.
"""

from __future__ import annotations

import hashlib
import re
import secrets
import string
import zlib

from backend.models.account import TokenKind

DIGITS = string.digits + string.ascii_uppercase + string.ascii_lowercase
SECRET_CHARS = 43
CHECK_CHARS = 6
SHOWN_CHARS = 12
KIND_CHARACTERS = {TokenKind.API: "p", TokenKind.SERVICE: "s", TokenKind.CASE: "c", TokenKind.GUEST: "g"}
SHAPE = re.compile(rf"cbk_[{''.join(KIND_CHARACTERS.values())}]_[0-9A-Za-z]{{{SECRET_CHARS + CHECK_CHARS}}}")


def mint(kind: TokenKind) -> str:
    """Return a new token of `kind`."""
    body = f"cbk_{KIND_CHARACTERS[kind]}_" + "".join(secrets.choice(DIGITS) for _ in range(SECRET_CHARS))
    return body + _checksum(body)


def is_intact(token: str) -> bool:
    """Return whether the checksum of `token` is right; tokens made before there was one pass."""
    if not token.startswith(tuple(f"cbk_{character}_" for character in KIND_CHARACTERS.values())):
        return True
    return SHAPE.fullmatch(token) is not None and token.endswith(_checksum(token[:-CHECK_CHARS]))


def digest(secret: str) -> str:
    """Return the stored digest of `secret`: SHA-256, enough for 256 random bits."""
    return hashlib.sha256(secret.encode()).hexdigest()


def _checksum(text: str) -> str:
    rest = zlib.crc32(text.encode())
    written = ""
    for _ in range(CHECK_CHARS):
        rest, digit = divmod(rest, len(DIGITS))
        written = DIGITS[digit] + written
    return written
