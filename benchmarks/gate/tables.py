"""Tables of GATE.md."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from benchmarks.gate.intervals import exact
from benchmarks.gate.record import UNCHANGED

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from benchmarks.gate.record import Session
    from benchmarks.gate.simulation import Noise
    from benchmarks.gate.verdicts import Row


def noise_table(recorded: Sequence[Session]) -> Iterator[str]:
    """Yield the variation of the unchanged loads, session by session."""
    yield (
        "| load | runs | unchanged | CPU seconds of a run | variation of the total | share of the function "
        "| its variation | interrupts | load average |"
    )
    yield "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | --- |"
    for session in sorted(recorded, key=lambda one: one.load.name):
        unchanged = [run for run in session.runs if run.build == UNCHANGED]
        totals = np.array([run.costs.weight for run in unchanged]) / 1e9
        slow = np.array([run.costs.functions[session.load.function].total for run in unchanged])
        loads = [run.load for run in unchanged]
        foreign = np.mean([run.costs.foreign for run in unchanged]) / 1e9
        yield (
            f"| {session.load.name} | {len(session.runs)} | {len(unchanged)} "
            f"| {totals.mean():.2f} | {totals.std(ddof=1) / totals.mean():.1%} "
            f"| {slow.mean() / 1e9 / totals.mean():.0%} | {slow.std(ddof=1) / slow.mean():.1%} "
            f"| {foreign / totals.mean():.1%} | {min(loads):.1f} to {max(loads):.1f} |"
        )


def verdict_table(rows: Sequence[Row]) -> Iterator[str]:
    """Yield the verdicts on pairs."""
    yield (
        "| load | pair | pairs | fails (exact 95 %) | names it | inconclusive | excludes of functions "
        "| Welch: total / function / any | benchstat: total / function / any |"
    )
    yield "| --- | --- | ---: | --- | ---: | ---: | ---: | --- | --- |"
    for row in rows:
        low, high = exact(row.failed, row.pairs)
        interval = f" ({low:.1%} to {high:.1%})" if row.is_disjoint else ""
        kind = "disjoint" if row.is_disjoint else "drawn"
        yield (
            f"| {row.load} | {row.title}, {kind} | {row.pairs} | {row.failed / row.pairs:.1%}{interval} "
            f"| {row.named / row.pairs:.1%} | {row.inconclusive / row.pairs:.1%} | {row.excluded:+.0%} "
            f"| {_rates(row.welch, row.pairs)} | {_rates(row.benchstat, row.pairs)} |"
        )


class Simulated(NamedTuple):
    """Verdicts on simulated pairs.

    Attributes:
        runs: On each side.
        pairs: Of identical builds.
        alarms: Of those that fail.
        slower: Pairs in which everything is slower.
        failed: Of those that fail.
        passed: Of those that pass; the rest is inconclusive.
    """

    runs: int
    pairs: int
    alarms: int
    slower: int
    failed: int
    passed: int


def simulated_table(load: str, noise: Noise, rows: Iterable[Simulated], growth: float) -> Iterator[str]:
    """Yield false alarms of simulated identical pairs and verdicts on slower ones, by runs on each side."""
    yield ""
    yield (
        f"{load}: noise fitted to the unchanged runs, multivariate t with {noise.degrees:.1f} degrees of "
        f"freedom, "
        f"{noise.carried:.0%} of it carried over to the next run, {len(noise.template.samples)} measures."
    )
    yield ""
    yield (
        f"| runs | identical pairs | false alarms (exact 95 %) | pairs with everything +{growth:.0%} "
        "| fail | inconclusive | pass |"
    )
    yield "| --- | ---: | --- | ---: | ---: | ---: | ---: |"
    for row in rows:
        low, high = exact(row.alarms, row.pairs)
        shares = [row.failed, row.slower - row.failed - row.passed, row.passed]
        yield (
            f"| {row.runs} + {row.runs} | {row.pairs} "
            f"| {row.alarms / row.pairs:.2%} ({low:.2%} to {high:.2%}) "
            f"| {row.slower} | {' | '.join(f'{share / row.slower:.1%}' for share in shares)} |"
        )


def _rates(counts: tuple[int, ...] | None, of: int) -> str:
    return "–" if counts is None else " / ".join(f"{count / of:.0%}" for count in counts)
