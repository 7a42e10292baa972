"""Load against CPUs, how busy the CPUs are, and the processes that use them: top, pidstat, sar, vmstat."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from signatures.language.number_format import cpu_words, value_words
from signatures.overview import averages, window_rules
from signatures.overview.cpu import soft_interrupts
from signatures.overview.cpu.busy_profile import machine_cpus
from signatures.overview.cpu.idle_time import IDLE_TIME, past_idle, whole_idle
from signatures.overview.cpu.load_trend import direction
from signatures.overview.cpu.processes import groups, leading, processes
from signatures.overview.cpu.saturation import saturation
from signatures.overview.first_steps import topic_of_fact
from signatures.overview.levels import first_of, ratio_of
from signatures.overview.model import Answer, Covers, Figure, Quantity, Statement, ranked, shortened
from signatures.overview.scope_evidence import sections_of
from signatures.overview.waiting.captures import BLOCKED
from signatures.rendering.words import capital

if TYPE_CHECKING:
    from collections.abc import Iterator

    from signatures.documents.levels import Level
    from signatures.overview.first_steps import Topic
    from signatures.overview.model import Place, QuestionName
    from signatures.overview.scope_evidence import FactEntry, ScopeEvidence

SHOWN = 8
LOAD_FACTOR = 2.0
"""More runnable and uninterruptible tasks than twice the CPUs."""

LOAD_OF_ANY_MACHINE = 200.0
"""A load of few machines: an alarm where the number of CPUs is unknown."""

LOAD_AVERAGE = "load average"
UNKNOWN = ", number of CPUs unknown"
LEAST_LOAD = 4.0
WAITING_FACTOR = 4.0
LOADS = ("loadavg.1m", "loadavg.5m", "loadavg.15m")
CPUS_OF_ANY_MACHINE = 512.0
"""More CPUs than this would have to run for a load to be of runnable tasks alone: tasks wait."""

IDLE_SHARE = 0.5
IOWAIT_SHARE = 0.1
"""CPUs that wait for IO a tenth of their time are worth a sentence."""

CAPTURE = "top -b -n 1; nproc; vmstat 1 5"
ASKS = "what the CPUs do now; the first row of vmstat is the average since boot"


class Mode(NamedTuple):
    """A share of CPU time that is out of the ordinary above `above`."""

    fact: str
    words: str
    question: QuestionName
    above: float


KERNEL_TIME = "cpu.system_share"
KERNEL = "kernel time"
SOFTIRQ_TIME = "cpu.softirq_share"
USERS = 2
MANY_RUNNING = 10.0
"""Tasks that run or wait for a CPU, from which on their number is worth saying."""

MODES = (
    Mode(KERNEL_TIME, KERNEL, "cpu", 0.5),
    Mode(SOFTIRQ_TIME, "soft interrupts", "cpu", 0.2),
    Mode("cpu.irq_share", "hardware interrupts", "cpu", 0.1),
    Mode("cpu.steal_share", "stolen by the hypervisor", "cpu", 0.1),
    Mode("cpu.iowait_share", "waiting for IO", "io", 0.2),
)


ONE_CPU = (
    Mode(SOFTIRQ_TIME, "soft interrupts", "cpu", 0.8),
    Mode("cpu.irq_share", "hardware interrupts", "cpu", 0.5),
)
"""What one CPU alone is busy with while the mean of all CPUs looks usual."""


def load(evidence: ScopeEvidence) -> Answer:
    """Return load and CPUs, the shares of CPU time, and the busiest processes."""
    of_cpus = saturation(evidence)
    figures: list[Figure] = []
    statements: list[Statement] = []
    for answer in (of_cpus, _load(evidence), _modes(evidence), processes(evidence)):
        figures += answer.figures
        statements += answer.statements
    if not figures:
        return Answer("No data about load and CPU use.", lacks=(CAPTURE,))
    past = averages.only_averages(evidence, (IDLE_TIME,))
    statements += past_idle(evidence, CAPTURE, ASKS) if past and not of_cpus.statements else ()
    statements = _joined(_without_idle(statements))
    measured = () if past else sections_of(evidence.facts(IDLE_TIME))
    seen = tuple(mode.question for mode in MODES if evidence.facts(mode.fact))
    about: tuple[QuestionName, ...] = ("cpu", *seen)
    first = first_of(statements)
    idle = min((one.number for one in whole_idle(evidence)), default=None)
    highest = f"{figures[0].label}: {figures[0].words}"
    measured_words = highest if idle is None else f"CPUs are {value_words(idle, 'share')} idle"
    summary = f"{first.text if first else measured_words}."
    assesses = (Covers("cpu", measured),) if measured else ()
    return Answer(
        summary,
        shortened(figures, SHOWN),
        (CAPTURE,) if past else (),
        tuple(statements),
        assesses,
        is_undecided=past is not None,
        about=about,
        partial=(("cpu", averages.note(past)),) if past else (),
    )


def _without_idle(statements: list[Statement]) -> list[Statement]:
    """Return the statements without a load average where the one about CPUs without idle time has its number.

    A high load makes that one an alarm, with the load against its threshold. Its parts are a sum then, too:
    kernel time is one of them.
    """
    of_cpus = next((one for one in statements if one.question == "cpu" and one.is_notable), None)
    of_load = next((one for one in statements if one.subject == LOAD_AVERAGE), None)
    if of_cpus is None or of_load is None:
        return statements
    if of_load.kind == "alarm":
        alarm = replace(
            of_cpus,
            kind="alarm",
            level="saturation",
            also=("scheduling",),
            is_notable=False,
            is_summary=True,
            ratio=of_load.ratio,
        )
        statements = [
            alarm if one is of_cpus else replace(one, is_summary=True) if one.subject == KERNEL else one
            for one in statements
        ]
    return [one for one in statements if one is not of_load]


def _joined(statements: list[Statement]) -> list[Statement]:
    """Return the statements with a load of unknown CPUs as part of the one about waits for IO."""
    of_load = next((one for one in statements if UNKNOWN in one.qualifiers), None)
    of_io = next((one for one in statements if one.question == "io"), None)
    if of_load is None or of_io is None or of_load.kind == "alarm":
        return statements
    value = value_words(of_load.quantity.value) if of_load.quantity else ""
    trend = (one for one in of_load.qualifiers if one != UNKNOWN)
    qualifiers = (*of_io.qualifiers, f", at a {LOAD_AVERAGE} of {value}", *trend)
    joined = replace(of_io, qualifiers=qualifiers, places=(*of_io.places, *of_load.places))
    return [joined if one is of_io else one for one in statements if one is not of_load]


def _load(evidence: ScopeEvidence) -> Answer:
    """Compare the load average with the CPUs."""
    found = evidence.highest("loadavg.1m")
    if found is None:
        return Answer("")
    cpus = machine_cpus(evidence)
    idle = evidence.highest(IDLE_TIME)
    is_idle = idle is not None and idle.number >= IDLE_SHARE
    words = f"{capital(LOAD_AVERAGE)} {value_words(found.number)}"
    qualifiers = [direction(evidence, found), f" on {cpu_words(cpus)}" if cpus else UNKNOWN]
    is_high = found.number >= (LOAD_FACTOR * cpus if cpus else LOAD_OF_ANY_MACHINE)
    if idle is not None and not cpus and idle.number < 1.0:
        is_high |= found.number >= LEAST_LOAD and found.number / (1.0 - idle.number) > CPUS_OF_ANY_MACHINE
    capture = ""
    fact: Level = "context"
    if is_high and is_idle and idle is not None:
        qualifiers[1:] = [qualifiers[1], " that"] if cpus else [" while CPUs"]
        qualifiers.append(
            f" are {value_words(idle.number, 'share')} idle: tasks wait in uninterruptible sleep"
        )
        capture = BLOCKED
    runnable = evidence.highest("loadavg.runnable")
    lasting = min((one.number for name in LOADS for one in evidence.facts(name)), default=0.0)
    if runnable and not is_high and lasting >= max(LEAST_LOAD, WAITING_FACTOR * runnable.number):
        qualifiers = [one for one in qualifiers if one != UNKNOWN]
        qualifiers.append(f", but runnable are {runnable.number:,.0f}{_of_tasks(evidence)}")
        qualifiers.append(": the rest of it is tasks in uninterruptible sleep")
        fact, capture = "notable", BLOCKED
    kind, level = ranked(is_alarm=is_high, fact=fact)
    ratio = ratio_of(found.number, LOAD_FACTOR * cpus if cpus else LOAD_OF_ANY_MACHINE)
    figure = Figure("load average", found.number, "count", (found.place,), is_high)
    topic: Topic = "blocked tasks" if capture == BLOCKED else "busy CPUs" if is_high else ""
    statement = Statement(
        "scheduling",
        words,
        (found.place,),
        kind,
        level,
        capture,
        topic=topic,
        is_summary=True,
        ratio=max(1.0, ratio or 1.0) if is_high else ratio if level == "context" else None,
        subject=LOAD_AVERAGE,
        quantity=Quantity(found.number, "count"),
        qualifiers=tuple(one for one in qualifiers if one),
    )
    return Answer("", (figure,), (), (statement,))


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
        if (is_high or is_much) and not window_rules.is_stated(evidence, mode.fact):
            text = f"{value_words(entry.number, 'share')} of CPU time is {mode.words}"
            text += averages.behind(entry)
            places: tuple[Place, ...] = (entry.place,)
            names: tuple[str, ...] = ()
            if mode.fact == KERNEL_TIME:
                words, names, seen = _users(evidence, entry)
                text, places = f"{text}{words}", (*places, *seen)
            kind, level = ranked(is_alarm=is_high)
            ratio = ratio_of(entry.number, mode.above)
            found = Statement(mode.question, text, places, kind, level, ratio=ratio, subject=mode.words)
            statements.append(_of_mode(evidence, mode, replace(found, names=names)))
    statements += _one_cpu(evidence)
    return Answer("", tuple(figures), (), tuple(statements))


def _users(evidence: ScopeEvidence, of_kernel: FactEntry) -> tuple[str, tuple[str, ...], list[Place]]:
    """Return how many tasks run beside much kernel time, and who uses the CPUs: words, names and lines."""
    text, places = "", []
    running = [one for one in evidence.facts("tasks.running") if one.item is of_kernel.item]
    if running and running[0].number >= MANY_RUNNING:
        text += f", with {value_words(running[0].number)} tasks running"
        places.append(running[0].place)
    most = leading(groups(evidence), USERS)
    if most:
        text += f"; most CPU: {', '.join(one.words for one in most)}"
        places += [place for one in most for place in one.places]
    return text, tuple(one.name for one in most), places


def _one_cpu(evidence: ScopeEvidence) -> Iterator[Statement]:
    """Yield what one CPU alone is busy with."""
    for mode in ONE_CPU:
        single = [entry for entry in evidence.facts(mode.fact) if entry.label("cpu") not in {"", "all"}]
        entry = max(single, key=lambda one: one.number, default=None)
        if entry and entry.number >= mode.above:
            share = value_words(entry.number, "share")
            text = f"CPU {entry.label('cpu')} spends {share} of its time in {mode.words}"
            ratio = ratio_of(entry.number, mode.above)
            statement = Statement(
                mode.question,
                text,
                (entry.place,),
                "alarm",
                ratio=ratio,
                subject=f"{mode.words} of CPU {entry.label('cpu')}",
            )
            yield _of_mode(evidence, mode, statement)


def _of_mode(evidence: ScopeEvidence, mode: Mode, statement: Statement) -> Statement:
    """Return the statement with its first steps, and the capture that shows which soft interrupts run."""
    statement = replace(statement, topic=topic_of_fact(mode.fact))
    if mode.fact != SOFTIRQ_TIME or not (capture := soft_interrupts.capture(evidence)):
        return statement
    return replace(statement, capture=capture, asks=soft_interrupts.ASKS)
