"""Limits of one parse, stated to the sender before the upload."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Limits:
    """Upper bounds; hitting one is a rejection with a reason.

    Attributes:
        decoded_bytes: Bytes of one evidence after decompression.
        line_bytes: Length of one line; longer input is not line-oriented text.
        members: Members of one archive.
        member_bytes: Bytes of one archive member that is read.
        expansion_ratio: Decoded ÷ stored bytes, looked at above `ratio_free_bytes`.
        ratio_free_bytes: Decoded bytes that are always accepted.
        archive_depth: Containers inside containers.
        path_bytes: Length of a captured path.
        sectioned_bytes: Text up to this size is split into sections as a whole, longer text in windows of it.
        document_bytes: Size of a document that is parsed as a whole: JSON, protocol buffers.
        buffered_bytes: Held size of a section that is not read as a stream; the rest of it is counted.
    """

    decoded_bytes: int = 8 << 30
    line_bytes: int = 16 << 20
    members: int = 200_000
    member_bytes: int = 2 << 30
    expansion_ratio: int = 400
    ratio_free_bytes: int = 64 << 20
    archive_depth: int = 3
    path_bytes: int = 4096
    sectioned_bytes: int = 8 << 20
    document_bytes: int = 64 << 20
    buffered_bytes: int = 256 << 20


DEFAULT = Limits()
