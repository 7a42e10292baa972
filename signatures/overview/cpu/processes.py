"""The processes that use the CPUs, summed by name; the workers of the kernel are one group.

wbs uses the most CPU: 254 % of one, in 4 processes
clickhouse-serv uses the most CPU: that of 30 CPUs, all of it in the kernel
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple, cast

import numpy as np

from signatures.language.number_format import value_words
from signatures.overview.cpu import soft_interrupts
from signatures.overview.levels import ratio_of
from signatures.overview.model import Answer, Figure, Statement, ranked, shortened_words

if TYPE_CHECKING:
    from collections.abc import Iterator

    from signatures.overview.model import Place, QuestionName
    from signatures.overview.scope_evidence import FactEntry, ScopeEvidence, Table

SHOWN = 8
LEAST_SHARE = 0.05
BUSY_SHARE = 0.2
WHOLE_CPU_SHARE = 0.9
MANY_CPUS = 10.0
"""CPUs from which their number is easier to read than a percentage of one."""

IN_KERNEL_SHARE = 0.9
"""Part of the CPU time of a program that is the kernel's; programs that compute have little of it."""

ALIKE = 0.9
"""Groups that use nine tenths of what another uses use as much: no list names one of them alone."""

KERNEL_THREAD_SHARE = 0.3
SEEN_THREAD_SHARE = 0.1
COMM_LENGTH = 60
PLACES = 3
WORKERS = "kworker"
"""Their names change with the work that they run: `kworker/u16:0+flush-254:16`."""


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


class Process(NamedTuple):
    """A process or thread with its share of one CPU, and the look of the tool that it is from.

    Attributes:
        system: Part of the share that is kernel time, None where the tool does not state it.
        is_since_boot: The share is the average since boot.
        is_thread: The tool lists threads.
    """

    comm: str
    pid: str
    share: float
    place: Place
    look: tuple[str, float]
    system: float | None = None
    is_since_boot: bool = False
    is_thread: bool = False


class Group(NamedTuple):
    """Processes of one name, or the workers of the kernel: the sum of their shares, and how many they are."""

    name: str
    share: float
    size: int
    members: tuple[Process, ...]

    @property
    def words(self) -> str:
        """Return `wbs 254 % of a CPU in 4 processes`, as part of a list."""
        words = f"{self.name} {value_words(self.share, 'share')} of a CPU"
        return f"{words} in {self._members}" if self.size > 1 else words

    @property
    def _members(self) -> str:
        """Return `4 processes`, or `4 threads`."""
        is_threads = self.name.startswith(WORKERS) or any(one.is_thread for one in self.members)
        return f"{self.size:,} {'threads' if is_threads else 'processes'}"

    @property
    def amount(self) -> str:
        """Return how much: `254 % of one, in 4 processes`, `that of 30 CPUs, all of it in the kernel`."""
        share = value_words(self.share, "share")
        is_large = self.share >= MANY_CPUS
        words = f"that of {self.share:,.0f} CPUs" if is_large else f"{share} of one"
        words += f", in {self._members}" if self.size > 1 else ""
        known = [one.system for one in self.members if one.system is not None]
        system = sum(known) / self.share if len(known) == len(self.members) and self.share else 0.0
        if system >= IN_KERNEL_SHARE and self.share >= WHOLE_CPU_SHARE:
            whole = f"{round(100 * system)} %"
            words += f", {'all' if whole == '100 %' else whole} of it in the kernel"
        is_since_boot = any(one.is_since_boot for one in self.members)
        return f"{words} (average since boot)" if is_since_boot else words

    @property
    def places(self) -> tuple[Place, ...]:
        """Lines of the members with the largest shares."""
        return tuple(one.place for one in self.members[:PLACES])


def groups(evidence: ScopeEvidence) -> list[Group]:
    """Return the groups with the largest shares first; each as the tool shows it that shows most of it."""
    if groups not in evidence.memo:
        evidence.memo[groups] = _groups(evidence)
    return cast("list[Group]", evidence.memo[groups])


def _groups(evidence: ScopeEvidence) -> list[Group]:
    by_look: dict[tuple[tuple[str, float], str], list[Process]] = {}
    for one in _used(evidence):
        by_look.setdefault((one.look, _name_of(one.comm)), []).append(one)
    most: dict[str, Group] = {}
    for (_, name), members in by_look.items():
        members.sort(key=lambda one: -one.share)
        group = Group(name, sum(one.share for one in members), _count(members), tuple(members))
        if name not in most or group.share > most[name].share:
            most[name] = group
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
        lead = _busiest(group)
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


def _busiest(group: Group) -> Process:
    """Return the thread with the largest share over all names that it had, under the name it had for most."""
    by_pid: dict[str, list[Process]] = {}
    for one in group.members:
        by_pid.setdefault(one.pid or one.comm, []).append(one)
    most = max(by_pid.values(), key=lambda found: sum(one.share for one in found))
    return most[0]._replace(share=sum(one.share for one in most))


def _count(members: list[Process]) -> int:
    return len({one.pid or one.comm for one in members})


def _name_of(comm: str) -> str:
    """Return the name of a group: that of the command, of workers `kworkers`."""
    return f"{WORKERS}s" if comm.startswith(f"{WORKERS}/") else comm


def _key(entry: FactEntry) -> tuple[str, int, int, str, str]:
    """Return what the facts of one process of one look have in common."""
    return (
        entry.item.evidence,
        entry.item.section,
        entry.fact.snapshot,
        entry.label("pid"),
        entry.label("comm"),
    )


def _used(evidence: ScopeEvidence) -> Iterator[Process]:
    """Yield the CPU that processes use; that of threads, and the mean of ps, where nothing else states it."""
    stated = evidence.facts("process.cpu.total_share")
    system = {_key(entry): entry.number for entry in evidence.facts("process.cpu.system_share")}
    for entry in stated:
        if comm := entry.label("comm"):
            look = (f"{entry.item.evidence}:{entry.item.section}", float(entry.fact.snapshot))
            yield Process(
                comm,
                entry.label("pid"),
                entry.number,
                entry.place,
                look,
                system.get(_key(entry)),
                entry.is_since_boot,
            )
    sets = (("top", "cpu_share"), ("ps", "lifetime_cpu_share")) if not stated else ()
    for name, column in sets:
        for table in evidence.tables(name):
            yield from _listed(table, column)


def _listed(table: Table, column: str) -> Iterator[Process]:
    """Yield the rows of a table of processes that have a share."""
    shares, screens = table.numbers(column), np.nan_to_num(table.numbers("screen"))
    source = f"{table.item.evidence}:{table.item.section}"
    tids, name_of, task_of = (
        table.rows.column("tid"),
        table.first_of("comm", "command"),
        table.first_of("tid", "pid"),
    )
    short: dict[str, str] = {}
    for at in np.flatnonzero(np.nan_to_num(shares)).tolist():
        comm = str(name_of(at) or "").strip("[]")
        if not comm:
            continue
        if comm not in short:
            short[comm] = shortened_words(comm, COMM_LENGTH)
        yield Process(
            short[comm],
            str(task_of(at) or ""),
            float(shares[at]),
            table.place(at, at),
            (source, float(screens[at])),
            is_thread=tids is not None and tids[at] is not None,
        )
