"""Sealing: what the database keeps so that a copy of it alone tells nothing.

A sealed text is a JWE (RFC 7516; AES-256 in GCM) under the key of the instance, which is not in the database:
`seal_key` of the settings, or the file `seal.key` in the data directory, made when it is first needed. What a
text is about is sealed with it, so that nobody can put one in the place of another.
"""

from __future__ import annotations

import json
import os
import secrets
from typing import TYPE_CHECKING

from joserfc import jwe
from joserfc.errors import JoseError
from joserfc.jwk import OctKey

if TYPE_CHECKING:
    from pathlib import Path

    from backend.core.settings import Settings

KEY_BYTES = 32
HEADER = {"alg": "dir", "enc": "A256GCM"}


class DecryptionError(Exception):
    """What was sealed cannot be opened: it was sealed under another key, or changed; one sentence."""


def seal(settings: Settings, text: str, *, about: str) -> str:
    """Return `text` sealed, together with what it is about."""
    return jwe.encrypt_compact(HEADER, json.dumps([about, text]).encode(), _key(settings))


def unseal(settings: Settings, sealed: str, *, about: str) -> str:
    """Return the text that was sealed.

    Raises:
        DecryptionError: It is not about this, was changed, or was sealed under another key.
    """
    try:
        told = json.loads(jwe.decrypt_compact(sealed, _key(settings)).plaintext or b"null")
    except (JoseError, ValueError) as error:
        raise DecryptionError("it was sealed under another key, or changed") from error
    if not isinstance(told, list) or told[:1] != [about]:
        raise DecryptionError("it was sealed about something else")
    return str(told[1])


def _key(settings: Settings) -> OctKey:
    given = settings.seal_key.get_secret_value()
    return OctKey.import_key(bytes.fromhex(given or _of_file(settings.data_dir / "seal.key")))


def _of_file(path: Path) -> str:
    """Return the key in the file; whoever comes first makes it, and all others read the same."""
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        partial = path.with_name(f".{path.name}.{secrets.token_hex(8)}")
        with os.fdopen(os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as stream:
            stream.write(secrets.token_hex(KEY_BYTES))
            stream.flush()
            os.fsync(stream.fileno())
        try:
            path.hardlink_to(partial)
        except FileExistsError:
            pass  # another process was first
        finally:
            partial.unlink()
    return path.read_text(encoding="ascii").strip()
