"""Innermost frames that mean a CPU without work, and functions that wait, by spinning or sleeping.

Examples:
    is_idle_leaf("pv_native_safe_halt")
    is_spin("native_queued_spin_lock_slowpath")
    is_lock_wait("rwsem_down_read_slowpath")

Source: `kinds.yaml` beside this module; every set cites the source of its names.
"""

from __future__ import annotations

from ingest.frames.names import Names, names_of
from ingest.frames.normalise import normalise

_IDLE = Names(names_of("idle_leaf"))
_SPIN = Names(names_of("spin_leaf"))
_LOCK_WAIT = Names(names_of("lock_wait"))
_REMOTE_CALL = Names(names_of("remote_call"))


def is_idle_leaf(name: str) -> bool:
    """Return whether a CPU whose innermost frame is `name` is idle."""
    return normalise(name) in _IDLE


def is_spin(name: str) -> bool:
    """Return whether a thread whose innermost frame is `name` spins for a lock."""
    return normalise(name) in _SPIN


def is_lock_wait(name: str) -> bool:
    """Return whether a sleeping thread with `name` on its stack waits for a lock of the kernel."""
    return normalise(name) in _LOCK_WAIT


def is_shared(name: str) -> bool:
    """Return whether many paths of the kernel end in `name`: waiting for a lock, or for other CPUs.

    How much time it takes does not say which path is slow; `name` may be a pattern.
    """
    plain = name.lstrip("*")
    return plain in _SPIN or plain in _LOCK_WAIT or plain in _REMOTE_CALL
