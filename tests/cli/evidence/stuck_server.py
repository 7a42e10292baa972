"""Mounts a FUSE file system whose server answers its greeting and then nothing: stuck_server.py DIRECTORY."""

from __future__ import annotations

import ctypes
import os
import signal
import struct
import sys

INIT = struct.pack("<IIIIHHIIHHI7I", 7, 31, 1 << 16, 0, 0, 0, 1 << 16, 1, 0, 0, 0, *([0] * 7))


def main() -> None:
    """Mount, answer one request, and sleep."""
    libc = ctypes.CDLL(None, use_errno=True)
    device = os.open("/dev/fuse", os.O_RDWR)
    options = f"fd={device},rootmode=40000,user_id=0,group_id=0".encode()
    if libc.mount(b"stuck", sys.argv[1].encode(), b"fuse", 0, options):
        sys.exit(os.strerror(ctypes.get_errno()))
    (unique,) = struct.unpack_from("<Q", os.read(device, 1 << 17), 8)
    os.write(device, struct.pack("<IiQ", 16 + len(INIT), 0, unique) + INIT)
    sys.stdout.write("mounted\n")
    sys.stdout.flush()
    signal.pause()


if __name__ == "__main__":
    main()
