"""Threads that map a file twice as large as their memory cgroup may hold: `… LIMIT_BYTES FOLDER`, as root.

It creates the cgroup, prints `running` and its directory, and removes all when standard input ends.
"""

from __future__ import annotations

import ctypes
import mmap
import os
import random
import sys
import threading
from pathlib import Path

THREADS = 4
V1 = Path("/sys/fs/cgroup/memory")
V2 = Path("/sys/fs/cgroup")


def limited(limit_bytes: int) -> Path:
    """Return a new cgroup with this process in it; version 1 where memory is there."""
    base, limit = (V1, "memory.limit_in_bytes") if V1.is_dir() else (V2, "memory.max")
    group = base / f"casebook-thrash-{os.getpid()}"
    group.mkdir()
    (group / limit).write_text(str(limit_bytes))
    (group / "cgroup.procs").write_text(str(os.getpid()))
    return group


def touch(mapped: mmap.mmap, pages: int, seed: int) -> None:
    """Copy pages of the file in any order, with the interpreter's lock let go."""
    chance = random.Random(seed)  # noqa: S311 - any order will do
    libc = ctypes.CDLL(None)
    start = ctypes.addressof(ctypes.c_char.from_buffer(mapped))
    target = ctypes.create_string_buffer(8)
    while True:
        libc.memcpy(target, ctypes.c_void_p(start + chance.randrange(pages) * mmap.PAGESIZE), 8)


def main(limit_bytes: int, folder: Path) -> None:
    file = folder / "table"
    with file.open("wb") as stream:
        for _ in range(limit_bytes * 2 // (1 << 20)):
            stream.write(os.urandom(1 << 20))
        stream.flush()
        os.fsync(stream.fileno())
        # Pages cached already are charged to their writer, not to the group.
        os.posix_fadvise(stream.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)
    group = limited(limit_bytes)
    with file.open("r+b") as stream:
        mapped = mmap.mmap(stream.fileno(), 0)
    pages = len(mapped) // mmap.PAGESIZE
    for seed in range(THREADS):
        threading.Thread(target=touch, args=(mapped, pages, seed), daemon=True).start()
    sys.stdout.write(f"running {group}\n")
    sys.stdout.flush()
    sys.stdin.read()
    (group.parent / "cgroup.procs").write_text(str(os.getpid()))
    file.unlink()
    group.rmdir()
    os._exit(0)


if __name__ == "__main__":
    main(int(sys.argv[1]), Path(sys.argv[2]))
