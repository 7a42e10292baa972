"""What to capture next: what the strongest statement leaves open, and why; never what is there already.

of_statements(…)  ->  NextCapture("lsblk; dmsetup table; iostat -xz 1 5", "which device is slow")
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from signatures.judging.decide import MATCH
from signatures.overview.cpu import load, lone_stacks, scheduling, soft_interrupts
from signatures.overview.kernel_log import alarms as kernel_log
from signatures.overview.kernel_log import captures as log_captures
from signatures.overview.memory import owners as memory_owners
from signatures.overview.rules.rule import panel_of
from signatures.overview.waiting import locks as lock_waits
from signatures.overview.waiting.captures import BLOCKED, DISKS
from signatures.reporting.next_captures import WHICH_HOST
from signatures.waits.graph import SECOND_LOOK

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence

    from signatures.documents.finding import FindingDocument
    from signatures.overview.model import QuestionName, Statement
    from signatures.overview.questions import Assessment

EVERYTHING = "sudo casebook collect"
MANY_OPEN = 3
"""Open questions from which on one command for all of them is shorter than a command for each."""

PROFILES = frozenset(
    {"perf-script", "folded", "speedscope", "json-profile", "pprof", "firefox-profile", "chrome-trace"}
)


class NextCapture(NamedTuple):
    """A command and what its output shows; both "" when nothing is missing."""

    command: str
    reason: str


class FollowUp(NamedTuple):
    """A command, what its output shows, and the formats of that output."""

    command: str
    reason: str
    formats: frozenset[str]


FOLLOW_UPS: Mapping[QuestionName, tuple[FollowUp, ...]] = {
    "kernel-log": (
        FollowUp(log_captures.DRIVERS, "which hardware and drivers the machine has", frozenset({"mounts"})),
    ),
    "cpu": (
        FollowUp(lone_stacks.CALLERS, "which functions use the CPUs, and who calls them", PROFILES),
        FollowUp(load.CAPTURE, "which processes use the CPUs", frozenset({"top", "pidstat"}) | PROFILES),
    ),
    "memory": (
        FollowUp(memory_owners.CAPTURE, "who holds the memory", frozenset({"proc-meminfo"})),
        FollowUp(
            "cat /proc/vmstat; sleep 5; cat /proc/vmstat",
            "whether the kernel reclaims memory now",
            frozenset({"proc-vmstat"}),
        ),
    ),
    "io": (
        FollowUp(DISKS, "which device is slow, and which tasks wait for it", frozenset({"iostat"})),
        FollowUp(
            "lsblk; dmsetup table; biolatency -D 10 1",
            "what lies below the device, and how long single requests take",
            frozenset({"bcc-histogram", "lsblk"}),
        ),
    ),
    "network": (
        FollowUp(
            panel_of("network-drops").capture,
            "where packets are lost",
            frozenset({"nstat", "ip-link", "netstat-statistics", "proc-net-counters"}),
        ),
        FollowUp(
            "ss -s; ss -tnpmi; cat /proc/net/softnet_stat",
            "which sockets and CPUs are behind",
            frozenset({"ss", "proc-softnet-stat"}),
        ),
    ),
    "locks": (
        FollowUp(lock_waits.CAPTURE, "which lock it is, and who holds it", frozenset({"perf-lock"})),
        FollowUp(lone_stacks.CALLERS, "who takes the lock", PROFILES),
    ),
    "scheduling": (
        FollowUp(
            f"vmstat 1 5; nproc; {scheduling.CAPTURE}",
            "how many tasks wait for a CPU, and how long",
            frozenset({"perf-sched", "vmstat"}),
        ),
        FollowUp(lone_stacks.CALLERS, "which functions use the CPUs, and who calls them", PROFILES),
    ),
    "cgroup-limits": (
        FollowUp(
            panel_of("cgroup-limits").capture, "which limit is reached", frozenset({"cgroup-memory-events"})
        ),
        FollowUp(
            "cd /sys/fs/cgroup/PATH; grep . memory.pressure cpu.pressure memory.stat",
            "what the cgroup holds, and how long its tasks stall",
            frozenset({"cgroup-memory-stat"}),
        ),
    ),
}
"""What to look at next when a question has an alarm, the most telling first."""

REASONS = {
    kernel_log.WHOLE: "the log since boot, with levels",
    log_captures.MEMORY_PIECES: "which pieces of memory are free, and whether compaction finds any",
    soft_interrupts.CAPTURE: soft_interrupts.ASKS,
    lone_stacks.DUMP: "the build, and whether a dump was kept",
    log_captures.DRIVERS: "which hardware and drivers the machine has",
    log_captures.SPINNING: "what the CPU runs",
    lone_stacks.CALLERS: "who calls it",
    BLOCKED: "where blocked tasks wait",
    DISKS: "which device is slow, and which tasks wait for it",
    SECOND_LOOK: "whether the tasks still wait, and where",
}
LEFT_OPEN = "what the finding leaves open"
OF_FILES = "which host, boot and time each file is of: some contradict others"
BY_QUESTION: Mapping[QuestionName, str] = {
    "kernel-log": "what led to it",
    "cpu": "what uses the CPUs",
    "memory": "who holds the memory",
    "io": "which device is slow",
    "network": "where packets are lost",
    "locks": "who has to release it",
    "scheduling": "what waits, and for how long",
    "cgroup-limits": "which limit is reached",
}


def asked_by(
    signatures: Collection[str], findings: Sequence[FindingDocument], captures: Sequence[str]
) -> str:
    """Return the first capture that the findings of the headline or all findings ask for; "" without one.

    What other signatures would like to know is no next step of these; without a signature all may ask.
    """
    own = [one for one in findings if one.signature in signatures]
    runs = {row.run for one in own for row in one.next if _is_open(one, row.condition)}
    runs.add(WHICH_HOST.run)
    is_any = not signatures or any(one.caps for one in own)
    return next((one for one in captures if is_any or one in runs), "")


def of_finding(command: str) -> NextCapture:
    """Return what a finding asks for, with the reason."""
    return NextCapture(command, OF_FILES if command == WHICH_HOST.run else LEFT_OPEN)


def _is_open(finding: FindingDocument, clause: str) -> bool:
    """Return whether a clause may change the verdict: of a match those that distinguish."""
    roles = {one.id: one.role for one in finding.conditions}
    return finding.verdict != MATCH or roles.get(clause) == "core"


def of_statements(
    statements: Sequence[Statement], questions: Sequence[Assessment], formats: Collection[str]
) -> NextCapture | None:
    """Return what the first of the statements that leaves something open asks for; None when none does.

    The capture of a question that has its answer is not asked for again, nor a format that was read. A plain
    value that is out of no range leads to nothing but its own capture.
    """
    answered = {one.question.capture for one in questions if not one.capture}
    for statement in statements:
        if statement.capture and statement.capture not in answered:
            return own_capture(statement)
        for name in reversed(statement.questions) if statement.level != "context" else ():
            for one in FOLLOW_UPS[name]:
                if one.formats.isdisjoint(formats):
                    return NextCapture(one.command, one.reason)
    return None


def own_capture(statement: Statement) -> NextCapture:
    """Return the capture that a statement names, with what its output shows; empty when it names none."""
    if not statement.capture:
        return NextCapture("", "")
    reason = REASONS.get(statement.capture) or statement.asks or BY_QUESTION[statement.question]
    return NextCapture(statement.capture, reason)


def of_questions(questions: Sequence[Assessment]) -> NextCapture | None:
    """Return the capture of the open questions: of all together when they are many."""
    unassessed = [one for one in questions if one.capture]
    if len(unassessed) >= MANY_OPEN:
        titles = ", ".join(_titles(unassessed))
        return NextCapture(EVERYTHING, f"while the trouble lasts: {titles}")
    return next((NextCapture(one.capture, one.question.title) for one in unassessed), None)


def _titles(questions: Sequence[Assessment]) -> Iterator[str]:
    """Yield the first titles, and how many more there are."""
    yield from (one.question.title for one in questions[:MANY_OPEN])
    if len(questions) > MANY_OPEN:
        yield f"{len(questions) - MANY_OPEN} more"
