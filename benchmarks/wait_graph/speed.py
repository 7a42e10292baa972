"""CPU time of a wait graph by number of tasks.

The input is a sysrq-t dump made from the public stacks of `wait_points/stacks/tune.tsv` in turn; a twentieth
of the tasks run.
"""

from __future__ import annotations

import time
from itertools import cycle, islice
from typing import TYPE_CHECKING, NamedTuple

from benchmarks.wait_points.__main__ import stacks_of
from ingest.evidence import read_bytes
from signatures.judging.scope import items_of
from signatures.waits import graph_of
from signatures.waits.document import graph_document

if TYPE_CHECKING:
    from collections.abc import Iterator

RUNNING_EVERY = 20


class Speed(NamedTuple):
    """CPU seconds of one dump.

    Attributes:
        tasks: Tasks of the dump.
        blocked: Tasks that are blocked.
        clusters: Clusters of equal stacks.
        lines: Lines of the dump.
        reading: CPU seconds from bytes to readings.
        graph: CPU seconds from readings to the graph.
        document: CPU seconds from the graph to what the page loads: layout, links, table.
    """

    tasks: int
    blocked: int
    clusters: int
    lines: int
    reading: float
    graph: float
    document: float


def dump_lines(tasks: int) -> Iterator[str]:
    """Yield the lines of a sysrq-t dump of `tasks` tasks."""
    yield "[  100.000000] sysrq: Show State"
    for number, stack in enumerate(islice(cycle(stacks_of("tune")), tasks)):
        pid = 1000 + number
        state = "R" if number % RUNNING_EVERY == 0 else "D"
        stamp = f"[  100.{number % 1_000_000:06}]"
        yield f"{stamp} task:worker-{pid:<10} state:{state} stack:0 pid:{pid} tgid:{pid} ppid:2 flags:0x4000"
        yield f"{stamp} Call Trace:"
        yield from (f"{stamp}  {name}+0x15/0x30" for name in stack.frames)


def measured(tasks: int) -> Speed:
    """Return the CPU seconds of reading, graph and document."""
    lines = list(dump_lines(tasks))
    text = "\n".join(lines).encode() + b"\n"
    read_bytes(b"\n".join(text.split(b"\n", 20)[:20]), name="dmesg.txt")  # loads tables and expressions
    begun = time.process_time()
    items = items_of([read_bytes(text, name="dmesg.txt")])
    read = time.process_time()
    graph = graph_of(items)
    joined = time.process_time()
    graph_document(graph, "host", "during")
    ended = time.process_time()
    return Speed(
        len(graph.tasks),
        graph.blocked,
        len(graph.clusters),
        len(lines),
        read - begun,
        joined - read,
        ended - joined,
    )
