"""Load against CPUs, how busy the CPUs are, and the processes that use them: top, pidstat, sar, vmstat."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from signatures.language.number_format import value_words
from signatures.overview.model import Answer, Figure, Statement, kind_of, shortened, shortened_words
from signatures.overview.model import ranked as ranked_as
from signatures.overview.wait_captures import BLOCKED

if TYPE_CHECKING:
    from collections.abc import Iterator

    from signatures.overview.model import Place, QuestionName
    from signatures.overview.scope_evidence import ScopeEvidence

SHOWN = 8
LOAD_FACTOR = 2.0
"""More runnable and uninterruptible tasks than twice the CPUs."""

LOAD_OF_ANY_MACHINE = 200.0
"""A load of few machines: an alarm where the number of CPUs is unknown."""

UNKNOWN = " (number of CPUs unknown)"
LEAST_LOAD = 4.0
WAITING_FACTOR = 4.0
LOADS = ("loadavg.1m", "loadavg.5m", "loadavg.15m")
CPUS_OF_ANY_MACHINE = 512.0
"""More CPUs than this would have to run for a load to be of runnable tasks alone: tasks wait."""

IDLE_SHARE = 0.5
IOWAIT_SHARE = 0.1
"""CPUs that wait for IO a tenth of their time are worth a sentence."""

BUSY_SHARE = 0.2
CAPTURE = "top -b -n 1; nproc; vmstat 1 5"


class Mode(NamedTuple):
    """A share of CPU time that is out of the ordinary above `above`."""

    fact: str
    words: str
    question: QuestionName
    above: float


MODES = (
    Mode("cpu.system_share", "kernel time", "cpu", 0.5),
    Mode("cpu.softirq_share", "soft interrupts", "network", 0.2),
    Mode("cpu.irq_share", "hardware interrupts", "cpu", 0.1),
    Mode("cpu.steal_share", "stolen by the hypervisor", "cpu", 0.1),
    Mode("cpu.iowait_share", "waiting for IO", "io", 0.2),
)


class KernelThread(NamedTuple):
    """A thread of the kernel that is idle on a healthy machine, and what it does."""

    prefix: str
    work: str
    question: QuestionName


KERNEL_THREADS = (
    KernelThread("kswapd", "reclaims memory", "memory"),
    KernelThread("kcompactd", "compacts memory", "memory"),
    KernelThread("khugepaged", "makes huge pages", "memory"),
    KernelThread("ksoftirqd", "runs soft interrupts", "network"),
    KernelThread("kworker", "runs work of the kernel", "cpu"),
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

KERNEL_THREAD_SHARE = 0.3
SEEN_THREAD_SHARE = 0.1
COMM_LENGTH = 60
BUSY_IDLE_SHARE = 0.1
"""Idle CPUs below this are all in use: worth saying, though programs may be meant to use them."""

WHOLE_CPU_SHARE = 0.9
ONE_CPU = (
    Mode("cpu.softirq_share", "soft interrupts", "network", 0.8),
    Mode("cpu.irq_share", "hardware interrupts", "cpu", 0.5),
)
"""What one CPU alone is busy with while the mean of all CPUs looks usual."""


class _Process(NamedTuple):
    """A process or thread with its share of one CPU."""

    comm: str
    share: float
    place: Place


def load(evidence: ScopeEvidence) -> Answer:
    """Return load and CPUs, the shares of CPU time, and the busiest processes."""
    figures: list[Figure] = []
    statements: list[Statement] = []
    for answer in (_load(evidence), _modes(evidence), _processes(evidence)):
        figures += answer.figures
        statements += answer.statements
    if not figures:
        return Answer("No data about load and CPU use.", lacks=(CAPTURE,))
    statements = _joined(statements)
    is_measured = bool(evidence.facts("cpu.idle_share"))
    seen = tuple(mode.question for mode in MODES if evidence.facts(mode.fact))
    about: tuple[QuestionName, ...] = ("cpu", *seen)
    first = max(statements, key=lambda one: (one.kind == "alarm", one.strength), default=None)
    summary = f"{first.text}." if first else f"{figures[0].label}: {figures[0].words}."
    assesses: tuple[QuestionName, ...] = ("cpu",) if is_measured else ()
    return Answer(summary, shortened(figures, SHOWN), (), tuple(statements), assesses, about=about)


def _joined(statements: list[Statement]) -> list[Statement]:
    """Return the statements with a load of unknown CPUs as part of the one about waits for IO."""
    of_load = next((one for one in statements if one.text.endswith(UNKNOWN)), None)
    of_io = next((one for one in statements if one.question == "io"), None)
    if of_load is None or of_io is None or of_load.kind == "alarm":
        return statements
    text = (
        f"{of_io.text}, at a {of_load.text.removesuffix(UNKNOWN).replace('Load average', 'load average of')}"
    )
    joined = replace(of_io, text=text, places=(*of_io.places, *of_load.places))
    return [joined if one is of_io else one for one in statements if one is not of_load]


def _load(evidence: ScopeEvidence) -> Answer:
    """Compare the load average with the CPUs."""
    found = evidence.highest("loadavg.1m")
    if found is None:
        return Answer("")
    cpus = evidence.cpus
    idle = evidence.highest("cpu.idle_share")
    is_idle = idle is not None and idle.number >= IDLE_SHARE
    if cpus:
        is_high = found.number >= LOAD_FACTOR * cpus
        words = f"Load average {value_words(found.number)} on {cpus:,.0f} CPUs"
    else:
        is_high = found.number >= LOAD_OF_ANY_MACHINE
        words = f"Load average {value_words(found.number)}{UNKNOWN}"
    if idle is not None and not cpus and idle.number < 1.0:
        is_high |= found.number >= LEAST_LOAD and found.number / (1.0 - idle.number) > CPUS_OF_ANY_MACHINE
    capture = ""
    if is_high and is_idle and idle is not None:
        which = "that" if cpus else "while CPUs"
        words = f"{words.removesuffix(UNKNOWN)} {which} are {value_words(idle.number, 'share')} idle"
        words += ": tasks wait in uninterruptible sleep"
        capture = BLOCKED
    strength = 0.65 if is_high else 0.2
    runnable = evidence.highest("loadavg.runnable")
    lasting = min((one.number for name in LOADS for one in evidence.facts(name)), default=0.0)
    if runnable and not is_high and lasting >= max(LEAST_LOAD, WAITING_FACTOR * runnable.number):
        words = f"{words.removesuffix(UNKNOWN)}, but runnable are {runnable.number:,.0f}{_of_tasks(evidence)}"
        words += ": the rest of it is tasks in uninterruptible sleep"
        strength, capture = 0.5, BLOCKED
    kind = kind_of(is_alarm=is_high)
    figure = Figure("load average", found.number, "count", (found.place,), is_high)
    question: QuestionName = "scheduling"
    return Answer("", (figure,), (), (Statement(question, words, (found.place,), kind, strength, capture),))


def _of_tasks(evidence: ScopeEvidence) -> str:
    """Return ` of 1,204 tasks`, "" where the number is not known."""
    tasks = evidence.highest("loadavg.tasks")
    return f" of {tasks.number:,.0f} tasks" if tasks else ""


def _modes(evidence: ScopeEvidence) -> Answer:
    """Return the shares of CPU time of the whole machine."""
    figures, statements = [], []
    for mode in MODES:
        whole = [entry for entry in evidence.facts(mode.fact) if entry.label("cpu") in {"", "all"}]
        entry = max(whole, key=lambda one: one.number, default=None)
        if entry is None:
            continue
        is_high = entry.number > mode.above
        is_much = mode.fact == "cpu.iowait_share" and entry.number >= IOWAIT_SHARE
        figures.append(Figure(f"CPU time: {mode.words}", entry.number, "share", (entry.place,), is_high))
        if is_high or is_much:
            text = f"{value_words(entry.number, 'share')} of CPU time is {mode.words}"
            kind, strength = ranked_as(is_alarm=is_high, alarm=0.4 + 0.25 * min(1.0, entry.number), fact=0.41)
            statements.append(Statement(mode.question, text, (entry.place,), kind, strength))
    statements += [*_one_cpu(evidence), *_saturated(evidence)]
    return Answer("", tuple(figures), (), tuple(statements))


def _one_cpu(evidence: ScopeEvidence) -> Iterator[Statement]:
    """Yield what one CPU alone is busy with."""
    for mode in ONE_CPU:
        single = [entry for entry in evidence.facts(mode.fact) if entry.label("cpu") not in {"", "all"}]
        entry = max(single, key=lambda one: one.number, default=None)
        if entry and entry.number >= mode.above:
            share = value_words(entry.number, "share")
            text = f"CPU {entry.label('cpu')} spends {share} of its time in {mode.words}"
            yield Statement(mode.question, text, (entry.place,), "alarm", 0.6)


def _saturated(evidence: ScopeEvidence) -> Iterator[Statement]:
    """Yield that all CPUs are in use, with the largest mode."""
    whole = [entry for entry in evidence.facts("cpu.idle_share") if entry.label("cpu") in {"", "all"}]
    idle = min(whole, key=lambda one: one.number, default=None)
    if idle is None or idle.number > BUSY_IDLE_SHARE:
        return
    modes = (
        ("cpu.user_share", "programs"),
        ("cpu.nice_share", "niced programs"),
        *((one.fact, one.words) for one in MODES),
    )
    shares = [
        (entry.number, words)
        for fact, words in modes
        for entry in evidence.facts(fact)
        if entry.item is idle.item and entry.label("cpu") in {"", "all"}
    ]
    text = f"CPUs are {value_words(idle.number, 'share')} idle"
    if shares:
        share, words = max(shares)
        text += f": {value_words(share, 'share')} of CPU time is {words}"
    yield Statement("cpu", text, (idle.place,), "fact", 0.5)


def _used(evidence: ScopeEvidence) -> Iterator[_Process]:
    """Yield the CPU that processes use; that of threads, and the mean of ps, where nothing else states it."""
    stated = evidence.facts("process.cpu.total_share")
    for entry in stated:
        if comm := entry.label("comm"):
            yield _Process(comm, entry.number, entry.place)
    sets = (("top", "cpu_share"), ("ps", "lifetime_cpu_share")) if not stated else ()
    for name, column in sets:
        for row in evidence.rows(name):
            comm = str(row.cells.get("comm") or row.cells.get("command") or "").strip("[]")
            if comm and (share := row.number(column)):
                yield _Process(shortened_words(comm, COMM_LENGTH), share, row.place)


def _processes(evidence: ScopeEvidence) -> Answer:
    """Return the busiest processes; a busy thread of the kernel is an alarm."""
    busiest: dict[str, _Process] = {}
    for process in _used(evidence):
        if process.comm not in busiest or process.share > busiest[process.comm].share:
            busiest[process.comm] = process
    ranked = sorted(busiest.values(), key=lambda one: -one.share)
    figures, statements = [], []
    for process in ranked[:SHOWN]:
        thread = next((one for one in KERNEL_THREADS if process.comm.startswith(one.prefix)), None)
        is_high = thread is not None and process.share >= KERNEL_THREAD_SHARE
        note = f"the kernel thread that {thread.work}" if thread else ""
        where = (process.place,)
        figures.append(Figure(f"CPU of {process.comm}", process.share, "share", where, is_high, note))
        if thread and process.share >= SEEN_THREAD_SHARE:
            text = f"{process.comm}, which {thread.work}, uses {value_words(process.share, 'share')} of a CPU"
            kind, strength = ranked_as(is_alarm=is_high, alarm=0.7, fact=0.45)
            statements.append(Statement(thread.question, text, where, kind, strength))
    top = ranked[0] if ranked else None
    if top and top.share >= BUSY_SHARE and not statements:
        text = f"{top.comm} uses the most CPU: {value_words(top.share, 'share')} of one"
        strength = 0.45 if top.share >= WHOLE_CPU_SHARE else 0.35
        statements.append(Statement("cpu", text, (top.place,), "fact", strength))
    return Answer("", tuple(figures), (), tuple(statements))
