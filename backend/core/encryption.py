"""Encryption at rest of secrets in the database, so that a copy of the database alone reveals none.

A sealed text is a JWE (RFC 7516; AES-256-GCM) under the key of the instance, which is outside the database:
`seal_key` of the settings, or the file `seal.key` in the data directory, created at first use. The subject of
a text is sealed with it, so one sealed text cannot replace another.
"""

from __future__ import annotations

import hmac
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
KEY_FILE = "seal.key"
HEADER = {"alg": "dir", "enc": "A256GCM"}


class DecryptionError(Exception):
    """A sealed text cannot be decrypted: wrong key, or modified; one sentence."""


def seal(settings: Settings, text: str, *, about: str) -> str:
    """Return `text` encrypted together with its subject `about`."""
    return jwe.encrypt_compact(HEADER, json.dumps([about, text]).encode(), _key(settings))


def unseal(settings: Settings, sealed: str, *, about: str) -> str:
    """Return the decrypted text.

    Raises:
        DecryptionError: Wrong subject, modified, or wrong key.
    """
    try:
        decrypted = json.loads(jwe.decrypt_compact(sealed, _key(settings)).plaintext or b"null")
    except (JoseError, ValueError) as error:
        raise DecryptionError("it was encrypted with another key, or modified") from error
    if not isinstance(decrypted, list) or decrypted[:1] != [about]:
        raise DecryptionError("it was encrypted for another subject")
    return str(decrypted[1])


def derived_key(settings: Settings, purpose: str, *, may_create: bool = True) -> bytes:
    """Return a key of 256 bits for one purpose, derived from the key of the instance.

    Raises:
        DecryptionError: The instance has no key, and may not create one.
    """
    return derived_from(key_text(settings, may_create=may_create), purpose)


def derived_from(text: str, purpose: str) -> bytes:
    """Return the key of 256 bits for one purpose that is derived from the key `text`."""
    return hmac.digest(bytes.fromhex(text), purpose.encode(), "sha256")


def key_text(settings: Settings, *, may_create: bool = False) -> str:
    """Return the key of the instance in hexadecimal.

    Raises:
        DecryptionError: It has none, and may not create one.
    """
    path = settings.data_dir / KEY_FILE
    configured = settings.seal_key.get_secret_value()
    if not configured and not may_create and not path.exists():
        raise DecryptionError(f"there is no key: neither CASEBOOK_SEAL_KEY nor {path}")
    return configured or _of_file(path)


def _key(settings: Settings) -> OctKey:
    return OctKey.import_key(bytes.fromhex(key_text(settings, may_create=True)))


def _of_file(path: Path) -> str:
    """Return the key in the file; the first process creates it, all others read the same."""
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
            pass  # another process created it first
        finally:
            partial.unlink()
    return path.read_text(encoding="ascii").strip()
