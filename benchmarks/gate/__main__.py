"""Judge recorded pairs of builds and write GATE.md: `python -m benchmarks.gate [BENCHSTAT]`.

BENCHSTAT is the program (`go install golang.org/x/perf/cmd/benchstat@latest`); without it its column stays
empty. `python -m benchmarks.gate.record 8` records the sessions anew.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from benchmarks.gate import pairs, simulation, tables
from benchmarks.gate.record import sessions
from benchmarks.gate.verdicts import judge
from ingest.comparison.family_wise import judged
from ingest.comparison.rules import Rules

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from benchmarks.gate.record import Session
    from benchmarks.gate.verdicts import Row

RESULTS = Path(__file__).parents[1] / "GATE.md"
DRAWN = 8
"""Overlapping pairs of a session."""

SIMULATED = 400
HEAD = """# False alarms and detection of `casebook diff`

Recordings of one load ([load.c](gate/load.c)), unchanged and slowed down by a known amount, in turn, on one
machine: {runs} runs, {unchanged} of them unchanged, in {sessions} sessions.
`parse_rows` takes {share:.0%} of the CPU time.
The machine was shared with other work, and its noise sets the rates of detection: where runs vary by 7 % and
more, 6 + 6 of them seldom show a growth of 10 % of one function. Sessions with a PMU have `instructions:u`,
which other work does not change: there a growth of everything is found however busy the machine is.
`python -m benchmarks.gate` judges the stored runs; `python -m benchmarks.gate.record 8` records anew.
"""
VERDICTS = """
## Verdicts

Defaults: family-wise error 1 %, least growth 2 %. Disjoint pairs share no run, so their interval is exact;
drawn pairs overlap. Welch's t test and benchstat (Mann-Whitney) test every measure at 5 %: the total alone,
`parse_rows` alone, or any measure.
"""
SIMULATION = """
## The tail, simulated

Fewer than 6 + 6 runs are judged by Holm's method, which takes runs as independent. On a machine whose noise
lasts longer than a run they are not, and identical builds fail more often than asked: record 6 + 6.
"""


def main(arguments: Sequence[str]) -> None:
    """Judge and write the results."""
    recorded = sessions()
    program = Path(arguments[0]) if arguments else None
    unchanged = [session.unchanged for session in recorded]
    every = [run for session in unchanged for run in session]
    share = float(np.mean([run.functions["user.parse_rows"].total / run.weight for run in every]))
    noise = simulation.fitted(unchanged)
    lines = [
        HEAD.format(
            runs=sum(len(session.runs) for session in recorded),
            unchanged=len(every),
            sessions=len(recorded),
            share=share,
        ),
        *tables.noise_table(recorded),
        VERDICTS,
        *tables.verdict_table(list(_rows(recorded, program))),
        SIMULATION,
        *tables.simulated_table(noise, {runs: _alarms(noise, runs) for runs in (3, 6)}, SIMULATED),
    ]
    RESULTS.write_text("\n".join(lines) + "\n", encoding="utf-8")
    sys.stdout.write("\n".join(lines) + "\n")


def _rows(recorded: Sequence[Session], program: Path | None) -> Iterator[Row]:
    chosen = pairs.disjoint_identical(recorded, 6)
    yield judge("identical, 6 + 6", chosen, program, is_disjoint=True)
    for runs in (6, 3):
        yield judge(f"identical, {runs} + {runs}", pairs.drawn_identical(recorded, runs, DRAWN), program)
    for title, build in (("everything", "all"), ("`parse_rows`", "parse_rows")):
        for percent in (5, 10, 20, 50):
            named = f"{title} +{percent} %, 6 + 6"
            slower = f"{build}={percent}"
            found = list(pairs.disjoint_slower(recorded, slower, 6))
            if found:
                yield judge(named, found, program, is_disjoint=True)
                yield judge(named, pairs.drawn_slower(recorded, slower, 6, DRAWN), program)
    named = "`parse_rows` +5 %, 15 + 15"
    yield judge(named, pairs.disjoint_slower(recorded, "parse_rows=5", 15), program, is_disjoint=True)


def _alarms(noise: simulation.Noise, runs: int) -> int:
    """Return how many simulated pairs of identical builds fail."""
    rules = Rules()
    alarms = 0
    for measured, is_new in simulation.identical(noise, runs, SIMULATED):
        found = judged(measured, is_new, rules.alpha)
        is_alarm = (found.p_growth <= rules.alpha) & (found.growth >= np.log1p(rules.least_growth))
        alarms += bool(is_alarm.any())
    return alarms


if __name__ == "__main__":
    main(sys.argv[1:])
