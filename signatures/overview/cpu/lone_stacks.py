"""A stack that somebody printed alone: where it is, what it waits for or what it interrupted."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ingest.engines.threads.looks import looks_of
from ingest.frames.wait_points import is_scheduler, kinds, probable_site, title_of, wait_point
from signatures.overview.model import Answer, Figure, Statement
from signatures.overview.stacks import Stacks
from signatures.overview.waiting import captures as wait_captures
from signatures.overview.waiting.steps import step_about_kind

if TYPE_CHECKING:
    from collections.abc import Iterator

    from signatures.judging.scope import Item
    from signatures.overview.scope_evidence import ScopeEvidence

CALLERS = "perf record -a -g -F 99 -- sleep 30 && perf script"
DUMP = "uname -a; cat /proc/sys/kernel/tainted; ls -l /var/crash /sys/fs/pstore"
"""The build, its taint flags, and whether kdump or pstore kept a dump."""

_INTERRUPT = re.compile(
    r"^(?:asm_)?(?:sysvec_|common_interrupt|do_IRQ|ret_from_intr)|_interrupt$|^el1h?_.*irq"
)
"""Entries of interrupts: arch/x86/include/asm/idtentry.h, arch/arm64/kernel/entry.S."""

_FAULT = re.compile(
    r"^(?:asm_exc_|exc_|do_)(?:page_fault|general_protection|invalid_op|divide_error)$"
    r"|^(?:async_)?page_fault$|^general_protection$|^invalid_op$|^el1h?_(?:64_)?sync"
)
"""Entries of faults."""

_CRASH = re.compile(r"(?:panic|oops_end|die|__die|machine_kexec|__?crash_kexec|no_context|page_fault_oops)$")

_SLEEPS = re.compile(r"wait|sleep|lock|schedule")
"""In the name of the innermost function of a task that sleeps, where `schedule` is left out."""


PATH = 4
FEW_STACKS = 6
SHOWN_OTHERS = 3
"""Stacks that somebody put beside one another are about one thing."""

TOP_NAMES = 12
WAITING = (
    "__schedule",
    "schedule",
    "io_schedule",
    "context_switch",
    "__switch_to",
    "dump_stack",
    "show_stack",
    "__kasan_",
    "kasan_",
    "__asan_",
    "print_address_description",
    "print_report",
)
"""Functions above the one that waits or reports."""

WORK = "memory_reclaim"
"""What a task does itself as much as it waits for it: without a sleeping function it is likely at work."""


def lone_stack(evidence: ScopeEvidence) -> Answer | None:
    """Return the innermost functions of a stack that somebody printed alone; None without one."""
    alone = [
        Stacks(profile, item)
        for item in evidence.items
        for profile in item.reading.profiles
        if not (item.reading.log_records or profile.has_weights or _is_of_latency(item))
        and not _is_of_threads(evidence, item)
        and (profile.sample_node >= 0).any()
    ]
    if not alone:
        return None
    stacks = alone[0]
    profile = stacks.profile
    node = int(profile.sample_node[profile.sample_node >= 0][0])
    names = []
    while node >= 0:
        names.append(stacks.names[int(profile.node_frame[node])])
        node = int(profile.node_parent[node])
    called = [name for name in names if not _is_of_waiting(name)] or names
    called = [name for at, name in enumerate(called) if not at or name != called[at - 1]]
    count = sum(one.profile.samples for one in alone)
    whose = _thread_words(stacks)
    which = f"The stack{whose} is" if count == 1 else f"The first of {count:,.0f} stacks{whose} is"
    words = f"{which} in {' ← '.join(called[:PATH])}"
    point, resource, verb = _waited_for(names)
    is_crash = any(_CRASH.match(name) for name in names)
    if is_crash and (under := _below(called, _FAULT)):
        words = f"The kernel crashed in {' ← '.join(under[:PATH])}"
    elif under := _below(called, _INTERRUPT):
        words = f"{which} in an interrupt ({called[0]}) of {' ← '.join(under[:PATH])}"
    elif resource:
        words = f"{words}: it {verb} for {resource}"
    words += _others(alone, called[0])
    figures = (Figure("functions of the stack", ", ".join(names[:TOP_NAMES]), "", (stacks.whole,)),)
    capture = wait_captures.of_kind(point) or (wait_captures.BLOCKED if point else CALLERS)
    capture = DUMP if is_crash else capture
    step = "" if is_crash else step_about_kind(point)
    statement = Statement("scheduling", words, (stacks.whole,), "fact", "notable", capture, first_step=step)
    return Answer(f"{words}.", figures, (capture,), (statement,), is_undecided=True, about=("scheduling",))


def _is_of_threads(evidence: ScopeEvidence, item: Item) -> bool:
    """Return whether all stacks are of threads of programs, of which the engine of threads tells."""
    if evidence.engines.state_of("threads") != "on":
        return False
    count = sum(int((profile.sample_node >= 0).sum()) for profile in item.reading.profiles)
    return 0 < count <= sum(bool(look.frames) for look in looks_of(item.reading))


def _is_of_latency(item: Item) -> bool:
    """Return whether the stacks are of latencies, which have sentences of their own."""
    return any(fact.name.startswith("ftrace.latency.") for fact in item.reading.facts)


def _others(alone: list[Stacks], first: str) -> str:
    """Return `; others are in …` with where a few other stacks are; "" for one stack and for many."""
    names = [name for stacks in alone for name in _leaves(stacks)]
    if not 1 < len(names) <= FEW_STACKS:
        return ""
    others = list(dict.fromkeys(name for name in names if name != first))
    verb = "another is" if len(others) == 1 else "others are"
    return f"; {verb} in {', '.join(others[:SHOWN_OTHERS])}" if others else ""


def _leaves(stacks: Stacks) -> Iterator[str]:
    """Yield of every stack the innermost function that is not of the scheduler."""
    profile = stacks.profile
    for sample in profile.sample_node[profile.sample_node >= 0].tolist():
        node = int(sample)
        while profile.node_parent[node] >= 0 and stacks.names[int(profile.node_frame[node])].startswith(
            WAITING
        ):
            node = int(profile.node_parent[node])
        yield stacks.names[int(profile.node_frame[node])]


def _is_of_waiting(name: str) -> bool:
    """Return whether a function is of every task that sleeps, or of every report."""
    return name.startswith(WAITING) or is_scheduler(name)


def _thread_words(stacks: Stacks) -> str:
    """Return ` of COMM:PID` of the first stack, "" where the text does not name its thread."""
    profile = stacks.profile
    thread = profile.threads[int(profile.sample_thread[0])]
    tid = thread.tid if thread.tid >= 0 else thread.pid
    who = ":".join(one for one in (thread.comm, str(tid) if tid >= 0 else "") if one)
    return f" of {who if thread.comm else f'task {who}'}" if who else ""


def _waited_for(names: list[str]) -> tuple[str, str, str]:
    """Return the kind of what a stack waits for, its title and the verb; "" where nothing tells.

    /proc/PID/stack leaves out the functions of the scheduler: it does not show whether the task sleeps.
    """
    point = wait_point(names) if any(map(_is_of_waiting, names)) or _SLEEPS.search(names[0]) else None
    known = kinds().get(point.kind) if point else None
    if point and known:
        return point.kind, title_of(point.kind), "waits"
    if point is None and not probable_site(names) and (point := wait_point(names)) and point.kind != WORK:
        return point.kind, title_of(point.kind), "may wait"
    return "", "", ""


def _below(names: list[str], entry: re.Pattern[str]) -> list[str]:
    """Return the functions that an interrupt or a fault on top of the stack interrupted, innermost first."""
    ends = [at for at, name in enumerate(names) if entry.search(name)]
    return names[ends[-1] + 1 :] if ends else []
