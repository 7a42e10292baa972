"""The USE table: utilisation, saturation and errors of CPU, memory, disk and network."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from signatures.overview.model import Answer, Figure

if TYPE_CHECKING:
    from signatures.overview.gathered import Gathered


class Cell(NamedTuple):
    """One cell: the facts that may fill it, when they are out of the ordinary, and what would fill it."""

    resource: str
    aspect: str
    facts: tuple[str, ...]
    above: float | None
    source: str


CELLS = (
    Cell("CPU", "steal by the hypervisor", ("cpu.steal_share",), 0.1, "mpstat 1 5"),
    Cell("CPU", "time in the kernel", ("cpu.system_share",), 0.7, "mpstat 1 5"),
    Cell(
        "CPU",
        "tasks that run or want to",
        ("sched.runnable", "sar.runq_sz", "loadavg.runnable"),
        None,
        "vmstat 1 5",
    ),
    Cell("CPU", "longest wait for a CPU", ("sched.max_delay_seconds",), 0.5, "perf sched record -- sleep 5"),
    Cell(
        "memory",
        "some tasks stalled",
        ("pressure.memory.some.avg10_share",),
        0.2,
        "cat /proc/pressure/memory",
    ),
    Cell("memory", "swapped out per second", ("swap.out_bytes_per_second",), 1e6, "vmstat 1 5"),
    Cell("memory", "kills since boot", ("vmstat.oom_kill",), None, "grep oom_kill /proc/vmstat"),
    Cell("disk", "busiest device", ("disk.util_share",), 0.95, "iostat -x 1 5"),
    Cell("disk", "slowest reads", ("disk.read_await_ms",), 100.0, "iostat -x 1 5"),
    Cell("disk", "slowest writes", ("disk.write_await_ms",), 500.0, "iostat -x 1 5"),
    Cell("disk", "some tasks stalled", ("pressure.io.some.avg10_share",), 0.5, "cat /proc/pressure/io"),
    Cell("network", "packets dropped on a CPU", ("softnet.dropped",), 0.0, "cat /proc/net/softnet_stat"),
    Cell("network", "listen queues overflown", ("net.tcpext.listenoverflows",), 0.0, "cat /proc/net/netstat"),
    Cell("network", "segments sent again", ("net.tcp.retranssegs",), None, "cat /proc/net/snmp"),
)


def use_table(gathered: Gathered) -> Answer:
    """Fill the table with the highest value of each cell; name the command for cells that stay unknown."""
    figures: list[Figure] = []
    unknown: dict[str, list[str]] = {}
    for cell in CELLS:
        found = next(
            (
                figure
                for name in cell.facts
                if (figure := gathered.figure(name, f"{cell.resource}: {cell.aspect}", above=cell.above))
            ),
            None,
        )
        if found is None:
            unknown.setdefault(cell.source, []).append(f"{cell.resource}: {cell.aspect}")
        else:
            figures.append(found)
    lacks = tuple(f"{source}   ({'; '.join(cells)})" for source, cells in unknown.items())
    if not figures:
        return Answer("No counter of any resource is there.", lacks=lacks)
    notable = [figure.label for figure in figures if figure.is_notable]
    said = f"Out of the ordinary: {', '.join(notable)}." if notable else "No resource is out of the ordinary."
    return Answer(f"{said} {len(figures)} of {len(CELLS)} cells are known.", tuple(figures), lacks)
