"""The capture that shows which soft interrupts keep CPUs busy: packets, timers, RCU, block IO, tasklets.

Source: softirq_to_name in kernel/softirq.c; Documentation/filesystems/proc.rst, softirqs.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from signatures.overview.scope_evidence import ScopeEvidence

CAPTURE = (
    "for i in 1 2; do cat /proc/softirqs /proc/interrupts; sleep 5; done; mpstat -P ALL 1 3; "
    "cat /proc/net/softnet_stat"
)
ASKS = "which soft interrupts and interrupts run, and on which CPU"
FORMAT = "proc-softirqs"


def capture(evidence: ScopeEvidence) -> str:
    """Return the command; "" where the counts are there."""
    return "" if any(item.format == FORMAT for item in evidence.items) else CAPTURE
