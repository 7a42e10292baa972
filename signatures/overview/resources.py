"""The USE table: utilisation, saturation and errors of CPU, memory, disk and network."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from signatures.overview.model import Answer, Figure

if TYPE_CHECKING:
    from signatures.overview.scope_evidence import ScopeEvidence


class Cell(NamedTuple):
    """One cell of the USE table: its facts, threshold, and the command that provides them."""

    resource: str
    aspect: str
    facts: tuple[str, ...]
    above: float | None
    source: str


CELLS = (
    Cell("CPU", "steal by the hypervisor", ("cpu.steal_share",), 0.1, "mpstat 1 5"),
    Cell("CPU", "kernel time", ("cpu.system_share",), 0.7, "mpstat 1 5"),
    Cell(
        "CPU",
        "runnable tasks",
        ("sched.runnable", "sar.runq_sz", "loadavg.runnable"),
        None,
        "vmstat 1 5",
    ),
    Cell(
        "CPU", "longest scheduling delay", ("sched.max_delay_seconds",), 0.5, "perf sched record -- sleep 5"
    ),
    Cell(
        "memory",
        "some tasks stalled",
        ("pressure.memory.some.avg10_share",),
        0.2,
        "cat /proc/pressure/memory",
    ),
    Cell("memory", "swapped out per second", ("swap.out_bytes_per_second",), 1e6, "vmstat 1 5"),
    Cell("memory", "OOM kills since boot", ("vmstat.oom_kill",), None, "grep oom_kill /proc/vmstat"),
    Cell("disk", "busiest device", ("disk.util_share",), 0.95, "iostat -x 1 5"),
    Cell("disk", "slowest reads", ("disk.read_await_ms",), 100.0, "iostat -x 1 5"),
    Cell("disk", "slowest writes", ("disk.write_await_ms",), 500.0, "iostat -x 1 5"),
    Cell("disk", "some tasks stalled", ("pressure.io.some.avg10_share",), 0.5, "cat /proc/pressure/io"),
    Cell("network", "packets dropped per CPU", ("softnet.dropped",), None, "cat /proc/net/softnet_stat"),
    Cell("network", "listen queue overflows", ("net.tcpext.listenoverflows",), None, "cat /proc/net/netstat"),
    Cell("network", "retransmitted segments", ("net.tcp.retranssegs",), None, "cat /proc/net/snmp"),
)


def use_table(evidence: ScopeEvidence) -> Answer:
    """Return the highest value of each cell, and the commands that provide the missing ones."""
    figures: list[Figure] = []
    unknown: dict[str, list[str]] = {}
    for cell in CELLS:
        found = next(
            (
                figure
                for name in cell.facts
                if (figure := evidence.figure(name, f"{cell.resource}: {cell.aspect}", above=cell.above))
            ),
            None,
        )
        if found is None:
            unknown.setdefault(cell.source, []).append(f"{cell.resource}: {cell.aspect}")
        else:
            figures.append(found)
    lacks = tuple(f"{source}   ({'; '.join(cells)})" for source, cells in unknown.items())
    if not figures:
        return Answer("No resource counters.", lacks=lacks)
    notable = [figure.label for figure in figures if figure.is_notable]
    summary = f"Above threshold: {', '.join(notable)}." if notable else "No cell is above its threshold."
    return Answer(f"{summary} {len(figures)} of {len(CELLS)} cells known.", tuple(figures), lacks)
