"""Reproducible tar archives: equal members give equal bytes.

Times, owners and modes are fixed; members keep the order in which they are added.
"""

from __future__ import annotations

import gzip
import io
import tarfile
from contextlib import ExitStack, contextmanager
from typing import IO, TYPE_CHECKING, cast

from ingest.model.zstd import zstd

if TYPE_CHECKING:
    from collections.abc import Iterator

ZSTD_LEVEL = 10
SUFFIXES = (".tar", ".tar.gz", ".tgz", ".tar.zst")


class Tarball:
    """An archive being written."""

    def __init__(self, archive: tarfile.TarFile) -> None:
        """Write to `archive`."""
        self._archive = archive

    def add(self, path: str, content: bytes) -> None:
        """Add one member."""
        self.add_stream(path, io.BytesIO(content), len(content))

    def add_stream(self, path: str, content: IO[bytes], size_bytes: int) -> None:
        """Add one member of `size_bytes`."""
        member = tarfile.TarInfo(path)
        member.size = size_bytes
        member.mode = 0o644
        self._archive.addfile(member, content)


@contextmanager
def writing(stream: IO[bytes], name: str = ".tar.zst") -> Iterator[Tarball]:
    """Write an archive to `stream`, compressed as the end of `name` says."""
    with ExitStack() as stack:
        if name.endswith(".zst"):
            stream = cast("IO[bytes]", stack.enter_context(zstd.ZstdFile(stream, "w", level=ZSTD_LEVEL)))
        elif name.endswith("gz"):
            stream = cast("IO[bytes]", stack.enter_context(gzip.GzipFile("", "wb", fileobj=stream, mtime=0)))
        archive = tarfile.open(fileobj=stream, mode="w|", format=tarfile.PAX_FORMAT)  # noqa: SIM115 - the stack closes it
        stack.enter_context(archive)
        yield Tarball(archive)
