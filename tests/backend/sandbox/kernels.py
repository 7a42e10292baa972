"""Kernels that lack features: a process whose seccomp filter answers as such a kernel does.

python -m tests.backend.sandbox.kernels landlock,namespaces -- COMMAND …

The filter is inherited by every child and cannot be removed, so what runs below meets real refusals.
"""

from __future__ import annotations

import ctypes
import errno
import os
import struct
import sys

LOAD, EQUAL, BITS, RETURN = 0x20, 0x15, 0x45, 0x06
ALLOW, ERROR = 0x7FFF0000, 0x00050000
NUMBER_AT, FIRST_ARGUMENT_AT = 0, 16
PRCTL, UNSHARE, SECCOMP, CHROOT = 157, 272, 317, 161
LANDLOCK = (444, 445, 446)
NEW_NAMESPACES = 0x10000000 | 0x40000000 | 0x00020000


def step(code: int, value: int, if_true: int = 0, if_false: int = 0) -> bytes:
    return struct.pack("=HBBI", code, if_true, if_false, value)


def refuse(number: int, code: int) -> list[bytes]:
    return [step(EQUAL, number, 0, 1), step(RETURN, ERROR | code)]


def refuse_argument(number: int, test: int, value: int, code: int) -> list[bytes]:
    return [
        step(EQUAL, number, 0, 4),
        step(LOAD, FIRST_ARGUMENT_AT),
        step(test, value, 0, 1),
        step(RETURN, ERROR | code),
        step(LOAD, NUMBER_AT),
    ]


def without(features: set[str]) -> None:
    """Make this process, and all below it, run as on a kernel without `features`."""
    steps = [step(LOAD, NUMBER_AT)]
    if "landlock" in features:
        for number in LANDLOCK:
            steps += refuse(number, errno.ENOSYS)
    if "namespaces" in features:
        steps += refuse_argument(UNSHARE, BITS, NEW_NAMESPACES, errno.EPERM)
    if "seccomp" in features:
        steps += refuse(SECCOMP, errno.ENOSYS)
        steps += refuse_argument(PRCTL, EQUAL, 22, errno.EINVAL)
    program = b"".join([*steps, step(RETURN, ALLOW)])
    buffer = ctypes.create_string_buffer(program)
    head = struct.pack("@HP", len(program) // 8, ctypes.addressof(buffer))
    libc = ctypes.CDLL(None, use_errno=True)
    libc.prctl(38, 1, 0, 0, 0)
    if libc.prctl(22, 2, ctypes.c_char_p(head), 0, 0) != 0:
        raise OSError(ctypes.get_errno(), "this kernel lacks seccomp itself")


if __name__ == "__main__":
    without(set(filter(None, sys.argv[1].split(","))))
    os.execv(sys.argv[3], sys.argv[3:])  # noqa: S606 - a command of the test
