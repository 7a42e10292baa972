"""`casebook fold` beside inferno, whole commands: `python -m benchmarks.whole_commands` writes COMMANDS.md.

    --megabytes N…   sizes of the inputs, 100 and 400 by default
    --rounds N       rounds in turn, 5 by default

Every recording of `benchmarks.record`, and all of them in equal shares: each is cut to its size, and nothing
is repeated. The programs run in turn over the same file, from their start to their end, their output into a
pipe; medians. Needs root, perf and inferno in var/bench/bin.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
from datetime import UTC, datetime
from importlib.util import cache_from_source
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks.programs import Program, cpu, in_turn, wall
from benchmarks.record import INPUTS, MEGABYTE, make_input, recordings

if TYPE_CHECKING:
    from collections.abc import Sequence

    from benchmarks.programs import Run

RESULT = Path(__file__).with_name("COMMANDS.md")
ROUNDS = 5
WAYS_MB = 100
COMMAND = str(Path(sys.executable).with_name("casebook"))
OURS = Program("casebook fold", (COMMAND, "fold", "{input}"))
THEIRS = Program("inferno -n 2", (str(INPUTS / "bin/inferno-collapse-perf"), "-n", "2", "{input}"))
WAYS = (
    OURS,
    Program("standard input", ("sh", "-c", f"{COMMAND} fold - < {{input}}")),
    Program("a pipe", ("sh", "-c", f"cat {{input}} | {COMMAND} fold -")),
    Program("--weight period", (COMMAND, "fold", "--weight", "period", "{input}")),
    Program("--compat inferno", (COMMAND, "fold", "--compat", "inferno", "{input}")),
    Program("lines that end in CRLF", (COMMAND, "fold", "{input}.crlf")),
    Program("compressed by gzip", (COMMAND, "fold", "{input}.gz")),
    Program("gzip -dc of it alone", ("gzip", "-dc", "{input}.gz")),
)
PAGE = """\
# Whole commands: folding a perf script

Written by `python -m benchmarks.whole_commands`: {date}, {cpus} CPUs, load {first:.1f} to {last:.1f},
{rounds} rounds in turn, medians. `casebook fold` is the installed command, the start of Python and the
confinement of the process included, {bytecode}; inferno 0.12.8 is `inferno-collapse-perf -n 2`. Recordings
are of `python -m benchmarks.record`, cut to their size: nothing is repeated. Goals: 2.5 times inferno in wall
seconds as the median over the recordings, 1.3 times for each, 200 MB of memory at 400 MB.

| recording | MB | program | wall s | CPU s | MB of memory | times inferno, wall | CPU |
| --- | ---: | --- | ---: | ---: | ---: | ---: | ---: |
{rows}

{medians}

## Other ways to the same stacks

{ways_mb} MB of all recordings.

| way | wall s | CPU s | MB of memory |
| --- | ---: | ---: | ---: |
{ways}
"""


def measure(name: str, text: Path, size_mb: int, rounds: int) -> tuple[list[str], float]:
    """Return the rows of one input, and how many times as fast as inferno it is folded."""
    runs = in_turn([OURS, THEIRS], text, rounds)
    ours, theirs = runs[OURS.name], runs[THEIRS.name]
    factor, cpus = wall(theirs) / wall(ours), cpu(theirs) / cpu(ours)
    rows = [
        f"| {name} | {size_mb} | {OURS.name} | {_cells(ours)} | {factor:.2f} | {cpus:.2f} |",
        f"| | | {THEIRS.name} | {_cells(theirs)} | | |",
    ]
    return rows, factor


def ways(text: Path, rounds: int) -> list[str]:
    """Return the rows of the other ways to the stacks of `text`."""
    crlf, packed = Path(f"{text}.crlf"), Path(f"{text}.gz")
    with crlf.open("wb") as out, text.open("rb") as lines:
        out.writelines(line.replace(b"\n", b"\r\n") for line in lines)
    with packed.open("wb") as out:
        subprocess.run(["gzip", "-c", str(text)], stdout=out, check=True)
    rows = [f"| {name} | {_cells(runs)} |" for name, runs in in_turn(WAYS, text, rounds).items()]
    crlf.unlink()
    packed.unlink()
    return rows


def _cells(runs: Sequence[Run]) -> str:
    memory = statistics.median(one.memory for one in runs)
    return f"{wall(runs):.3f} | {cpu(runs):.3f} | {memory:.0f}"


def _bytecode() -> str:
    """Return whether the modules of the command are compiled."""
    compiled = Path(cache_from_source(str(Path(__file__).parents[1] / "cli/commands/fold.py")))
    return f"with{'' if compiled.is_file() else 'out'} bytecode"


def main() -> None:
    """Measure and write the page."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--megabytes", type=int, nargs="*", default=[100, 400])
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    options = parser.parse_args()
    first, _, _ = os.getloadavg()
    parts = recordings()
    measured = {}
    for size_mb in options.megabytes:
        inputs = {part.stem: make_input(size_mb * MEGABYTE, [part], part.stem) for part in parts}
        inputs["all of them"] = make_input(size_mb * MEGABYTE, parts)
        measured[size_mb] = [measure(name, text, size_mb, options.rounds) for name, text in inputs.items()]
    medians = []
    for size_mb, rows in measured.items():
        factors = [factor for _, factor in rows]
        medians.append(
            f"At {size_mb} MB the median is {statistics.median(factors):.2f} times inferno, "
            f"the least {min(factors):.2f} times."
        )
    page = PAGE.format(
        date=f"{datetime.now(tz=UTC):%Y-%m-%d}",
        cpus=os.cpu_count(),
        bytecode=_bytecode(),
        rounds=options.rounds,
        rows="\n".join(
            row for rows in measured.values() for row in chain.from_iterable(row for row, _ in rows)
        ),
        medians=" ".join(medians),
        ways_mb=WAYS_MB,
        ways="\n".join(ways(make_input(WAYS_MB * MEGABYTE, parts), options.rounds)),
        first=first,
        last=os.getloadavg()[0],
    )
    RESULT.write_text(page, encoding="utf-8")
    sys.stdout.write(page)


if __name__ == "__main__":
    main()
