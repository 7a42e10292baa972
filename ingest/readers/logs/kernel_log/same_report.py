"""Whether a line of a class of its own belongs to the report that is open above it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ingest.readers.logs.kernel_log.report import CUT_HERE, OOM

if TYPE_CHECKING:
    from ingest.readers.logs.kernel_log.classes import Classified
    from ingest.readers.logs.kernel_log.prefix import Entry
    from ingest.readers.logs.kernel_log.report import Report

_SECOND_LINES = frozenset(
    {"oops", "invalid_opcode", "kernel_bug", "bad_access", "double_fault", "divide_error"}
)
"""Classes of the lines that repeat in other words what failed, before the trace."""

_ANNOUNCED = frozenset({"busy_dentry", "refcount_bug", "list_corruption", "odebug", "ref_tracker"})
"""Classes of the lines that say what is wrong, before the warning that prints the stack."""

_OOM_PARTS = frozenset({"oom_group_kill", "zone_watermarks", "slab_counters", "memcg_counters"})
"""Classes of lines that are records of their own only where the head of their OOM report is missing."""

_STOPS = frozenset({"warn", *_SECOND_LINES})

_TWICE = frozenset({"kasan", "kmsan", "ubsan", "kcsan", "kfence", "memory_leak", "stack_overflow"})
"""Classes whose first line is repeated for each inlined function, or with what it is about."""


def is_inside(report: Report, found: Classified) -> bool:
    """Return whether a line of a class of its own belongs to the open report."""
    if found.kind in _OOM_PARTS:
        return report.is_oom
    return found.kind == "lock_owner" and report.kind == "hung_task"


def is_told_later(report: Report, found: Classified) -> bool:
    """Return whether a line says what the open warning is about, or that a bad address was a null pointer."""
    if (report.kind, found.kind) == ("bad_access", "null_pointer"):
        return not report.has_trace
    return report.kind == "warn" and not report.has_trace and found.kind in _ANNOUNCED


def is_panic_of(report: Report, found: Classified) -> bool:
    """Return whether a panic stands in a report above its stack, as with `panic_on_warn` (kernel/panic.c)."""
    return found.kind == "panic" and not report.has_trace and report.kind not in {"panic", CUT_HERE, *OOM}


def goes_on(report: Report, entry: Entry, found: Classified) -> bool:
    """Return whether a line that could open a report belongs to the open one."""
    if found.kind == "call_trace":
        return True
    if found.kind == "task_stack":
        return report.kind not in {"task_stack", "call_trace"}
    if report.kind == CUT_HERE:
        return found.log_class.is_report
    if report.kind == found.kind == "rcu_stall":
        return " kthread " in entry.text
    if report.has_trace or report.log_class is None:
        return False
    is_repeated = (
        report.log_class.subsystem == "crash" and report.kind != "warn" and found.kind in _SECOND_LINES
    )
    if found.kind == report.kind:
        return found.kind in _TWICE
    # Since 6.11 the warning comes first, and what is wrong below it.
    is_announced = (report.kind in _ANNOUNCED and found.kind in _STOPS) or is_told_later(report, found)
    return is_repeated or is_announced or (report.has_scissors and found.kind == "warn")
