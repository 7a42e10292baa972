"""What to do first about a statement that no signature explains: one step for each thing that may turn out.

first_steps("steal")[1]  ->  "If not: its host has more work than CPUs; ask for another host"

What can be undone comes first. No step says that its condition holds: the next capture shows which one does.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, TypeAlias

from signatures.overview.report_steps import REPORT_STEPS, ReportTopic
from signatures.overview.storage_steps import STORAGE_STEPS, StorageTopic

if TYPE_CHECKING:
    from collections.abc import Mapping

ResourceTopic: TypeAlias = Literal[
    "",
    "audit backlog",
    "blocked tasks",
    "busy CPUs",
    "cgroup limit",
    "close-wait",
    "compaction",
    "CPU quota",
    "deadlock",
    "hardware errors",
    "held session lock",
    "held user lock",
    "interrupts",
    "interrupts off",
    "kernel lock",
    "kernel limit",
    "kernel work",
    "listen queue",
    "lost packets",
    "memory",
    "no discipline",
    "observers",
    "overload",
    "receive buffer",
    "reclaim",
    "reverse path filter",
    "slab",
    "slow IO",
    "steal",
    "stopped IO",
    "swapping",
    "unaccounted memory",
    "user lock",
]
Topic: TypeAlias = ResourceTopic | ReportTopic | StorageTopic

RESOURCE_STEPS: Mapping[str, tuple[str, ...]] = {
    "audit backlog": (
        "If records come in bursts: a longer backlog (auditctl -b N), and note the old one",
        "If one rule makes most (aureport --key --summary): its owner narrows it",
    ),
    "blocked tasks": (
        "If they wait for one device or server: bring that back; they go on by themselves",
        "If they wait for a lock: find its holder before anything is restarted",
        "A kill does not end a task in uninterruptible sleep, and more readers of the same files hang too",
    ),
    "busy CPUs": (
        "If the work is meant but may wait: give it less (nice, cpu.weight, cpu.max), or run fewer at a time",
        "If it is not meant: stop it; one thread that stays at 100 % may be a loop, which a profile shows",
        "If all of it is needed now: more CPUs, or move work to another host",
    ),
    "cgroup limit": (
        "If the host has room: raise the limit of this cgroup, and note the old value",
        "If its use grew without more work: restart the service; that gives time, and is no cure",
        "If the limit is meant: less work for the service at a time",
    ),
    "close-wait": (
        "Restart the program that holds them: that frees them at once",
        "The cure is in the program, which does not close what its peers have closed",
    ),
    "compaction": (
        "If huge pages ask for it: transparent_hugepage/defrag to defer+madvise; note the old value",
        "If a driver or network asks for large blocks: a higher vm.min_free_kbytes, and note the old value",
    ),
    "CPU quota": (
        "If the host has idle CPUs: raise cpu.max of this cgroup, and note the old value",
        "If it runs more threads than its quota has CPUs: fewer threads",
    ),
    "deadlock": (
        "Save the stacks of all of them first: a restart destroys what shows which locks they took",
        "If they are threads of a program: then restart it; its work is lost; the cure is one lock order",
        "If they are in the kernel: no kill ends it; drain the host, copy dmesg off it, restart it",
    ),
    "hardware errors": (
        "If a module, slot or card is named: take the host out of service and exchange that part",
        "If errors are corrected and few: plan the exchange; watch whether they grow",
    ),
    "held user lock": (
        "Save the stacks of all threads twice, some seconds apart: a restart destroys what shows the holder",
        "If heartbeats of seconds decide on a failover: not by gdb, which halts the program while it prints",
        "If the holder waits for a server, a disk or a child: bring that back; the others then go on",
        "If both dumps show the same, and it serves nothing: restart it by its service manager",
    ),
    "held session lock": (
        "Save the list of sessions first; find the session that heads the queue, and whose it is",
        "If a waiting DDL heads it: cancel that one statement; the queries behind it go on",
        "If the holder is idle in a transaction and its owner agrees: end that session; its work rolls back",
        "Not the server: a restart rolls back all work, and crash recovery may take longer than the wait",
    ),
    "interrupts": (
        "If NET_RX leads on one CPU: spread the queues of the interface (irqbalance, ethtool -L, or RPS)",
        "If one device's interrupt leads: move it (/proc/irq/N/smp_affinity), or look for its errors",
        "If TIMER, RCU or TASKLET leads: a profile of that CPU shows who queues them",
    ),
    "interrupts off": (
        "x86 with counters: timeout -s KILL 30 perf record -N --synth=task -e cycles -ag -o /run/i sleep 9",
        "If not, as in many guests: timeout -s KILL 30 perf lock contention -a -b -- sleep 5 counts waits",
        "If steal time is high: the hypervisor did not run the CPU; ask there first",
    ),
    "kernel lock": (
        "If one program causes most of it: run fewer threads of it, or pause it, and see whether it ends",
        "If it began with a release of the kernel: go back to the last one that worked",
    ),
    "kernel limit": (
        "If what is counted is meant: raise the limit by sysctl, and note the old value",
        "If it grows without end: restart the program that holds it; the limit only delays it",
    ),
    "kernel work": (
        "If one program makes it (perf report --sort comm): run less of it, and see whether it ends",
        "If it began with a release of the kernel or of the program: go back to the last one that worked",
        "If no program stands out: its callers tell who asks for it; collect them before anything is changed",
    ),
    "listen queue": (
        "If the program is busy or hangs: find out where it waits, then restart it",
        "If it keeps up, and connections come in bursts: a longer backlog of listen() and somaxconn",
    ),
    "lost packets": (
        "If an interface or its driver counts them: larger rings (ethtool -G), more queues, a better cable",
        "If a socket counts them: its program reads too slowly, or its buffer is too small",
        "If neither does: they are lost on the way; measure from the other end",
    ),
    "memory": (
        "If one service holds it: restart it, with a limit from its start on (MemoryMax of its unit)",
        "If slab, tmpfs or huge pages hold it: no restart of a service frees it; look at their owner",
        "If all of it is needed: move work to another host, or add memory",
    ),
    "no discipline": (
        "Attach a simple one: tc qdisc add dev NAME root pfifo; undo it by tc qdisc del dev NAME root",
        "Look why the default one failed: no memory, or what net.core.default_qdisc names cannot start",
    ),
    "observers": (
        "If a tracer or probe is new (bpftool prog show): stop it for a minute",
        "If it is needed, or guards the host (audit, a filter): its owner asks for fewer events",
    ),
    "overload": (
        "If one kind of work starts more than the CPUs can run: fewer at a time (make -j, pool size, cron)",
        "If one service has most: systemctl set-property --runtime UNIT CPUQuota=100%; undo it by CPUQuota=",
        "If some of it may wait: renice -n 10 -p PID, or a lower CPUWeight= of its unit",
        "If all of it is needed now: more CPUs, or move work to another host",
    ),
    "receive buffer": (
        "If one socket has the long queue (ss -anpm): its program reads too slowly; find out where it waits",
        "If it reads fast and bursts are long: raise net.core.rmem_max (note it) and its SO_RCVBUF",
        "If all sockets together are at the limit (net.ipv4.udp_mem, tcp_mem): raise it, or fewer sockets",
    ),
    "reclaim": (
        "If a cgroup is at its limit (max in memory.events grows): raise memory.max, note the old value",
        "If the host is short of memory: stop or move what can wait; it ends by itself once there is room",
        "If much is free: one node or zone is short; numastat -m and /proc/buddyinfo tell",
    ),
    "reverse path filter": (
        "If answers leave by another interface (ip route get ADDRESS): rp_filter=2 there, note the old value",
        "If nobody has asked for these packets: they are stray or forged, and the filter does its work",
    ),
    "slab": (
        "If memory is not short: leave it; new objects of the same caches take the free space first",
        "If the kernel is older than 5.9 and has many cgroups: each has caches of its own; make fewer",
        "If it is dentries and inodes: they are freed when memory is short; emptying them by hand takes long",
    ),
    "slow IO": (
        "If one program does most of it: stop it, run it later, or cap it (io.max)",
        "If the device is slow at little load: look for its errors in the kernel log and in smartctl -x",
        "If memory is short, too: swapping may be the cause; relieve memory first",
    ),
    "steal": (
        "If the guest has CPU credits or a limit: they are used up; raise it, or use less",
        "If not: its host has more work than CPUs; ask for another host",
    ),
    "stopped IO": (
        "If requests wait and none is served (iostat -xd): look at the device, its path and its kernel log",
        "If it serves discards (mkfs, fstrim, blkdiscard): they may take minutes; let them end",
        "If the tasks wait for a lock or a server: that one first; a kill does not end them",
    ),
    "swapping": (
        "If one service holds the memory: restart it, with a limit from its start on (MemoryMax of its unit)",
        "If many small ones do: stop what can wait; swapping ends by itself once there is room",
        "If all of it is needed: move work to another host, or add memory; more swap only slows it down",
    ),
    "unaccounted memory": (
        "If it is a virtual machine: its balloon gives memory to the host (balloon_inflate in /proc/vmstat)",
        "If ZFS is loaded: its ARC is in no field of meminfo; read size in /proc/spl/kstat/zfs/arcstats",
        "If it grows: note it every hour with lsmod; a driver or the kernel keeps pages",
        "A restart of a service does not free it; boot with page_owner=on to see who took it the next time",
    ),
    "user lock": (
        "If it began with a release or with more threads: go back, or run fewer threads",
        "If one call site takes the lock: hold it for less, or split it; that is a change of the program",
    ),
}

STEPS: Mapping[str, tuple[str, ...]] = {**RESOURCE_STEPS, **REPORT_STEPS, **STORAGE_STEPS}

BY_QUESTION: Mapping[str, Topic] = {"memory": "memory", "cgroup-limits": "cgroup limit"}
"""The topic of statements that name none themselves."""

_BY_FACT: tuple[tuple[str, Topic], ...] = (
    ("ras.", "hardware errors"),
    ("swap.", "swapping"),
    ("sar.pswp", "swapping"),
    ("memory.swapped", "swapping"),
    ("free.swap", "swapping"),
    ("pressure.memory", "memory"),
    ("sar.pgscan", "memory"),
    ("sar.majflt", "memory"),
    ("cpu.softirq", "interrupts"),
    ("cpu.irq", "interrupts"),
    ("cpu.steal", "steal"),
    ("cpu.user", "busy CPUs"),
    ("cpu.system", "kernel work"),
    ("pressure.cpu", "busy CPUs"),
    ("cpu.iowait", "slow IO"),
    ("pressure.io", "slow IO"),
    ("disk.", "slow IO"),
    ("sar.await", "slow IO"),
    ("sar.util", "slow IO"),
    ("sched.blocked", "blocked tasks"),
    ("sar.blocked", "blocked tasks"),
    ("sar.rx", "lost packets"),
    ("sar.tx", "lost packets"),
    ("memcg.", "cgroup limit"),
    ("cgroup.cpu.", "CPU quota"),
)


def first_steps(topic: Topic) -> tuple[str, ...]:
    """Return the steps of a topic; none where nothing is known to help."""
    return STEPS.get(topic, ())


def topic_of_fact(name: str) -> Topic:
    """Return what a value of this fact is about; "" for facts without a topic."""
    return next((topic for prefix, topic in _BY_FACT if name.startswith(prefix)), "")
