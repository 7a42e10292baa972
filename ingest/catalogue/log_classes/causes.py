"""Classes that cause others, in groups: what a class `follows`."""

from __future__ import annotations

BUS = (
    "pcie_aer_fatal",
    "pcie_aer_uncorrected",
    "pcie_dpc",
    "pcie_link_down",
    "pcie_device_lost",
    "device_lost",
    "iommu_fault",
    "swiotlb_full",
)
"""The way to a device is gone or refuses transfers."""

MACHINE_CHECKS = (
    "mce_uncorrected",
    "mce",
    "mce_logged",
    "ghes_fatal",
    "edac_uncorrected",
    "memory_failure",
    "unknown_nmi",
)
"""The processor or the memory reports faults."""

INTERRUPTS = ("irq_nobody_cared", "hard_lockup", "soft_lockup", "rcu_stall")
"""Completions are not handled in time."""

FABRIC = ("nvme_connection_lost", "fc_port_lost", "iscsi_connection_error", "iscsi_session_timeout")
"""The storage network lost a target."""

LINKS = (
    "netdev_watchdog",
    "nic_hang",
    "nic_fault",
    "link_down",
    "bond_link_down",
    "bond_no_active",
    "checksum_failure",
)
"""The network is gone."""

DISKS = (
    "nvme_timeout",
    "nvme_controller_down",
    "nvme_dead",
    "nvme_error",
    "nvme_no_path",
    "ata_exception",
    "ata_command_timeout",
    "ata_link_reset",
    "ata_disabled",
    "scsi_command_failed",
    "scsi_transport_failed",
    "scsi_medium_error",
    "scsi_hardware_error",
    "scsi_abort",
    "scsi_reset",
    "scsi_offline",
    "storage_controller_fault",
    "usb_disconnect",
    "usb_controller_dead",
    "mmc_error",
    "ufs_error",
    "hyperv_storage_error",
    "nbd_connection_lost",
    "drbd_connection_lost",
    "drbd_split_brain",
    *FABRIC,
)
"""A disk, its controller or the way to it fails."""

BLOCK = (
    "block_io_error",
    "block_medium_error",
    "block_beyond_end",
    "buffer_io_error",
    "buffer_write_lost",
    "multipath_path_failed",
    "md_disk_failed",
    "md_member_stale",
    "md_array_failed",
    "md_read_error",
    "md_data_lost",
    "md_superblock_error",
    "dm_error",
    "dm_corruption",
    "dm_thin_full",
    "dm_snapshot_invalid",
    "bcache_error",
    "rbd_error",
)
"""The block layer reports errors of a device."""

JOURNALS = ("jbd2_abort", "jbd2_io_error")

FILESYSTEMS = (
    "ext4_error",
    "ext4_data_lost",
    "ext4_io_error",
    "filesystem_readonly",
    "xfs_shutdown",
    "xfs_corruption",
    "xfs_io_error",
    "btrfs_readonly",
    "btrfs_abort",
    "btrfs_device_error",
    "btrfs_checksum_error",
    "btrfs_error",
    "filesystem_error",
    *JOURNALS,
)
"""A local filesystem fails."""

REMOTE_FILESYSTEMS = (
    "nfs_not_responding",
    "nfs_error",
    "cifs_not_responding",
    "ceph_session_lost",
    "ceph_mds_hung",
    "ceph_client_evicted",
    "ceph_osd_down",
    "rbd_error",
    "fuse_error",
)
"""A server of files does not answer."""

MEMORY = (
    "oom_kill",
    "oom_invoked",
    "oom_no_victim",
    "oom_task_table",
    "page_allocation_failure",
    "page_allocation_stall",
    "slab_allocation_failure",
    "swap_io_error",
)
"""Memory is short."""

STUCK = ("soft_lockup", "hard_lockup", "rcu_stall", "workqueue_lockup", "hung_task", "rt_throttling")
"""Somebody keeps a CPU, a lock or a worker; which of these is printed first depends on their time limits."""

MEMORY_CORRUPTION = (
    "kasan",
    "kfence",
    "slab_corruption",
    "list_corruption",
    "refcount_bug",
    "bad_page",
    "bad_page_map",
    "bad_page_table",
    "stack_overflow",
)
"""Somebody wrote where they should not."""

CRASHES = (
    "null_pointer",
    "bad_access",
    "general_protection",
    "kernel_bug",
    "oops",
    "bug_message",
    "invalid_opcode",
    "divide_error",
    "double_fault",
    "spinlock_bug",
    "scheduling_while_atomic",
    *MEMORY_CORRUPTION,
)
"""The kernel failed; a task that died may have held locks."""
