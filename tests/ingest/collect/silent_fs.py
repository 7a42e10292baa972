"""A file system whose files never answer: `python -m tests.ingest.collect.silent_fs DIR`, as root.

It prints `mounted` and serves until its standard input ends. Every name but `.…` is a file of one page;
reading it waits for ever, like a file on a server that went away. Source: fuse(4), include/uapi/linux/fuse.h.
"""

from __future__ import annotations

import ctypes
import os
import select
import struct
import sys
import zlib

LOOKUP, FORGET, GETATTR, OPEN, READ, STATFS, RELEASE, FLUSH = 1, 2, 3, 14, 15, 17, 18, 25
INIT, INTERRUPT, BATCH_FORGET, OPENDIR, DESTROY = 26, 36, 42, 27, 38
UNANSWERED = {READ, FORGET, INTERRUPT, BATCH_FORGET, DESTROY}
ROOT = 1
KEEP_CACHE = 2
PAGE = 4096
MNT_DETACH = 2
ENOENT, ENOSYS = 2, 38

libc = ctypes.CDLL(None, use_errno=True)


def attributes(inode: int) -> bytes:
    mode = 0o040755 if inode == ROOT else 0o100644
    size = 0 if inode == ROOT else PAGE
    return struct.pack("<6Q3I7I", inode, size, 8, 0, 0, 0, 0, 0, 0, mode, 1, 0, 0, 0, PAGE, 0)


def answer(opcode: int, inode: int, body: bytes) -> bytes | int:
    """Return the body of the answer, or an errno."""
    if opcode == INIT:
        major, minor, readahead, _ = struct.unpack("<4I", body[:16])
        return struct.pack("<4I2H2I2H8I", major, minor, readahead, 0, 16, 12, PAGE, 1, 1, 0, *[0] * 8)[:64]
    if opcode == LOOKUP:
        if body.startswith(b"."):
            return ENOENT
        file = zlib.crc32(body) + ROOT + 1
        return struct.pack("<4Q2I", file, 0, 3600, 3600, 0, 0) + attributes(file)
    if opcode == GETATTR:
        return struct.pack("<Q2I", 3600, 0, 0) + attributes(inode)
    if opcode in {OPEN, OPENDIR}:
        return struct.pack("<Q2I", 1, KEEP_CACHE, 0)
    return b"" if opcode in {RELEASE, FLUSH} else ENOSYS


def serve(device: int) -> None:
    while True:
        ready, _, _ = select.select([device, sys.stdin], [], [])
        if sys.stdin in ready:
            return
        request = os.read(device, 1 << 20)
        _, opcode, unique, inode = struct.unpack("<2I2Q", request[:24])
        if opcode in UNANSWERED:
            continue
        response = answer(opcode, inode, request[40:])
        error, body = (-response, b"") if isinstance(response, int) else (0, response)
        os.write(device, struct.pack("<IiQ", 16 + len(body), error, unique) + body)


def main(folder: str) -> None:
    device = os.open("/dev/fuse", os.O_RDWR)
    options = f"fd={device},rootmode=40000,user_id=0,group_id=0".encode()
    if libc.mount(b"silent", folder.encode(), b"fuse", 0, options):
        raise OSError(ctypes.get_errno(), "mount")
    sys.stdout.write("mounted\n")
    sys.stdout.flush()
    try:
        serve(device)
    finally:
        os.close(device)  # whoever waits gets an error now
        libc.umount2(folder.encode(), MNT_DETACH)


if __name__ == "__main__":
    main(sys.argv[1])
