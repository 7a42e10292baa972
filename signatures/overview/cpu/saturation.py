"""CPUs without idle time: that nothing is left is the first to know, though programs may be meant to use it.

CPUs have 0 % idle time: 50 % programs, 50 % kernel; load average 74.7 on 2 CPUs; most: java 120 % of a CPU
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from signatures.language.number_format import cpu_words, value_words
from signatures.overview import averages, window_rules
from signatures.overview.cpu import busy_profile, overload, processes
from signatures.overview.cpu.load_trend import direction
from signatures.overview.model import Answer, Figure, Statement

if TYPE_CHECKING:
    from collections.abc import Iterator

    from signatures.overview.model import Place
    from signatures.overview.scope_evidence import FactEntry, ScopeEvidence
    from signatures.overview.stacks import Stacks

NO_IDLE_SHARE = 0.05
LITTLE_IDLE_SHARE = 0.1
"""Idle CPUs below this are nearly all in use: worth saying."""

WAITING_SHARE = 0.5
"""Tasks wait for a CPU in half of the time, by PSI; see `Documentation/accounting/psi.rst`."""

ENOUGH_IDLE_SHARE = 0.2
"""Where this much of the CPUs is idle, tasks that wait are limited by a quota or an affinity."""

NAMED_COMMANDS = 3
MODES = (
    ("cpu.user_share", "programs"),
    ("cpu.nice_share", "niced programs"),
    ("cpu.system_share", "kernel"),
    ("cpu.softirq_share", "soft interrupts"),
    ("cpu.irq_share", "hardware interrupts"),
    ("cpu.steal_share", "stolen by the hypervisor"),
    ("cpu.iowait_share", "waiting for IO"),
)
TOOLS = frozenset({
    "atop", "bpftrace", "ltrace", "perf", "sadc", "sosreport", "strace", "sysdig", "tcpdump", "trace-cmd",
})  # fmt: skip
LEAST_MODE_SHARE = 0.05
PRESSURE = "pressure.cpu.some.avg10_share"


class _Idle(NamedTuple):
    """Idle time of all CPUs, what the rest is, largest first, and where that is seen."""

    share: float
    uses: tuple[tuple[float, str], ...]
    place: Place
    average: str = ""


def saturation(evidence: ScopeEvidence) -> Answer:
    """Say that no CPU time is left, by idle time or pressure, with the load and who uses the CPUs."""
    stacks = of_profile(evidence)
    measured = _measured(evidence)
    if measured and measured.share > LITTLE_IDLE_SHARE:
        measured = None
    idle = measured or (_of_stacks(stacks) if stacks else None)
    waits = waiting(evidence)
    if idle is None and waits is None:
        return Answer("")
    places = [idle.place] if idle else []
    parts = list(_idle_words(idle)) if idle else []
    if waits:
        places.append(waits.place)
        share = value_words(waits.number, "share")
        parts.append(f"tasks waited for a CPU in {share} of the last 10 s" if idle else _crowded(share))
    if load := evidence.highest("loadavg.1m"):
        cpus = busy_profile.machine_cpus(evidence)
        on = f" on {cpu_words(cpus)}" if cpus else ""
        places.append(load.place)
        parts.append(f"load average {value_words(load.number)}{direction(evidence, load)}{on}")
    users = dict(_users(evidence, stacks))
    named = ", ".join(users.values())
    if named:
        parts.append(f"most: {named}")
    elif listed := processes.groups(evidence):
        parts.append(f"no listed process uses them (most: {listed[0].words})")
    is_shared = _is_overload(evidence, waits) and overload.is_of_many_programs(evidence)
    parts += [overload.RELIEF] if is_shared else []
    is_notable = waits is not None or (idle is not None and idle.share < NO_IDLE_SHARE)
    if idle:
        figure = Figure("idle CPU time", idle.share, "share", tuple(places[:1]), is_notable)
    else:
        value = waits.number if waits else 0.0
        figure = Figure("time in which tasks waited for a CPU", value, "share", tuple(places[:1]), is_notable)
    statement = Statement(
        "cpu",
        parts[0],
        tuple(places),
        "fact",
        "notable",
        overload.CAPTURE if is_shared else "",
        also=("scheduling",) if waits else (),
        is_notable=is_notable,
        asks=overload.ASKS if is_shared else "",
        topic="overload" if is_shared else "busy CPUs",
        qualifiers=tuple(f"; {part}" for part in parts[1:]),
        subject=figure.label,
        names=tuple(users),
    )
    return Answer("", (figure,), (), (statement,))


def _is_overload(evidence: ScopeEvidence, waits: FactEntry | None) -> bool:
    """Return whether more tasks want to run than there are CPUs, and no alarm about the run queue says so."""
    cpus = busy_profile.machine_cpus(evidence)
    highest = evidence.highest("loadavg.1m")
    is_loaded = highest is not None and bool(cpus) and highest.number >= window_rules.RUNNABLE_FACTOR * cpus
    return (waits is not None or is_loaded) and not overload.is_long(overload.run_queue(evidence), cpus)


def of_profile(evidence: ScopeEvidence) -> Stacks | None:
    """Return the profile of the whole machine when it shows no idle CPU time; else None."""
    stacks = busy_profile.whole_machine(evidence)
    return stacks if stacks and busy_profile.idle_share(stacks) < NO_IDLE_SHARE else None


def waiting(evidence: ScopeEvidence) -> FactEntry | None:
    """Return the pressure of the CPUs when more tasks want to run than there are CPUs; else None."""
    whole = [one for one in evidence.facts(PRESSURE) if not one.label("cgroup")]
    most = max(whole, key=lambda one: one.number, default=None)
    measured = _measured(evidence)
    is_limited = measured is not None and measured.share >= ENOUGH_IDLE_SHARE
    return most if most and most.number >= WAITING_SHARE and not is_limited else None


def _crowded(share: str) -> str:
    return f"More tasks want to run than there are CPUs: some waited in {share} of the last 10 s"


def _idle_words(idle: _Idle) -> Iterator[str]:
    uses = ", ".join(
        f"{value_words(share, 'share')} {words}" for share, words in idle.uses if share >= LEAST_MODE_SHARE
    )
    text = f"CPUs are {value_words(idle.share, 'share')} idle"
    yield (f"{text}: {uses}" if uses else text) + idle.average


def _measured(evidence: ScopeEvidence) -> _Idle | None:
    """Return the least idle time that a tool states for all CPUs together."""
    whole = [one for one in evidence.facts("cpu.idle_share") if one.label("cpu") in {"", "all"}]
    least = min(whole, key=lambda one: one.number, default=None)
    if least is None:
        return None
    uses = [
        (entry.number, words)
        for fact, words in MODES
        for entry in evidence.facts(fact)
        if entry.item is least.item and entry.label("cpu") in {"", "all"}
    ]
    return _Idle(
        least.number, tuple(sorted(uses, key=lambda one: -one[0])), least.place, averages.behind(least)
    )


def _of_stacks(stacks: Stacks) -> _Idle:
    idle = busy_profile.idle_share(stacks)
    kernel = busy_profile.kernel_share(stacks)
    uses = ((max(0.0, 1.0 - idle - kernel), "programs"), (kernel, "kernel"))
    return _Idle(idle, tuple(sorted(uses, reverse=True)), stacks.whole)


def _users(evidence: ScopeEvidence, stacks: Stacks | None) -> Iterator[tuple[str, str]]:
    """Yield names and words of who uses most CPU: commands of the profile, else groups of processes."""
    if stacks:
        for one in busy_profile.commands(stacks)[:NAMED_COMMANDS]:
            yield one.label, f"{one.label} {one.words}{_of_tool(one.label)}"
    else:
        groups = processes.groups(evidence)
        busy = [one for one in groups if one.share >= processes.BUSY_SHARE]
        yield from ((one.name, f"{one.words}{_of_tool(one.name)}") for one in busy[:NAMED_COMMANDS])


def _of_tool(name: str) -> str:
    """Return that a program measures: part of the load may be the measuring itself."""
    return " (a measuring tool)" if name in TOOLS else ""
