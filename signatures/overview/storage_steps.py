"""What to do first about a storage or file system alarm that no signature explains.

Every topic protects the last good copy first: nothing is written, checked, promoted or pulled before it is
known which copy is good. Sources: md(4), drbdsetup(8), lvmthin(7), xfs_repair(8), btrfs-check(8).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Mapping

StorageTopic: TypeAlias = Literal[
    "array resync",
    "btrfs errors",
    "checksum errors",
    "cluster partner",
    "corrected reads",
    "degraded array",
    "device size",
    "dirty cache",
    "failed array",
    "failing card",
    "failing disk",
    "file system errors",
    "full pool",
    "lost blocks",
    "lost disk",
    "lost path",
    "lost peer",
    "lost snapshot",
    "network file system",
    "NFS server",
    "pool assertion",
    "read-only device",
    "reservation",
    "split brain",
    "storage controller",
    "storage link",
    "suspended pool",
    "swap device",
    "unclean file system",
    "unmountable",
    "virtual device",
    "worn disk",
]

STORAGE_STEPS: Mapping[str, tuple[str, ...]] = {
    "array resync": (
        "Let the resync end (/proc/mdstat): no restart, and no disk out meanwhile",
        "If it follows every restart: the host was not shut down cleanly; the cause is there",
    ),
    "btrfs errors": (
        "If the device below or memory has errors, too: those come first",
        "If it went read-only: copy what can be read now; it may not mount again",
        "No btrfs check --repair without a copy and without advice; it can make things worse",
    ),
    "checksum errors": (
        "If memory has errors, too (ras-mc-ctl --errors): that module first; it also writes wrong checksums",
        "If there is a second copy (mirror, DUP): read from it; a scrub mends once disk and memory are well",
        "If there is none: restore the named files from a backup",
    ),
    "cluster partner": (
        "If the other node still runs: bring the network between them back; what waits goes on",
        "If it is dead: this node goes on only after fencing has confirmed that",
    ),
    "corrected reads": (
        "If they are few: the sector was rewritten from the other copies; count them (smartctl -x)",
        "If they grow: plan to replace that member while all the others are well",
    ),
    "degraded array": (
        "If a rebuild runs (resilver, recovery): let it finish; no restart, and no other disk out meanwhile",
        "If a member was taken offline by hand: find out why, then bring it back or replace it",
        "If nothing rebuilds: look at the errors of the failed member (smartctl -x), then replace it",
        "See that there is a backup: how many more members may fail depends on the level of the array",
    ),
    "device size": (
        "Compare the sizes first: blockdev --getsz of the device, and what its file system was made for",
        "If the device shrank (LUN, volume, partition table): give it its old size back, before any check",
    ),
    "dirty cache": (
        "If the cache may be dirty (bcache/state): part of the data is on it alone; never detach or wipe it",
        "If the cache device came back: see that both are the right ones before they are registered again",
    ),
    "failed array": (
        "Stop what writes to it; mdadm --examine of every member shows which were current to the end",
        "If a cable, power or enclosure took several at once: that first; then they assemble as they are",
        "If members are damaged: copy all of them, and try on the copies; never --create or --assume-clean",
    ),
    "failing card": (
        "If undervoltage is logged, too: the power supply first",
        "If it can be read: copy the data off first; then another card, reader or slot",
    ),
    "failing disk": (
        "If a replica is in sync, or its array is whole without it: fail over, and leave this device alone",
        "If there is no other good copy: copy the data off first; no fsck and no remount before it works",
        "If all devices of one controller or path fail: the controller, the cable or the path",
    ),
    "file system errors": (
        "If the device below has errors, too: those come first, and no check of the file system helps before",
        "Copy what is needed before any repair",
        "If the device is well: stop what writes, unmount, and check it read-only (e2fsck -n, xfs_repair -n)",
    ),
    "full pool": (
        "Make room in the pool below: extend it, or add devices; writes that wait go on by themselves",
        "No restart before there is room: what still waits in memory is lost",
    ),
    "lost blocks": (
        "Save what matters before anything else: the next bad sector may lie on the last good copy",
        "Find the files on these blocks, and restore them from a backup",
    ),
    "lost disk": (
        "If a replica is in sync, or its array is whole without it: use that",
        "If there is no other copy: save the log; a cold start of the host often brings a lost device back",
        "If it comes back: copy the data off before anything is written to it or checked",
    ),
    "lost path": (
        "If other paths work: IO goes on; what the lost ones share (port, switch, controller) is the cause",
        "If none is left: bring the link or the server back; what waits goes on by itself",
        "No restart meanwhile: what waits to be written is lost with it",
    ),
    "lost peer": (
        "If the peer is whole: the data is there; see the health of this side's disk (smartctl -x)",
        "If only the connection was lost: bring the network back; the sides synchronise by themselves",
        "If both sides were written meanwhile: change no role before both copies are saved",
    ),
    "lost snapshot": (
        "If a backup reads it: repeat the backup from a new and larger snapshot; the origin is not touched",
        "If it was to be merged or is written to: look at its origin before it is removed",
    ),
    "network file system": (
        "Ask from a host that is well whether the server answers; bring it or the way to it back",
        "Tasks that wait go on by themselves then; ending them by force loses what was not written",
    ),
    "NFS server": (
        "If so many clients are meant: more threads (rpc.nfsd N), and note the old number",
        "If not: see which client opens them (ss -tn sport = :2049)",
    ),
    "pool assertion": (
        "If the host runs: copy dmesg off it; tasks of the pool hang until it is started anew",
        "If it comes with the import: zpool import -o readonly=on, and copy the data off first",
    ),
    "suspended pool": (
        "See which devices are gone (zpool status), and bring back what they share: path, power, enclosure",
        "No restart meanwhile: what waits to be written is lost with it",
    ),
    "read-only device": (
        "See who made it read-only: lsblk -o NAME,RO; a lock switch, a snapshot, the array or a worn card",
        "If a storage array or a worn device did: find the cause there before it is made writable again",
    ),
    "reservation": (
        "See which node holds it (sg_persist -r only reads) before either of them uses the disk",
        "If the cluster fenced this node on purpose: leave it so, and look why it was fenced",
    ),
    "split brain": (
        "Stop what writes on both sides, and change no role: each has data that the other lacks",
        "Save both copies (a snapshot below each) before the owner of the data decides which one counts",
    ),
    "storage controller": (
        "If it recovered by itself: count how often, and note the versions of driver and firmware",
        "If many of its disks are gone at once: the disks are not shown to be bad; leave all in their places",
        "If it began with a kernel, driver or firmware release: go back to the last one that worked",
    ),
    "storage link": (
        "If it recovered and is rare: count it in the log and as UDMA_CRC_Error_Count of smartctl -x",
        "If it comes again: reseat or exchange the cable, other port; the disk is not shown to be bad",
        "If the disk does not come back: use a replica that is in sync, before the disk is touched",
    ),
    "swap device": (
        "If the device below it has errors: move the work to another host, then take this one out of service",
        "If it only ran full or is compressed memory (zram): memory is short, and that comes first",
    ),
    "unclean file system": (
        "If the host or the cable was cut off: that is why; a journal repairs itself when it is mounted",
        "If it has no journal (FAT): copy what is needed, then check it while it is unmounted",
    ),
    "unmountable": (
        "If a device of it is missing: bring that back first (btrfs filesystem show)",
        "If all are there: mount -o ro,rescue=nologreplay, else btrfs restore: both only read",
    ),
    "virtual device": (
        "Look at the hypervisor's or the provider's log of that second: the other half of it is there",
        "If the guest only waits: it goes on when that is back; note that writes may have failed",
    ),
    "worn disk": (
        "If it reads and writes without errors: plan its exchange, and see that the backup is current",
        "If the kernel log has errors of it: copy the data off first",
    ),
}
