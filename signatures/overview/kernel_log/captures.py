"""The command that shows more about an alarm of the kernel log: the dump of a crash, the health of a disk.

capture_of(record, log_class)  ->  "smartctl -x /dev/sdk; iostat -xz 1 5"

Commands only read, and are safe on a machine in trouble.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ingest.catalogue.log_classes import SUBSYSTEMS
from signatures.overview.cpu import load
from signatures.overview.cpu.lone_stacks import DUMP
from signatures.overview.memory import owners as memory_owners
from signatures.overview.rules.rule import panel_of
from signatures.overview.storage import latency as block_latency
from signatures.waits.graph import SECOND_LOOK

if TYPE_CHECKING:
    from ingest.catalogue.log_classes import LogClass
    from ingest.model.reading import LogRecord

SPINNING = (
    "perf record -N -a -g -F 99 --synth=task -o lockup.data -- sleep 10; perf script -i lockup.data --header"
)
"""Reads no memory map of a process: one that hangs would hold it."""
DRIVERS = "uname -a; lspci -nnk; lsmod"
ERRORS = "ras-mc-ctl --errors; [ ! -e /dev/ipmi0 ] || timeout -s KILL 60 ipmitool sel elist"
"""Boards and desktops have no BMC, and `ipmitool` would wait for one."""
ARRAYS = "cat /proc/mdstat; iostat -xz 1 5"
MAPPED = "dmsetup status; dmsetup table; lsblk"
REPLICAS = "cat /proc/drbd; timeout -s KILL 10 drbdsetup status --verbose --statistics"

NFS = "cat /proc/self/mountstats; nstat -asz"
CIFS = "cat /proc/fs/cifs/Stats; nstat -asz"
CEPH = "cat /sys/kernel/debug/ceph/*/osdc /sys/kernel/debug/ceph/*/mdsc; nstat -asz"

BY_GROUP = {
    "storage": block_latency.CAPTURE,
    "filesystem": block_latency.CAPTURE,
    "network": panel_of("network-drops").capture,
    "memory": memory_owners.CAPTURE,
    "scheduling": SPINNING,
    "hardware": DRIVERS,
    "virtualisation": load.CAPTURE,
    "cgroup": panel_of("cgroup-limits").capture,
    "crash": DUMP,
    "driver": DRIVERS,
    "security": "",
    "log": "journalctl -k -b -o json",
}
"""By group of subsystems; "" where no command shows more than the message."""

BY_SUBSYSTEM = {
    "ceph": CEPH,
    "cifs": CIFS,
    "dm": MAPPED,
    "edac": ERRORS,
    "fuse": "grep fuse /proc/self/mountinfo; grep . /sys/fs/fuse/connections/*/waiting",
    "locking": DUMP,
    "mce": ERRORS,
    "md": ARRAYS,
    "nfs": NFS,
    "overlay": "grep overlay /proc/self/mountinfo",
    "slab": DUMP,
    "gpu": DRIVERS,
    "iommu": DRIVERS,
    "irq": "cat /proc/interrupts; lspci -nnk",
    "pci": "lspci -vv",
    "thermal": "sensors; turbostat --num_iterations 2",
    "clock": "grep . /sys/devices/system/clocksource/clocksource0/*_clocksource",
    "process": "",
}

MEMORY_PIECES = "cat /proc/buddyinfo /proc/meminfo; grep -E '^(compact|allocstall)' /proc/vmstat"
LOG_KEPT = "dmesg > /dev/shm/kernel-log.txt; lsblk; findmnt"
"""In memory: the journal may lie on the file system that takes nothing any more."""

BY_CLASS = {
    "device_lost": "lspci -vv",
    "page_allocation_failure": MEMORY_PIECES,
    "hung_task": SECOND_LOOK,
    "lock_owner": SECOND_LOOK,
    "suspicious_rcu": DUMP,
    "drbd_split_brain": REPLICAS,
    "drbd_connection_lost": REPLICAS,
    "dlm_connection_lost": panel_of("network-drops").capture,
    "nfsd_connections": "cat /proc/fs/nfsd/pool_stats /proc/net/rpc/nfsd; ss -tn sport = :2049",
    "busy_dentry": DUMP,
    "vfs_busy_inodes": DUMP,
    "zfs_panic": DUMP,
    "vfs_file_limit": "cat /proc/sys/fs/file-nr",
}

INTERFACE = "ethtool -i {0}; ethtool -S {0}; ethtool -k {0}; ethtool --show-eee {0}; ip -s -s link"
MTUS = "ip -d link; ethtool -k {0}; ovs-vsctl --timeout=5 --columns=name,mtu,mtu_request list Interface"
BY_DEVICE = {
    "nic_hang": INTERFACE,
    "nic_reset": INTERFACE,
    "netdev_watchdog": INTERFACE,
    "packet_over_mtu": MTUS,
}
"""With the name of an interface: driver, firmware, counters, offloads, energy saving of the link, sizes."""

ASKS = {"packet_over_mtu": "which MTU each port has, and whether packets are joined on receipt"}
"""What the command of a class shows, where it is not the usual of its question."""

_INTERFACE = re.compile(r"[A-Za-z][\w.-]{0,14}")
_DISK = re.compile(r"(?:sd[a-z]{1,3}|nvme\d+(?:n\d+)?)")
"""Devices that keep a log of their health."""


def capture_of(record: LogRecord, log_class: LogClass, rest: str = "", *, is_stopped: bool = False) -> str:
    """Return the command that shows more about a record, "" when none does.

    Args:
        record: The alarm.
        log_class: Its class.
        rest: The command that shows the whole log, where the record is of an excerpt: what a disk or a file
            system did before its error tells the cause.
        is_stopped: A file system takes nothing any more.
    """
    group = SUBSYSTEMS[log_class.subsystem]
    by_subsystem = BY_SUBSYSTEM.get(log_class.subsystem, BY_GROUP[group])
    command = BY_CLASS.get(log_class.name, by_subsystem)
    device = str(record.fields.get("device", ""))
    if log_class.name in BY_DEVICE and _INTERFACE.fullmatch(device):
        return BY_DEVICE[log_class.name].format(device)
    disk = _DISK.fullmatch(str(record.fields.get("device", "")))
    if is_stopped:
        command = LOG_KEPT
    elif rest and group in {"storage", "filesystem"}:
        command = rest
    return f"smartctl -x /dev/{disk[0]}; {command}" if group == "storage" and disk else command
