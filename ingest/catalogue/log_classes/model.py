"""What a class of kernel messages is: a pattern and what its messages mean."""

from __future__ import annotations

from typing import Literal, NamedTuple

SEVERITIES = ("critical", "error", "warning", "notice")
"""From the worst: data lost or a machine, device or filesystem out of service; an operation that failed or a
process that was killed; something degraded, retried or short; a change of state, which may be a cause of what
follows."""

ALARMING = frozenset({"critical", "error", "warning"})
"""Severities that a log without trouble does not have."""

SUBSYSTEMS = {
    "ata": "storage",
    "block": "storage",
    "dm": "storage",
    "iscsi": "storage",
    "md": "storage",
    "mmc": "storage",
    "nvme": "storage",
    "scsi": "storage",
    "usb": "driver",
    "btrfs": "filesystem",
    "ceph": "filesystem",
    "cifs": "filesystem",
    "ext4": "filesystem",
    "fuse": "filesystem",
    "nfs": "filesystem",
    "overlay": "filesystem",
    "vfs": "filesystem",
    "xfs": "filesystem",
    "bonding": "network",
    "conntrack": "network",
    "ethernet": "network",
    "neighbour": "network",
    "net": "network",
    "tcp": "network",
    "hugetlb": "memory",
    "mm": "memory",
    "oom": "memory",
    "slab": "memory",
    "swap": "memory",
    "lockup": "scheduling",
    "locking": "scheduling",
    "rcu": "scheduling",
    "scheduler": "scheduling",
    "workqueue": "scheduling",
    "clock": "hardware",
    "cpu": "hardware",
    "edac": "hardware",
    "gpu": "hardware",
    "iommu": "hardware",
    "irq": "hardware",
    "mce": "hardware",
    "pci": "hardware",
    "thermal": "hardware",
    "hyperv": "virtualisation",
    "kvm": "virtualisation",
    "virtio": "virtualisation",
    "xen": "virtualisation",
    "cgroup": "cgroup",
    "audit": "security",
    "lsm": "security",
    "module": "security",
    "crash": "crash",
    "process": "crash",
    "driver": "driver",
    "firmware": "driver",
    "power": "driver",
    "log": "log",
}
"""The area of each subsystem."""


class LogClass(NamedTuple):
    """One class of messages.

    Attributes:
        name: Lower case, with underscores; the `kind` of the records.
        subsystem: One of `SUBSYSTEMS`.
        severity: One of `SEVERITIES`.
        pattern: Searched in the message behind its prefix; the syntax of the Rust crate `regex`. Its named
            groups are the fields; `fields.py` describes each. All it matches contains a text of three bytes.
        meaning: What happened, in one phrase.
        source: File and function that print it, with the releases when it is not in 6.12.
        sample: A message as it was printed.
        follows: Classes that can be its cause, when they come first.
        ends: Classes whose trouble is over with it: what comes later is not their consequence.
        is_report: The lines below belong to it: a trace, registers, a dump.
        is_lasting: It is printed again and again while a state lasts, which may have begun long before it.
        needs_prefix: Other programs print the same words: a line without a stamp is not the kernel's.
        printed_by: Functions that print its line and then the trace of their caller: they name a trace whose
            line is missing.
        noted: When it is stated without an alarm: `always`, printed once `at boot`, or `alone`, without
            a report.
    """

    name: str
    subsystem: str
    severity: str
    pattern: str
    meaning: str
    source: str
    sample: str
    follows: tuple[str, ...] = ()
    ends: tuple[str, ...] = ()
    is_report: bool = False
    is_lasting: bool = False
    needs_prefix: bool = False
    noted: Literal["", "at boot", "alone", "always"] = ""
    printed_by: tuple[str, ...] = ()

    @property
    def area(self) -> str:
        """The area of the subsystem: `storage`, `filesystem`, `network`, `memory`…."""
        return SUBSYSTEMS[self.subsystem]

    @property
    def is_alarming(self) -> bool:
        """Whether a log without trouble has no such message."""
        return self.severity in ALARMING
