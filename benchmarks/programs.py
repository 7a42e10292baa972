"""Compare programs in turn on the same file: wall and CPU seconds, memory; medians."""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import time
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

ROUNDS = 5
INSIDE = "benchmarks.inside"
PIPE_BYTES = 1 << 20
# No threads for linear algebra, which nobody asks for here.
ENVIRONMENT = {**os.environ, "OPENBLAS_NUM_THREADS": "1"}


class Run(NamedTuple):
    """One run: seconds, peak memory in MB, without mapped files, and the output."""

    wall: float
    cpu: float
    memory: float
    anonymous: float = 0.0
    output: tuple[str, ...] = ()


class Program(NamedTuple):
    """What is measured; `{input}` in the command is the file."""

    name: str
    command: tuple[str, ...]

    @property
    def is_inside(self) -> bool:
        """Whether the program reports its own seconds, from first byte to result."""
        return INSIDE in self.command


def inside(name: str, work: str, threads: int = 0) -> Program:
    """Return a piece of `benchmarks.inside`."""
    return Program(name, (sys.executable, "-m", INSIDE, work, "{input}", str(threads)))


def casebook(name: str, *arguments: str) -> Program:
    """Return a whole command, the start of Python included."""
    return Program(name, (sys.executable, "-m", "cli", *arguments))


def run(program: Program, text: Path) -> Run:
    """Run once.

    Raises:
        SystemExit: It failed.
    """
    command = [part.format(input=text) for part in program.command]
    before = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=ENVIRONMENT)
    output = b""
    while block := process.stdout.read(PIPE_BYTES) if process.stdout else b"":
        output = block[:200]
    _, status, used = os.wait4(process.pid, 0)
    wall = time.perf_counter() - before
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit(f"{' '.join(command)} ended with {process.returncode}")
    memory = used.ru_maxrss / 1024
    if program.is_inside:
        first, second, third, *rest = output.decode().split()
        return Run(float(first), float(second), memory, float(third), tuple(rest))
    return Run(wall, used.ru_utime + used.ru_stime, memory)


def in_turn(programs: Sequence[Program], text: Path, rounds: int = ROUNDS) -> dict[str, list[Run]]:
    """Run every program in turn, several rounds: A B A B."""
    rows: dict[str, list[Run]] = {program.name: [] for program in programs}
    for _ in range(rounds):
        for program in programs:
            rows[program.name].append(run(program, text))
    return rows


def wall(runs: Sequence[Run]) -> float:
    """Return the median."""
    return statistics.median(one.wall for one in runs)


def cpu(runs: Sequence[Run]) -> float:
    """Return the median."""
    return statistics.median(one.cpu for one in runs)


def table(rows: dict[str, list[Run]], size_mb: float) -> list[str]:
    """Return the rows as Markdown."""
    lines = [
        "| program | wall s, median (min-max) | CPU s | MB/s | memory MB |",
        "| --- | --- | --- | --- | --- |",
    ]
    for name, runs in rows.items():
        walls = [one.wall for one in runs]
        spread = f"{wall(runs):.2f} ({min(walls):.2f}-{max(walls):.2f})"
        memory = max(one.memory for one in runs)
        lines.append(f"| {name} | {spread} | {cpu(runs):.2f} | {size_mb / wall(runs):,.0f} | {memory:,.0f} |")
    return lines


def ratio(rows: dict[str, list[Run]], ours: str, theirs: str) -> tuple[float, float]:
    """Return how many times faster ours is, in wall and in CPU seconds."""
    return wall(rows[theirs]) / wall(rows[ours]), cpu(rows[theirs]) / cpu(rows[ours])
