"""A process with a contended mmap_lock, so that reading its command line hangs.

    python -m tests.ingest.collect.mmap_lock_held FILE

FILE is of `silent_fs`. Reading /proc/self/mem where FILE is mapped faults without leave to let go of the lock
(__access_remote_vm, mm/memory.c), and waits for FILE with the lock held for reading; a thread that maps
memory then queues as a writer, and nobody reads past it: not /proc/PID/cmdline, not `ps`. It ends when FILE
answers an error.
"""

from __future__ import annotations

import ctypes
import mmap
import os
import signal
import sys
import threading
import time

LONGEST_SECONDS = 120


def main(path: str) -> None:
    signal.alarm(LONGEST_SECONDS)
    file = os.open(path, os.O_RDONLY)
    libc = ctypes.CDLL(None, use_errno=True)
    libc.mmap.restype = ctypes.c_void_p
    libc.mmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t, *[ctypes.c_int] * 3, ctypes.c_long]
    address = libc.mmap(None, mmap.PAGESIZE, mmap.PROT_READ, mmap.MAP_PRIVATE, file, 0)
    memory = os.open("/proc/self/mem", os.O_RDONLY)
    sys.stdout.write("holding\n")
    sys.stdout.flush()

    def queue() -> None:
        time.sleep(0.5)
        libc.mmap(None, mmap.PAGESIZE, mmap.PROT_READ, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS, -1, 0)

    threading.Thread(target=queue, daemon=True).start()
    try:
        os.pread(memory, 1, address)
    except OSError:
        os._exit(0)


if __name__ == "__main__":
    main(sys.argv[1])
