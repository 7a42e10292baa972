"""Lines of a folder of texts, compressed or not."""

from __future__ import annotations

import bz2
import gzip
import lzma
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

LONGEST = 2_000
"""Characters of a line; what is longer is no text for people."""

_OPENERS = {b"\x1f\x8b": gzip.open, b"\xfd7": lzma.open, b"BZ": bz2.open}


def lines_of(folder: Path) -> Iterator[str]:
    """Yield the lines of all files below `folder`, in the order of their paths."""
    for path in sorted(one for one in folder.rglob("*") if one.is_file()):
        with path.open("rb") as file:
            opened = _OPENERS.get(file.read(2), open)
        with opened(path, "rb") as file:
            for line in file:
                yield line[:LONGEST].decode("utf-8", "replace")
