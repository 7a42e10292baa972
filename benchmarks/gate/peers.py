"""What others find in the same runs: benchstat, and Welch's t test of each function by itself.

benchstat compares medians by the Mann-Whitney U test at 5 %; it gets one benchmark for the total and for each
function. Neither corrects for the number of functions.

Sources: golang.org/x/perf/cmd/benchstat; B. L. Welch, Biometrika 34 (1947).
"""

from __future__ import annotations

import csv
import subprocess
from typing import TYPE_CHECKING

import numpy as np

from ingest.comparison.student_t import tail

if TYPE_CHECKING:
    from pathlib import Path

    from ingest.comparison.measures import Matrix

ALPHA = 0.05
_NANOSECONDS = "ns/op"


def welch(matrix: Matrix, runs: int) -> set[str]:
    """Return the measures that grew by Welch's one-sided t test at 5 %; the first `runs` are the base."""
    base, new = matrix.values[:runs], matrix.values[runs:]
    part_base, part_new = base.var(axis=0, ddof=1) / len(base), new.var(axis=0, ddof=1) / len(new)
    error = np.sqrt(part_base + part_new)
    found = set()
    for at, measure in enumerate(matrix.measures):
        if error[at] > 0:
            degrees = error[at] ** 4 / (
                part_base[at] ** 2 / (len(base) - 1) + part_new[at] ** 2 / (len(new) - 1)
            )
            t = (new[:, at].mean() - base[:, at].mean()) / error[at]
            if float(tail(t, degrees)) <= ALPHA:
                found.add(f"{measure.kind} {measure.name}")
    return found


def benchstat(program: Path, matrix: Matrix, runs: int, folder: Path) -> set[str]:
    """Return the measures whose median benchstat reports as larger, significantly at its default of 5 %."""
    names = [f"{measure.kind} {measure.name}" for measure in matrix.measures]
    for side, rows in (("base", matrix.values[:runs]), ("new", matrix.values[runs:])):
        lines = [
            f"BenchmarkM{at} 1 {value:.1f} {_NANOSECONDS}" for row in rows for at, value in enumerate(row)
        ]
        (folder / side).write_text("\n".join(lines) + "\n")
    command = (program, "-format", "csv", folder / "base", folder / "new")
    text = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    found = set()
    for row in csv.reader(text.splitlines()):
        # Name, base, its interval, new, its interval, difference, p.
        if len(row) >= 7 and row[0].startswith("M") and row[5].startswith("+"):
            found.add(names[int(row[0][1:])])
    return found
