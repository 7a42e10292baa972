"""Messages of XFS."""

from __future__ import annotations

from ingest.catalogue.log_classes.causes import BLOCK, DISKS
from ingest.catalogue.log_classes.model import LogClass

_BELOW = (*DISKS, *BLOCK)

CLASSES = (
    LogClass(
        name="xfs_shutdown",
        subsystem="xfs",
        severity="critical",
        pattern=r"^XFS (?:\((?P<device>[^)]+)\): )?(?:.*Shutting down filesystem|.*has been shut down|"
        r"xfs_do_force_shutdown|Please u(?:n)?mount the filesystem and rectify|.*Shutdown imminent)",
        meaning="XFS shutdown; every access fails until it is unmounted",
        source="fs/xfs/xfs_fsops.c xfs_do_force_shutdown",
        sample="XFS (sda1): Log I/O Error (0x2) detected at xlog_ioend_work+0x6e/0x80 [xfs] "
        "(fs/xfs/xfs_log.c:1378).  Shutting down filesystem.",
        follows=(*_BELOW, "xfs_io_error", "xfs_corruption"),
    ),
    LogClass(
        name="xfs_log_dead",
        subsystem="xfs",
        severity="critical",
        pattern=r"^XFS \((?P<device>[^)]+)\): xfs_log_force: error -?5 returned",
        meaning="XFS is shut down; its log takes nothing (EIO), and every access fails until it is unmounted",
        source="fs/xfs/xfs_log.c xfs_log_force: EIO only of a log that is shut down; 2.6.37 to 5.18",
        sample="XFS (dm-0): xfs_log_force: error -5 returned.",
        follows=(*_BELOW, "xfs_io_error", "xfs_corruption", "xfs_shutdown"),
        is_lasting=True,
    ),
    LogClass(
        name="xfs_corruption",
        subsystem="xfs",
        severity="critical",
        pattern=r"^XFS \((?P<device>[^)]+)\): (?:Metadata (?:corruption|CRC error) detected|Internal error |"
        r"Corruption (?:detected|warning|of )|.*run xfs_repair|.*Corruption Alert|.*bad (?:inode|magic)|"
        r"First \d+ bytes of corrupted)",
        meaning="XFS metadata corruption",
        source="fs/xfs/xfs_error.c xfs_buf_verifier_error, xfs_error_report",
        sample="XFS (sda1): Metadata CRC error detected at xfs_agf_read_verify+0xd0/0xf0 [xfs], xfs_agf "
        "block 0x1 ",
        follows=_BELOW,
    ),
    LogClass(
        name="xfs_io_error",
        subsystem="xfs",
        severity="error",
        pattern=r"^XFS \((?P<device>[^)]+)\): (?:metadata I/O error|log I/O error|writeback error on|"
        r"Failing async write|.*I/O error|.*failed to (?:read|write))",
        meaning="XFS I/O error",
        source="fs/xfs/xfs_buf.c xfs_buf_ioerror_alert, xfs_aops.c",
        sample='XFS (sda1): metadata I/O error in "xfs_trans_read_buf_map+0x1b4/0x3a0 [xfs]" at daddr 0x2 '
        "len 1 error 5",
        follows=_BELOW,
    ),
    LogClass(
        name="xfs_memory_deadlock",
        subsystem="xfs",
        severity="warning",
        pattern=r"^XFS(?: \([^)]+\))?: (?P<comm>.+)\((?P<pid>\d+)\) possible memory (?:allocation )?deadlock",
        meaning="XFS: possible memory allocation deadlock; fragmentation, often a file of many extents",
        source="fs/xfs/kmem.c kmem_alloc, 2.6.39 to 6.8",
        sample="XFS: kworker/u8:2(1234) possible memory allocation deadlock size 32816 in kmem_realloc "
        "(mode:0x2400240)",
        follows=("page_allocation_failure", "oom_kill"),
    ),
    LogClass(
        name="xfs_error",
        subsystem="xfs",
        severity="error",
        pattern=r"^XFS \((?P<device>[^)]+)\): .*(?:[Ff]ailed|[Ee]rror|can't mount|[Cc]annot |"
        r"invalid superblock|SB validate)",
        meaning="XFS error",
        source="fs/xfs/xfs_mount.c, xfs_log_recover.c, xfs_super.c",
        sample="XFS (sda1): log mount/recovery failed: error -5",
        follows=_BELOW,
    ),
)
