"""Confinement of a parser: the privileges a process drops before it opens evidence.

In this order, each as far as the kernel allows: end with the parent; limits of processor time, file size and
open files; an empty network; no privileges; files (Landlock); system calls (seccomp); memory. Nothing is
imported but the standard library, because a user namespace can only be entered while there is one thread.

Sources: https://docs.kernel.org/userspace-api/landlock.html
    https://docs.kernel.org/userspace-api/seccomp_filter.html
"""

from __future__ import annotations

import ctypes
import errno
import os
import platform
import resource
import signal
import struct
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

PR_SET_PDEATHSIG = 1
PR_SET_SECCOMP = 22
PR_SET_NO_NEW_PRIVS = 38
SECCOMP_MODE_FILTER = 2
CLONE_NEWUSER = 0x10000000
CLONE_NEWNET = 0x40000000
CLONE_THREAD = 0x00010000
CAPABILITY_VERSION_3 = 0x20080522
CPU_GRACE_SECONDS = 2
ADDRESS_SPACE_EXTRA_BYTES = 1 << 30
"""Eight threads of the native core reserve some 600 MB of address space that they never touch."""

LANDLOCK_VERSION_FLAG = 1
LANDLOCK_PATH_BENEATH = 1
READ_FILE, READ_DIR = 1 << 2, 1 << 3
WRITE_ACCESS = 1 << 1 | 1 << 4 | 1 << 5 | 1 << 7 | 1 << 8
REFER, TRUNCATE, IOCTL_DEVICE = 1 << 13, 1 << 14, 1 << 15

_libc = ctypes.CDLL(None, use_errno=True)
_libc.syscall.restype = ctypes.c_long


def die_with_parent() -> None:
    """Have the kernel kill this process when its parent exits."""
    parent = os.getppid()
    _libc.prctl(PR_SET_PDEATHSIG, int(signal.SIGKILL), 0, 0, 0)
    if os.getppid() != parent:
        os._exit(1)


def limit(*, cpu_seconds: int, file_bytes: int, open_files: int) -> None:
    """Set the limits that can be set before imports."""
    resource.setrlimit(resource.RLIMIT_CPU, (cpu_seconds, cpu_seconds + CPU_GRACE_SECONDS))
    resource.setrlimit(resource.RLIMIT_FSIZE, (file_bytes, file_bytes))
    resource.setrlimit(resource.RLIMIT_NOFILE, (open_files, open_files))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def limit_memory(memory_bytes: int) -> None:
    """Limit the address space as a backstop; the parent watches resident memory."""
    most = memory_bytes + ADDRESS_SPACE_EXTRA_BYTES
    resource.setrlimit(resource.RLIMIT_AS, (most, most))


def gain_nothing() -> None:
    """Drop every capability and the ability to gain any."""
    _libc.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
    header = struct.pack("=Ii", CAPABILITY_VERSION_3, 0)
    _libc.capset(ctypes.c_char_p(header), ctypes.c_char_p(bytes(24)))


def leave_network() -> bool:
    """Move into an empty network namespace; False when the kernel does not allow it."""
    return int(_libc.unshare(CLONE_NEWUSER | CLONE_NEWNET)) == 0


def keep_files(*, readable: Iterable[Path], writable: Path) -> bool:
    """Allow opening only files below `readable` and `writable`; False without Landlock."""
    calls = _LANDLOCK
    version = _libc.syscall(calls[0], None, ctypes.c_size_t(0), LANDLOCK_VERSION_FLAG)
    if version < 1:
        return False
    handled = (1 << 13) - 1
    handled |= REFER if version >= 2 else 0
    handled |= TRUNCATE if version >= 3 else 0
    handled |= IOCTL_DEVICE if version >= 5 else 0
    attribute = struct.pack("=Q", handled)
    ruleset = _libc.syscall(calls[0], ctypes.c_char_p(attribute), ctypes.c_size_t(len(attribute)), 0)
    if ruleset < 0:
        return False
    for path in readable:
        if path.exists():
            _allow(ruleset, path, READ_FILE | READ_DIR if path.is_dir() else READ_FILE)
    _allow(ruleset, writable, handled & (WRITE_ACCESS | READ_FILE | READ_DIR | REFER | TRUNCATE))
    refused = _libc.syscall(calls[2], ruleset, 0)
    os.close(ruleset)
    return bool(refused == 0)


_LANDLOCK = (444, 445, 446)


def _allow(ruleset: int, path: Path, access: int) -> None:
    descriptor = os.open(path, os.O_PATH | os.O_CLOEXEC)
    try:
        _rule(ruleset, descriptor, access)
    finally:
        os.close(descriptor)


def _rule(ruleset: int, descriptor: int, access: int) -> None:
    rule = struct.pack("=Qi", access, descriptor)
    if _libc.syscall(_LANDLOCK[1], ruleset, LANDLOCK_PATH_BENEATH, ctypes.c_char_p(rule), 0) != 0:
        raise OSError(ctypes.get_errno(), "a Landlock rule was refused")


# System calls by number, from syscall_64.tbl (x86_64) and asm-generic/unistd.h (aarch64) of Linux 6.18.
_REFUSED = {
    "x86_64": (
        41, 42, 43, 49, 50, 288,  # socket connect accept bind listen accept4
        57, 58, 59, 322, 101,  # fork vfork execve execveat ptrace
        62, 129, 200, 297, 424, 434, 438,  # kill rt_sigqueueinfo tkill rt_tgsigqueueinfo pidfd_*
        310, 311, 155, 161, 165, 166, 272, 308,  # process_vm_* pivot_root chroot mount umount2 unshare setns
        248, 249, 250, 298, 321, 323, 425, 426, 427,  # keys perf_event_open bpf userfaultfd io_uring
        428, 429, 430, 431, 432, 433, 442,  # open_tree move_mount fs* mount_setattr
    ),
    "aarch64": (
        198, 203, 202, 200, 201, 242,
        221, 281, 117,
        129, 138, 130, 240, 424, 434, 438,
        270, 271, 41, 51, 40, 39, 97, 268,
        217, 218, 219, 241, 280, 282, 425, 426, 427,
        428, 429, 430, 431, 432, 433, 442,
    ),
}  # fmt: skip
_AUDIT_ARCH = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
_CLONE = {"x86_64": 56, "aarch64": 220}
_TGKILL = {"x86_64": 234, "aarch64": 131}
_PRLIMIT = {"x86_64": 302, "aarch64": 261}
_CLONE3 = 435
_X32 = 0x40000000
_LOAD, _EQUAL, _AT_LEAST, _BITS, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
_ALLOW, _KILL, _ERROR = 0x7FFF0000, 0x80000000, 0x00050000
_NUMBER_AT, _ARCH_AT, _FIRST_ARGUMENT_AT = 0, 4, 16


def keep_calls() -> bool:
    """Block system calls that a parser never needs; False without seccomp or on another architecture."""
    machine = platform.machine()
    if machine not in _REFUSED:
        return False
    program = _filter(machine, os.getpid())
    buffer = ctypes.create_string_buffer(program)
    head = struct.pack("@HP", len(program) // 8, ctypes.addressof(buffer))
    return bool(_libc.prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, ctypes.c_char_p(head), 0, 0) == 0)


def _filter(machine: str, pid: int) -> bytes:
    """Return the seccomp filter: threads allowed, processes not; signals to the own process only."""
    refuse = _step(_RETURN, _ERROR | errno.EPERM)
    steps = [
        _step(_LOAD, _ARCH_AT),
        _step(_EQUAL, _AUDIT_ARCH[machine], 1, 0),
        _step(_RETURN, _KILL),
        _step(_LOAD, _NUMBER_AT),
        _step(_AT_LEAST, _X32, 0, 1),
        refuse,
        # glibc then falls back to clone, whose flags can be checked.
        _step(_EQUAL, _CLONE3, 0, 1),
        _step(_RETURN, _ERROR | errno.ENOSYS),
    ]
    for number in _REFUSED[machine]:
        steps += [_step(_EQUAL, number, 0, 1), refuse]
    for number, test, value in (
        (_CLONE[machine], _BITS, CLONE_THREAD),
        (_TGKILL[machine], _EQUAL, pid),
        (_PRLIMIT[machine], _EQUAL, 0),
    ):
        steps += [
            _step(_EQUAL, number, 0, 4),
            _step(_LOAD, _FIRST_ARGUMENT_AT),
            _step(test, value, 1, 0),
            refuse,
            _step(_RETURN, _ALLOW),
        ]
    return b"".join([*steps, _step(_RETURN, _ALLOW)])


def _step(code: int, value: int, if_true: int = 0, if_false: int = 0) -> bytes:
    return struct.pack("=HBBI", code, if_true, if_false, value)
