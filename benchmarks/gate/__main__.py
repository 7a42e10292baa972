"""Judge recorded pairs of builds and write GATE.md: `python -m benchmarks.gate [BENCHSTAT]`.

BENCHSTAT is the program (`go install golang.org/x/perf/cmd/benchstat@latest`); without it its column stays
empty. `python -m benchmarks.gate.record 8` records the sessions anew.
"""

from __future__ import annotations

import sys
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from benchmarks.gate import pairs, simulation, tables
from benchmarks.gate.intervals import most
from benchmarks.gate.record import EVERYTHING, LOADS, sessions
from benchmarks.gate.verdicts import judge
from ingest.comparison.family_wise import judged
from ingest.comparison.rules import Rules
from ingest.comparison.student_t import quantile

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from benchmarks.gate.record import Load, Session
    from benchmarks.gate.verdicts import Row
    from ingest.comparison.contrast import Measured
    from ingest.comparison.family_wise import Judged

IDENTICAL = "identical, 6 + 6"

RESULTS = Path(__file__).parents[1] / "GATE.md"
DRAWN = 4
"""Overlapping pairs of a session."""

SIMULATED = {3: 600, 6: 300}
"""Pairs by runs on each side."""

SLOWER = 0.1
SLOWER_PAIRS = 100
HEAD = """# False alarms and detection of `casebook diff`

Recordings of three loads, unchanged and slowed down by a known amount, in turn, on one machine: {runs} runs,
{unchanged} of them unchanged, in {sittings} sittings. [load.c](gate/load.c) parses, sorts and maps memory in
two processes, [records.c](gate/records.c) keeps records in SQLite and answers in JSON,
[messages.c](gate/messages.c) sends messages and copies files, mostly in the kernel. A run takes 0.4 CPU
seconds, sampled at 4,997 Hz. The machine was shared with other work; it has no PMU.
`python -m benchmarks.gate` judges the stored runs; `python -m benchmarks.gate.record 8` records anew.
"""
VERDICTS = """
## Verdicts

Defaults: level 1 %, least growth 2 %, totals +10 % asked for. Disjoint pairs share no run, so their interval
is exact; drawn pairs overlap. *By name* is `--function NAME`. *Excludes* is the median growth of functions of
5 % of the CPU time and more that the pairs exclude. Welch's t test and benchstat (Mann-Whitney) test every
measure at 5 %: the total alone, the slow function alone, or any measure.
"""
ALARMS = """
Of {pairs} disjoint pairs of identical builds, 6 + 6 runs, {failed} failed: at most {bound:.1%} do, exactly,
with 95 % confidence (one-sided).
"""
SIMULATION = """
## The tail, simulated

Noise as that of the unchanged runs, in as many pairs as the 1 % tail needs. Fewer than 6 + 6 runs are judged
by Holm's method, with at most twice the degrees of freedom of the runs: a slow run makes all functions slow,
and functions that vary together must not be taken for many that agree.
"""


def main(arguments: Sequence[str]) -> None:
    """Judge and write the results."""
    recorded = sessions()
    program = Path(arguments[0]) if arguments else None
    unchanged = sum(len(session.unchanged) for session in recorded)
    with ProcessPoolExecutor(len(LOADS)) as pool:
        judged_loads = list(pool.map(partial(_judged_load, recorded, program), LOADS))
    rows = [row for of_load, _ in judged_loads for row in of_load]
    identical = [row for row in rows if row.title == IDENTICAL and row.is_disjoint]
    failed, count = sum(row.failed for row in identical), sum(row.pairs for row in identical)
    lines = [
        HEAD.format(
            runs=sum(len(session.runs) for session in recorded),
            unchanged=unchanged,
            sittings=len(recorded) // len(LOADS),
        ),
        *tables.noise_table(recorded),
        VERDICTS,
        *tables.verdict_table(rows),
        ALARMS.format(pairs=count, failed=failed, bound=most(failed, count)),
        SIMULATION,
    ]
    for _, table in judged_loads:
        lines += table
    RESULTS.write_text("\n".join(lines) + "\n", encoding="utf-8")
    sys.stdout.write("\n".join(lines) + "\n")


def _judged_load(
    recorded: Sequence[Session], program: Path | None, load: Load
) -> tuple[list[Row], list[str]]:
    """Return the verdicts on one load and the table of its simulation."""
    own = _sessions_of(recorded, load)
    noise = simulation.fitted([session.unchanged for session in own])
    simulated = [_simulated(noise, *one) for one in SIMULATED.items()]
    table = list(tables.simulated_table(load.name, noise, simulated, SLOWER))
    return list(_rows(load, own, program)), table


def _sessions_of(recorded: Sequence[Session], load: Load) -> list[Session]:
    return [session for session in recorded if session.load == load]


def _rows(load: Load, recorded: Sequence[Session], program: Path | None) -> Iterator[Row]:
    yield judge(IDENTICAL, load, pairs.disjoint_identical(recorded, 6), program, is_disjoint=True)
    for runs in (6, 3):
        drawn = pairs.drawn_identical(recorded, runs, DRAWN)
        yield judge(f"identical, {runs} + {runs}", load, drawn, program)
    for title, build, runs, is_named in (
        ("everything +10 %", EVERYTHING, 6, False),
        (f"`{load.slow[0]}` +10 %", load.slower, 6, False),
        (f"`{load.slow[0]}` +10 % by name", load.slower, 8, True),
        (f"`{load.slow[0]}` +10 %", load.slower, 15, False),
    ):
        named = f"{title}, {runs} + {runs}"
        chosen = pairs.disjoint_slower(recorded, build, runs)
        yield judge(named, load, chosen, program, is_disjoint=True, is_named=is_named)
        drawn = pairs.drawn_slower(recorded, build, runs, DRAWN)
        yield judge(named, load, drawn, program, is_named=is_named)


def _simulated(noise: simulation.Noise, runs: int, count: int) -> tables.Simulated:
    """Judge simulated pairs of identical builds, and of one in which everything is slower."""
    rules = Rules()
    alarms = failed = passed = 0
    for measured, is_new in simulation.identical(noise, runs, count):
        alarms += _fails(judged(measured, is_new, rules.alpha), rules)
    for measured, is_new in simulation.identical(noise, runs, SLOWER_PAIRS):
        measured.logs[is_new] += np.log1p(SLOWER)
        found = judged(measured, is_new, rules.alpha)
        failed += _fails(found, rules)
        passed += not _fails(found, rules) and _is_excluded(measured, found, SLOWER)
    return tables.Simulated(runs, count, alarms, SLOWER_PAIRS, failed, passed)


def _is_excluded(measured: Measured, found: Judged, growth: float) -> bool:
    """Return whether `growth` of every total lies above its one-sided 95 % bound."""
    totals = np.flatnonzero(measured.is_total & np.isfinite(found.critical))
    margin = np.array([quantile(0.05, float(found.degrees[at])) for at in totals]) * found.error[totals]
    return bool((np.expm1(found.growth[totals] + margin) < growth).all())


def _fails(found: Judged, rules: Rules) -> bool:
    is_alarm = (found.p_growth <= rules.alpha) & (found.growth >= np.log1p(rules.least_growth))
    return bool(is_alarm.any())


if __name__ == "__main__":
    main(sys.argv[1:])
