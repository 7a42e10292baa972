"""Fields of the records of a kernel log: what the parts of a message mean, and which of them are numbers."""

from __future__ import annotations

from typing import NamedTuple


class Field(NamedTuple):
    """One field: its unit, "" for a text, and its meaning."""

    unit: str
    meaning: str


FIELDS = {
    "action": Field("", "what was done, or is about to be done"),
    "address": Field("", "address in memory or of the network"),
    "allocated": Field("count", "huge pages that could be reserved"),
    "anon_rss_kb": Field("kB", "anonymous memory of the process"),
    "array": Field("", "software RAID"),
    "blocker": Field("", "name of the task that holds the lock"),
    "blocker_pid": Field("number", "the task that holds the lock"),
    "bridge": Field("", "network bridge"),
    "cache": Field("", "slab cache"),
    "cgroup": Field("", "control group"),
    "clock": Field("", "clock source"),
    "comm": Field("", "name of the task"),
    "command": Field("", "command that failed"),
    "connection": Field("", "iSCSI connection, session:connection"),
    "constraint": Field("", "constraint of an OOM kill"),
    "controller": Field("", "controller of control groups"),
    "count": Field("count", "how many, as the message says"),
    "cpu": Field("number", "CPU"),
    "delayed": Field("", "work items that wait for a time"),
    "device": Field("", "block, network, PCI or USB device"),
    "driver": Field("", "driver"),
    "duration_ns": Field("ns", "how long it took"),
    "entry": Field("", "entry of swap, hexadecimal"),
    "error": Field("", "error number as printed"),
    "file": Field("", "firmware file"),
    "file_rss_kb": Field("kB", "memory of the process mapped from files"),
    "flavour": Field("", "kind of RCU"),
    "function": Field("", "function of the kernel"),
    "gfp_mask": Field("", "flags of the allocation"),
    "gid": Field("number", "group of the process"),
    "held": Field("", "lock that the task holds already"),
    "held_in": Field("", "function that took the lock that the task holds already"),
    "host_byte": Field("", "result of the transport of a SCSI command"),
    "in_flight": Field("", "work items that run, with their workers"),
    "inactive": Field("", "work items that may not start yet"),
    "interface": Field("", "network interface of a bond or driver"),
    "invoked_by": Field("", "task whose allocation invoked the OOM killer"),
    "irq": Field("number", "interrupt"),
    "is_self": Field("", "whether the CPU found the stall itself"),
    "jiffies": Field("count", "length of the stall in ticks"),
    "leaf": Field("", "innermost function of the first trace"),
    "limit": Field("count", "limit as printed"),
    "lock": Field("", "kind of lock the task waits for; of lockdep: its name"),
    "memory_failcnt": Field("count", "how often the cgroup reached its limit"),
    "memory_limit_kb": Field("kB", "limit of the cgroup"),
    "memory_usage_kb": Field("kB", "memory of the cgroup"),
    "module": Field("", "kernel module"),
    "mtu": Field("bytes", "MTU"),
    "oom_memcg": Field("", "control group whose limit was reached"),
    "oom_score_adj": Field("number", "oom_score_adj of the process"),
    "order": Field("number", "order of the allocation: 2^order pages"),
    "osd": Field("number", "Ceph OSD"),
    "out_of_tree": Field("", "out-of-tree and proprietary modules in the trace"),
    "page": Field("", "page frame, hexadecimal"),
    "pages": Field("count", "pages"),
    "path": Field("", "path of a multipath device, major:minor"),
    "peer": Field("", "the other side of a connection"),
    "pending": Field("", "work items that wait"),
    "pgtables_kb": Field("kB", "page tables of the process"),
    "pid": Field("number", "process or task"),
    "place": Field(
        "", "function in which a hung task waits, below scheduler and locks; of lockdep: which takes the lock"
    ),
    "pool": Field("", "pool of workers"),
    "port": Field("", "port of Fibre Channel"),
    "port_text": Field("", "TCP port, with its address when printed"),
    "queue": Field("number", "queue of a device"),
    "rank": Field("number", "Ceph metadata server"),
    "reason": Field("", "why, as far as the message or report says"),
    "register": Field("", "ATA register"),
    "resource": Field("", "resource of the misc controller"),
    "result": Field("", "result of the recovery"),
    "ring": Field("", "ring of a graphics processor"),
    "scope": Field("", "`memcg` or `global`"),
    "seconds": Field("seconds", "how long, as the message says"),
    "sector": Field("number", "sector or block"),
    "server": Field("", "server"),
    "session": Field("number", "iSCSI session"),
    "shmem_rss_kb": Field("kB", "shared memory of the process"),
    "signal": Field("number", "signal"),
    "size": Field("bytes", "size as printed"),
    "slot": Field("", "PCI slot"),
    "stack": Field(
        "", "the first functions of the trace that tell what the kernel was doing, innermost first"
    ),
    "state": Field("", "state of the server"),
    "status": Field("", "status as printed"),
    "status_type": Field("", "NVMe status code type"),
    "table": Field("", "neighbour table"),
    "taint": Field("", "taint flags of the kernel"),
    "target": Field("", "device mapper target"),
    "threshold_us": Field("us", "CPU time that was exceeded"),
    "total_vm_kb": Field("kB", "address space of the process"),
    "trap": Field("", "processor exception"),
    "uid": Field("number", "user of the process"),
    "waits_for": Field("", "what a hung task waits for: mutex, rwsem, io, completion…"),
    "what": Field("", "detail of the message"),
    "where": Field("", "source line and function"),
    "xid": Field("number", "number of an NVIDIA error"),
}
"""Every field; those of the classes' patterns and those that reports add."""

NUMERIC = frozenset(name for name, field in FIELDS.items() if field.unit)
"""Fields whose values are numbers."""
