"""A data directory on a small file system of its own, and a disk that is full for a while."""

from __future__ import annotations

import errno
import os
import subprocess
import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

SIZE = "512m"
FULL_SECONDS = 3.0
BALLAST = "ballast"
BLOCK = 1 << 20


@contextmanager
def small_disk(folder: Path) -> Iterator[Path]:
    """Context manager: a tmpfs at `folder`; needs root."""
    folder.mkdir(parents=True, exist_ok=True)
    subprocess.run(
        ["mount", "-t", "tmpfs", "-o", f"size={SIZE},mode=700", "casebook", str(folder)], check=True
    )
    try:
        yield folder
    finally:
        subprocess.run(["umount", "--lazy", str(folder)], check=True)


def fill(folder: Path) -> None:
    """Fill the disk completely, then free it after a delay."""
    ballast = folder / BALLAST
    with ballast.open("wb", buffering=0) as file:
        for block in (BLOCK, 1 << 12):
            try:
                while True:
                    file.write(bytes(block))
            except OSError as error:
                if error.errno != errno.ENOSPC:
                    raise
    threading.Timer(FULL_SECONDS, os.unlink, [ballast]).start()
