"""Record sessions of the loads, unchanged and slowed down in turn: `python -m benchmarks.gate.record 8`.

A session is blocks of runs of each load, the second half of a block in reverse order, so that no build gains
by its place; the loads take turns. Each recording is made a `perf script` with its header, as a pipeline
stores it, and read into its costs at once; `runs.json.zst` holds those of all sessions. Needs perf, a C
compiler and the headers of SQLite; a session takes about three minutes on an idle machine.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from ingest.comparison.costs import Conditions, Costs, FunctionCost, costs
from ingest.evidence import read_paths
from ingest.model.selection import Selection
from ingest.model.zstd import zstd
from ingest.native.views import View

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

HERE = Path(__file__).parent
RUNS = HERE / "runs.json.zst"
FREQUENCY = 4997
"""Runs of 0.4 CPU seconds have as many samples as runs of two seconds at 997 Hz."""

UNCHANGED = "all=0"
EVERYTHING = "all=10"
BLOCKS = 4
LEAST_SAMPLES = 5
"""A function with fewer is not stored; the comparison measures none with fewer than eight on average."""


class Load(NamedTuple):
    """A program of fixed work.

    Attributes:
        slow: The stage that a build slows down, and the functions that it calls.
        requests: Of each process; 0.4 CPU seconds.
    """

    name: str
    slow: tuple[str, ...]
    requests: int

    @property
    def function(self) -> str:
        """The stage as results name it."""
        return f"user.{self.slow[0]}"

    @property
    def slower(self) -> str:
        """The build whose stage takes 10 % longer."""
        return f"{self.slow[0]}=10"

    @property
    def half_block(self) -> tuple[str, ...]:
        """Builds of the first half of a block."""
        return (UNCHANGED, self.slower, UNCHANGED, EVERYTHING, UNCHANGED, self.slower, UNCHANGED)


LOADS = (
    Load("load", ("parse_rows", "parse_field"), 420),
    Load("records", ("score_rows", "score_row"), 680),
    Load("messages", ("checksum", "checksum_byte"), 2050),
)


@dataclass(frozen=True, slots=True)
class Recorded:
    """One run of the load.

    Attributes:
        build: Arguments of the load: `all=0` is the unchanged one.
        load: One-minute load average of the machine when it began.
    """

    build: str
    load: float
    costs: Costs


@dataclass(frozen=True, slots=True)
class Session:
    """Runs of one load in the order of recording."""

    load: Load
    runs: list[Recorded]

    @property
    def unchanged(self) -> list[Costs]:
        """Runs of the unchanged load."""
        return [run.costs for run in self.runs if run.build == UNCHANGED]


def build_load(folder: Path, name: str = "load") -> Path:
    """Compile a load without optimisation, so that every function has a frame pointer, leaves too."""
    program = folder / name
    libraries = ["-lsqlite3"] if name == "records" else []
    subprocess.run(["cc", "-O0", "-g", "-o", program, HERE / f"{name}.c", *libraries], check=True)
    return program


def record(program: Path, arguments: Sequence[str], script: Path, frequency: int) -> None:
    """Write the recording of one run to `script`, and its counters beside it, as `NAME.stat`."""
    recording, counters = script.with_suffix(".data"), script.with_suffix(".stat")
    counted = ("perf", "stat", "-e", "instructions:u,task-clock", "-o", counters, "--", program)
    sampled = ("perf", "record", "-q", "-F", str(frequency), "-e", "cpu-clock", "-g", "-o", recording, "--")
    subprocess.run([*sampled, *counted, *arguments], check=True, stdout=subprocess.DEVNULL)
    shown = ("perf", "script", "--header", "--no-inline", "-i", recording)
    text = subprocess.run(shown, check=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout
    script.write_bytes(text.replace(os.fsencode(program.parent), b"/srv/app"))
    recording.unlink()


def costs_of(script: Path, comm: str) -> Costs:
    """Return the costs of the load in a recording: not those of perf, which starts it."""
    evidences = list(read_paths([script, script.with_suffix(".stat")]))
    readings = [section.reading for evidence in evidences for section in evidence.sections]
    (profile,) = (profile for reading in readings for profile in reading.profiles)
    view = View(profile, Selection(has_idle=False, comms=(comm,)))
    return costs(view, [fact for reading in readings for fact in reading.facts])


def recorded_sessions(folder: Path) -> list[Session]:
    """Record one session of each load; the loads take turns."""
    programs = {load.name: build_load(folder, load.name) for load in LOADS}
    found = {load.name: Session(load, []) for load in LOADS}
    script = folder / "run.script"
    orders = {load.name: (*load.half_block, *reversed(load.half_block)) * BLOCKS for load in LOADS}
    for at in range(len(orders[LOADS[0].name])):
        for load in LOADS:
            build = orders[load.name][at]
            average = os.getloadavg()[0]
            record(programs[load.name], [build, f"requests={load.requests}"], script, FREQUENCY)
            found[load.name].runs.append(Recorded(build, average, costs_of(script, load.name)))
    return list(found.values())


def sessions(path: Path = RUNS) -> list[Session]:
    """Read every stored session."""
    document = json.loads(zstd.decompress(path.read_bytes()))
    names = document["functions"]
    loads = {load.name: load for load in LOADS}
    return [
        Session(loads[one["load"]], [_read(run, names) for run in one["runs"]])
        for one in document["sessions"]
    ]


def _read(run: dict[str, Any], names: Sequence[str]) -> Recorded:
    period = run["weight"] / run["samples"]
    found = {name: FunctionCost(own * period, total * period, 1) for name, own, total in _columns(run, names)}
    conditions = Conditions(started_at=run["at"], duration_seconds=run["seconds"])
    made = Costs(
        "cpu-clock",
        "ns",
        run["weight"],
        run["samples"],
        found,
        run["counters"],
        conditions,
        run["foreign"] * period,
    )
    return Recorded(run["build"], run["load"], made)


def _columns(run: dict[str, Any], names: Sequence[str]) -> Iterator[tuple[str, int, int]]:
    for at, own, total in zip(run["function"], run["own"], run["total"], strict=True):
        yield names[at], own, total


def add(made: Sequence[Session], path: Path = RUNS) -> None:
    """Store sessions of one sitting."""
    document: dict[str, Any] = {"functions": [], "sessions": []}
    if path.exists():
        document = json.loads(zstd.decompress(path.read_bytes()))
    numbers = {name: at for at, name in enumerate(document["functions"])}
    at = datetime.now(UTC).isoformat(timespec="minutes")
    for session in made:
        rows = [_row(run, numbers) for run in session.runs]
        document["sessions"].append({"at": at, "load": session.load.name, "runs": rows})
    document["functions"] = list(numbers)
    packed = json.dumps(document, separators=(",", ":")).encode()
    path.write_bytes(zstd.compress(packed, 19))


def _row(run: Recorded, numbers: dict[str, int]) -> dict[str, Any]:
    """Return one run as JSON; functions in samples, which are whole numbers."""
    made = run.costs
    period = made.weight / made.samples
    found = {name: cost for name, cost in made.functions.items() if cost.total >= LEAST_SAMPLES * period}
    return {
        "build": run.build,
        "load": round(run.load, 2),
        "at": made.conditions.started_at,
        "seconds": round(made.conditions.duration_seconds, 3),
        "weight": made.weight,
        "samples": made.samples,
        "foreign": round(made.foreign / period),
        "counters": dict(made.counters),
        "function": [numbers.setdefault(name, len(numbers)) for name in found],
        "own": [round(cost.own / period) for cost in found.values()],
        "total": [round(cost.total / period) for cost in found.values()],
    }


def main(count: int, path: Path = RUNS) -> None:
    """Record sessions and store each."""
    with tempfile.TemporaryDirectory() as folder:
        for number in range(count):
            add(recorded_sessions(Path(folder)), path)
            sys.stdout.write(f"session {number + 1} of {count}\n")
            sys.stdout.flush()


if __name__ == "__main__":
    main(int(sys.argv[1]), *map(Path, sys.argv[2:]))
