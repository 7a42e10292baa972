"""The bytes of recognised archive members, written beside their readings: so they can be shown line by line.

Runs inside the sandbox, after reading. Members are known by digest and size; the archive is gone through a
second time, and nothing of what was not recognised is kept.
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
    """Writes the bytes of members below a directory, each once.

    Attributes:
        kept: File name below the directory, by digest.
    """

    def __init__(self, directory: Path) -> None:
        """Write below `directory`, which is made."""
        directory.mkdir(parents=True, exist_ok=True)
        self._directory = directory
        self.kept: dict[str, str] = {}

    def save(self, stream: IO[bytes], evidence: Evidence) -> None:
        """Write the members of the archive `stream`, which was read as `evidence`, and those inside them."""
        wanted = {member.sha256: member for member in evidence.members}
        sizes = {member.size_bytes for member in evidence.members}
        try:
            for packed in _members(stream):
                if not packed.refusal and packed.size_bytes in sizes:
                    with suppress(*archive.BROKEN):  # a member that reading refused too
                        self._copy(packed, wanted)
        except IngestError:
            # What was read before the archive broke has been kept.
            return
        for sha256, member in wanted.items():
            if member.members and sha256 in self.kept:
                with (self._directory / self.kept[sha256]).open("rb") as nested:
                    self.save(nested, member)

    def _copy(self, member: archive.Member, wanted: dict[str, Evidence]) -> None:
        """Write one member under the next free name, which stays free when nobody wants it."""
        name = str(len(self.kept))
        digest = hashlib.sha256()
        with member.open() as content, (self._directory / name).open("wb") as copy:
            while piece := content.read(COPY_BYTES):
                digest.update(piece)
                copy.write(piece)
        sha256 = digest.hexdigest()
        if sha256 in wanted and sha256 not in self.kept:
            self.kept[sha256] = name


def _members(stream: IO[bytes]) -> Iterator[archive.Member]:
    head, chunks = decompression.peek(
        decompression.decoded(decompression.Stored(stream), DEFAULT), text_decoding.HEAD_BYTES
    )
    kind = archive.kind(head)
    if kind == "tar":
        yield from archive.tar_members(archive.ChunkFile(chunks), DEFAULT)
    elif kind == "zip":
        yield from archive.zip_members(io.BytesIO(b"".join(chunks)), DEFAULT)
