"""Locks of user space in gdb's backtraces: the lock that a thread waits for, and its owner.

Examples:
    #0  futex_wait (private=0, expected=2, futex_word=0x563954355180 <pool>) at futex-internal.h:146
    #3  ___pthread_mutex_lock (mutex=mutex@entry=0x563954355180 <pool>) at pthread_mutex_lock.c:93
        -> Wanted("pthread_mutex", "", "0x563954355180", "pool")

    $1 = {__data = {__lock = 2, __count = 0, __owner = 5662, __nusers = 1, …  -> Owned("pthread_mutex", 5662)

A thread inside a lock function waits only when a function that waits for a futex is on its stack. Addresses
need debug information of the C library; without it the lock is unnamed.

Sources: nptl/pthread_mutex_lock.c, nptl/pthread_rwlock_common.c, nptl/lowlevellock.c of glibc 2.17 to 2.41.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from ingest.native.linear import Pattern

_WAITING = re.compile(
    r"^_*(?:GI_+)?(?:lll_(?:timed|clock|robust_|robust_timed)?_?lock_wait(?:_private)?|futex_(?:abstimed_)?wait"
    r"|futex_abstimed_wait_(?:common|cancelable)|futex_lock_pi)(?:64|\.\w+)?$"
)
_LOCKING = re.compile(
    r"^_*(?:GI_+)?pthread_(?P<kind>mutex|rwlock)_(?P<mode>|cond_|rd|wr|timed|timedrd|timedwr|clock|clockrd|clockwr)"
    r"lock(?:_full|_common)?(?:64)?$"
)
_ADDRESS = re.compile(
    r"\b(?P<name>mutex|rwlock)=(?:\w+@entry=)?(?P<address>0x[0-9a-f]+)(?: <(?P<symbol>[^<>]+)>)?"
)
_OWNER = Pattern(r"^\$\d+ = \{.*?\b(?P<field>__owner|__cur_writer) = (?P<tid>\d{1,10})\b")


class Wanted(NamedTuple):
    """A lock that a function takes: its kind, `read`, `write` or "", address and symbol if printed."""

    kind: str
    mode: str
    address: str
    symbol: str


class Owned(NamedTuple):
    """The thread that gdb reads from a lock of this kind; 0 for none."""

    kind: str
    tid: int


def is_waiting(name: str) -> bool:
    """Return whether a function of the C library waits for a futex."""
    return bool(_WAITING.match(name))


def wanted(name: str, line: str) -> Wanted | None:
    """Return the lock that a frame takes, None for a function that takes none."""
    found = _LOCKING.match(name)
    if found is None:
        return None
    mode = "read" if found["mode"].endswith("rd") else "write" if found["mode"].endswith("wr") else ""
    printed = next((one for one in _ADDRESS.finditer(line) if one["name"] == found["kind"]), None)
    address, symbol = (printed["address"], printed["symbol"] or "") if printed else ("", "")
    return Wanted(f"pthread_{found['kind']}", mode, address, symbol)


def owned(line: str) -> Owned | None:
    """Return the owner that a printed mutex or rwlock names, None for other lines."""
    found = _OWNER.match(line) if line.startswith("$") else None
    if found is None:
        return None
    kind = "pthread_mutex" if found["field"] == "__owner" else "pthread_rwlock"
    return Owned(kind, int(found["tid"]))
