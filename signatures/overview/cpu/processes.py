"""The processes that use the CPUs, summed by name; the workers of the kernel are one group.

wbs uses the most CPU: 254 % of one, in 4 processes
clickhouse-serv uses the most CPU: that of 30 CPUs, all of it in the kernel
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple, cast

from signatures.language.number_format import value_words
from signatures.overview.cpu import soft_interrupts
from signatures.overview.cpu.process_groups import (
    WHOLE_CPU_SHARE,
    WORKERS,
    Group,
    Process,
    groups_of_facts,
    groups_of_rows,
)
from signatures.overview.levels import ratio_of
from signatures.overview.model import Answer, Figure, Statement, ranked

if TYPE_CHECKING:
    from signatures.overview.model import QuestionName
    from signatures.overview.scope_evidence import ScopeEvidence

SHOWN = 8
LEAST_SHARE = 0.05
BUSY_SHARE = 0.2
ALIKE = 0.9
"""Groups that use nine tenths of what another uses use as much: no list names one of them alone."""

KERNEL_THREAD_SHARE = 0.3
SEEN_THREAD_SHARE = 0.1


class KernelThread(NamedTuple):
    """A thread of the kernel that is idle on a healthy machine, and what it does."""

    prefix: str
    work: str
    question: QuestionName


KERNEL_THREADS = (
    KernelThread("kswapd", "reclaims memory", "memory"),
    KernelThread("kcompactd", "compacts memory", "memory"),
    KernelThread("khugepaged", "makes huge pages", "memory"),
    KernelThread("ksoftirqd", "runs soft interrupts", "cpu"),
    KernelThread(WORKERS, "runs work of the kernel", "cpu"),
    KernelThread("rcu_", "ends RCU grace periods", "cpu"),
    KernelThread("rcuo", "runs RCU callbacks", "cpu"),
    KernelThread("jbd2", "writes the journal of a filesystem", "io"),
    KernelThread("xfsaild", "writes back XFS metadata", "io"),
    KernelThread("migration", "moves tasks between CPUs", "scheduling"),
    KernelThread("irq/", "handles an interrupt", "cpu"),
    KernelThread("kauditd", "sends audit records", "cpu"),
    KernelThread("events_unbound", "runs work of the kernel", "cpu"),
)
"""mm/vmscan.c, mm/compaction.c, kernel/softirq.c, kernel/workqueue.c, kernel/rcu/tree.c."""

ACPI_WORK = "handles events of ACPI, as a storm of them makes it (/sys/firmware/acpi/interrupts)"
_ACPI = re.compile(r"\+kacpi|^irq/\d{1,4}-acpi$")
"""The work queues and the interrupt of drivers/acpi/osl.c."""


def groups(evidence: ScopeEvidence) -> list[Group]:
    """Return the groups with the largest shares first; each as the tool shows it that shows most of it."""
    if groups not in evidence.memo:
        evidence.memo[groups] = _groups(evidence)
    return cast("list[Group]", evidence.memo[groups])


def _groups(evidence: ScopeEvidence) -> list[Group]:
    most: dict[str, Group] = {}
    stated = evidence.facts("process.cpu.total_share")
    sets = (("top", "cpu_share"), ("ps", "lifetime_cpu_share")) if not stated else ()
    listed = (
        group
        for name, column in sets
        for table in evidence.tables(name)
        for group in groups_of_rows(table, column)
    )
    for group in (*groups_of_facts(evidence, stated), *listed):
        if group.name not in most or group.share > most[group.name].share:
            most[group.name] = group
    return sorted(most.values(), key=lambda one: -one.share)


def leading(found: list[Group], at_least: int) -> list[Group]:
    """Return the first groups, and those that use about as much as the last of them."""
    if len(found) <= at_least:
        return found
    least = ALIKE * found[at_least - 1].share
    return [one for one in found[:SHOWN] if one.share >= least]


def processes(evidence: ScopeEvidence) -> Answer:
    """Return the busiest groups; a busy thread of the kernel is an alarm."""
    found = groups(evidence)
    figures, statements = [], []
    for group in found[:SHOWN]:
        thread = next((one for one in KERNEL_THREADS if group.name.startswith(one.prefix)), None)
        lead = group.lead
        is_high = thread is not None and lead.share >= KERNEL_THREAD_SHARE
        note = f"the kernel thread that {thread.work}" if thread else ""
        figures.append(Figure(f"CPU of {group.name}", group.share, "share", group.places, is_high, note))
        if thread and group.share >= SEEN_THREAD_SHARE:
            text = _thread_words(group, lead, thread, is_high=is_high)
            kind, level = ranked(is_alarm=is_high)
            capture = soft_interrupts.capture(evidence) if thread.prefix == "ksoftirqd" else ""
            asks = soft_interrupts.ASKS if capture else ""
            statements.append(
                Statement(
                    thread.question,
                    text,
                    group.places,
                    kind,
                    level,
                    capture,
                    asks=asks,
                    ratio=ratio_of(lead.share, KERNEL_THREAD_SHARE) if is_high else None,
                    subject=f"CPU of {group.name}",
                )
            )
    top = found[0] if found else None
    is_program = top is not None and not top.name.startswith(tuple(one.prefix for one in KERNEL_THREADS))
    if top and is_program and top.share >= BUSY_SHARE:
        text = f"{top.name} uses the most CPU: {top.amount}"
        level = "notable" if top.share >= WHOLE_CPU_SHARE or statements else "context"
        # It uses more than any thread of the kernel below.
        of_top = Statement(
            "cpu", text, top.places, "fact", level, topic="busy CPUs", subject=f"CPU of {top.name}"
        )
        statements.insert(0, of_top)
    elif top and is_program and top.share >= LEAST_SHARE:
        text = f"{top.name} uses the most CPU: {top.amount}"
        statements.append(
            Statement(
                "cpu", text, top.places, "fact", "context", is_summary=True, subject=f"CPU of {top.name}"
            )
        )
    return Answer("", tuple(figures), (), tuple(statements))


def _thread_words(group: Group, lead: Process, thread: KernelThread, *, is_high: bool) -> str:
    share = value_words(lead.share, "share")
    if is_high or group.size < 2:
        work = ACPI_WORK if _ACPI.search(lead.comm) else thread.work
        return f"{lead.comm}, which {work}, uses {share} of a CPU"
    whole = value_words(group.share, "share")
    verb = thread.work.replace("runs", "run", 1)
    return f"{group.size:,} {group.name}, which {verb}, use {whole} of a CPU; most: {lead.comm} {share}"
