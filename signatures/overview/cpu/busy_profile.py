"""What a profile of CPU time says about the whole machine: idle time, and the commands that use the CPUs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from signatures.overview import recording
from signatures.overview.model import Figure, place

if TYPE_CHECKING:
    from signatures.overview.scope_evidence import ScopeEvidence
    from signatures.overview.stacks import Stacks

SHOWN = 8
IDLE_IS_SAMPLED = "cpu-clock"
"""A timer that also samples idle CPUs; a counter of cycles stands still while a CPU is idle."""

COMMANDS_OF_A_MACHINE = 3
"""Fewer commands may be one program that was recorded alone, by a command that is not stated."""


def idle_share(stacks: Stacks) -> float:
    """Return the share of samples of idle CPUs, 0..1."""
    idle = float(stacks.leaf_weight[stacks.idle].sum()) + stacks.hidden_idle_weight
    return idle / stacks.total


def whole_machine(evidence: ScopeEvidence) -> Stacks | None:
    """Return the main profile when its idle share is that of all CPUs of the machine; else None."""
    stacks = evidence.main
    if stacks is None or not stacks.profile.event.startswith(IDLE_IS_SAMPLED):
        return None
    commands = {stacks.profile.threads[at].comm for at in stacks.sampled_threads}
    is_whole = len(commands) >= COMMANDS_OF_A_MACHINE and not recording.recorded_part(evidence, stacks)
    return stacks if is_whole else None


def sampled_cpus(stacks: Stacks) -> int:
    """Return the number of CPUs with samples; 0 when the profile has no CPUs."""
    return len(stacks.sampled_cpus)


def machine_cpus(evidence: ScopeEvidence) -> float:
    """Return the number of CPUs: stated, or of a profile that samples every one; 0 when unknown."""
    stacks = None if evidence.cpus else whole_machine(evidence)
    return float(sampled_cpus(stacks)) if stacks else evidence.cpus


def kernel_share(stacks: Stacks) -> float:
    """Return the share of samples in the kernel that are not of idle CPUs, 0..1."""
    return float(stacks.leaf_weight[stacks.is_kernel & ~stacks.idle].sum()) / stacks.total


def commands(stacks: Stacks) -> list[Figure]:
    """Return the heaviest commands, without idle time."""
    profile = stacks.profile
    by_comm: dict[str, float] = {}
    first: dict[str, int] = {}
    for thread, sum_of in zip(profile.threads, stacks.busy_weight_by_thread.tolist(), strict=True):
        by_comm[thread.comm] = by_comm.get(thread.comm, 0.0) + sum_of
    for thread, line in zip(profile.threads, stacks.first_lines.tolist(), strict=True):
        first[thread.comm] = min(first.get(thread.comm, line), line)
    heaviest = sorted(by_comm.items(), key=lambda one: -one[1])[:SHOWN]
    return [
        Figure(
            comm or "[no name]",
            round(weight_of / stacks.total, 4),
            "share",
            (place(stacks.item, first[comm]),),
        )
        for comm, weight_of in heaviest
        if weight_of
    ]
