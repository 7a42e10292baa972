"""Small signs of trouble that tracing tools and scheduler statistics print: rows of `SIGNS`."""

from __future__ import annotations

from signatures.overview.signs.sign import CPU, DISK, Sign

TRACING = (
    Sign(
        "schedstat.wait_seconds",
        "scheduling",
        0.5,
        "Tasks waited for CPU {of} {value} as long as they ran on it, since boot",
        CPU,
        "share",
        base="schedstat.run_seconds",
        is_since_boot=True,
    ),
    *(
        Sign(
            f"disk.latency.{kind}_seconds",
            "io",
            0.1,
            f"One in a hundred {kind}s of {{of}} takes {{value}} or more",
            DISK,
            "seconds",
            matching=("percentile", "99"),
        )
        for kind in ("read", "write")
    ),
    Sign(
        "trace.outstanding_growth_bytes",
        "memory",
        100e6,
        "Memory that was allocated and not freed grew by {value} while traced",
        unit="bytes",
    ),
    Sign(
        "trace.most_forks_per_second",
        "scheduling",
        1000,
        "{value} processes were created in one second",
    ),
)
"""Documentation/scheduler/sched-stats.rst of Linux; biolatpcts, memleak and pidpersec of bcc."""
