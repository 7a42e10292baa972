"""Parsing `perf script` text beside inferno: wall and CPU seconds, memory, samples in and out.

python -m benchmarks.parse 100 500        # megabytes; inputs are recorded when they are not there

The peer is inferno-collapse-perf (`cargo install inferno --root var/bench`); rows whose program is not there
are left out and named. Programs run in turn over the same file; the median counts. The result is written to
benchmarks/RESULTS.md.
"""

from __future__ import annotations

import os
import platform
import re
import statistics
import subprocess
import sys
import time
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

from benchmarks.record import INPUTS, MEGABYTE, MIXES, make_input, recordings
from ingest.native import parse_perf_script

ROUNDS = 5
RESULTS = Path(__file__).with_name("RESULTS.md")
INFERNO = INPUTS / "bin" / "inferno-collapse-perf"
TREE = "benchmarks.tree"
SCAN_BYTES = 1 << 20


class Run(NamedTuple):
    """One run of a program: seconds and the most memory it held, in MB."""

    wall: float
    cpu: float
    memory: float


class Program(NamedTuple):
    """What is measured; `{input}` in the command is the file."""

    name: str
    command: tuple[str, ...]


def programs() -> list[Program]:
    """Return what can be run here."""
    python = sys.executable
    found = [
        Program("line ends by bytes.count", (python, "-m", TREE, "scan", "{input}")),
        Program("ours, tree, 1 thread", (python, "-m", TREE, "1", "{input}")),
        Program("ours, tree, 2 threads", (python, "-m", TREE, "2", "{input}")),
        Program("ours, casebook fold", (python, "-m", "backend.cli", "fold", "{input}")),
        Program(
            "ours, fold --compat inferno",
            (python, "-m", "backend.cli", "fold", "--compat", "inferno", "{input}"),
        ),
    ]
    if INFERNO.is_file():
        found += [
            Program("inferno, 1 thread", (str(INFERNO), "-n", "1", "{input}")),
            Program("inferno, 2 threads", (str(INFERNO), "-n", "2", "{input}")),
        ]
    return found


def run(program: Program, text: Path) -> Run:
    """Run once. A tree program tells its own seconds, from the first byte to the finished columns."""
    command = [part.format(input=text) for part in program.command]
    before = time.perf_counter()
    process = subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env={**os.environ, "OPENBLAS_NUM_THREADS": "1"},
    )
    told = b""
    while block := process.stdout.read(SCAN_BYTES) if process.stdout else b"":
        told = block[:200]
    _, status, used = os.wait4(process.pid, 0)
    wall = time.perf_counter() - before
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit(f"{' '.join(command)} ended with {process.returncode}")
    if TREE in command:
        inside = [float(number) for number in told.split()]
        return Run(inside[0], inside[1], used.ru_maxrss / 1024)
    return Run(wall, used.ru_utime + used.ru_stime, used.ru_maxrss / 1024)


def measure(text: Path) -> dict[str, list[Run]]:
    """Run every program in turn, several rounds."""
    rows: dict[str, list[Run]] = {program.name: [] for program in programs()}
    for _ in range(ROUNDS):
        for program in programs():
            rows[program.name].append(run(program, text))
    return rows


def table(text: Path, rows: dict[str, list[Run]]) -> list[str]:
    """Return the rows as Markdown."""
    size = text.stat().st_size / MEGABYTE
    lines = [
        f"## {size:,.0f} MB",
        "",
        "| program | wall s, median (min-max) | CPU s | MB/s | memory MB |",
        "| --- | --- | --- | --- | --- |",
    ]
    for name, runs in rows.items():
        walls = [one.wall for one in runs]
        wall = statistics.median(walls)
        cpu = statistics.median(one.cpu for one in runs)
        memory = max(one.memory for one in runs)
        spread = f"{wall:.2f} ({min(walls):.2f}-{max(walls):.2f})"
        lines.append(f"| {name} | {spread} | {cpu:.2f} | {size / wall:,.0f} | {memory:,.0f} |")
    return [*lines, "", *ratios(rows), ""]


def ratios(rows: dict[str, list[Run]]) -> list[str]:
    """Return how much faster ours is, in wall and in CPU seconds."""
    pairs = [
        ("ours, tree, 1 thread", "inferno, 1 thread"),
        ("ours, tree, 2 threads", "inferno, 2 threads"),
        ("ours, fold --compat inferno", "inferno, 2 threads"),
    ]
    told = []
    for ours, theirs in pairs:
        if theirs in rows:
            wall = statistics.median(r.wall for r in rows[theirs]) / statistics.median(
                r.wall for r in rows[ours]
            )
            cpu = statistics.median(r.cpu for r in rows[theirs]) / statistics.median(
                r.cpu for r in rows[ours]
            )
            told.append(
                f"- {ours} against {theirs}: {wall:.1f} times in wall, {cpu:.1f} times in CPU seconds"
            )
    return told


def samples(text: Path) -> list[str]:
    """Return how many samples go in and come out, here and there."""
    head = re.compile(rb"^\S.*\s-?\d+(?:/-?\d+)?\s.*\d+\.\d+:\s")
    with text.open("rb") as lines:
        given = sum(bool(head.match(line)) for line in lines)
    with text.open("rb") as content:
        parts = parse_perf_script(iter(lambda: content.read(SCAN_BYTES), b""))
    ours = sum(profile.samples for profile in parts.profiles)
    periods = parts.profiles[0].weight / parts.profiles[0].samples
    told = [
        "| samples | count |",
        "| --- | --- |",
        f"| heads in the text | {given:,} |",
        f"| ours | {ours:,.0f} |",
    ]
    if INFERNO.is_file():
        folded = subprocess.run([str(INFERNO), str(text)], capture_output=True, check=True).stdout
        theirs = sum(int(line.rsplit(b" ", 1)[1]) for line in folded.splitlines()) / periods
        told.append(f"| inferno (weight ÷ period) | {theirs:,.0f} |")
    return [*told, ""]


def main(sizes: list[int]) -> None:
    """Measure inputs of `sizes` megabytes and write the results."""
    machine = f"{platform.machine()}, {os.cpu_count()} CPUs, Linux {platform.release()}"
    load = f"load {os.getloadavg()[0]:.1f} at the start"
    lines = [
        "# Results",
        "",
        f"{datetime.now(tz=UTC):%Y-%m-%d}, {machine}, {load}. {ROUNDS} rounds, programs in turn.",
        "",
        "A tree is all that judge and flame graph need: nodes, and thread, CPU, time and line of every",
        "sample. Seconds of a tree are counted inside the process, those of a command from start to end.",
        "",
    ]
    if not INFERNO.is_file():
        lines += [f"inferno is not at {INFERNO}: its rows are left out.", ""]
    parts = recordings(len(MIXES))
    for size in sizes:
        text = make_input(size * MEGABYTE, parts)
        lines += table(text, measure(text))
        lines += samples(text)
    RESULTS.write_text("\n".join(lines))
    sys.stdout.write("\n".join(lines))


if __name__ == "__main__":
    main([int(word) for word in sys.argv[1:]] or [100, 500])
