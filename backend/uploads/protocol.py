"""The words of tus 1.0: what its headers say, in and out.

    Upload-Metadata: filename cGVyZi5zY3JpcHQ=
    Upload-Checksum: sha1 Lve95gjOVATpfV8EL5X4nxwjKHE=

Source: https://tus.io/protocols/resumable-upload (1.0.0: core, creation and creation-with-upload,
termination, expiration, checksum)
"""

from __future__ import annotations

import base64
import binascii
from typing import NamedTuple

from backend.core.errors import InvalidRequestError, PreconditionError

VERSION = "1.0.0"
EXTENSIONS = "creation,creation-with-upload,termination,expiration,checksum"
CHECKSUMS = ("sha1", "sha256", "sha512")
CONTENT_TYPE = "application/offset+octet-stream"
MAX_FINGERPRINT = 200


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


class UploadMetadata(NamedTuple):
    """What a file is called and how long it is, before a byte of it came.

    Attributes:
        fingerprint: What the sender knows the file by, in words of its own.
        drop_files: How many files come together with it, itself included.
        drop_bytes: How many bytes they have together; 0 when not told.
        drop_folder: The folder that all of them are below; "" when there is none.
    """

    filename: str
    captured_path: str
    size_bytes: int
    fingerprint: str = ""
    drop_files: int = 1
    drop_bytes: int = 0
    drop_folder: str = ""


def announced(length: str, metadata: str) -> UploadMetadata:
    """Return what the headers announce.

    Raises:
        InvalidRequestError: They are malformed.
    """
    told = metadata_of(metadata)
    fingerprint = told.get("fingerprint", "")
    if len(fingerprint) > MAX_FINGERPRINT:
        raise InvalidRequestError(f"the fingerprint in Upload-Metadata may have {MAX_FINGERPRINT} characters")
    return UploadMetadata(
        told.get("filename", ""),
        told.get("captured_path", ""),
        count_of("the header Upload-Length", length),
        fingerprint,
        max(1, count_of("drop_files in Upload-Metadata", told.get("drop_files", "1"))),
        count_of("drop_bytes in Upload-Metadata", told.get("drop_bytes", "0")),
        told.get("drop_folder", ""),
    )


def count_of(name: str, stated: str) -> int:
    """Return the number that `name`, a header or a part of one, states.

    Raises:
        InvalidRequestError: It states none.
    """
    if not (stated.isascii() and stated.isdecimal() and len(stated) <= 18):
        raise InvalidRequestError(f"{name} must be a number")
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
