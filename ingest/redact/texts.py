"""The texts inside a file: itself, decompressed and decoded, or the members of archives.

Binary files are excluded, with the reason: their content cannot be redacted.
"""

from __future__ import annotations

import io
from typing import IO, TYPE_CHECKING, NamedTuple

from ingest.containers import archive, decompression, text_decoding
from ingest.model.errors import IngestError
from ingest.model.limits import DEFAULT

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ingest.model.limits import Limits

COMPRESSED = (".gz", ".xz", ".zst", ".bz2", ".lz4")


class Piece(NamedTuple):
    """One file; `chunks` is its text as UTF-8, read it before requesting the next piece.

    Attributes:
        path: Its path, archives as folders; without the suffix of its compression.
        reason: Why it cannot be redacted, "" when it can.
    """

    path: str
    chunks: Iterator[bytes]
    reason: str = ""


def pieces(stream: IO[bytes], path: str, limits: Limits = DEFAULT, depth: int = 0) -> Iterator[Piece]:
    """Yield the texts of `stream`, which is called `path`.

    Raises:
        IngestError: It breaks off in the middle.
    """
    stored = decompression.Stored(stream)
    try:
        head, chunks = decompression.peek(decompression.decoded(stored, limits), text_decoding.HEAD_BYTES)
        kind = archive.kind(head)
        if not kind:
            text_decoding.refuse_binary(head)
        elif depth >= limits.archive_depth:
            yield Piece(path, iter(()), f"more than {limits.archive_depth} archives inside one another")
            return
    except IngestError as error:
        yield Piece(path, iter(()), str(error))
        return
    if not kind:
        yield Piece(_bare(path), text_decoding.text_chunks(chunks, head, limits))
        return
    if kind == "tar":
        members = archive.tar_members(archive.ChunkFile(chunks), limits)
    else:
        members = archive.zip_members(io.BytesIO(b"".join(chunks)), limits)
    root = f"{_bare(path)}/" if depth else ""
    for member in members:
        where = root + member.path.removeprefix("./")
        if member.refusal:
            yield Piece(where, iter(()), member.refusal)
            continue
        with member.open() as inside:
            yield from pieces(inside, where, limits, depth + 1)


def _bare(path: str) -> str:
    for suffix in COMPRESSED:
        if path.endswith(suffix):
            return path.removesuffix(suffix)
    return path
