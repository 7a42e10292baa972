"""Messages of filesystems on local disks, and of the virtual filesystem."""

from __future__ import annotations

from ingest.catalogue.log_classes import xfs
from ingest.catalogue.log_classes.causes import BLOCK, DISKS, JOURNALS
from ingest.catalogue.log_classes.model import LogClass

_BELOW = (*DISKS, *BLOCK)

EXT4 = (
    LogClass(
        name="filesystem_readonly",
        subsystem="vfs",
        severity="critical",
        pattern=r"^(?:[\w-]+:? ?)?(?:\((?P<device>[^)]+)\): |"
        r"error: )?[Rr]emounting (?:filesystem )?read-only",
        meaning="filesystem remounted read-only after an error",
        source="fs/ext4/super.c ext4_handle_error; f2fs, jfs, nilfs2, fat alike",
        sample="EXT4-fs (sda1): Remounting filesystem read-only",
        follows=(*_BELOW, *JOURNALS, "ext4_error", "ext4_io_error", "filesystem_error"),
    ),
    LogClass(
        name="ext4_error",
        subsystem="ext4",
        severity="error",
        pattern=r"^EXT[234]-fs error (?:\(device (?P<device>[^)]+)\)(?: in |: )(?P<function>\w+))?",
        meaning="ext4 error: corrupted or unreadable metadata; the function says where",
        source="fs/ext4/super.c __ext4_error, __ext4_std_error",
        sample="EXT4-fs error (device sda1): ext4_find_entry:1455: inode #2: comm ls: reading directory "
        "lblock 0",
        follows=(*_BELOW, *JOURNALS),
    ),
    LogClass(
        name="ext4_data_lost",
        subsystem="ext4",
        severity="critical",
        pattern=r"^EXT4-fs (?:warning )?\((?:device )?(?P<device>[^)]+)\): (?:.*potential data loss!|"
        r"Delayed block allocation failed|This should not happen!! Data will be lost)",
        meaning="ext4: data that was accepted could not be written and is lost",
        source="fs/ext4/inode.c mpage_map_and_submit_extent, page-io.c ext4_end_io_end",
        sample="EXT4-fs (sda1): Delayed block allocation failed for inode 131 at logical offset 0 with max "
        "blocks 8 with error 117",
        follows=(*_BELOW, *JOURNALS, "ext4_error"),
    ),
    LogClass(
        name="ext4_io_error",
        subsystem="ext4",
        severity="error",
        pattern=r"^EXT4-fs (?:\((?P<device>[^)]+)\): (?:I/O error while writing superblock|"
        r"previous I/O error to superblock|unable to read superblock|failed to open journal|"
        r"error loading journal)|warning \(device (?P<device_2>[^)]+)\): .*I/O error)",
        meaning="ext4 I/O error of the superblock, the journal or data",
        source="fs/ext4/super.c ext4_commit_super, page-io.c ext4_finish_bio",
        sample="EXT4-fs (sda1): I/O error while writing superblock",
        follows=(*_BELOW, *JOURNALS, "ext4_error"),
    ),
    LogClass(
        name="ext4_warning",
        subsystem="ext4",
        severity="warning",
        pattern=r"^EXT[234]-fs warning(?: \(device (?P<device>[^)]+)\): (?P<function>\w+))?",
        meaning="ext4 warning",
        source="fs/ext4/super.c __ext4_warning",
        sample="EXT4-fs warning (device sda1): ext4_dirblock_csum_verify:378: inode #2: comm ls: No space "
        "for directory leaf checksum. Please run e2fsck -D.",
        follows=(*_BELOW, *JOURNALS, "ext4_error"),
    ),
    LogClass(
        name="ext4_errors_recorded",
        subsystem="ext4",
        severity="warning",
        pattern=r"^EXT4-fs \((?P<device>[^)]+)\): (?:error count since last fsck: (?P<count>\d+)|(?:initial|"
        r"last) error at time|warning: mounting fs with errors|warning: maximal mount count)",
        meaning="ext4: errors recorded in the superblock, no fsck since",
        source="fs/ext4/super.c print_daily_error_info, ext4_setup_super",
        sample="EXT4-fs (sda1): error count since last fsck: 12",
    ),
    LogClass(
        name="jbd2_abort",
        subsystem="ext4",
        severity="critical",
        pattern=r"^(?:Aborting journal on device (?P<device>\S+?)\.?$|.*[Dd]etected aborted journal|"
        r".*[Jj]ournal has aborted|JBD2: Error -\d+ detected when updating journal superblock)",
        meaning="jbd2: journal aborted; the filesystem cannot be written",
        source="fs/jbd2/journal.c jbd2_journal_abort, fs/ext4/super.c ext4_abort",
        sample="Aborting journal on device sda1-8.",
        follows=(*_BELOW, "ext4_error", "jbd2_io_error"),
        needs_prefix=True,
    ),
    LogClass(
        name="jbd2_io_error",
        subsystem="ext4",
        severity="error",
        pattern=r"^JBD2: (?:Detected IO errors while flushing file data on (?P<device>\S+)-\d+|"
        r"I/O error when updating journal|IO error -?\d+ recovering|Failed to read block|Invalid checksum|"
        r"Out of memory|journal recovery failed|recovery failed|[Ff]ailed to )",
        meaning="jbd2: I/O error of the journal, or its recovery failed",
        source="fs/jbd2/commit.c jbd2_journal_commit_transaction, journal.c, recovery.c",
        sample="JBD2: Detected IO errors while flushing file data on dm-3-8",
        follows=_BELOW,
    ),
)

BTRFS = (
    LogClass(
        name="btrfs_readonly",
        subsystem="btrfs",
        severity="critical",
        pattern=r"^BTRFS (?:info|error) \(device (?P<device>[^:)]+)[^)]*\).*: (?:forced readonly|"
        r"remounting fs read-only|.*to readonly mode)",
        meaning="btrfs forced read-only after an error",
        source="fs/btrfs/messages.c __btrfs_handle_fs_error",
        sample="BTRFS info (device sda1): forced readonly",
        follows=(
            *_BELOW,
            "btrfs_abort",
            "btrfs_checksum_error",
            "btrfs_error",
            "btrfs_device_error",
            "btrfs_metadata_full",
        ),
    ),
    LogClass(
        name="btrfs_abort",
        subsystem="btrfs",
        severity="critical",
        pattern=r"^BTRFS(?:: | )(?:error \(device (?P<device>[^:)]+)[^)]*\)(?: \(state \w+\))? in "
        r"(?P<function>\w+):|Transaction aborted|error \(device [^)]+\): Transaction aborted|"
        r".*Skipping commit of aborted transaction)",
        meaning="btrfs: transaction aborted",
        source="fs/btrfs/messages.c __btrfs_handle_fs_error, transaction.c",
        sample="BTRFS: error (device sda1) in btrfs_commit_transaction:2271: errno=-5 IO failure",
        follows=(*_BELOW, "btrfs_checksum_error", "btrfs_device_error", "btrfs_metadata_full"),
    ),
    LogClass(
        name="btrfs_device_error",
        subsystem="btrfs",
        severity="error",
        pattern=r"^BTRFS (?:error|warning|info|critical) .*: (?:bdev (?P<device>\S+) errs: wr|"
        r"lost page write due to I/O error|error writing primary super|.*errors while writing supers|"
        r"devid \d+ uuid \S+ is missing|i/o error)",
        meaning="btrfs: error counters of a device",
        source="fs/btrfs/volumes.c btrfs_dev_stat_inc_and_print, disk-io.c",
        sample="BTRFS error (device sda1): bdev /dev/sda1 errs: wr 1, rd 0, flush 0, corrupt 0, gen 0",
        follows=_BELOW,
    ),
    LogClass(
        name="btrfs_checksum_error",
        subsystem="btrfs",
        severity="error",
        pattern=r"^BTRFS .*(?:csum failed|checksum (?:verify failed|error)|parent transid verify failed|"
        r"bad tree block (?:start|level)|corrupt (?:leaf|node)|bad (?:key order|generation)|"
        r"tree block corruption)",
        meaning="btrfs: checksum or generation mismatch",
        source="fs/btrfs/disk-io.c, bio.c, btrfs_inode.h btrfs_print_data_csum_error, tree-checker.c",
        sample="BTRFS warning (device sda1): csum failed root 5 ino 257 off 0 csum 0x98f94189 expected csum "
        "0x1f1e2a2c mirror 1",
        follows=_BELOW,
    ),
    LogClass(
        name="btrfs_mount_failed",
        subsystem="btrfs",
        severity="error",
        pattern=r"^BTRFS(?: error)?:? \(device (?P<device>[^:)]+)[^)]*\):? open_ctree failed",
        meaning="btrfs could not be mounted",
        source="fs/btrfs/disk-io.c open_ctree, super.c btrfs_fill_super",
        sample="BTRFS error (device sda1): open_ctree failed: -22",
        follows=(*_BELOW, "btrfs_error", "btrfs_warning", "btrfs_checksum_error", "btrfs_device_error"),
    ),
    LogClass(
        name="btrfs_error",
        subsystem="btrfs",
        severity="error",
        pattern=r"^BTRFS (?:error|critical|crit|panic|alert|emergency) \(device (?P<device>[^:)]+)[^)]*\)",
        meaning="btrfs: error",
        source="fs/btrfs/messages.c _btrfs_printk",
        sample="BTRFS error (device sda1): failed to read chunk tree: -5",
        follows=_BELOW,
    ),
    LogClass(
        name="btrfs_warning",
        subsystem="btrfs",
        severity="warning",
        pattern=r"^BTRFS warning \(device (?P<device>[^:)]+)[^)]*\)",
        meaning="btrfs: warning",
        source="fs/btrfs/messages.c _btrfs_printk",
        sample="BTRFS warning (device sda1): block group 1103101952 has wrong amount of free space",
        follows=_BELOW,
    ),
)

OTHERS = (
    LogClass(
        name="vfs_file_limit",
        subsystem="vfs",
        severity="error",
        pattern=r"^VFS: file-max limit (?P<count>\d+) reached",
        meaning="VFS: file-max limit reached",
        source="fs/file_table.c alloc_empty_file",
        sample="VFS: file-max limit 100000 reached",
    ),
    LogClass(
        name="vfs_busy_inodes",
        subsystem="vfs",
        severity="error",
        pattern=r"^VFS: (?:Busy inodes after unmount of (?P<device>\S+)|brelse: Trying to free)",
        meaning="VFS: busy inodes after unmount",
        source="fs/super.c generic_shutdown_super",
        sample="VFS: Busy inodes after unmount of sda1 (ext4)",
    ),
    LogClass(
        name="filesystem_unclean",
        subsystem="vfs",
        severity="warning",
        pattern=r"^(?:FAT-fs|exFAT-fs|FAT|UDF-fs|hfsplus|"
        r"ntfs3?) ?(?:\((?P<device>[^)]+)\))?: .*(?:not properly unmounted|volume is dirty|"
        r"not cleanly unmounted)",
        meaning="filesystem not unmounted cleanly",
        source="fs/fat/inode.c fat_set_state, fs/exfat/super.c",
        sample="FAT-fs (sdb1): Volume was not properly unmounted. Some data may be corrupt. Please run fsck.",
        # It is mounted all the same, and the mark is set by every power-off while it is mounted.
        noted="always",
    ),
    LogClass(
        name="filesystem_error",
        subsystem="vfs",
        severity="error",
        pattern=r"^(?:FAT-fs|F2FS-fs|exFAT-fs|GFS2|OCFS2|\(.*\) ?ocfs2|JFS|UBIFS|SQUASHFS|erofs|EROFS|"
        r"ntfs3?|NTFS-fs|UDF-fs|ISOFS|hfsplus|NILFS2?|bcachefs|ZFS|reiserfs|REISERFS|ecryptfs|XFS|BTRFS|"
        r"JBD2|EXT[234]-fs)\b.*(?:[Ee]rrors?(?:[^=\w]|$)|ERROR|[Ff]ail|[Cc]orrupt|abort|withdraw|"
        r"[Ii]nconsisten|panic|bad )",
        meaning="filesystem error",
        source="fs/squashfs/decompressor_*.c, fs/fat/misc.c __fat_fs_error, fs/f2fs/super.c, fs/gfs2/util.c",
        sample="SQUASHFS error: zlib decompression failed, data probably corrupt",
        follows=_BELOW,
    ),
)

CLASSES = (*EXT4, *xfs.CLASSES, *BTRFS, *OTHERS)
