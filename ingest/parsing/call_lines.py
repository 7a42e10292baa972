"""Whose calls these are: the kernel's, which strace prints, or a library's, which ltrace prints.

Example:
    10893 setlocale(6, 0x562779ba3b14, 0x7ffdec55c9a0, 7) = 0x5627b6037f40 <0.000925>     a library's
    10893 futex(0x556e7c7280e0, FUTEX_WAIT_PRIVATE, 2, NULL) = 0 <0.000925>               the kernel's

Both print `name(arguments) = result <seconds>`. strace spells arguments out, ltrace prints pointers and
numbers, and calls functions that no kernel has.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ingest.native.linear import Pattern

if TYPE_CHECKING:
    from collections.abc import Sequence

LOOK_AHEAD = 12
"""Number of lines that decide."""

_CALL = Pattern(
    r"^(?:\[pid )?\d*\]?\s*(?:[\d:.]+\s+)?(?P<call>(?:\w[\w.]*->)?[A-Za-z_][\w.:~@]*)\(.*(?:="
    r" .+|\.\.\.>)\s*$"
)
_RESUMED = Pattern(r"^(?:\[pid )?\d*\]?\s*(?:[\d:.]+\s+)?<\.\.\. (?P<call>\S+) resumed>")
_POINTER = re.compile(r"0x[0-9a-f]{6,}")
_SPELLED_OUT = re.compile(
    r"\b(?:AT_FDCWD|O_|PROT_|MAP_|SEEK_|CLONE_|FUTEX_|CLOCK_|MADV_|EPOLL|SIG_)|SYS_|\{\w+="
)
"""Arguments as strace spells them; ltrace prints pointers and numbers."""

_KERNEL_WORDS = (
    "accept accept4 access arch_prctl bind brk clock_nanosleep clone clone3 close connect dup dup2 "
    "epoll_ctl epoll_pwait epoll_wait execve exit exit_group fcntl fdatasync fstat fsync futex "
    "getdents64 getpid getrandom gettid ioctl kill lseek lstat madvise mmap mprotect mremap munmap "
    "nanosleep newfstatat open openat pipe2 poll ppoll prctl pread64 prlimit64 pselect6 pwrite64 read "
    "readlink readv recvfrom recvmsg restart_syscall rseq rt_sigaction rt_sigprocmask rt_sigreturn "
    "sched_yield select sendmsg sendto set_robust_list set_tid_address setsockopt socket stat statfs "
    "statx sysinfo tgkill unlink wait4 write writev"
)
KERNEL_CALLS = frozenset(_KERNEL_WORDS.split())


def is_library_trace(lines: Sequence[str]) -> bool:
    """Return whether the first of `lines` are calls of a library, at least two of them."""
    found = [_CALL.match(line) or _RESUMED.match(line) for line in lines[:LOOK_AHEAD] if line.strip()]
    calls = [call for call in found if call]
    if (
        len(calls) < 2
        or len(calls) < len(found) - 2
        or any(_SPELLED_OUT.search(call.string) for call in calls)
    ):
        return False
    foreign = sum(call["call"] not in KERNEL_CALLS for call in calls)
    return foreign * 2 > len(calls) and any(_POINTER.search(call.string) for call in calls)
