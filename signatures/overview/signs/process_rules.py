"""Small signs of trouble of one process or one mount: rows of `SIGNS`."""

from __future__ import annotations

from signatures.overview.signs.sign import CONTAINER, HOLDER, MOUNT, PROCESS, Sign

PROCESSES_AND_MOUNTS = (
    Sign(
        "file_lock.waiting",
        "scheduling",
        1,
        "{value} tasks wait for a file lock that process {of} holds (/proc/locks)",
        HOLDER,
    ),
    Sign(
        "container.memory_bytes",
        "cgroup-limits",
        0.9,
        "Container {of} uses {value} of its memory limit, or of all memory where it has none",
        CONTAINER,
        "share",
        base="container.memory_limit_bytes",
    ),
    Sign(
        "process.major_faults_per_second",
        "memory",
        100,
        "{of} takes {value} major page faults a second: its pages are read from disk",
        PROCESS,
    ),
    Sign(
        "process.written_bytes_per_second",
        "io",
        100e6,
        "{of} writes {value} a second, the most of all",
        PROCESS,
        "bytes",
    ),
    Sign(
        "process.read_bytes_per_second",
        "io",
        100e6,
        "{of} reads {value} a second, the most of all",
        PROCESS,
        "bytes",
    ),
    Sign(
        "process.io_delay_share",
        "io",
        0.5,
        "{of} waits for IO {value} of its time",
        PROCESS,
        "share",
    ),
    *(
        Sign(
            f"nfs.{kind}.exe_ms",
            "io",
            100,
            f"{words} of the NFS mount {{of}} take {{value}} on average",
            MOUNT,
            "ms",
        )
        for kind, words in (("read", "Reads"), ("write", "Writes"))
    ),
    *(
        Sign(
            f"nfs.{kind}.retransmitted_share",
            "network",
            0.01,
            f"{{value}} of the {kind}s of the NFS mount {{of}} were sent again",
            MOUNT,
            "share",
        )
        for kind in ("read", "write")
    ),
    Sign(
        "process.deleted_open_bytes",
        "io",
        1e9,
        "{of} keeps deleted files of {value} open, whose space is not free",
        PROCESS,
        "bytes",
    ),
    Sign(
        "process.open_descriptors",
        "io",
        10_000,
        "{of} has {value} file descriptors open",
        PROCESS,
    ),
)
"""pidstat(1), iotop(8), nfsiostat(8)."""
