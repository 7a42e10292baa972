"""What the first steps about a class of the kernel log are about.

topic_of(classes_by_name()["null_pointer"])  ->  "oops"
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ingest.catalogue.log_classes import LogClass
    from signatures.overview.first_steps import Topic

_NAMES: Mapping[Topic, tuple[str, ...]] = {
    "oops": (
        "bad_access", "divide_error", "double_fault", "general_protection", "invalid_opcode", "kernel_bug",
        "null_pointer", "oops", "stack_overflow", "zfs_panic",
    ),
    "memory corruption": (
        "bad_page", "bad_page_table", "kasan", "kfence", "list_corruption", "refcount_bug", "skb_panic",
        "slab_corruption", "spinlock_bug", "swap_bad_entry", "usercopy",
    ),
    "failed check": (
        "kcsan", "kmsan", "lockdep_deadlock", "memory_leak", "kmemleak", "odebug", "percpu_in_preemptible",
        "rcu_sleep", "ref_tracker", "scheduling_while_atomic", "sleeping_while_atomic", "suspicious_rcu",
        "ubsan", "warn",
    ),
    "panic": ("panic",),
    "lockup": (
        "csd_lock", "hard_lockup", "rcu_stall", "soft_lockup", "workqueue_hogged", "workqueue_lockup",
    ),
    "real-time tasks": ("deadline_lag", "rt_throttling"),
    "process crash": ("process_crash",),
    "device": (
        "bluetooth_timeout", "device_timeout", "dma_error", "gpu_hang", "gpu_lost", "gpu_xid", "iommu_fault",
        "irq_nobody_cared", "netdev_watchdog", "nic_fault", "nic_hang", "nic_queue_trouble",
        "storage_controller_fault", "usb_controller_dead", "usb_device_error", "virtqueue_broken",
        "bond_link_down", "bond_no_active", "hyperv_storage_error",
    ),
    "firmware": ("firmware_crash",),
    "blocked tasks": ("hung_task", "lock_owner"),
    "memory": (
        "fault_out_of_memory", "oom_group_kill", "oom_invoked", "oom_kill", "oom_no_victim", "oom_task_table",
        "oom_unreapable",
    ),
    "failed allocation": ("page_allocation_failure", "slab_allocation_failure"),
    "storage errors": ("swap_io_error",),
    "receive buffer": ("tcp_memory",),
    "listen queue": ("syn_flood",),
    "kernel limit": ("conntrack_full", "neighbour_table_full"),
    "cgroup limit": ("cgroup_fork_rejected",),
    "observers": ("audit_overflow",),
    "packet size": ("packet_over_mtu",),
    "storage link": ("ata_link_error", "ata_link_reset"),
    "power and heat": ("thermal", "thermal_critical", "undervoltage"),
}  # fmt: skip

_BY_CLASS: Mapping[str, Topic] = {name: topic for topic, names in _NAMES.items() for name in names}
_BY_SUBSYSTEM: Mapping[str, Topic] = {"pci": "bus errors"}
_BY_AREA: Mapping[str, Topic] = {
    "storage": "storage errors",
    "filesystem": "file system errors",
    "hardware": "hardware errors",
}


def topic_of(log_class: LogClass) -> Topic:
    """Return the topic of a class; "" where a message alone says no first step."""
    found = _BY_CLASS.get(log_class.name) or _BY_SUBSYSTEM.get(log_class.subsystem)
    return found or _BY_AREA.get(log_class.area, "")
