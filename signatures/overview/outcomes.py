"""What tools that have no reader of their own state plainly, in a sentence with the line.

A container was killed at its memory limit: "OOMKilled": true
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from signatures.overview import cgroup_limits
from signatures.overview.memory import owners as memory_owners
from signatures.overview.model import Answer, Figure, Statement, ranked, shortened, shortened_words
from signatures.overview.network import drops as network_drops
from signatures.overview.storage import health as storage_health
from signatures.rendering.places import SHOWN_PLACES

if TYPE_CHECKING:
    from signatures.documents.levels import Level
    from signatures.overview.first_steps import Topic
    from signatures.overview.model import QuestionName
    from signatures.overview.scope_evidence import ScopeEvidence

SHOWN = 8
QUOTED = 100


class Outcome(NamedTuple):
    """What a line states, the question that it is about, and what shows more.

    Attributes:
        is_alarm: Healthy machines do not state it; an unused port has no link, some units fail.
        topic: What its first steps are about; "" for none.
        asks: What the output of `capture` shows; "" for the usual of the question.
        is_counted: Each line is an event; the lines of one pool are its state.
    """

    words: str
    question: QuestionName
    capture: str
    is_alarm: bool = True
    topic: Topic = ""
    asks: str = ""
    is_counted: bool = True


_LOG = "journalctl -k -b -o json"
MEMBERS = "which member failed, and how far a rebuild is"
OUTCOMES = {
    "container_oom_killed": Outcome(
        "A container was killed at a limit of memory", "cgroup-limits", cgroup_limits.CAPTURE
    ),
    "unit_oom_killed": Outcome("The OOM killer ended a service", "memory", _LOG),
    "pressure_killed": Outcome(
        "systemd-oomd killed a cgroup for its memory pressure", "memory", "grep . /proc/pressure/*; " + _LOG
    ),
    "guest_failed": Outcome("KVM could not go on with a virtual machine", "cpu", _LOG),
    "root_missing": Outcome(
        "The device of the root file system did not appear at boot", "io", "cat /proc/cmdline; blkid; lsblk"
    ),
    "connections_unclosed": Outcome(
        "Thousands of connections are in CLOSE-WAIT: the other end has closed them, their program has not",
        "network",
        "ss -tanp state close-wait",
    ),
    "ports_in_use": Outcome(
        "Connections in TIME-WAIT hold most of the default range of local ports (28,232)",
        "network",
        "sysctl net.ipv4.ip_local_port_range; ss -tan state time-wait | head -50",
        is_alarm=False,
    ),
    "unit_killed": Outcome("A service was killed by SIGKILL", "memory", _LOG, is_alarm=False),
    "container_killed": Outcome("A container ended by SIGKILL (exit code 137)", "cgroup-limits", _LOG),
    "unit_not_started": Outcome("A unit of systemd did not start", "kernel-log", _LOG, is_alarm=False),
    "unit_failed": Outcome("A unit of systemd failed", "kernel-log", _LOG, is_alarm=False),
    "node_memory_pressure": Outcome("A node is short of memory", "memory", memory_owners.CAPTURE),
    "container_at_limit": Outcome(
        "A container uses nearly all of its limit of memory", "cgroup-limits", cgroup_limits.CAPTURE
    ),
    "array_degraded": Outcome(
        "An MD array is degraded", "io", "cat /proc/mdstat; " + _LOG, topic="degraded array", asks=MEMBERS
    ),
    "cluster_unhealthy": Outcome("The Ceph cluster is not healthy", "io", _LOG),
    "pool_degraded": Outcome(
        "A ZFS pool is not whole",
        "io",
        "zpool status -v; " + _LOG,
        topic="degraded array",
        asks=MEMBERS,
        is_counted=False,
    ),
    "pool_member_missing": Outcome(
        "A member of a ZFS pool is not in use",
        "io",
        "zpool status -v; " + _LOG,
        topic="degraded array",
        asks=MEMBERS,
        is_counted=False,
    ),
    "pool_rebuilt": Outcome(
        "A ZFS pool is being rebuilt",
        "io",
        "zpool status -v; " + _LOG,
        is_alarm=False,
        topic="degraded array",
        asks=MEMBERS,
    ),
    "filesystem_device_errors": Outcome(
        "Btrfs has counted errors of a device", "io", _LOG, topic="failing disk"
    ),
    "disk_unreadable": Outcome(
        "The disk logged sectors that it could not read (SMART error log)",
        "io",
        storage_health.CAPTURE,
        topic="failing disk",
    ),
    "disk_link_errors": Outcome(
        "The disk logged errors on its link, as a bad cable makes them (SMART error log)",
        "io",
        storage_health.CAPTURE,
        is_alarm=False,
        topic="storage link",
    ),
    "disk_failed": Outcome("The disk says that it fails (SMART)", "io", _LOG, topic="failing disk"),
    "disk_sectors": Outcome(
        "The disk has sectors that it cannot read (SMART)",
        "io",
        storage_health.CAPTURE,
        topic="failing disk",
    ),
    "memory_errors": Outcome(
        "Memory modules had errors", "memory", "ras-mc-ctl --errors; " + _LOG, topic="hardware errors"
    ),
    "link_down": Outcome("A network link is down", "network", network_drops.CAPTURE, is_alarm=False),
    "link_half_duplex": Outcome(
        "A network link is half-duplex", "network", network_drops.CAPTURE, is_alarm=False
    ),
    "process_limit": Outcome(
        "A new process or thread was refused: a limit of tasks is met (ulimit -u, pids.max, threads-max)",
        "scheduling",
        "cat /proc/PID/limits; grep . /sys/fs/cgroup/PATH/pids.*; sysctl kernel.threads-max kernel.pid_max",
    ),
    "open_file_limit": Outcome(
        "A program met a limit of open files",
        "scheduling",
        "cat /proc/PID/limits; sysctl fs.file-nr",
        is_alarm=False,
    ),
    "no_space": Outcome("A file system or a quota is full", "io", "df -T; df -i", is_alarm=False),
    "read_only": Outcome(
        "A file system takes no writes", "io", f"cat /proc/self/mountinfo; {_LOG}", is_alarm=False
    ),
    "io_error": Outcome("Reading or writing a file failed", "io", _LOG, is_alarm=False),
    "stale_handle": Outcome(
        "An NFS server no longer knows a file that a program uses",
        "io",
        f"nfsstat -m; {_LOG}",
        is_alarm=False,
    ),
    "stalled": Outcome(
        "Tasks stalled on a resource that the lines do not name (PSI)",
        "scheduling",
        "grep . /proc/pressure/*",
    ),
    "lock_order_cycle": Outcome(
        "Threads of a program take its mutexes in an order with a cycle, with which they can deadlock",
        "locks",
        "sudo gdb -p PID --batch -ex 'thread apply all bt'",
        is_alarm=False,
    ),
    "access_denied": Outcome("A security policy denied an access", "kernel-log", _LOG, is_alarm=False),
}


def outcomes(evidence: ScopeEvidence) -> Answer:
    """Return each kind of failure that lines state, with the first line; the kinds in their order."""
    figures: list[Figure] = []
    statements: list[Statement] = []
    stated = evidence.facts("tool.outcome")
    for what, outcome in OUTCOMES.items():
        lines = [entry for entry in stated if entry.label("what") == what]
        if not lines:
            continue
        places = tuple(entry.place for entry in lines[:SHOWN_PLACES])
        times = f" ({len(lines)} times)" if len(lines) > 1 and outcome.is_counted else ""
        quote = shortened_words(str(lines[0].fact.value), QUOTED)
        text = f"{outcome.words}{times}: {quote}"
        failure: Level = "degraded" if outcome.topic == "degraded array" else "failure"
        kind, level = ranked(is_alarm=outcome.is_alarm, alarm=failure)
        statements.append(
            Statement(
                outcome.question,
                text,
                places,
                kind,
                level,
                outcome.capture,
                is_notable=True,
                asks=outcome.asks,
                topic=outcome.topic,
                subject=outcome.words,
                names=(quote,),
            )
        )
        figures.append(Figure(outcome.words, float(len(lines)), "count", places, outcome.is_alarm))
    if not figures:
        return Answer("No failure that a tool states.")
    return Answer(f"{statements[0].text}.", shortened(figures, SHOWN), (), tuple(statements))
