"""The line above a call trace that a paste leaves out, by the function that prints both.

missing_class(["dump_stack", "___might_sleep", "__kmalloc", …])  ->  "sleeping_while_atomic"
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ingest.frames.normalise import normalise
from ingest.frames.wait_points import is_scheduler

if TYPE_CHECKING:
    from collections.abc import Sequence

PRINTERS = {
    "__schedule_bug": "scheduling_while_atomic",
    "___might_sleep": "sleeping_while_atomic",
    "__might_resched": "sleeping_while_atomic",
    "lockdep_rcu_suspicious": "suspicious_rcu",
}
"""Source: kernel/sched/core.c, kernel/locking/lockdep.c; each prints its message, then the trace."""

INNERMOST = 3
"""A printer is among so many functions: below it stand `dump_stack` and its helpers only."""

SLEEPING = 12
"""Functions within which the scheduler and what called it are, between remains of earlier calls."""


def missing_class(functions: Sequence[str]) -> str:
    """Return the class of the line that is missing above a trace, innermost function first; "" for none."""
    names = map(normalise, functions[:INNERMOST])
    return next((PRINTERS[name] for name in names if name in PRINTERS), "")


def askers(functions: Sequence[str]) -> Sequence[str]:
    """Return the functions of a trace of doubtful frames from what asked to sleep on."""
    names = [normalise(one) for one in functions]
    last = max((at for at, name in enumerate(names[:SLEEPING]) if is_scheduler(name)), default=-1)
    return functions[last + 1 :]
