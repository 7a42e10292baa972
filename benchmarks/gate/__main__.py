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
from ingest.comparison.growths import is_excluded
from ingest.comparison.rules import Rules

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from benchmarks.gate.record import Session
    from benchmarks.gate.verdicts import Row
    from ingest.comparison.family_wise import Judged

RESULTS = Path(__file__).parents[1] / "GATE.md"
DRAWN = 8
"""Overlapping pairs of a session."""

SIMULATED = {3: 2000, 4: 1000, 5: 1000, 6: 400}
"""Pairs by runs on each side."""

SLOWER = 0.5
SLOWER_PAIRS = 100
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

Fewer than 6 + 6 runs are judged by Holm's method. The prior variance of functions counts for at most as many
degrees of freedom as the runs: with all of it 3 + 3 identical builds failed in 2.4 % of 2,000 pairs, since a
slow run makes all functions slow, and functions that vary together were taken for many that agree. Other
remedies were tried on such pairs: demanding the most extreme of the 20 labellings too (1.6 %), and as many
degrees of freedom as the mean squared correlation of the functions leaves (1.3 % of 400, and less power). The
price is power: of builds in which everything takes 50 % longer 22 % fail at 3 + 3, not 35 %; the others
are inconclusive, none passes.
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
        *tables.simulated_table(noise, [_simulated(noise, *one) for one in SIMULATED.items()], SLOWER),
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
        passed += not _fails(found, rules) and is_excluded(measured.is_total, found, rules.asked)
    return tables.Simulated(runs, count, alarms, SLOWER_PAIRS, failed, passed)


def _fails(found: Judged, rules: Rules) -> bool:
    is_alarm = (found.p_growth <= rules.alpha) & (found.growth >= np.log1p(rules.least_growth))
    return bool(is_alarm.any())


if __name__ == "__main__":
    main(sys.argv[1:])
