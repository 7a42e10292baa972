"""Verdicts on pairs of builds: of the comparison, of Welch's test and of benchstat."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from benchmarks.gate import peers
from ingest.comparison.compare import compare
from ingest.comparison.costs import Run
from ingest.comparison.measures import matrix
from ingest.comparison.results import Status
from ingest.comparison.rules import Rules

if TYPE_CHECKING:
    from collections.abc import Iterable

    from benchmarks.gate.pairs import Pair

REQUESTS = 3200
"""Units of work of a run."""

SLOW = ("user.parse_rows", "user.parse_field")
"""The function that a build slows down, and the one it calls."""

_ALONE = ("total cpu", "inclusive user.parse_rows")


class Row(NamedTuple):
    """Verdicts on pairs of one kind.

    Attributes:
        title: What differs.
        is_disjoint: No run is in two pairs.
        pairs: How many.
        failed: The comparison failed.
        named: It failed and named the slow function or, where everything is slower, a total.
        inconclusive: It could not decide.
        welch: Welch's test of the total, of the slow function, and of any measure, each alone.
        benchstat: The same of benchstat; None where it is not at hand.
    """

    title: str
    is_disjoint: bool
    pairs: int
    failed: int
    named: int
    inconclusive: int
    welch: tuple[int, ...]
    benchstat: tuple[int, ...] | None


def judge(title: str, chosen: Iterable[Pair], program: Path | None, *, is_disjoint: bool = False) -> Row:
    """Judge pairs; `program` is benchstat."""
    count = failed = named = inconclusive = 0
    welch, benchstat = np.zeros(3, dtype=int), np.zeros(3, dtype=int)
    with TemporaryDirectory() as folder:
        for base, new in chosen:
            sides = [[Run(costs, REQUESTS) for costs in side] for side in (base, new)]
            result = compare(sides[0], sides[1], Rules(), is_work_known=True)
            count += 1
            failed += result.status is Status.FAIL
            inconclusive += result.status is Status.INCONCLUSIVE
            wanted = {"cpu", "task-clock", "instructions:u"} if "everything" in title else {*SLOW}
            named += bool(wanted & {one.measure.name for one in result.failures})
            measures = matrix([*base, *new], [REQUESTS] * (len(base) + len(new)))
            welch += _kinds(peers.welch(measures, len(base)))
            if program:
                benchstat += _kinds(peers.benchstat(program, measures, len(base), Path(folder)))
    others = tuple(benchstat.tolist()) if program else None
    return Row(title, is_disjoint, count, failed, named, inconclusive, tuple(welch.tolist()), others)


def _kinds(found: set[str]) -> list[int]:
    return [*(name in found for name in _ALONE), bool(found)]
