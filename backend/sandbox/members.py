"""Bytes of recognised archive members, stored beside their readings for viewing by line.

Runs inside the sandbox, after reading. Members are identified by digest and size in a
second pass over the archive; unrecognised members are not stored.
"""

from __future__ import annotations

import hashlib
import io
from contextlib import suppress
from typing import IO, TYPE_CHECKING

from ingest.containers import archive, decompression, text_decoding
from ingest.model.errors import IngestError
from ingest.model.limits import DEFAULT

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from ingest.evidence import Evidence

COPY_BYTES = 1 << 20


class MemberBytes:
    """Writes the bytes of members below a directory, deduplicated.

    Attributes:
        stored: File name below the directory, by digest.
    """

    def __init__(self, directory: Path) -> None:
        """Write below `directory`, created if missing."""
        directory.mkdir(parents=True, exist_ok=True)
        self._directory = directory
        self.stored: dict[str, str] = {}

    def save(self, stream: IO[bytes], evidence: Evidence) -> None:
        """Write the recognised members of the archive `stream`, nested ones included."""
        wanted = {member.sha256: member for member in evidence.members}
        sizes = {member.size_bytes for member in evidence.members}
        try:
            for packed in _members(stream):
                if not packed.refusal and packed.size_bytes in sizes:
                    with suppress(*archive.BROKEN):  # a member that reading refused too
                        self._copy(packed, wanted)
        except IngestError:
            # Members read before the archive broke are already stored.
            return
        for sha256, member in wanted.items():
            if member.members and sha256 in self.stored:
                with (self._directory / self.stored[sha256]).open("rb") as nested:
                    self.save(nested, member)

    def _copy(self, member: archive.Member, wanted: dict[str, Evidence]) -> None:
        """Write one member under the next free name; an unneeded name stays free."""
        name = str(len(self.stored))
        if member.size_bytes <= COPY_BYTES:
            # Most members of a report are short, and unneeded or equal to another.
            with member.open() as content:
                whole = content.read()
            sha256 = hashlib.sha256(whole).hexdigest()
            if sha256 in wanted and sha256 not in self.stored:
                (self._directory / name).write_bytes(whole)
                self.stored[sha256] = name
            return
        digest = hashlib.sha256()
        with member.open() as content, (self._directory / name).open("wb") as copy:
            while piece := content.read(COPY_BYTES):
                digest.update(piece)
                copy.write(piece)
        sha256 = digest.hexdigest()
        if sha256 in wanted and sha256 not in self.stored:
            self.stored[sha256] = name


def _members(stream: IO[bytes]) -> Iterator[archive.Member]:
    head, chunks = decompression.peek(
        decompression.decoded(decompression.Stored(stream), DEFAULT), text_decoding.HEAD_BYTES
    )
    kind = archive.kind(head)
    if kind == "tar":
        yield from archive.tar_members(archive.ChunkFile(chunks), DEFAULT)
    elif kind == "zip":
        yield from archive.zip_members(io.BytesIO(b"".join(chunks)), DEFAULT)
