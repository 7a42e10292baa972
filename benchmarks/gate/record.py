"""Record sessions of the load, unchanged and slowed down in turn: `python -m benchmarks.gate.record 8`.

A session is blocks of runs, the second half of a block in reverse order, so that no build gains by its place.
Each recording is made a `perf script` with its header, as a pipeline stores it, and read into its costs at
once; `runs.json.zst` holds those of all sessions. Needs perf and a C compiler; a session takes about six
minutes on an idle machine.
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
from typing import TYPE_CHECKING, Any

from ingest.comparison.costs import Conditions, Costs, FunctionCost, costs
from ingest.evidence import read_paths
from ingest.model.selection import Selection
from ingest.model.zstd import zstd
from ingest.native.views import View

if TYPE_CHECKING:
    from collections.abc import Sequence

HERE = Path(__file__).parent
RUNS = HERE / "runs.json.zst"
FREQUENCY = 997
UNCHANGED = "all=0"
HALF_BLOCK = (
    *(UNCHANGED, "all=5", "parse_rows=10"),
    *(UNCHANGED, "all=20", "parse_rows=5"),
    *(UNCHANGED, "all=50", "parse_rows=20"),
    *(UNCHANGED, "all=10", "parse_rows=50"),
)
BLOCKS = 3
LEAST_SAMPLES = 2
"""A function with fewer is not stored; the comparison measures none with fewer than eight on average."""


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
    """Runs in the order of recording.

    Attributes:
        block: Runs of a block; the second half of a block mirrors the first.
    """

    block: int
    runs: list[Recorded]

    @property
    def unchanged(self) -> list[Costs]:
        """Runs of the unchanged load."""
        return [run.costs for run in self.runs if run.build == UNCHANGED]

    @property
    def blocks(self) -> list[list[Recorded]]:
        """Runs by block."""
        return [self.runs[at : at + self.block] for at in range(0, len(self.runs), self.block)]


def build_load(folder: Path) -> Path:
    """Compile the load without optimisation, so that every function has a frame pointer, leaves too."""
    program = folder / "load"
    subprocess.run(["cc", "-O0", "-g", "-o", program, HERE / "load.c"], check=True)
    return program


def record(program: Path, build: str, script: Path, frequency: int = FREQUENCY) -> None:
    """Write the recording of one run to `script`, and its counters beside it, as `NAME.stat`."""
    recording, counters = script.with_suffix(".data"), script.with_suffix(".stat")
    counted = ("perf", "stat", "-e", "instructions:u,task-clock", "-o", counters, "--", program, build)
    sampled = ("perf", "record", "-q", "-F", str(frequency), "-e", "cpu-clock", "-g", "-o", recording, "--")
    subprocess.run([*sampled, *counted], check=True, stdout=subprocess.DEVNULL)
    shown = ("perf", "script", "--header", "--no-inline", "-i", recording)
    text = subprocess.run(shown, check=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout
    script.write_bytes(text.replace(os.fsencode(program.parent), b"/srv/app"))
    recording.unlink()


def costs_of(script: Path) -> Costs:
    """Return the costs of the load in a recording: not those of perf, which starts it."""
    evidences = list(read_paths([script, script.with_suffix(".stat")]))
    readings = [section.reading for evidence in evidences for section in evidence.sections]
    (profile,) = (profile for reading in readings for profile in reading.profiles)
    view = View(profile, Selection(has_idle=False, comms=("load",)))
    return costs(view, [fact for reading in readings for fact in reading.facts])


def session(program: Path, folder: Path) -> Session:
    """Record one session."""
    recorded = []
    for build in (*HALF_BLOCK, *reversed(HALF_BLOCK)) * BLOCKS:
        script = folder / "run.script"
        load = os.getloadavg()[0]
        record(program, build, script)
        recorded.append(Recorded(build, load, costs_of(script)))
    return Session(2 * len(HALF_BLOCK), recorded)


def sessions(path: Path = RUNS) -> list[Session]:
    """Read every stored session."""
    document = json.loads(zstd.decompress(path.read_bytes()))
    names = document["functions"]
    return [Session(one["block"], [_read(run, names) for run in one["runs"]]) for one in document["sessions"]]


def _read(run: dict[str, Any], names: Sequence[str]) -> Recorded:
    period = run["weight"] / run["samples"]
    found = {
        names[at]: FunctionCost(own * period, total * period, 1)
        for at, own, total in zip(run["function"], run["own"], run["total"], strict=True)
    }
    conditions = Conditions(started_at=run["at"], duration_seconds=run["seconds"])
    made = Costs("cpu-clock", "ns", run["weight"], run["samples"], found, run["counters"], conditions)
    return Recorded(run["build"], run["load"], made)


def add(made: Session, path: Path = RUNS) -> None:
    """Store one more session."""
    document: dict[str, Any] = {"functions": [], "sessions": []}
    if path.exists():
        document = json.loads(zstd.decompress(path.read_bytes()))
    numbers = {name: at for at, name in enumerate(document["functions"])}
    rows = [_row(run, numbers) for run in made.runs]
    document["functions"] = list(numbers)
    at = datetime.now(UTC).isoformat(timespec="minutes")
    document["sessions"].append({"at": at, "block": made.block, "runs": rows})
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
        "counters": dict(made.counters),
        "function": [numbers.setdefault(name, len(numbers)) for name in found],
        "own": [round(cost.own / period) for cost in found.values()],
        "total": [round(cost.total / period) for cost in found.values()],
    }


def main(count: int) -> None:
    """Record sessions and store each."""
    with tempfile.TemporaryDirectory() as folder:
        program = build_load(Path(folder))
        for number in range(count):
            add(session(program, Path(folder)))
            sys.stdout.write(f"session {number + 1} of {count}\n")
            sys.stdout.flush()


if __name__ == "__main__":
    main(int(sys.argv[1]))
