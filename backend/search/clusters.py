"""Clusters of cases that no signature explains: equal wait root, log class and device kind, or functions.

wait:jbd2_log_wait_commit    class:nvme_timeout/nvme    frames:osq_lock+rwsem_down_write_slowpath
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ingest.frames.normalise import normalise

if TYPE_CHECKING:
    from backend.search.queries_content import Content
    from signatures.documents.alarm import AlarmDocument

MIN_WEIGHT = 0.1
HEAVIEST = 3
_FUNCTION = re.compile(r"[a-z_][a-z0-9_]{3,}")
_DEVICE = re.compile(
    r"\b(nvme|mmcblk|dm-|md|xvd|vd|sd|sr|loop|nbd|rbd|zram|ata|usb|eth|en[ops]|wl[ao]|bond)\w*\d|\bsd[a-z]\b"
)
COMMON_FUNCTIONS = frozenset(
    {
        "__schedule",
        "schedule",
        "schedule_timeout",
        "io_schedule",
        "do_syscall_64",
        "entry_SYSCALL_64_after_hwframe",
        "ret_from_fork",
        "ret_from_fork_asm",
        "kthread",
        "wait_for_completion",
        "worker_thread",
        "process_one_work",
    }
)
"""Functions that are in most stacks, whatever the cause."""


def is_cluster(problem: str) -> bool:
    """Return whether a problem is a cluster or made by people, and not a signature."""
    return ":" in problem


def cluster_of(content: Content) -> str:
    """Return the cluster of a case; "" when it shows nothing that others could share."""
    return _by_wait(content) or _by_class(content) or _by_functions(content)


def _by_wait(content: Content) -> str:
    for graph in content.waits:
        if not any(root.is_notable for root in graph.roots):
            continue
        counted: dict[str, int] = {}
        for node in graph.nodes:
            innermost = next((one for one in map(normalise, node.frames) if one not in COMMON_FUNCTIONS), "")
            if innermost:
                counted[innermost] = counted.get(innermost, 0) + node.count
        if counted:
            return f"wait:{max(sorted(counted), key=counted.__getitem__)}"
    return ""


def _by_class(content: Content) -> str:
    for alarm in content.case.alarms:
        if alarm.log_classes:
            kind = device_kind_of(alarm)
            return f"class:{alarm.log_classes[0]}{f'/{kind}' if kind else ''}"
    return ""


def device_kind_of(alarm: AlarmDocument) -> str:
    """Return the kind of the device that an alarm is of, such as `nvme`; "" without one."""
    found = _DEVICE.search(alarm.device)
    device = re.sub(r"[^a-z]", "", (found[1] or found[0])) if found else ""
    return "sd" if device.startswith("sd") else device


def _by_functions(content: Content) -> str:
    heavy = [
        name
        for name, weight in content.functions
        if weight >= MIN_WEIGHT and name not in COMMON_FUNCTIONS and _FUNCTION.fullmatch(name)
    ]
    return f"frames:{'+'.join(sorted(heavy[:HEAVIEST]))}" if heavy else ""
