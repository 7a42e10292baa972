"""tus 1.0: parsing and validation of its headers.

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
from backend.core.http.request_body import hiding

VERSION = "1.0.0"
EXTENSIONS = "creation,creation-with-upload,termination,expiration,checksum"
CHECKSUMS = ("sha1", "sha256", "sha512")
CONTENT_TYPE = "application/offset+octet-stream"
MAX_FINGERPRINT = 200
MAX_HOST = 253
PHASES = ("before", "during", "after")


class Checksum(NamedTuple):
    """Expected checksum of the bytes of one request."""

    algorithm: str
    digest: bytes


def require_version(stated: str) -> None:
    """Require our version of the protocol.

    Raises:
        PreconditionError: Another version, or none.
    """
    if stated != VERSION:
        raise PreconditionError(f"the header Tus-Resumable must be {VERSION}, the supported version")


class UploadMetadata(NamedTuple):
    """Announced name and length of a file.

    Attributes:
        fingerprint: The client's own id of the file.
        drop_files: Number of files sent together, this one included.
        drop_bytes: Their total size; 0 if not stated.
        drop_folder: Their common folder; "" if none.
        host: Host it was captured on; "" if not stated.
        phase: `before`, `during` or `after`; "" if not stated.
    """

    filename: str
    captured_path: str
    size_bytes: int
    fingerprint: str = ""
    drop_files: int = 1
    drop_bytes: int = 0
    drop_folder: str = ""
    host: str = ""
    phase: str = ""


def announced(length: str, metadata: str) -> UploadMetadata:
    """Return the announced metadata of the headers.

    Raises:
        InvalidRequestError: They are malformed.
    """
    pairs = metadata_of(metadata)
    fingerprint = pairs.get("fingerprint", "")
    if len(fingerprint) > MAX_FINGERPRINT:
        raise InvalidRequestError(
            f"the fingerprint in Upload-Metadata is too long (limit: {MAX_FINGERPRINT} characters)"
        )
    return UploadMetadata(
        pairs.get("filename", ""),
        pairs.get("captured_path", ""),
        count_of("the header Upload-Length", length),
        fingerprint,
        max(1, count_of("drop_files in Upload-Metadata", pairs.get("drop_files", "1"))),
        count_of("drop_bytes in Upload-Metadata", pairs.get("drop_bytes", "0")),
        pairs.get("drop_folder", ""),
        _host(pairs.get("host", "").strip()),
        _phase(pairs.get("phase", "")),
    )


def _host(stated: str) -> str:
    wrong = hiding(stated) or (f"is longer than {MAX_HOST} characters" if len(stated) > MAX_HOST else None)
    if wrong:
        raise InvalidRequestError(f"the host in Upload-Metadata {wrong}")
    return stated


def _phase(stated: str) -> str:
    if stated not in {"", *PHASES}:
        raise InvalidRequestError(f"the phase in Upload-Metadata is none of {', '.join(PHASES)}")
    return stated


def count_of(name: str, stated: str) -> int:
    """Return the number in `name`, a header or a part of one.

    Raises:
        InvalidRequestError: It is not a number.
    """
    if not (stated.isascii() and stated.isdecimal() and len(stated) <= 18):
        raise InvalidRequestError(f"{name} must be a number")
    return int(stated)


def metadata_of(stated: str) -> dict[str, str]:
    """Return the pairs of an `Upload-Metadata` header.

    Raises:
        InvalidRequestError: It is malformed.
    """
    pairs = {}
    for pair in filter(None, (part.strip() for part in stated.split(","))):
        key, _, value = pair.partition(" ")
        pairs[key] = _decoded("Upload-Metadata", value.strip()).decode("utf-8", "replace")
    return pairs


def checksum_of(stated: str) -> Checksum | None:
    """Return the checksum of an `Upload-Checksum` header; None when there is none.

    Raises:
        InvalidRequestError: It names an unsupported algorithm, or no digest.
    """
    if not stated:
        return None
    algorithm, _, digest = stated.partition(" ")
    if algorithm not in CHECKSUMS:
        raise InvalidRequestError(f"Upload-Checksum supports {', '.join(CHECKSUMS)}, not {algorithm[:20]}")
    return Checksum(algorithm, _decoded("Upload-Checksum", digest.strip()))


def _decoded(name: str, value: str) -> bytes:
    try:
        return base64.b64decode(value, validate=True)
    except (binascii.Error, ValueError):
        raise InvalidRequestError(f"the header {name} is not valid base64") from None
