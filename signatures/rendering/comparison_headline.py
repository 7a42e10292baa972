"""The first line of a comparison of builds: the verdict with its main reason."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from ingest.comparison.compare import LEAST_HISTORY
from ingest.comparison.growths import USUAL
from ingest.comparison.measures import CPU_TIME
from ingest.comparison.results import Shortage, Status
from signatures.rendering.amounts import percent
from signatures.rendering.comparison_findings import change_words
from signatures.rendering.lines import bare

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ingest.comparison.results import Growth, Result
    from signatures.rendering.comparison_findings import Change, MetGate

MOST_NAMES = 3
USUAL_RUNS = 6
"""Of each build."""

TOTAL_NAMES = {CPU_TIME: "CPU time"}
TITLES = {
    Status.PASS: "Pass",
    Status.FAIL: "Fail",
    Status.INCONCLUSIVE: "Inconclusive",
    Status.NOT_COMPARABLE: "Not comparable",
}
UNDECIDED = {Status.INCONCLUSIVE, Status.NOT_COMPARABLE}


class BaselinePoint(NamedTuple):
    """A point of a baseline.

    Attributes:
        name: Where it is, `casebook-baseline/db-proxy/…`.
        commit: Of its build, "" where none was named.
        at: Time in ISO 8601, UTC.
        runs: How many it has.
    """

    name: str
    commit: str
    at: str
    runs: int


class Baseline(NamedTuple):
    """The baseline that a comparison uses.

    Attributes:
        place: A directory, or the URL of a service.
        points: Oldest first; empty where it has none of this series yet.
        is_base: Its points stand for the base. Else base runs were recorded, and it adds its variation.
        failure: Why a service did not give its points, "" where it did.
    """

    place: str
    points: tuple[BaselinePoint, ...]
    is_base: bool
    failure: str = ""


@dataclass(frozen=True, slots=True)
class Comparison:
    """A result with the paths of its runs.

    Attributes:
        base: Path of each run of the base; `new` of the new build.
        has_work: Costs are per unit of work, not per run.
        is_interleaved: The base was recorded in turn with the new runs, not before.
        gates: Expressions of `--fail-on` with what meets them.
        baseline: None where none is used.
    """

    base: tuple[str, ...]
    new: tuple[str, ...]
    result: Result
    has_work: bool
    is_interleaved: bool = True
    gates: tuple[MetGate, ...] = ()
    baseline: Baseline | None = None

    @property
    def changes(self) -> tuple[Change, ...]:
        """New and worse findings that meet an expression, each once."""
        return tuple({id(one.document): one for gate in self.gates for one in gate.changes}.values())

    @property
    def status(self) -> Status:
        """The verdict: a finding that meets an expression fails, whatever the costs."""
        return Status.FAIL if self.changes else self.result.status


def headline(comparison: Comparison) -> str:
    """Return the verdict with its main reason: findings that fail first, then the costs."""
    costs = cost_headline(comparison)
    if not comparison.changes:
        return costs
    title, _, reason = costs.partition(": ")
    undecided = comparison.result.status in UNDECIDED
    reason = f"{title.lower()}: {reason}" if undecided else reason
    return f"{TITLES[Status.FAIL]}: {_change_words(comparison.changes)}; {reason}"


def cost_headline(comparison: Comparison) -> str:
    """Return the verdict on the costs with its main reason."""
    result = comparison.result
    title = TITLES[result.status]
    if result.status is Status.NOT_COMPARABLE:
        return (
            f"{title}: {next(one.sentence for one in result.comparability.differences if not one.is_allowed)}"
        )
    if result.status is Status.INCONCLUSIVE:
        return f"{title}: {_too_few(comparison)}"
    if result.status is Status.PASS:
        return f"{title}: no significant growth; growth excluded: {excluded_words(result)}"
    grown = [one for one in result.failures if one.measure.kind == "total"]
    reasons = [f"{name_of(one)} {percent(one.growth)}" for one in grown]
    functions = [one for one in result.failures if one.measure.kind != "total"]
    if grown:
        # Where everything is slower, every function is: only one that grew more than all explains it.
        most = max(one.high for one in grown)
        functions = [one for one in functions if one.low > most]
    if functions:
        first = f"{name_of(functions[0])} {percent(functions[0].growth)}"
        reasons.append(first if len(functions) == 1 else f"{first} and {len(functions) - 1} more functions")
    return f"{title}: {', '.join(reasons)} {_per(comparison)}"


def _change_words(changes: Sequence[Change]) -> str:
    """Return the findings in words, the first of many."""
    shown = changes[:MOST_NAMES]
    more = f" and {len(changes) - len(shown)} more" if len(changes) > len(shown) else ""
    return f"{change_words(shown)}{more}"


def name_of(growth: Growth) -> str:
    """Return the name of a measure."""
    return TOTAL_NAMES.get(growth.measure.name, bare(growth.measure.name))


def _per(comparison: Comparison) -> str:
    return "per unit of work" if comparison.has_work else "per run"


def excluded_words(result: Result) -> str:
    """Return the smallest growth that the runs exclude.

    `totals from +4.1 %, functions of 5 % and more from +24.0 %`
    """
    least = result.excluded
    if least is None:
        return "nothing"
    words = f"totals from {percent(least.totals)}"
    if least.functions is None:
        return f"{words}, no function is tested"
    share = f"functions of {least.least_share * 100:g} % and more" if least.least_share else "functions"
    scope = ", ".join(bare(name) for name in least.names[:MOST_NAMES]) or share
    more = f" and {len(least.names) - MOST_NAMES} more" if len(least.names) > MOST_NAMES else ""
    bound = percent(least.functions) if math.isfinite(least.functions) else "no growth"
    return f"{words}, {scope}{more} from {bound}"


def named_functions(result: Result) -> tuple[str, ...]:
    """Return the functions that are tested alone."""
    return result.excluded.names if result.excluded is not None else ()


def _too_few(comparison: Comparison) -> str:
    result = comparison.result
    if result.shortage is Shortage.HISTORY:
        return (
            f"the baseline has fewer than {LEAST_HISTORY} points; record base runs in turn with the new ones"
        )
    if result.shortage is Shortage.DISTURBED:
        return f"{len(result.disturbed[1])} runs of the new build cost far more than the others; repeat them"
    asked = _asked(result)
    if not comparison.is_interleaved:
        return f"{asked} is not excluded: the points of the baseline differ too much"
    if result.runs_needed is None:
        return f"runs differ too much to exclude {asked}, by any number of runs"
    needed = f"{result.runs_needed} + {result.runs_needed} runs"
    if result.shortage is Shortage.FEW_RUNS:
        single = min(len(result.base), len(result.new)) == 1
        runs = "one run does not" if single else "two runs do not"
        more = f", about {needed} find {asked} in 9 of 10 cases" if result.runs_needed > USUAL_RUNS else ""
        return f"{runs} show how much runs differ; {USUAL_RUNS} + {USUAL_RUNS} suffice for most loads{more}"
    if result.runs_needed <= min(len(result.base), len(result.new)):
        return f"{asked} is not excluded: repeat the runs, or record more"
    return f"{asked} is not excluded; to find it takes about {needed}"


def _asked(result: Result) -> str:
    """Return the growth that was asked for and that the runs neither show nor exclude."""
    rules = result.rules
    if result.shortage is not Shortage.FUNCTION_NOISE or rules.asked_function is None:
        return f"a growth of {USUAL if rules.asked is None else rules.asked:.0%}"
    names = named_functions(result)
    which = ", ".join(map(bare, names[:MOST_NAMES])) if names else "a function"
    return f"a growth of {which} by {rules.asked_function:.0%}"
