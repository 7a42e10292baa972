"""A hundred threads that compress, hash and write."""

from __future__ import annotations

import hashlib
import tempfile
import threading
import zlib

DATA = bytes(range(256)) * 4096


def body() -> None:
    """Work without end."""
    while True:
        zlib.compress(DATA, 1)
        hashlib.sha256(DATA).digest()
        with tempfile.TemporaryFile() as out:
            out.write(DATA)


for number in range(100):
    threading.Thread(target=body, name=f"pool-{number}").start()
