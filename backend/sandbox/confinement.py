"""Confinement of a parser: the privileges a process drops before it opens evidence.

In this order: end with the parent; limits of processor time, file size and open files; namespaces; no
privileges; files (Landlock); system calls (seccomp); memory. `Layers` states what the kernel granted. Nothing
is imported but the standard library, because only a process with one thread can enter a user namespace.
"""

from __future__ import annotations

import ctypes
import os
import resource
import signal
import struct
from typing import TYPE_CHECKING

from backend.sandbox import landlock, namespaces, seccomp
from backend.sandbox.layers import Layers

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

PR_SET_PDEATHSIG = 1
PR_SET_NO_NEW_PRIVS = 38
CAPABILITY_VERSION_3 = 0x20080522
CPU_GRACE_SECONDS = 2
ADDRESS_SPACE_EXTRA_BYTES = 1 << 30
"""Eight threads of the native core reserve some 600 MB of address space that they never touch."""

_libc = ctypes.CDLL(None, use_errno=True)


def die_with_parent(parent: int | None = None) -> None:
    """Have the kernel kill this process when its parent exits, `parent` if known before a fork."""
    parent = os.getppid() if parent is None else parent
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


def confine(
    *, readable: Sequence[Path], writable: Sequence[Path] = (), has_network_namespace: bool = True
) -> Layers:
    """Drop all privileges and reach only `readable` and `writable`; return the layers that were granted.

    A network namespace costs milliseconds; without it seccomp alone refuses sockets.
    """
    needs_mounts = landlock.version() == 0
    is_apart = (has_network_namespace or needs_mounts) and namespaces.enter(with_mounts=needs_mounts)
    has_own_root = needs_mounts and is_apart and _change_root(readable, writable)
    gain_nothing()
    version = 0 if needs_mounts else landlock.restrict(readable=readable, writable=writable)
    return Layers(landlock=version, mounts=has_own_root, network=is_apart, calls=seccomp.restrict())


def gain_nothing() -> None:
    """Drop every capability and the ability to gain any."""
    _libc.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
    header = struct.pack("=Ii", CAPABILITY_VERSION_3, 0)
    _libc.capset(ctypes.c_char_p(header), ctypes.c_char_p(bytes(24)))


def _change_root(readable: Sequence[Path], writable: Sequence[Path]) -> bool:
    try:
        namespaces.change_root(readable=readable, writable=writable)
    except OSError:
        return False
    return True
