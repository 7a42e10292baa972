"""Bytes of the object store, checked against the SHA-256 that names them.

The last chunk is yielded after all bytes match: whoever reads to the end has the true bytes, and a response
made of damaged ones is cut short, so that its recipient sees an error.
"""

from __future__ import annotations

import base64
import hashlib
from typing import TYPE_CHECKING

from backend.core.errors import DamagedBytesError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path


def verified(chunks: Iterable[bytes], sha256: str) -> Iterator[bytes]:
    """Yield `chunks`, the last one after the digest of all.

    Raises:
        DamagedBytesError: They do not match `sha256`; the last chunk was not yielded.
    """
    digest = hashlib.sha256()
    held = b""
    for chunk in chunks:
        digest.update(chunk)
        if held:
            yield held
        held = chunk
    if digest.hexdigest() != sha256:
        raise DamagedBytesError(sha256)
    if held:
        yield held


def check_file(path: Path, sha256: str) -> None:
    """Check the content of a file.

    Raises:
        DamagedBytesError: It does not match `sha256`.
        FileNotFoundError: There is no file.
    """
    with path.open("rb") as stream:
        if hashlib.file_digest(stream, "sha256").hexdigest() != sha256:
            raise DamagedBytesError(sha256)


def repr_digest(sha256: str) -> str:
    """Return the value of `Repr-Digest`, a dictionary of byte sequences.

    >>> repr_digest("00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff")
    'sha-256=:ABEiM0RVZneImaq7zN3u/wARIjNEVWZ3iJmqu8zd7v8=:'

    Source: https://www.rfc-editor.org/rfc/rfc9530#section-3
    """
    return f"sha-256=:{base64.b64encode(bytes.fromhex(sha256)).decode('ascii')}:"
