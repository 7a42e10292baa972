"""Messages of the block layer, software RAID, the device mapper, and network block devices."""

from __future__ import annotations

from ingest.catalogue.log_classes.causes import BUS, DISKS, LINKS
from ingest.catalogue.log_classes.model import LogClass

BLOCK_LAYER = (
    LogClass(
        name="block_medium_error",
        subsystem="block",
        severity="error",
        pattern=r"\bcritical medium error, dev (?P<device>\S+), sector (?P<sector>\d+)",
        meaning="medium error: a sector cannot be read or written",
        source="block/blk-mq.c blk_print_req_error; blk_update_request: 3.10 to 5.18, print_req_error: 4.14 "
        "to 5.13",
        sample="blk_update_request: critical medium error, dev sdk, sector 130611915 op 0x1:(WRITE) flags "
        "0x8800 phys_seg 1 prio class 0",
        follows=DISKS,
    ),
    LogClass(
        name="block_unsupported",
        subsystem="block",
        severity="notice",
        pattern=r"(?:^|: )operation not supported error, dev (?P<device>[^\s,]+)(?:, sector "
        r"(?P<sector>\d+))?",
        meaning="a device does not support a request, such as discard; the caller does without it",
        source="block/blk-mq.c blk_print_req_error",
        sample="operation not supported error, dev loop0, sector 0 op 0x3:(DISCARD) flags 0x800 phys_seg 1 "
        "prio class 2",
        needs_prefix=True,
    ),
    LogClass(
        name="block_io_error",
        subsystem="block",
        severity="error",
        pattern=r"(?:^|: )(?:(?P<reason>[A-Za-z][A-Za-z0-9_/ -]{0,40}?) )?error, dev (?P<device>[^\s,]+)"
        r"(?:, sector (?P<sector>\d+))?",
        meaning="block I/O error",
        source="block/blk-mq.c blk_print_req_error; end_request: to 3.18, blk_update_request: 3.10 to 5.18",
        sample="I/O error, dev sda, sector 2048 op 0x0:(READ) flags 0x80700 phys_seg 1 prio class 2",
        follows=DISKS,
        needs_prefix=True,
    ),
    LogClass(
        name="buffer_write_lost",
        subsystem="block",
        severity="critical",
        pattern=r"^(?:Buffer I/O error on dev(?:ice)? (?P<device>\S+), logical block \d+, lost (?:a?sync) "
        r"page write|lost page write due to I/O error on )",
        meaning="lost page write: data of a block device was lost",
        source="fs/buffer.c buffer_io_error",
        sample="Buffer I/O error on dev sda1, logical block 1073741, lost async page write",
        follows=(*DISKS, "block_io_error", "block_medium_error", "dm_thin_full"),
    ),
    LogClass(
        name="buffer_io_error",
        subsystem="block",
        severity="error",
        pattern=r"^Buffer I/O error (?:on dev(?:ice)? (?P<device>[^\s,]+), logical block (?P<sector>\d+))?",
        meaning="buffer I/O error on a block device",
        source="fs/buffer.c buffer_io_error",
        sample="Buffer I/O error on dev sda1, logical block 0, async page read",
        follows=(*DISKS, "block_io_error", "block_medium_error"),
    ),
    LogClass(
        name="block_beyond_end",
        subsystem="block",
        severity="error",
        pattern=r"(?:attempt to access beyond end of device|: rw=\d+, (?:want|"
        r"sector)=(?P<sector>\d+), .*limit=\d+)",
        meaning="access beyond the end of a device: it shrank, or the filesystem is corrupted",
        source="block/blk-core.c bio_check_eod",
        sample="mount: attempt to access beyond end of device",
        follows=DISKS,
    ),
    LogClass(
        name="block_readonly_write",
        subsystem="block",
        severity="error",
        pattern=r"^Trying to write to read-only block-device (?P<device>\S+)",
        meaning="write to a read-only device",
        source="block/blk-core.c bio_check_ro",
        sample="Trying to write to read-only block-device dm-3",
    ),
    LogClass(
        name="bcache_error",
        subsystem="block",
        severity="error",
        pattern=r"^bcache: .*(?:errors?(?:$|[^ ]| [^:/]| (/\S+)?: [^d])|fail|corrupt|invalid|too many|stop)",
        meaning="bcache error, or its cache was detached",  # Not " : device already registered", by udev.
        source="drivers/md/bcache/super.c, io.c bch_count_io_errors, bset.c",
        sample="bcache: bch_count_io_errors() nvme0n1p4: IO error on writing btree.",
        follows=DISKS,
    ),
    LogClass(
        name="nbd_connection_lost",
        subsystem="block",
        severity="error",
        pattern=r"^block (?P<device>nbd\d+): (?:Connection timed out|Receive control failed|"
        r"Possible stuck request|Dead connection|shutting down sockets|Send control failed|"
        r"Attempted send on)",
        meaning="NBD: connection lost or timed out",
        source="drivers/block/nbd.c nbd_xmit_timeout, recv_work",
        sample="block nbd0: Connection timed out",
        follows=LINKS,
    ),
    LogClass(
        name="drbd_split_brain",
        subsystem="block",
        severity="critical",
        pattern=r"^(?:block )?drbd.*Split-Brain detected but unresolved",
        meaning="DRBD split brain: both sides were written without each other; neither has all the data",
        source="drivers/block/drbd/drbd_receiver.c drbd_sync_handshake",
        sample="block drbd0: Split-Brain detected but unresolved, dropping connection!",
        follows=LINKS,
    ),
    LogClass(
        name="drbd_connection_lost",
        subsystem="block",
        severity="error",
        pattern=r"^(?:block )?drbd.*(?:PingAck did not arrive in time|-> (?:NetworkFailure|BrokenPipe|"
        r"Timeout)|IO error|Split-Brain detected|-> (?:Failed|Diskless))",
        meaning="DRBD lost its peer or its disk",
        source="drivers/block/drbd/drbd_receiver.c, drbd_state.c",
        sample="drbd r0: PingAck did not arrive in time.",
        follows=(*LINKS, *DISKS, "block_io_error", "drbd_split_brain"),
    ),
)

RAID = (
    LogClass(
        name="md_array_failed",
        subsystem="md",
        severity="critical",
        pattern=r"^(?:md|md/raid\S*|raid\d+): ?.*(?:Cannot continue operation|not enough operational|"
        r"failed to run raid|cannot start dirty degraded array|insufficient working devices|too many failed)",
        meaning="md: array failed, too few disks",
        source="drivers/md/raid5.c raid5_error, raid10.c, md.c",
        sample="md/raid:md0: Cannot continue operation (2/4 failed).",
        follows=("md_disk_failed", *DISKS, "block_io_error"),
    ),
    LogClass(
        name="md_disk_failed",
        subsystem="md",
        severity="error",
        pattern=r"^(?:md(?:/\w+)?|raid\d+): ?(?:(?P<array>md\S+): )?(?:.*Disk failure on "
        r"(?P<device>[^\s,]+)|.*: failing drive|.*too many (?:read errors|"
        r"corrected))",
        meaning="md: disk failed",
        source="drivers/md/raid1.c raid1_error, raid10.c raid10_error, raid5.c raid5_error, md.c "
        "md_import_device",
        sample="md/raid1:md0: Disk failure on sdb1, disabling device.",
        follows=(*DISKS, "block_io_error", "block_medium_error", "md_superblock_error"),
    ),
    LogClass(
        name="md_data_lost",
        subsystem="md",
        severity="critical",
        pattern=r"^(?:md/raid\S*|raid\d+): ?.*(?:unrecoverable I/O (?:read )?error|"
        r"read error not correctable|read correction write failed|unable to read back corrected)",
        meaning="md: unrecoverable block",
        source="drivers/md/raid1.c, raid10.c fix_read_error, raid5.c raid5_end_read_request",
        sample="md/raid1:md0: sdb1: unrecoverable I/O read error for block 2048",
        follows=(*DISKS, "block_io_error", "block_medium_error", "md_disk_failed", "md_read_error"),
    ),
    LogClass(
        name="md_degraded",
        subsystem="md",
        severity="warning",
        pattern=r"^(?:md/raid\S*|raid\d+): ?.*(?:Operation continuing on (?P<count>\d+) devices|"
        r"active with (?:1 out of (?:[2-9]|\d\d)|2 out of (?:[3-9]|\d\d)|3 out of (?:[4-9]|\d\d)|"
        r"4 out of (?:[5-9]|\d\d)|5 out of (?:[6-9]|\d\d)|6 out of (?:[7-9]|\d\d)|7 out of (?:[89]|\d\d)|"
        r"8 out of (?:9|\d\d)|9 out of \d\d)\b)",
        meaning="md: array degraded",
        source="drivers/md/raid1.c raid1_run, raid1_error",
        sample="md/raid1:md0: active with 1 out of 2 mirrors",
        follows=("md_disk_failed", *DISKS),
    ),
    LogClass(
        name="md_superblock_error",
        subsystem="md",
        severity="error",
        pattern=r"^md: (?:super_written gets error|.*(?:disabled device|does not have a valid v[01]|"
        r"has invalid sb|could not (?:read|import)|sb checksum))",
        meaning="md: a superblock was not read or written",
        source="drivers/md/md.c super_written",
        sample="md: super_written gets error=-5",
        follows=(*DISKS, "block_io_error"),
    ),
    LogClass(
        name="md_read_error",
        subsystem="md",
        severity="warning",
        pattern=r"^(?:md/raid\S*|raid\d+): ?.*(?:read error corrected|redirecting sector|"
        r"rescheduling sector|Read failure|recovery aborted)",
        meaning="md: read error of a member, corrected from another",
        source="drivers/md/raid1.c fix_read_error, raid1_read_request",
        sample="md/raid1:md0: read error corrected (8 sectors at 2048 on sdb1)",
        follows=(*DISKS, "block_io_error", "block_medium_error"),
    ),
    LogClass(
        name="md_not_clean",
        subsystem="md",
        severity="warning",
        pattern=r"^md/raid\S*: ?(?:.*)not clean -- starting background reconstruction",
        meaning="md: array not clean, resync",
        source="drivers/md/raid1.c raid1_run, raid5.c raid5_run",
        sample="md/raid1:md0: not clean -- starting background reconstruction",
    ),
    LogClass(
        name="md_sync",
        subsystem="md",
        severity="notice",
        pattern=r"^md: (?:(?P<action>resync|recovery|data-check|requested-resync|reshape) of RAID array|"
        r"(?P<array>md\S+): \S+ (?:done|interrupted))",
        meaning="md: resync, recovery or check, which takes throughput",
        source="drivers/md/md.c md_do_sync",
        sample="md: data-check of RAID array md0",
    ),
)

DEVICE_MAPPER = (
    LogClass(
        name="multipath_path_failed",
        subsystem="dm",
        severity="error",
        pattern=r"^device-mapper: multipath: (?:\d+:\d+: )?Failing path(?: (?P<path>[^\s.]+))?",
        meaning="multipath: path failed",
        source="drivers/md/dm-mpath.c fail_path",
        sample="device-mapper: multipath: 253:2: Failing path 8:48.",
        follows=(*DISKS, "block_io_error", *LINKS, *BUS),
    ),
    LogClass(
        name="multipath_path_restored",
        subsystem="dm",
        severity="notice",
        pattern=r"^device-mapper: multipath: (?:\d+:\d+: )?Reinstating path (?P<path>[^\s.]+)",
        meaning="multipath: path restored",
        source="drivers/md/dm-mpath.c reinstate_path",
        sample="device-mapper: multipath: 253:2: Reinstating path 8:48.",
        ends=("multipath_path_failed",),
    ),
    LogClass(
        name="dm_thin_full",
        subsystem="dm",
        severity="critical",
        pattern=r"^device-mapper: (?:thin|space map metadata): .*(?:no free (?:data|"
        r"metadata) space available|switching pool to (?:out-of-data-space|read-only|failure)|"
        r"unable to allocate new metadata block)",
        meaning="dm-thin: pool out of space or failed; writes wait or fail",
        source="drivers/md/dm-thin.c set_pool_mode, alloc_data_block",
        sample="device-mapper: thin: 253:4: switching pool to out-of-data-space (queue IO) mode",
        follows=(*DISKS, "block_io_error"),
    ),
    LogClass(
        name="dm_thin_low",
        subsystem="dm",
        severity="warning",
        pattern=r"^device-mapper: thin: .*reached low water mark for (?P<what>data|metadata) device",
        meaning="dm-thin: pool nearly full",
        source="drivers/md/dm-thin.c check_low_water_mark",
        sample="device-mapper: thin: 253:4: reached low water mark for data device: sending event.",
    ),
    LogClass(
        name="dm_snapshot_invalid",
        subsystem="dm",
        severity="critical",
        pattern=r"^device-mapper: snapshots?: (?:Invalidating snapshot|Snapshot (?:is marked invalid|"
        r"overflowed))",
        meaning="dm-snapshot: snapshot invalidated, as it ran out of space or failed",
        source="drivers/md/dm-snap.c __invalidate_snapshot",
        sample="device-mapper: snapshots: Invalidating snapshot: Unable to allocate exception.",
        follows=(*DISKS, "block_io_error"),
    ),
    LogClass(
        name="dm_corruption",
        subsystem="dm",
        severity="critical",
        pattern=r"^device-mapper: (?P<target>verity|integrity|crypt)[^:]*: .*(?:is corrupted|"
        r"Checksum failed at|AEAD ERROR|reached maximum errors)",
        meaning="device-mapper: data does not match its checksum",
        source="drivers/md/dm-verity-target.c verity_handle_err, dm-integrity.c, dm-crypt.c",
        sample="device-mapper: verity: 253:1: data block 4096 is corrupted",
        follows=(*DISKS, "block_io_error"),
    ),
    LogClass(
        name="dm_error",
        subsystem="dm",
        severity="error",
        pattern=r"^device-mapper: (?P<target>[\w -]+?): .*(?:[Ff]ailed|[Ff]ailure|[Ee]rror|[Uu]nable|"
        r"[Aa]borting|[Cc]ould ?n.t)",
        meaning="device-mapper: error of a target",
        source="drivers/md/dm-*.c DMERR",
        sample="device-mapper: table: 253:5: linear: Device lookup failed (-ENODEV)",
        follows=(*DISKS, "block_io_error"),
    ),
)

CLASSES = (*BLOCK_LAYER, *RAID, *DEVICE_MAPPER)
