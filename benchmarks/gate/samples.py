"""Record the sample runs of the tests: `python -m benchmarks.gate.samples tests/data/builds`.

Six runs each of a base, of the same build again, and of one in which everything takes 50 % longer. A round in
which the machine slowed down is recorded again: the tests need runs like those of a dedicated runner.
"""

from __future__ import annotations

import re
import sys
import tempfile
from pathlib import Path

from benchmarks.gate.record import build_load, record
from ingest.model.zstd import zstd

BUILDS = {"base": "all=0", "again": "all=0", "slower": "all=50"}
FREQUENCY = 997
ROUNDS = 6
LARGEST_CLOCK = 1.13
"""Task clock of a run against the shortest of its build, in rounds that count."""

_CLOCK = re.compile(r"([\d.,]+) msec task-clock")


def main(folder: Path) -> None:
    """Write `NAME-NUMBER.script.zst` and `NAME-NUMBER.stat`."""
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as temporary:
        program = build_load(Path(temporary))
        rounds: list[list[Path]] = []
        while len(quiet := _quiet(rounds)) < ROUNDS:
            rounds.append(_round(program, Path(temporary), len(rounds)))
            sys.stdout.write(f"round {len(rounds)}: {len(_quiet(rounds))} of {ROUNDS}\n")
            sys.stdout.flush()
        for number, scripts in enumerate(quiet[:ROUNDS], start=1):
            for name, script in zip(BUILDS, scripts, strict=True):
                packed = zstd.compress(script.read_bytes(), 19)
                (folder / f"{name}-{number}.script.zst").write_bytes(packed)
                counters = script.with_suffix(".stat").read_text().replace(temporary, "/srv/app")
                (folder / f"{name}-{number}.stat").write_text(counters)


def _round(program: Path, folder: Path, number: int) -> list[Path]:
    """Record each build once, every other round in reverse order; return the recordings by build."""
    found = {}
    for name in list(BUILDS) if number % 2 == 0 else reversed(BUILDS):
        found[name] = folder / f"{name}-{number}.script"
        record(program, [BUILDS[name]], found[name], FREQUENCY)
    return [found[name] for name in BUILDS]


def _quiet(rounds: list[list[Path]]) -> list[list[Path]]:
    clocks = [[_clock(script) for script in scripts] for scripts in rounds]
    shortest = [min(column) for column in zip(*clocks, strict=True)]
    return [
        scripts
        for scripts, row in zip(rounds, clocks, strict=True)
        if all(clock <= LARGEST_CLOCK * least for clock, least in zip(row, shortest, strict=True))
    ]


def _clock(script: Path) -> float:
    """Return the task clock of a recording in milliseconds."""
    found = _CLOCK.search(script.with_suffix(".stat").read_text())
    if found is None:
        raise ValueError(f"{script} has no task clock")
    return float(found[1].replace(",", ""))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
