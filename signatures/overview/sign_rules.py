"""The values of facts that are small signs of trouble: a row of `SIGNS` makes one known."""

from __future__ import annotations

from math import inf
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from signatures.overview.model import QuestionName


class Sign(NamedTuple):
    """A value of a fact that is worth a sentence.

    Attributes:
        least: The value from which it is said.
        words: The sentence, with the `{value}` and what it is about: `{of}`, "" for the whole machine.
        of: Labels that name what it is about.
        unit: Unit of the value in words.
        base: Fact of the same item that the value is divided by; the quotient is a share.
        is_alarm: Healthy machines do not have it.
        below: The value from which another analysis speaks of it.
        unless: Another fact, and the value of it from which this sign says nothing new.
        matching: A label that the fact must have, with its value.
    """

    fact: str
    question: QuestionName
    least: float
    words: str
    of: tuple[str, ...] = ()
    unit: str = "count"
    base: str = ""
    is_alarm: bool = False
    below: float = inf
    unless: tuple[str, float] = ("", inf)
    matching: tuple[str, str] = ("", "")


CPU = ("cpu",)
CGROUP = ("cgroup",)
DISK = ("device",)
LINK = ("interface", "iface")
PROCESS = ("comm",)
SIGNS = (
    Sign(
        "cpu.softirq_share", "network", 0.1, "{value} of CPU time is soft interrupts", unit="share", below=0.2
    ),
    Sign("cpu.irq_share", "cpu", 0.05, "{value} of CPU time is hardware interrupts", unit="share", below=0.1),
    Sign(
        "cpu.softirq_share",
        "network",
        0.4,
        "{value} of the time of CPU {of} is soft interrupts",
        CPU,
        "share",
        below=0.8,
    ),
    Sign("cpu.system_share", "cpu", 0.9, "{value} of the time of CPU {of} is kernel time", CPU, "share"),
    Sign("cpu.iowait_share", "io", 0.9, "CPU {of} waits for IO {value} of its time", CPU, "share"),
    Sign("cpu.user_share", "cpu", 0.95, "{value} of the time of CPU {of} is programs", CPU, "share"),
    Sign(
        "cpu.steal_share",
        "cpu",
        0.03,
        "{value} of CPU time is stolen by the hypervisor",
        unit="share",
        below=0.1,
    ),
    Sign("sched.blocked", "scheduling", 2, "{value} tasks are blocked in uninterruptible sleep", below=6),
    Sign("sar.blocked", "scheduling", 2, "{value} tasks are blocked in uninterruptible sleep"),
    Sign("tasks.zombie", "scheduling", 20, "{value} processes are zombies that their parents do not reap"),
    Sign(
        "memory.swapped_bytes",
        "memory",
        10,
        "{value} times as much memory is swapped out as is free",
        base="memory.free_bytes",
    ),
    Sign(
        "free.swap.used_bytes",
        "memory",
        0.5,
        "{value} of swap is in use",
        unit="share",
        base="free.swap.total_bytes",
        below=0.9,
    ),
    Sign(
        "pressure.memory.some.avg60_share",
        "memory",
        0.1,
        "Some tasks{of} stalled on memory {value} of the last minute",
        CGROUP,
        "share",
        unless=("pressure.memory.some.avg10_share", 0.2),
    ),
    Sign(
        "pressure.memory.some.avg300_share",
        "memory",
        0.1,
        "Some tasks{of} stalled on memory {value} of the last 5 minutes",
        CGROUP,
        "share",
        unless=("pressure.memory.some.avg60_share", 0.1),
    ),
    Sign(
        "pressure.io.some.avg60_share",
        "io",
        0.2,
        "Some tasks{of} stalled on IO {value} of the last minute",
        CGROUP,
        "share",
        unless=("pressure.io.some.avg10_share", 0.2),
    ),
    Sign(
        "pressure.io.some.avg300_share",
        "io",
        0.2,
        "Some tasks{of} stalled on IO {value} of the last 5 minutes",
        CGROUP,
        "share",
        unless=("pressure.io.some.avg60_share", 0.2),
    ),
    Sign(
        "pressure.cpu.some.avg300_share",
        "scheduling",
        0.5,
        "Some tasks{of} waited for a CPU {value} of the last 5 minutes",
        CGROUP,
        "share",
        unless=("pressure.cpu.some.avg10_share", 0.5),
    ),
    Sign(
        "meminfo.hardwarecorrupted_bytes",
        "memory",
        1,
        "{value} of memory is out of use after hardware errors (HardwareCorrupted)",
        unit="bytes",
        is_alarm=True,
    ),
    Sign(
        "meminfo.sunreclaim_bytes",
        "memory",
        0.05,
        "{value} of memory is unreclaimable slab",
        unit="share",
        base="meminfo.memtotal_bytes",
        below=0.2,
    ),
    Sign(
        "meminfo.dirty_bytes",
        "io",
        0.1,
        "{value} of memory is dirty pages that wait to be written",
        unit="share",
        base="meminfo.memtotal_bytes",
    ),
    Sign(
        "meminfo.writeback_bytes",
        "io",
        0.02,
        "{value} of memory is pages under writeback",
        unit="share",
        base="meminfo.memtotal_bytes",
    ),
    Sign(
        "meminfo.committed_as_bytes",
        "memory",
        2,
        "Programs have asked for {value} times the CommitLimit",
        base="meminfo.commitlimit_bytes",
    ),
    Sign(
        "memcg.events.oom",
        "cgroup-limits",
        1,
        "{value} times the memory limit{of} was met and reclaim could not free enough (oom in memory.events)",
        CGROUP,
        is_alarm=True,
        unless=("memcg.events.oom_kill", 1),
    ),
    Sign(
        "memcg.events.max",
        "cgroup-limits",
        1,
        "{value} charges met memory.max{of} since the cgroup was made",
        CGROUP,
        below=1000,
    ),
    Sign(
        "memcg.events.high",
        "cgroup-limits",
        1,
        "{value} charges met memory.high{of} since the cgroup was made",
        CGROUP,
        below=1000,
    ),
    Sign(
        "memcg.failcnt",
        "cgroup-limits",
        1,
        "{value} charges met the memory limit{of} since the cgroup was made",
        CGROUP,
        below=1000,
    ),
    Sign(
        "memcg.usage_bytes",
        "cgroup-limits",
        0.9,
        "{value} of the memory limit{of} is used",
        CGROUP,
        "share",
        base="memcg.limit_bytes",
        below=0.98,
    ),
    Sign(
        "cgroup.cpu.nr_throttled",
        "cgroup-limits",
        0.01,
        "{value} of the CPU periods{of} were throttled",
        CGROUP,
        "share",
        base="cgroup.cpu.nr_periods",
        below=0.1,
    ),
    Sign(
        "process.major_faults_per_second",
        "memory",
        100,
        "{of} takes {value} major page faults a second: its pages are read from disk",
        PROCESS,
    ),
    Sign(
        "process.written_bytes_per_second",
        "io",
        100e6,
        "{of} writes {value} a second, the most of all",
        PROCESS,
        "bytes",
    ),
    Sign(
        "process.read_bytes_per_second",
        "io",
        100e6,
        "{of} reads {value} a second, the most of all",
        PROCESS,
        "bytes",
    ),
    Sign(
        "vmstat.pgscan_direct",
        "memory",
        1,
        "Tasks scanned {value} times as many pages for reclaim as kswapd did, since boot",
        base="vmstat.pgscan_kswapd",
    ),
    Sign(
        "numa.numa_miss",
        "memory",
        0.05,
        "Node {of} gave {value} as many pages to tasks that wanted another node as to others, since boot",
        ("node",),
        "share",
        base="numa.numa_hit",
    ),
    Sign(
        "net.socket.receive_queue_bytes",
        "network",
        100e3,
        "{value} wait in the receive queues of connections, which their programs have not read",
        unit="bytes",
        matching=("state", "established"),
    ),
    Sign(
        "net.socket.send_queue_bytes",
        "network",
        100e3,
        "{value} wait in the send queues of connections, not sent or not acknowledged",
        unit="bytes",
        matching=("state", "established"),
    ),
    Sign(
        "net.tcpext.prunecalled",
        "network",
        100,
        "{value} times a receive buffer of TCP was over its limit and was pruned, since boot",
    ),
    Sign("net.tcpext.tcpabortontimeout", "network", 100, "{value} TCP connections timed out since boot"),
    Sign(
        "net.tcp.retranssegs",
        "network",
        0.01,
        "{value} of TCP segments were sent again since boot",
        unit="share",
        base="net.tcp.outsegs",
        below=0.02,
    ),
    Sign(
        "net.interface.tx_collisions",
        "network",
        100,
        "{value} packets that were sent on {of} collided, as on a half-duplex link",
        LINK,
    ),
    Sign(
        "net.rtt.loss_share",
        "network",
        0.01,
        "{value} of the packets to {of} got no answer",
        ("series",),
        "share",
    ),
    Sign(
        "interrupts.total",
        "kernel-log",
        1,
        "{value} machine check exceptions since boot",
        is_alarm=True,
        matching=("irq", "MCE"),
    ),
    Sign("sar.await", "io", 100, "Requests to {of} take {value} on average", DISK, "ms"),
    Sign("sar.util_share", "io", 0.6, "Device {of} is busy {value} of the time", DISK, "share"),
    Sign("sar.ifutil_share", "network", 0.8, "{value} of the speed of {of} is used", LINK, "share"),
    Sign(
        "sar.memused_share", "memory", 0.95, "{value} of memory is in use, page cache included", unit="share"
    ),
)
"""vmstat(8), top(1), sar(1), proc_meminfo(5); Documentation/admin-guide/cgroup-v2.rst, accounting/psi.rst."""
