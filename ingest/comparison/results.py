"""Result of a comparison as values: status, totals, functions, findings."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from ingest.comparison.comparability import Comparability
    from ingest.comparison.costs import Costs
    from ingest.comparison.measures import Measure
    from ingest.comparison.rules import Rules


class Status(StrEnum):
    """Outcome of a comparison."""

    PASS = "pass"  # noqa: S105 - a verdict
    FAIL = "fail"
    INCONCLUSIVE = "inconclusive"
    NOT_COMPARABLE = "not comparable"


class Shortage(StrEnum):
    """Why a comparison is inconclusive.

    Fewer than three runs on a side; too few points of a baseline; the noise does not exclude the asked growth
    of the totals, or that of functions; or the new build has more disturbed runs than the base.
    """

    FEW_RUNS = "few runs"
    HISTORY = "history"
    NOISE = "noise"
    FUNCTION_NOISE = "noise of functions"
    DISTURBED = "disturbed"


@dataclass(frozen=True, slots=True)
class Growth:
    """What became of one measure.

    Attributes:
        measure: What was measured.
        base: Mean cost per unit of work; `new` likewise.
        growth: Relative, of the geometric means: 0.5 is 50 % more.
        low: Lower end of its 95 % interval; `high` the upper. Infinite where runs do not suffice.
        p_growth: Family-wise one-sided p-value of growth; `p_decline` of decline.
        detectable: Growth that would be found in 9 of 10 cases.
        base_share: Of the CPU time; `new_share` likewise. 1 for totals.
        line: 1-based line of the first new recording where the function is first seen, 0 where it is not.
    """

    measure: Measure
    base: float
    new: float
    growth: float
    low: float
    high: float
    p_growth: float
    p_decline: float
    detectable: float
    base_share: float
    new_share: float
    line: int = 0

    @property
    def increase(self) -> float:
        """Growth in CPU time per unit of work."""
        return self.new - self.base


@dataclass(frozen=True, slots=True)
class Excluded:
    """The smallest growth that the runs exclude at 95 %, however the test ends; 0.1 is 10 %.

    Attributes:
        totals: Of every total.
        functions: Of every function of the scope together; None where none is tested.
        names: Functions that were asked for by name, which are then the scope.
        least_share: Else the scope: functions of at least this share of the CPU time.
    """

    totals: float
    functions: float | None
    names: tuple[str, ...] = ()
    least_share: float = 0.0


@dataclass(frozen=True, slots=True)
class Finding:
    """One cause of growth.

    Attributes:
        growth: Of the function that explains the others.
        callers: Functions that grew because they call it, by name.
        is_offset: The total excludes this growth: work moved here from another function.
    """

    growth: Growth
    callers: tuple[str, ...]
    is_offset: bool


@dataclass(frozen=True, slots=True)
class Result:
    """Result of a comparison.

    Attributes:
        status: Outcome.
        rules: What was asked.
        base: Runs of the baseline; `new` of the new build.
        comparability: Differences between the recordings.
        totals: CPU time first.
        functions: Own and total cost of every tested function, largest increase first.
        foreign: Time of interrupts, which fails nothing; None where there is none.
        excluded: None where nothing could be tested.
        findings: Causes of growth, largest increase first; empty where nothing grew.
        skipped: Functions too small to be measured.
        disturbed: Positions of the runs of the base and of the new build that do not count.
        method: How p-values were adjusted; "" where nothing could be tested.
        runs_needed: Runs on each side that find the asked growth; None where none up to 500 do, and for a
            baseline recorded before.
        shortage: Why it is inconclusive, None where it is not.
    """

    status: Status
    rules: Rules
    base: tuple[Costs, ...]
    new: tuple[Costs, ...]
    comparability: Comparability
    totals: tuple[Growth, ...] = ()
    functions: tuple[Growth, ...] = ()
    foreign: Growth | None = None
    excluded: Excluded | None = None
    findings: tuple[Finding, ...] = ()
    skipped: int = 0
    disturbed: tuple[tuple[int, ...], tuple[int, ...]] = ((), ())
    method: Literal["maxT", "Holm", ""] = ""
    runs_needed: int | None = None
    shortage: Shortage | None = None

    @property
    def failures(self) -> tuple[Growth, ...]:
        """Totals and functions that fail the comparison."""
        found = tuple(one for one in self.totals if is_failure(one, self.rules))
        return found + tuple(one.growth for one in self.findings if not one.is_offset)


def is_failure(growth: Growth, rules: Rules) -> bool:
    """Return whether a growth is significant and large enough to fail."""
    return growth.p_growth <= rules.alpha and growth.growth >= rules.least_growth
