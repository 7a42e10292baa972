"""What the first steps about a class of the kernel log are about: its own topic, never that of its area.

topic_of(classes_by_name()["drbd_split_brain"])  ->  "split brain"
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ingest.catalogue.log_classes import LogClass
    from ingest.model.reading import LogRecord
    from signatures.overview.first_steps import Topic

_NAMES: Mapping[Topic, tuple[str, ...]] = {
    "oops": (
        "bad_access", "divide_error", "double_fault", "general_protection", "invalid_opcode", "kernel_bug",
        "null_pointer", "oops", "skb_panic", "stack_overflow", "usercopy",
    ),
    "memory corruption": (
        "bad_page", "bad_page_map", "bad_page_table", "kasan", "kfence", "list_corruption", "refcount_bug",
        "slab_corruption", "spinlock_bug", "swap_bad_entry",
    ),
    "failed check": ("kcsan", "odebug", "scheduling_while_atomic", "ubsan", "warn"),
    "rule violation": (
        "busy_dentry", "kmemleak", "kmsan", "lockdep_deadlock", "memory_leak", "percpu_in_preemptible",
        "rcu_sleep", "ref_tracker", "sleeping_while_atomic", "suspicious_rcu", "vfs_busy_inodes",
    ),
    "panic": ("panic",),
    "lockup": ("csd_lock", "hard_lockup", "rcu_stall", "soft_lockup", "workqueue_lockup"),
    "long work": ("workqueue_hogged",),
    "real-time tasks": ("deadline_lag", "rt_throttling"),
    "process crash": ("process_crash",),
    "device": (
        "bluetooth_timeout", "device_timeout", "dma_error", "gpu_hang", "gpu_xid", "irq_nobody_cared",
        "netdev_watchdog", "nic_fault", "nic_hang", "nic_queue_trouble", "nic_reset", "usb_controller_dead",
        "usb_device_error",
    ),
    "new release": ("cpu_start_failed", "ufs_error"),
    "lost device": ("device_lost", "gpu_lost", "pcie_device_lost", "pcie_link_down"),
    "lost transfers": ("pcie_aer_fatal", "pcie_aer_uncorrected", "pcie_dpc"),
    "bus errors": ("pcie_aer_corrected",),
    "bus access": ("system_error",),
    "iommu fault": ("iommu_fault",),
    "clock": ("clocksource",),
    "late timer": ("hrtimer_stall",),
    "unknown NMI": ("unknown_nmi",),
    "hardware errors": (
        "edac_corrected", "edac_event", "edac_uncorrected", "ghes_fatal", "mce", "mce_logged",
        "mce_uncorrected", "memory_failure",
    ),
    "firmware": ("firmware_crash",),
    "power and heat": ("thermal", "thermal_critical"),
    "power supply": ("undervoltage",),
    "blocked tasks": ("hung_task", "lock_owner"),
    "memory": (
        "oom_invoked", "oom_kill", "oom_no_victim", "oom_task_table", "oom_unreapable",
        "page_allocation_stall",
    ),
    "failed allocation": ("page_allocation_failure", "slab_allocation_failure"),
    "swap device": ("swap_io_error",),
    "failing disk": (
        "ata_command_failed", "ata_command_timeout", "ata_exception", "ata_status", "block_io_error",
        "block_medium_error", "buffer_io_error", "buffer_write_lost", "dm_corruption", "nvme_abort_status",
        "nvme_error", "nvme_timeout", "scsi_abort", "scsi_command_failed", "scsi_failure_predicted",
        "scsi_hardware_error", "scsi_medium_error", "scsi_reset", "scsi_transport_failed",
        "btrfs_device_error",
    ),
    "failing card": ("mmc_error",),
    "lost disk": ("ata_disabled", "nvme_controller_down", "nvme_dead", "scsi_offline"),
    "lost path": (
        "fc_port_lost", "iscsi_connection_error", "iscsi_session_timeout", "multipath_path_failed",
        "nbd_connection_lost", "nvme_connection_lost", "nvme_no_path",
    ),
    "storage controller": ("storage_controller_fault",),
    "storage link": ("ata_link_error", "ata_link_reset"),
    "virtual device": ("hyperv_storage_error", "virtqueue_broken"),
    "reservation": ("scsi_reservation_conflict",),
    "device size": ("block_beyond_end",),
    "read-only device": ("block_readonly_write",),
    "dirty cache": ("bcache_error",),
    "split brain": ("drbd_split_brain",),
    "lost peer": ("drbd_connection_lost",),
    "cluster partner": ("dlm_connection_lost",),
    "failed array": ("md_array_failed",),
    "degraded array": ("md_degraded", "md_disk_failed", "md_member_stale", "md_superblock_error"),
    "array resync": ("md_not_clean",),
    "corrected reads": ("md_read_error",),
    "lost blocks": ("md_data_lost",),
    "full pool": ("ceph_full", "dm_thin_full", "dm_thin_low"),
    "lost snapshot": ("dm_snapshot_invalid",),
    "file system errors": (
        "ext4_data_lost", "ext4_error", "ext4_errors_recorded", "ext4_io_error", "filesystem_error",
        "filesystem_readonly", "jbd2_abort", "jbd2_io_error", "xfs_corruption", "xfs_error", "xfs_io_error",
        "xfs_log_dead", "xfs_shutdown",
    ),
    "btrfs errors": ("btrfs_abort", "btrfs_error", "btrfs_readonly"),
    "checksum errors": ("btrfs_checksum_error",),
    "unmountable": ("btrfs_mount_failed",),
    "unclean file system": ("filesystem_unclean",),
    "pool assertion": ("zfs_panic",),
    "suspended pool": ("zfs_pool_suspended",),
    "network file system": (
        "ceph_client_evicted", "ceph_data_dropped", "ceph_mds_hung", "ceph_osd_down", "ceph_session_lost",
        "cifs_error", "cifs_not_responding",
        "nfs_error", "nfs_not_responding", "rbd_error",
    ),
    "NFS server": ("nfsd_connections",),
    "receive buffer": ("tcp_memory",),
    "listen queue": ("syn_flood",),
    "kernel limit": (
        "conntrack_expectations_full", "conntrack_full", "neighbour_table_full", "vfs_file_limit",
    ),
    "cgroup limit": ("cgroup_fork_rejected", "oom_group_kill"),
    "audit backlog": ("audit_overflow",),
    "packet size": ("packet_over_mtu",),
    "lost link": ("bond_link_down", "bond_no_active"),
}  # fmt: skip

_BY_CLASS: Mapping[str, Topic] = {name: topic for topic, names in _NAMES.items() for name in names}
OF_CGROUP = "memcg"
"""`scope` of an OOM report whose memory cgroup was at its limit, not the host."""


def topic_of(log_class: LogClass, record: LogRecord | None = None) -> Topic:
    """Return the topic of a class, of an OOM report that of its scope; "" where no first step is known."""
    topic = _BY_CLASS.get(log_class.name, "")
    is_of_cgroup = record is not None and record.fields.get("scope") == OF_CGROUP
    return "cgroup limit" if topic == "memory" and is_of_cgroup else topic
