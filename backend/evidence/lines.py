"""Raw lines of one evidence by range, decoded from the stored bytes on each request.

Lines end with LF in the decoded text, so numbers equal those of citations and of `grep -n`.
"""

from __future__ import annotations

import io
from typing import TYPE_CHECKING

from backend.core.errors import ConflictError
from backend.evidence.schemas import LinesRead
from backend.models.evidence import EvidenceState
from ingest.containers.archive import ChunkFile
from ingest.containers.decompression import BLOCK_BYTES
from ingest.containers.text_decoding import stored_text
from ingest.model.errors import IngestError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from backend.core.storage.object_store import Store
    from backend.models.evidence import Evidence

MAX_LINE_CHARS = 100_000
MAX_ANSWER_CHARS = 8 << 20


def read(store: Store, evidence: Evidence, *, first: int, last: int) -> LinesRead:
    """Return lines `first` to `last`, fewer at the end of the evidence or at the size limit.

    Raises:
        ConflictError: It was not read and so has no lines, or it is an archive.
    """
    if evidence.state != EvidenceState.READ:
        raise ConflictError(f"this evidence is {evidence.state}; lines exist only after it was read")
    if not evidence.line_count:
        raise ConflictError("an archive has no lines; open one of its members")
    return of_text(store, evidence.sha256, total=evidence.line_count, first=first, last=last)


def of_text(store: Store, sha256: str, *, total: int, first: int, last: int) -> LinesRead:
    """Return lines `first` to `last` of a text of `total` lines.

    Raises:
        ConflictError: Its bytes cannot be decoded.
        StoredBytesError: The store has lost or damaged them.
    """
    try:
        lines = _cut(_lines_from(decoded(store, sha256), first), at_most=max(0, last - first + 1))
    except IngestError as error:
        raise ConflictError(f"the stored bytes cannot be decoded: {error}") from error
    return LinesRead(
        first_line=first,
        last_line=first + len(lines) - 1,
        total_lines=total,
        lines=lines,
    )


def decoded(store: Store, sha256: str) -> Iterator[bytes]:
    """Yield the text of a blob as UTF-8 in chunks, decoded as by the reader."""
    return stored_text(io.BufferedReader(ChunkFile(store.chunks(sha256)), BLOCK_BYTES))


def _lines_from(chunks: Iterable[bytes], first: int) -> Iterator[str]:
    """Yield the lines from number `first` on, without line endings."""
    at = 1
    rest = b""
    for chunk in chunks:
        breaks = chunk.count(b"\n")
        if at + breaks < first:
            at += breaks
            continue
        *whole, rest = (rest + chunk).split(b"\n")
        for line in whole:
            if at >= first:
                yield line.decode("utf-8", "replace")
            at += 1
    if rest and at >= first:
        yield rest.decode("utf-8", "replace")


def _cut(lines: Iterator[str], *, at_most: int) -> list[str]:
    """Return up to `at_most` lines of at most `MAX_ANSWER_CHARS` in total, long lines truncated."""
    taken: list[str] = []
    chars = 0
    while len(taken) < at_most:
        line = next(lines, None)
        if line is None:
            break
        if len(line) > MAX_LINE_CHARS:
            line = f"{line[:MAX_LINE_CHARS]} … ({len(line) - MAX_LINE_CHARS:,} characters more)"
        chars += len(line)
        if taken and chars > MAX_ANSWER_CHARS:
            break
        taken.append(line)
    return taken
