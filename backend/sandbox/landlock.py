"""Landlock: a process that opens only files below given paths, connects and signals nowhere.

    version  adds
    1        files: open, create, remove
    2        links and renames across directories
    3        truncation
    4        TCP: bind, connect
    5        ioctl on devices
    6        abstract unix sockets and signals of other processes

Source: https://docs.kernel.org/userspace-api/landlock.html
"""

from __future__ import annotations

import ctypes
import errno
import os
import struct
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

CREATE_RULESET, ADD_RULE, RESTRICT_SELF = 444, 445, 446
VERSION_FLAG = 1
PATH_BENEATH = 1
EXECUTE, WRITE_FILE, READ_FILE, READ_DIR = 1 << 0, 1 << 1, 1 << 2, 1 << 3
REMOVE_DIR, REMOVE_FILE, MAKE_DIR, MAKE_REGULAR = 1 << 4, 1 << 5, 1 << 7, 1 << 8
REFER, TRUNCATE, IOCTL_DEVICE = 1 << 13, 1 << 14, 1 << 15
FILES = (1 << 13) - 1
WRITE_ACCESS = WRITE_FILE | REMOVE_DIR | REMOVE_FILE | MAKE_DIR | MAKE_REGULAR
TCP = 1 << 0 | 1 << 1
SCOPED = 1 << 0 | 1 << 1

_libc = ctypes.CDLL(None, use_errno=True)
_libc.syscall.restype = ctypes.c_long


def version() -> int:
    """Return the version of the interface; 0 when the kernel has none or it is disabled."""
    return max(0, int(_libc.syscall(CREATE_RULESET, None, ctypes.c_size_t(0), VERSION_FLAG)))


def restrict(*, readable: Iterable[Path], writable: Iterable[Path] = ()) -> int:
    """Allow opening only files below `readable` and `writable`; return the version, 0 without Landlock.

    `no_new_privs` must be set. Descriptors that are open stay usable.

    Raises:
        OSError: A rule was refused.
    """
    found = version()
    if not found:
        return 0
    handled = FILES
    handled |= REFER if found >= 2 else 0
    handled |= TRUNCATE if found >= 3 else 0
    handled |= IOCTL_DEVICE if found >= 5 else 0
    attribute = struct.pack("=QQQ", handled, TCP if found >= 4 else 0, SCOPED if found >= 6 else 0)
    # The kernel accepts a longer structure whose unknown part is zero.
    ruleset = int(
        _libc.syscall(CREATE_RULESET, ctypes.c_char_p(attribute), ctypes.c_size_t(len(attribute)), 0)
    )
    if ruleset < 0:
        return 0
    try:
        for path in readable:
            _allow(ruleset, path, READ_FILE | READ_DIR)
        for path in writable:
            access = WRITE_ACCESS | READ_FILE | READ_DIR | REFER | TRUNCATE
            _allow(ruleset, path, handled & access)
        is_restricted = _libc.syscall(RESTRICT_SELF, ruleset, 0) == 0
    finally:
        os.close(ruleset)
    return found if is_restricted else 0


def _allow(ruleset: int, path: Path, access: int) -> None:
    """Add a rule for what is below `path`, if it exists."""
    try:
        descriptor = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except (FileNotFoundError, PermissionError):
        # Such as /proc/PID/root of another user: who reads it gets that error.
        return
    try:
        if not path.is_dir():
            access &= READ_FILE | WRITE_FILE | TRUNCATE
        rule = struct.pack("=Qi", access, descriptor)
        if _libc.syscall(ADD_RULE, ruleset, PATH_BENEATH, ctypes.c_char_p(rule), 0) != 0:
            # A pipe, such as /dev/fd/63 of a shell, takes no rule and needs none.
            if ctypes.get_errno() == errno.EBADFD:
                return
            raise OSError(ctypes.get_errno(), "a Landlock rule was refused")
    finally:
        os.close(descriptor)
