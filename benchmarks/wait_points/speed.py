"""CPU time of a wait graph by number of tasks: `python -m benchmarks.wait_points.speed 20000`.

The input is a sysrq-t dump made from the public stacks of `stacks/tune.tsv` in turn; a twentieth of the tasks
run. Reading the log is counted apart from the graph with its layout and picture.
"""

from __future__ import annotations

import sys
import time
from itertools import cycle, islice
from typing import TYPE_CHECKING

from benchmarks.wait_points.__main__ import stacks_of
from ingest.evidence import read_bytes
from signatures.judging.scope import items_of
from signatures.waits import graph_of
from signatures.waits.svg import picture

if TYPE_CHECKING:
    from collections.abc import Iterator

RUNNING_EVERY = 20


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


def main(tasks: int) -> None:
    """Print the CPU seconds of reading, graph and picture."""
    text = "\n".join(dump_lines(tasks)) + "\n"
    begun = time.process_time()
    items = items_of([read_bytes(text.encode(), name="dmesg.txt")])
    read = time.process_time()
    graph = graph_of(items)
    joined = time.process_time()
    drawn = len(picture(graph, "host"))
    ended = time.process_time()
    sys.stdout.write(
        f"{len(graph.tasks):,} tasks, {graph.blocked:,} blocked, {len(graph.clusters):,} clusters: "
        f"log {read - begun:.2f} s, graph {joined - read:.2f} s, "
        f"picture of {drawn:,} bytes {ended - joined:.2f} s\n"
    )


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 20_000)
