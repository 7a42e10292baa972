"""The key of pseudonyms: from a file, for the same pseudonyms in every run, or a new one."""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

KEY_BYTES = 32


class KeyFileError(ValueError):
    """A file holds no key."""


def key_of(key_file: Path | None) -> bytes:
    """Return the key in a file, created if missing, or a new one.

    Raises:
        KeyFileError: It holds no key.
    """
    if key_file is None:
        return secrets.token_bytes(KEY_BYTES)
    if key_file.exists():
        try:
            key = bytes.fromhex(key_file.read_text(encoding="ascii").strip())
        except ValueError:
            key = b""
        if len(key) != KEY_BYTES:
            raise KeyFileError(f"{key_file} is not a key file: expected {2 * KEY_BYTES} hex digits")
        return key
    key = secrets.token_bytes(KEY_BYTES)
    key_file.touch(mode=0o600)
    key_file.write_text(f"{key.hex()}\n", encoding="ascii")
    return key
