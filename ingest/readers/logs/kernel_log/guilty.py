"""The function that a failure is named after: the guilty one, as far as a report shows it.

    kasan      dump_stack, kasan_report, __list_del_entry, sk_psock_put, tcp_close  ->  sk_psock_put
    hung_task  __schedule, schedule, synchronize_rcu, packet_release                ->  synchronize_rcu
    rcu_stall  hash_expire, hash_add, ip_set_uadd, netlink_rcv_skb, do_syscall_64   ->  the handler below
               the function that dispatches: a loop is interrupted in any function of it

It is the innermost function that is not part of how the kernel reports, locks, allocates, copies or keeps
lists. Functions that the compiler inlined do not count: a log without line numbers does not have them, and
two reports of one failure should have one name.

The functions left out, and the handlers of stalls, are those that syzkaller leaves out of the titles of
kernel crashes (pkg/report/linux.go, Apache-2.0). Sources: the kernel's files named in `call_path`.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from ingest.native.linear import Pattern
from ingest.readers.logs.kernel_log.guilty_lists import (
    COMMON,
    HANDLERS_END,
    INTERRUPTS,
    RULES,
    SYSTEM_CALLS,
    WAITS,
    WARNINGS,
)

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ingest.model.reading import Cell
    from ingest.readers.logs.kernel_log.trace import TraceFrame

_COMMON = Pattern("|".join(COMMON))
_INTERRUPTS = Pattern("|".join(INTERRUPTS))
_HANDLERS_END = Pattern("|".join(HANDLERS_END))
_WAITS = Pattern("|".join(WAITS))
_GRACE_PERIODS = re.compile("synchronize_(?:s?rcu|net|sched)")
NAMED = re.compile(
    r"^BUG: K(?:ASAN|FENCE): .{1,80}? in (?P<function>[A-Za-z_]\w*)[.+]"
    r"|stack is corrupted in: (?P<canary>[A-Za-z_]\w*)[.+]"
    r"|last function: (?P<last>[A-Za-z_]\w*)"
)
"""Lines that name a function besides their traces."""


class Rule(NamedTuple):
    """How the function of one class is found."""

    skipped: Pattern | None
    form: str


@lru_cache
def _rule(kind: str) -> Rule | None:
    if kind not in RULES:
        return None
    form, skipped = RULES[kind]
    return Rule(Pattern(skipped) if skipped else None, form)


def is_innermost(kind: str) -> bool:
    """Return whether reports of the class are named after the innermost function that is left."""
    rule = _rule(kind)
    return rule is not None and not rule.form


def function_of(
    kind: str,
    fields: Mapping[str, Cell],
    named: Sequence[str],
    traces: Sequence[Sequence[TraceFrame]],
) -> str:
    """Return the function that a report of class `kind` is named after, "" when it shows none.

    Args:
        kind: The class.
        fields: What the report states; of lockdep the functions that take the two locks.
        named: Functions that its first lines name.
        traces: Its traces in their order, each innermost frame first.
    """
    if kind == "warn":
        where = str(fields.get("where", ""))
        kind = next((told for file, told in WARNINGS.items() if where.startswith(file)), kind)
    rule = _rule(kind)
    if rule is None:
        return ""
    if rule.form == "interrupted":
        # A thread of RCU may be shown first: the loop is where the interrupt hit.
        traces = sorted(traces, key=lambda trace: not any(_INTERRUPTS.search(frame.name) for frame in trace))
    stated = [str(fields[name]) for name in ("place", "held_in") if rule.form == "locks" and name in fields]
    for trace in traces or ((),):
        names = [frame.name for frame in trace if not frame.is_inlined]
        if rule.form == "interrupted":
            names = _below_interrupt(names)
        found = _left([*named, *stated, *names], rule)
        if found:
            return _chosen(found, rule.form)
    return ""


def _below_interrupt(names: list[str]) -> list[str]:
    """Return what the interrupt hit that found the stall; the whole trace when none is in it."""
    at = next((at for at, name in enumerate(names) if _INTERRUPTS.search(name)), -1)
    return names[at + 1 :] or names


def _left(names: Sequence[str], rule: Rule) -> list[str]:
    return [_bare(name) for name in names if not _is_left_out(name, rule.skipped)]


@lru_cache(maxsize=16_384)
def _is_left_out(name: str, skipped: Pattern | None) -> bool:
    """Return whether a function is never what a failure is named after."""
    return bool(_COMMON.search(name) or (skipped and skipped.search(name)))


def _chosen(names: Sequence[str], form: str) -> str:
    """Return one of the functions that are left, innermost first."""
    if form == "hung":
        return _waiting(names)
    return _handler(names) if form in {"stalled", "interrupted"} else names[0]


def _waiting(names: Sequence[str]) -> str:
    """Return what a task waits for where many may wait for the same, else the function that waits."""
    for name in names:
        if _GRACE_PERIODS.search(name):
            return "synchronize_rcu"
        if "rtnl_lock" in name:
            return name
    return next((name for name in names if not _WAITS.search(name)), names[0])


def _handler(names: Sequence[str]) -> str:
    """Return the outermost function below those that dispatch system calls, work, packets and timers."""
    before = names[0]
    for name in names:
        if "smp_call_function" in name:
            return "smp_call_function"
        if _HANDLERS_END.search(name):
            return before
        before = name
    return names[0]


@lru_cache(maxsize=4096)
def _bare(name: str) -> str:
    """Return a name without what the compiler appends, and a system call without what the kernel prepends."""
    name = name.partition(".")[0]
    return min((name.removeprefix(prefix) for prefix in SYSTEM_CALLS), key=len)
