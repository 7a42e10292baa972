"""Threads of a program that contend for a lock of its own: mutexes of user space, which wait by futex.

12 threads of locker contend for a lock of the program (futex): 14.6 % of their samples take or release it, …
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ingest.native import sums
from signatures.language.number_format import value_words
from signatures.overview.levels import ratio_of
from signatures.overview.model import Answer, Figure, Statement

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from signatures.overview.scope_evidence import ScopeEvidence
    from signatures.overview.stacks import Stacks

PROGRAM_SHARE = 0.05
"""A program that uses less of the CPUs is not worth a sentence."""

CONTENDED_SHARE = 0.02
LEAST_CONTENDED = 10.0
"""Share of a program's samples, and samples, on the path of a mutex that another thread holds."""

NOTABLE_SHARE = 0.1
"""Of all samples in the program, and of its samples in its locks."""

ASKS = "which lock it is, and who takes it"

_LOCKS = re.compile(
    r"_*(?:GI_+)?(?:pthread_(?:mutex|rwlock|spin)_\w*lock|l+_lock_wa(?:it|ke))"
    r"|std::(?:__1::)?(?:shared_)?mutex::(?:un)?lock|ObjectMonitor::e|sync\.\(\*(?:RW)?Mutex\)\.|runtime\.(?:un)?lock2?$"
    r"|.*(?:raw_mutex|futex_mutex|Mutex|mutex)::\w*lock"
)
_CONTENDED = re.compile(
    r"_*(?:GI_+)?l+_lock_wa(?:it|ke)|.*\block_(?:slow|contended)|sync\.\(\*Mutex\)\.lockSlow|ObjectMonitor::enter"
)
"""glibc nptl (lowlevellock.c), libstdc++, HotSpot, Go, Rust std and parking_lot."""


class _Contended(NamedTuple):
    """Samples of one program: of all, in its locks, contended; and its threads, 0 when not stated."""

    comm: str
    pid: int
    share: float
    locking: float
    contended: float
    threads: int
    nodes: NDArray[np.intp]
    mostly: str
    mostly_share: float


def user_locks(evidence: ScopeEvidence) -> Answer:
    """Return the program whose threads contend most for a lock of its own."""
    stacks = evidence.main
    found = _most_contended(stacks) if stacks else None
    if stacks is None or found is None:
        return Answer("")
    places = stacks.places_of_nodes(found.nodes)
    threads = f"{found.threads:,} threads" if found.threads else "Threads"
    words = (
        f"{threads} of {found.comm} contend for a lock of the program (futex): "
        f"{value_words(found.locking, 'share')} of their samples take or release it, "
        f"{value_words(found.contended, 'share')} because another thread holds it or waits for it"
    )
    qualifiers: tuple[str, ...] = ()
    if found.mostly:
        qualifiers = (f"; {value_words(found.mostly_share, 'share')} are in {found.mostly}",)
    is_notable = found.share >= NOTABLE_SHARE and found.locking >= NOTABLE_SHARE
    whose = f"-p {found.pid}" if found.pid > 0 else "-a"
    capture = f"sudo perf record -e syscalls:sys_enter_futex -g {whose} -- sleep 5 && sudo perf script"
    statement = Statement(
        "locks",
        words,
        places,
        "fact",
        "notable" if is_notable else "context",
        capture,
        is_notable=is_notable,
        asks=ASKS,
        topic="user lock",
        qualifiers=qualifiers,
        subject=f"locks of {found.comm}",
        names=(found.mostly,),
        ratio=ratio_of(found.locking, NOTABLE_SHARE) if is_notable else None,
    )
    label = f"samples of {found.comm} in locks of the program"
    figure = Figure(label, round(found.locking, 4), "share", places, is_notable)
    return Answer(f"{statement.text}.", (figure,), (), (statement,))


def _most_contended(stacks: Stacks) -> _Contended | None:
    profile = stacks.profile
    is_lock = stacks.has(stacks.frames_where(lambda name: bool(_LOCKS.match(name))) & ~stacks.is_kernel)
    is_contended = stacks.has(
        stacks.frames_where(lambda name: bool(_CONTENDED.match(name))) & ~stacks.is_kernel
    )
    if not is_contended.any():
        return None
    names, of_thread = np.unique([thread.comm for thread in profile.threads], return_inverse=True)
    node = np.maximum(profile.sample_node, 0)
    has = profile.sample_node >= 0
    hits = has & is_contended[node]
    comms = of_thread.astype(np.int32)[profile.sample_thread]
    weights = sums(stacks.weight, comms, len(names))
    contended = sums(stacks.weight, comms, len(names), hits)
    counts = sums(profile.sample_count, comms, len(names), hits)
    found = []
    for at in np.flatnonzero(counts >= LEAST_CONTENDED).tolist():
        weight = float(weights[at])
        share = weight / stacks.total
        if share < PROGRAM_SHARE or contended[at] / weight < CONTENDED_SHARE:
            continue
        own = comms == at
        locking = own & has & is_lock[node]
        threads = [profile.threads[one] for one in np.unique(profile.sample_thread[locking]).tolist()]
        tids, pids = {one.tid for one in threads}, {one.pid for one in threads}
        if len(tids) == 1 and tids != {-1}:
            continue
        mostly, mostly_share = _mostly(stacks, own & has & ~is_lock[node], weight)
        found.append(
            _Contended(
                str(names[at]),
                pids.pop() if len(pids) == 1 else 0,
                share,
                float(stacks.weight[locking].sum()) / weight,
                float(contended[at]) / weight,
                len(tids) if tids != {-1} else 0,
                np.unique(node[own & hits]),
                mostly,
                mostly_share,
            )
        )
    return max(found, key=lambda one: one.share * one.locking, default=None)


def _mostly(stacks: Stacks, samples: NDArray[np.bool_], weight: float) -> tuple[str, float]:
    """Return the function of the program in which most `samples` end, with its share of `weight`."""
    profile = stacks.profile
    frames = profile.node_frame[profile.sample_node[samples]]
    by_frame = np.bincount(frames, weights=stacks.weight[samples], minlength=len(profile.frames))
    by_frame[stacks.is_kernel] = 0.0
    top = int(by_frame.argmax()) if len(by_frame) else 0
    if not len(by_frame) or by_frame[top] < weight / 2:
        return "", 0.0
    return stacks.names[top], float(by_frame[top]) / weight
