"""Verdicts on pairs of builds: of the comparison, of Welch's test and of benchstat."""

from __future__ import annotations

import re
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from benchmarks.gate import peers
from ingest.comparison.compare import compare
from ingest.comparison.costs import Run
from ingest.comparison.measures import matrix
from ingest.comparison.results import Status
from ingest.comparison.rules import Rules, patterns

if TYPE_CHECKING:
    from collections.abc import Iterable

    from benchmarks.gate.pairs import Pair
    from benchmarks.gate.record import Load

EVERYTHING = frozenset({"cpu", "task-clock", "instructions:u"})


class Row(NamedTuple):
    """Verdicts on pairs of one kind.

    Attributes:
        title: What differs.
        load: Name of the load.
        is_disjoint: No run is in two pairs.
        pairs: How many.
        failed: The comparison failed.
        named: It failed and named the slow function or, where everything is slower, a total.
        inconclusive: It could not decide.
        excluded: Median of the growth of functions that the pairs exclude.
        welch: Welch's test of the total, of the slow function, and of any measure, each alone.
        benchstat: The same of benchstat; None where it is not at hand.
    """

    title: str
    load: str
    is_disjoint: bool
    pairs: int
    failed: int
    named: int
    inconclusive: int
    excluded: float
    welch: tuple[int, ...]
    benchstat: tuple[int, ...] | None


def judge(
    title: str,
    load: Load,
    chosen: Iterable[Pair],
    program: Path | None,
    *,
    is_disjoint: bool = False,
    is_named: bool = False,
) -> Row:
    """Judge pairs of a load; `program` is benchstat, `is_named` tests the slow function alone."""
    count = failed = named = inconclusive = 0
    excluded: list[float] = []
    welch, benchstat = np.zeros(3, dtype=int), np.zeros(3, dtype=int)
    rules = Rules(functions=patterns([re.escape(load.function)])) if is_named else Rules()
    wanted = {f"user.{name}" for name in load.slow} if load.slow[0] in title else EVERYTHING
    alone = ("total cpu", f"inclusive {load.function}")
    with TemporaryDirectory() as folder:
        for base, new in chosen:
            sides = [[Run(costs) for costs in side] for side in (base, new)]
            result = compare(sides[0], sides[1], rules, is_work_known=True)
            count += 1
            failed += result.status is Status.FAIL
            inconclusive += result.status is Status.INCONCLUSIVE
            named += bool(wanted & {one.measure.name for one in result.failures})
            if result.excluded and result.excluded.functions is not None:
                excluded.append(result.excluded.functions)
            measures = matrix([*base, *new], [1.0] * (len(base) + len(new)), families=Rules().families)
            welch += _kinds(peers.welch(measures, len(base)), alone)
            if program:
                benchstat += _kinds(peers.benchstat(program, measures, len(base), Path(folder)), alone)
    return Row(
        title,
        load.name,
        is_disjoint,
        count,
        failed,
        named,
        inconclusive,
        float(np.median(excluded)) if excluded else float("nan"),
        tuple(welch.tolist()),
        tuple(benchstat.tolist()) if program else None,
    )


def _kinds(found: set[str], alone: tuple[str, str]) -> list[int]:
    return [*(name in found for name in alone), bool(found)]
