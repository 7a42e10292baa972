"""What a sleeping task waits for, and in which function: read off its stack.

    __schedule, schedule, schedule_preempt_disabled, __mutex_lock, rtnl_lock  ->  rtnl_lock, a mutex
    __schedule, schedule, io_schedule, folio_wait_bit_common, filemap_fault    ->  filemap_fault, a page

The scheduler and the functions of a lock are the same for every waiter: the place is the first function below
them.

Source: kernel/sched/core.c, kernel/locking, kernel/sched/wait_bit.c, mm/filemap.c; Linux 3.10 to 6.12.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from ingest.frames.normalise import normalise
from ingest.frames.wait_points import is_scheduler, probable_site
from ingest.readers.logs.kernel_log.call_path import path_from, path_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

_SCHEDULER = (
    "__schedule",
    "schedule",
    "schedule_preempt_disabled",
    "schedule_timeout",
    "schedule_hrtimeout",
    "context_switch",
    "__switch_to",
    "preempt_schedule",
)
_WAITS = (
    ("__mutex_lock", "mutex"),
    ("mutex_lock", "mutex"),
    ("__ww_mutex_lock", "mutex"),
    ("ww_mutex_lock", "mutex"),
    ("rt_mutex", "rt_mutex"),
    ("__rt_mutex", "rt_mutex"),
    ("percpu_down", "percpu rwsem"),
    ("__percpu_down", "percpu rwsem"),
    ("percpu_rwsem", "percpu rwsem"),
    ("rwsem_", "rwsem"),
    ("call_rwsem", "rwsem"),
    ("__down_read", "rwsem"),
    ("__down_write", "rwsem"),
    ("down_read", "rwsem"),
    ("down_write", "rwsem"),
    ("__down", "semaphore"),
    ("down_interruptible", "semaphore"),
    ("down_timeout", "semaphore"),
    ("down_killable", "semaphore"),
    ("ldsem_down", "line discipline"),
    ("kthread_stop", "kernel thread"),
    ("__flush_work", "work item"),
    ("flush_work", "work item"),
    ("__cancel_work", "work item"),
    ("cancel_work_sync", "work item"),
    ("cancel_delayed_work_sync", "work item"),
    ("wait_for_completion", "completion"),
    ("wait_for_common", "completion"),
    ("__wait_for_common", "completion"),
    ("do_wait_for_common", "completion"),
    ("folio_wait", "page"),
    ("__folio_lock", "page"),
    ("folio_lock", "page"),
    ("wait_on_page", "page"),
    ("__lock_page", "page"),
    ("lock_page", "page"),
    ("sleep_on_page", "page"),
    ("__wait_on_bit", "bit"),
    ("out_of_line_wait_on_bit", "bit"),
    ("wait_on_bit", "bit"),
    ("bit_wait", "bit"),
    ("__wait_on_buffer", "buffer"),
    ("io_schedule", "io"),
    ("synchronize_rcu", "RCU"),
    ("synchronize_srcu", "RCU"),
    ("synchronize_sched", "RCU"),
    ("wait_rcu_gp", "RCU"),
    ("__wait_rcu_gp", "RCU"),
)

DEEPEST = 3
"""The scheduler is among so many innermost frames of a task that sleeps, what lies between them counted."""

ASLEEP = 12
"""Functions within which the scheduler and what called it are, between remains of earlier calls."""

_EXACT = {"down": "semaphore"}


class Wait(NamedTuple):
    """The function that waits, and what for; "" when no lock or completion is on the stack."""

    place: str
    waits_for: str


def wait_of(functions: Iterable[str]) -> Wait | None:
    """Return what a stack, innermost function first, waits for; None when it does not sleep."""
    waits_for, is_asleep = "", False
    for function in functions:
        if function.startswith(_SCHEDULER):
            is_asleep = True
        elif waits := _waits_for(function):
            # `io_schedule` and `bit_wait` are how a page or buffer is waited for.
            waits_for, is_asleep = waits, True
        else:
            return Wait(function, waits_for) if is_asleep else None
    return None


def askers(functions: Sequence[str]) -> Sequence[str]:
    """Return the functions of a trace of doubtful frames from what asked to sleep on."""
    names = map(normalise, functions[:ASLEEP])
    last = max((at for at, name in enumerate(names) if is_scheduler(name)), default=-1)
    return functions[last + 1 :]


def probable_path(functions: Sequence[str]) -> str:
    """Return the path of a trace of doubtful frames; of a task that sleeps from where it is known to wait.

    What lies on a stack between the frames, such as functions of earlier calls, has `?` as well.
    """
    names = [normalise(one) for one in functions]
    site = probable_site(names) if any(map(is_scheduler, names[:DEEPEST])) else -1
    return path_from(names[site], names) if site >= 0 else path_of(functions)


@lru_cache(maxsize=4096)
def _waits_for(function: str) -> str:
    """Return what callers of a function wait for, "" when it does not wait."""
    return _EXACT.get(function) or next((what for prefix, what in _WAITS if function.startswith(prefix)), "")
