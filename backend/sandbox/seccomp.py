"""seccomp: a filter that refuses the system calls that a parser never needs.

Refused: sockets, new processes, signals to others, tracing, mounts, namespaces, keys, BPF, io_uring, shared
memory, changes of modes, owners, times and attributes of files (Landlock does not handle them), truncation by
path, files in memory without a name, watching files, the priority and placement of other processes of the
user, the kernel's log, pushing characters into a terminal, and having the kernel send a signal to others
(F_SETOWN). Why a list of refused calls: docs/adr/0006.

Source: https://docs.kernel.org/userspace-api/seccomp_filter.html
"""

from __future__ import annotations

import ctypes
import errno
import os
import platform
import struct

PR_SET_SECCOMP = 22
SECCOMP_MODE_FILTER = 2
CLONE_THREAD = 0x00010000
TERMINAL_INPUT = (0x5412, 0x541C)  # TIOCSTI, TIOCLINUX
SIGNAL_RECEIVERS = (8, 10, 15)  # F_SETOWN, F_SETSIG, F_SETOWN_EX

# System calls by number, from syscall_64.tbl (x86_64) and asm-generic/unistd.h (aarch64) of Linux 6.18.
_REFUSED = {
    "x86_64": (
        41, 42, 43, 49, 50, 53, 288,  # socket connect accept bind listen socketpair accept4
        57, 58, 59, 322, 101,  # fork vfork execve execveat ptrace
        62, 129, 200, 297, 424, 434, 438,  # kill rt_sigqueueinfo tkill rt_tgsigqueueinfo pidfd_*
        310, 311, 155, 161, 165, 166, 272, 308,  # process_vm_* pivot_root chroot mount umount2 unshare setns
        248, 249, 250, 298, 321, 323, 425, 426, 427,  # keys perf_event_open bpf userfaultfd io_uring
        428, 429, 430, 431, 432, 433, 442,  # open_tree move_mount fs* mount_setattr
        29, 30, 31, 64, 65, 66, 68, 69, 70, 71, 240,  # shm* sem* msg* mq_open
        90, 91, 268, 452, 92, 93, 94, 260,  # chmod fchmod fchmodat fchmodat2 chown fchown lchown fchownat
        132, 235, 261, 280, 76,  # utime utimes futimesat utimensat truncate
        188, 189, 190, 197, 198, 199, 463, 466,  # setxattr* removexattr* setxattrat removexattrat
        303, 304,  # name_to_handle_at open_by_handle_at
        253, 254, 294, 300, 301, 319, 447,  # inotify_* fanotify_* memfd_create memfd_secret
        141, 142, 144, 203, 314, 251,  # setpriority sched_set* ioprio_set
        256, 279, 312, 440, 448, 103,  # migrate_pages move_pages kcmp process_madvise process_mrelease syslog
    ),
    "aarch64": (
        198, 203, 202, 200, 201, 199, 242,
        221, 281, 117,
        129, 138, 130, 240, 424, 434, 438,
        270, 271, 41, 51, 40, 39, 97, 268,
        217, 218, 219, 241, 280, 282, 425, 426, 427,
        428, 429, 430, 431, 432, 433, 442,
        194, 195, 196, 190, 191, 193, 186, 187, 188, 189, 180,
        52, 53, 452, 54, 55,
        88, 45,
        5, 6, 7, 14, 15, 16, 463, 466,
        264, 265,
        26, 27, 262, 263, 279, 447,
        140, 118, 119, 122, 274, 30,
        238, 239, 272, 440, 448, 116,
    ),
}  # fmt: skip
_AUDIT_ARCH = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
_CLONE = {"x86_64": 56, "aarch64": 220}
_IOCTL = {"x86_64": 16, "aarch64": 29}
_TGKILL = {"x86_64": 234, "aarch64": 131}
_PRLIMIT = {"x86_64": 302, "aarch64": 261}
_FCNTL = {"x86_64": 72, "aarch64": 25}
_CLONE3 = 435
_X32 = 0x40000000
_LOAD, _EQUAL, _AT_LEAST, _BITS, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
_ALLOW, _KILL, _ERROR = 0x7FFF0000, 0x80000000, 0x00050000
_NUMBER_AT, _ARCH_AT, _FIRST_ARGUMENT_AT, _SECOND_ARGUMENT_AT = 0, 4, 16, 24

_libc = ctypes.CDLL(None, use_errno=True)


def restrict() -> bool:
    """Refuse the calls; False without seccomp or on another architecture. `no_new_privs` must be set."""
    machine = platform.machine()
    if machine not in _REFUSED:
        return False
    program = _filter(machine, os.getpid())
    buffer = ctypes.create_string_buffer(program)
    head = struct.pack("@HP", len(program) // 8, ctypes.addressof(buffer))
    return bool(_libc.prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, ctypes.c_char_p(head), 0, 0) == 0)


def _filter(machine: str, pid: int) -> bytes:
    """Return the filter: threads allowed, processes not; signals to the own process only."""
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
    for number, refused in ((_IOCTL[machine], TERMINAL_INPUT), (_FCNTL[machine], SIGNAL_RECEIVERS)):
        steps += [_step(_EQUAL, number, 0, 2 + 2 * len(refused)), _step(_LOAD, _SECOND_ARGUMENT_AT)]
        for request in refused:
            steps += [_step(_EQUAL, request, 0, 1), refuse]
        steps += [_step(_RETURN, _ALLOW)]
    return b"".join([*steps, _step(_RETURN, _ALLOW)])


def _step(code: int, value: int, if_true: int = 0, if_false: int = 0) -> bytes:
    return struct.pack("=HBBI", code, if_true, if_false, value)
