"""More work than the CPUs can do, of many programs: nothing to find in the kernel, and what relieves it.

22.7 tasks are runnable on 2 CPUs; no program alone uses half of the CPUs: run fewer at a time, …
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from signatures.overview.cpu import busy_profile, processes
from signatures.overview.window_rules import RUNNABLE_FACTOR

if TYPE_CHECKING:
    from signatures.overview.scope_evidence import FactEntry, ScopeEvidence

MOST_OF_CPUS = 0.5
"""Share of all CPUs from which one program is the one to look at."""

KERNEL_SHARE = 0.5
"""Share of the kernel from which the trouble may be its own."""

RELIEF = "no program alone uses half of the CPUs: run fewer at a time, cap them (cpu.max), or add CPUs"
CAPTURE = "systemd-cgtop -b -n 2 --order=cpu"
ASKS = "which services to cap or to run later"


def run_queue(evidence: ScopeEvidence) -> FactEntry | None:
    """Return how many tasks ran or waited for a CPU, at most, by vmstat or sar."""
    found = evidence.highest("sched.runnable") or evidence.highest("sar.runq_sz")
    return found if found and found.number else None


def is_long(queue: FactEntry | None, cpus: float) -> bool:
    """Return whether more than twice as many tasks want to run as there are CPUs."""
    return queue is not None and bool(cpus) and queue.number >= RUNNABLE_FACTOR * cpus


def is_of_many_programs(evidence: ScopeEvidence) -> bool:
    """Return whether who uses the CPUs is known, and neither one program nor the kernel uses half of them."""
    cpus = busy_profile.machine_cpus(evidence)
    whole = [one for one in evidence.facts("cpu.system_share") if one.label("cpu") in {"", "all"}]
    kernel = max((one.number for one in whole), default=0.0)
    if stacks := busy_profile.whole_machine(evidence):
        kernel = max(kernel, busy_profile.kernel_share(stacks))
        shares = [float(one.value) for one in busy_profile.commands(stacks)]
    else:
        shares = [one.share / cpus for one in processes.groups(evidence)] if cpus else []
    return bool(shares) and max(shares) < MOST_OF_CPUS and kernel < KERNEL_SHARE
