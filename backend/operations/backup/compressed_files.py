"""Compressed files of a backup; an empty one has no frame."""

from __future__ import annotations

import io
from typing import IO, TYPE_CHECKING, cast

from ingest.model.zstd import zstd

if TYPE_CHECKING:
    from io import BufferedIOBase
    from pathlib import Path

LEVEL = 3
UNREADABLE = (OSError, EOFError, zstd.ZstdError)
"""Errors of a file that is missing, cut off or damaged."""


def open_to_write(path: Path) -> IO[bytes]:
    """Open a file for writing."""
    return cast("IO[bytes]", zstd.open(path, "wb", level=LEVEL))


def open_to_read(path: Path) -> BufferedIOBase:
    """Open a file for reading; what is wrong with it is raised here or by reading, as one of `UNREADABLE`."""
    return cast("BufferedIOBase", zstd.open(path, "rb")) if path.stat().st_size else io.BytesIO()
