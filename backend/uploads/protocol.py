"""The words of tus 1.0: what its headers say, in and out.

    Upload-Metadata: filename cGVyZi5zY3JpcHQ=
    Upload-Checksum: sha1 Lve95gjOVATpfV8EL5X4nxwjKHE=

Source: https://tus.io/protocols/resumable-upload (1.0.0: core, creation, termination, expiration, checksum)
"""

from __future__ import annotations

import base64
import binascii
from typing import NamedTuple

from backend.core.errors import InvalidRequestError, PreconditionError

VERSION = "1.0.0"
EXTENSIONS = "creation,termination,expiration,checksum"
CHECKSUMS = ("sha1", "sha256", "sha512")
CONTENT_TYPE = "application/offset+octet-stream"


class Checksum(NamedTuple):
    """What the bytes of one request must add up to."""

    algorithm: str
    digest: bytes


def require_version(stated: str) -> None:
    """Refuse another version of the protocol, and no version at all.

    Raises:
        PreconditionError: It is not ours.
    """
    if stated != VERSION:
        raise PreconditionError(f"the header Tus-Resumable must read {VERSION}, the version spoken here")


class Announced(NamedTuple):
    """What a file is called and how long it is, before a byte of it came."""

    filename: str
    captured_path: str
    size_bytes: int


def announced(length: str, metadata: str) -> Announced:
    """Return what the headers announce.

    Raises:
        InvalidRequestError: They are malformed.
    """
    told = metadata_of(metadata)
    size_bytes = count_of("Upload-Length", length)
    return Announced(told.get("filename", ""), told.get("captured_path", ""), size_bytes)


def count_of(name: str, stated: str) -> int:
    """Return the number of bytes a header states.

    Raises:
        InvalidRequestError: It states none.
    """
    if not (stated.isascii() and stated.isdecimal() and len(stated) <= 18):
        raise InvalidRequestError(f"the header {name} must be a number of bytes")
    return int(stated)


def metadata_of(stated: str) -> dict[str, str]:
    """Return the pairs of an `Upload-Metadata` header.

    Raises:
        InvalidRequestError: It is none.
    """
    pairs = {}
    for pair in filter(None, (part.strip() for part in stated.split(","))):
        key, _, value = pair.partition(" ")
        pairs[key] = _decoded("Upload-Metadata", value.strip()).decode("utf-8", "replace")
    return pairs


def checksum_of(stated: str) -> Checksum | None:
    """Return what an `Upload-Checksum` header states, None when there is none.

    Raises:
        InvalidRequestError: It names an algorithm not spoken here, or no digest.
    """
    if not stated:
        return None
    algorithm, _, digest = stated.partition(" ")
    if algorithm not in CHECKSUMS:
        raise InvalidRequestError(f"Upload-Checksum takes {', '.join(CHECKSUMS)}, not {algorithm[:20]}")
    return Checksum(algorithm, _decoded("Upload-Checksum", digest.strip()))


def _decoded(name: str, value: str) -> bytes:
    try:
        return base64.b64decode(value, validate=True)
    except (binascii.Error, ValueError):
        raise InvalidRequestError(f"the header {name} holds what is not base64") from None
