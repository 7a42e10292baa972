"""`casebook fold` beside inferno, whole commands: `python -m benchmarks.whole_commands` writes COMMANDS.md.

    --megabytes N…   sizes of the inputs, 100 and 400 by default

Three recordings of different character, each repeated to its size: deep stacks of interpreters, short stacks
of the kernel, many short-lived processes. The programs run in turn over the same file, from their start to
their end, their output into a pipe; medians. Needs root, perf and inferno in var/bench.
"""

from __future__ import annotations

import argparse
import os
import statistics
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks.programs import Program, cpu, in_turn, wall
from benchmarks.record import INPUTS, MEGABYTE, make_input, recordings

if TYPE_CHECKING:
    from collections.abc import Sequence

    from benchmarks.programs import Run

RESULT = Path(__file__).with_name("COMMANDS.md")
ROUNDS = 3
CHARACTERS = (
    "interpreters: python, node",
    "builds and sorting: cargo, sort",
    "the kernel and openssl: dd, openssl",
)
OURS = Program("casebook fold", (str(Path(sys.executable).with_name("casebook")), "fold", "{input}"))
THEIRS = Program("inferno -n 2", (str(INPUTS / "bin/inferno-collapse-perf"), "-n", "2", "{input}"))
PAGE = """\
# Whole commands: folding a perf script

Written by `python -m benchmarks.whole_commands`: {date}, {cpus} CPUs, load {first:.1f} to {last:.1f},
{rounds} rounds in turn, medians. `casebook fold` is the installed command, the start of Python and the
confinement of the process included; inferno 0.12.8 is `inferno-collapse-perf -n 2`. Goals: 1.3 times
inferno at 100 MB, 2.5 times at 400 MB, medians over the recordings.

| recording | MB | program | wall s | CPU s | MB of memory | times inferno, wall | CPU |
| --- | ---: | --- | ---: | ---: | ---: | ---: | ---: |
{rows}
{medians}
"""


def measure(size_mb: int) -> tuple[list[str], list[float]]:
    """Return the rows of one size, and how many times as fast as inferno each recording is folded."""
    rows, factors = [], []
    for character, recording in zip(CHARACTERS, recordings(len(CHARACTERS)), strict=True):
        text = make_input(size_mb * MEGABYTE, [recording], name=recording.stem)
        runs = in_turn([OURS, THEIRS], text, ROUNDS)
        ours, theirs = runs[OURS.name], runs[THEIRS.name]
        factors.append(wall(theirs) / wall(ours))
        faster = f"{factors[-1]:.2f} | {cpu(theirs) / cpu(ours):.2f}"
        rows.append(f"| {character} | {size_mb} | {OURS.name} | {_cells(ours)} | {faster} |")
        rows.append(f"| | | {THEIRS.name} | {_cells(theirs)} | | |")
        text.unlink()
    return rows, factors


def _cells(runs: Sequence[Run]) -> str:
    memory = statistics.median(one.memory for one in runs)
    return f"{wall(runs):.2f} | {cpu(runs):.2f} | {memory:.0f}"


def main() -> None:
    """Measure and write the page."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--megabytes", type=int, nargs="*", default=[100, 400])
    sizes = parser.parse_args().megabytes
    first, _, _ = os.getloadavg()
    rows: list[str] = []
    medians = []
    for size_mb in sizes:
        measured, factors = measure(size_mb)
        rows += measured
        medians.append(f"At {size_mb} MB the median is {statistics.median(factors):.2f} times inferno.")
    last, _, _ = os.getloadavg()
    page = PAGE.format(
        date=f"{datetime.now(tz=UTC):%Y-%m-%d}",
        cpus=os.cpu_count(),
        first=first,
        last=last,
        rounds=ROUNDS,
        rows="\n".join(rows),
        medians="\n" + " ".join(medians),
    )
    RESULT.write_text(page, encoding="utf-8")
    sys.stdout.write(page)


if __name__ == "__main__":
    main()
