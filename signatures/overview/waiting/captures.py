"""The command that shows who must release what tasks wait for: the server of a mount, the listener, the disk.

capture_of(Resource("fuse_request", …))  ->  "findmnt -t fuse,fuseblk; …"

Commands only read; those of a mount that may hang do not touch it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ingest.frames.wait_points import kinds

if TYPE_CHECKING:
    from signatures.waits.model import Resource

BLOCKED = "echo w > /proc/sysrq-trigger; dmesg"
DISKS = f"iostat -xz 1 5; {BLOCKED}"
TASKS = "top -b -H -n 1; ps -e -o pid,ppid,user,stat,wchan:32"
"""Opens no command line: reading that of a task whose mmap_lock is stuck never returns."""
FUSE = f"grep fuse /proc/self/mountinfo; grep . /sys/fs/fuse/connections/*/waiting; {TASKS}"
NFS = "cat /proc/self/mountstats; ss -tnp '( dport = :2049 )'; nstat -asz"

BY_KIND = {
    "fuse_request": FUSE,
    "fanotify": f"grep fanotify /proc/[0-9]*/fdinfo/*; {TASKS}",
    "nfs_rpc": NFS,
    "nfs_lock": NFS,
    "nfsd": "cat /proc/fs/nfsd/pool_stats /proc/net/rpc/nfsd; nstat -asz",
    "cifs_request": "cat /proc/fs/cifs/DebugData /proc/fs/cifs/Stats; nstat -asz",
    "ceph_request": "cat /sys/kernel/debug/ceph/*/osdc /sys/kernel/debug/ceph/*/mdsc; nstat -asz",
    "entropy": "dmesg | grep -i -e random -e crng",
    "vfork": "ps -e -o pid,ppid,stat,etimes,wchan:32,comm",
    "autofs": f"grep autofs /proc/self/mountinfo; {TASKS}",
    "userfaultfd": f"ls -l /proc/[0-9]*/fd | grep -B1 userfaultfd; {TASKS}",
    "memcg_limit": "cd /sys/fs/cgroup/PATH; grep . memory.max memory.current memory.events memory.pressure",
    "memory_reclaim": "cat /proc/meminfo /proc/pressure/memory; cat /proc/vmstat; sleep 5; cat /proc/vmstat",
    "dirty_throttling": "grep -E 'Dirty|Writeback' /proc/meminfo; sysctl -a -r vm.dirty; iostat -xz 1 5",
    "dm_suspend": "dmsetup info; dmsetup table",
    "md_array": "cat /proc/mdstat; iostat -xz 1 5",
    "drbd": "drbdsetup status --verbose --statistics",
    "rdma": "rdma statistic; nstat -asz",
}
BY_OUTSIDE = {"storage": DISKS, "network": "ss -tnpmi; nstat -asz"}

ANSWERS = {"fanotify": "the listener that has to answer", "userfaultfd": "the process that has to answer"}
"""Who releases a resource that nobody holds."""


def capture_of(resource: Resource) -> str:
    """Return the command, "" where the stacks of all tasks show the most."""
    return BY_KIND.get(resource.kind) or BY_OUTSIDE.get(resource.outside, "")


def of_kind(kind: str) -> str:
    """Return the command of a kind of `ingest.frames.wait_points`, "" where there is none of its own."""
    known = kinds().get(kind)
    return BY_KIND.get(kind) or (BY_OUTSIDE.get(known.outside, "") if known else "")


def holder_words(resource: Resource) -> str:
    """Return who would release it, for a sentence."""
    return ANSWERS.get(resource.kind, "its holder")
