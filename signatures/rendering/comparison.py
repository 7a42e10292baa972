"""A comparison of builds as text for a log and as Markdown for a pull request."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ingest.comparison.compare import LEAST_HISTORY
from ingest.comparison.growths import USUAL
from ingest.comparison.measures import CPU_TIME
from ingest.comparison.results import Shortage, Status
from signatures.rendering.amounts import cost, percent
from signatures.rendering.lines import bare

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ingest.comparison.results import Finding, Growth, Result

MOST_ROWS = 15
MOST_NAMES = 3
TOTAL_NAMES = {CPU_TIME: "CPU time"}
UNKNOWN_NAMES = {
    "host": "host",
    "kernel": "kernel",
    "cpu": "CPU model",
    "cpus": "number of CPUs",
    "frequency": "sampling frequency",
    "order": "order of the runs",
}
TITLES = {
    Status.PASS: "Pass",
    Status.FAIL: "Fail",
    Status.INCONCLUSIVE: "Inconclusive",
    Status.NOT_COMPARABLE: "Not comparable",
}
ICONS = {Status.PASS: "✅", Status.FAIL: "❌", Status.INCONCLUSIVE: "❔", Status.NOT_COMPARABLE: "⛔"}


@dataclass(frozen=True, slots=True)
class Comparison:
    """A result with the paths of its runs.

    Attributes:
        base: Path of each run of the base; `new` of the new build.
        has_work: Costs are per unit of work, not per run.
        is_interleaved: The base was recorded in turn with the new runs, not before.
    """

    base: tuple[str, ...]
    new: tuple[str, ...]
    result: Result
    has_work: bool
    is_interleaved: bool = True


def text_lines(comparison: Comparison) -> Iterator[str]:
    """Yield the report for a log."""
    yield headline(comparison)
    yield ""
    yield from conditions(comparison)
    rows = list(_rows(comparison))
    if rows:
        yield ""
        yield from _aligned(rows)
    found = list(sentences(comparison))
    if found:
        yield ""
        yield from found


def markdown_lines(comparison: Comparison) -> Iterator[str]:
    """Yield the report for a pull request or job summary."""
    yield f"## {ICONS[comparison.result.status]} {headline(comparison)}"
    yield ""
    for line in (*conditions(comparison), *sentences(comparison)):
        yield f"- {line}"
    rows = list(_rows(comparison))
    if rows:
        yield ""
        yield _piped(rows[0])
        yield "| --- |" + " ---: |" * (len(rows[0]) - 1)
        for name, *cells in rows[1:]:
            yield _piped([f"`{name.replace('|', '¦').replace('`', chr(39))}`", *cells])


def headline(comparison: Comparison) -> str:
    """Return the verdict with its main reason."""
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


def conditions(comparison: Comparison) -> Iterator[str]:
    """Yield the runs and what they were recorded under."""
    result = comparison.result
    for title, paths, runs in (("Base", comparison.base, result.base), ("New", comparison.new, result.new)):
        count = "1 run" if len(runs) == 1 else f"{len(runs)} runs"
        samples = sum(run.samples for run in runs)
        yield f"{title}: {count}, {samples:,.0f} samples{_places(paths)}"
    first = result.new[0]
    known = [bare(first.event) or "unnamed event"]
    known += [f"{first.conditions.frequency_hz:g} Hz"] if first.conditions.frequency_hz else []
    known += [f"kernel {bare(first.conditions.kernel)}"] if first.conditions.kernel else []
    known += [f"{first.conditions.cpus} CPUs"] if first.conditions.cpus else []
    yield f"Recorded: {', '.join(known)}"
    for paths, positions in zip((comparison.base, comparison.new), result.disturbed, strict=True):
        if positions:
            yield f"Disturbed, not counted: {', '.join(bare(paths[at]) for at in positions)}"
    for note in result.comparability.notes:
        yield f"Note: {bare(note)}"
    for one in result.comparability.differences:
        yield f"{'Allowed' if one.is_allowed else 'Not comparable'} ({one.kind}): {bare(one.sentence)}"
    unknown = [UNKNOWN_NAMES[kind] for kind in result.comparability.unknown]
    if unknown:
        yield f"Not checked, not in the recordings: {', '.join(unknown)}"


def sentences(comparison: Comparison) -> Iterator[str]:
    """Yield causes, power and what was not tested."""
    result = comparison.result
    for one in result.findings:
        yield finding_sentence(one)
    if result.method:
        sizes = f"{len(result.base)} + {len(result.new)} runs"
        powers = [f"{percent(one.detectable)} of {name_of(one)}" for one in _for_power(comparison)]
        yield f"Power: with {sizes}, a growth of {', '.join(powers)} is found in 9 of 10 cases"
        if result.status is Status.INCONCLUSIVE:
            yield f"Excluded: {excluded_words(result)}"
        named = ", ".join(map(bare, _named(result)))
        alone = f", and of each function that is tested alone: {named}" if named else ""
        yield f"Family-wise error: {result.rules.alpha:.2%} ({result.method}){alone}"
    if result.foreign is not None:
        yield "Interrupts, softirqs and the scheduling tick are time of the machine: shown, never a failure"
    if result.status is not Status.NOT_COMPARABLE and result.skipped:
        yield f"Not tested: {result.skipped} functions below 0.5 % of the CPU time or 8 samples a run"


def finding_sentence(finding: Finding) -> str:
    """Describe one cause."""
    growth = finding.growth
    which = "own time" if growth.measure.kind == "own" else "time with callees"
    size = f"{percent(growth.growth)} ({_interval(growth)}), p = {growth.p_growth:.2g}"
    sentence = f"{name_of(growth)}: {which} {size}"
    if finding.callers:
        shown = ", ".join(bare(name) for name in finding.callers[:5])
        sentence += f"; with it its callers {shown}{' …' if len(finding.callers) > 5 else ''}"
    if finding.is_offset:
        sentence += "; the total did not grow by as much: work moved here, not a failure"
    return sentence


def name_of(growth: Growth) -> str:
    """Return the name of a measure."""
    return TOTAL_NAMES.get(growth.measure.name, bare(growth.measure.name))


def amount(value: float, growth: Growth, unit: str) -> str:
    """Return the cost of a measure with its unit."""
    if growth.measure.name == "task-clock":
        value, unit = value * 1e6, "ns"
    elif growth.measure.kind == "total" and growth.measure.name != CPU_TIME:
        unit = "count"
    return cost(value, unit)


def _places(paths: Sequence[str]) -> str:
    """Return the first path, with a mark where there are more."""
    return f", {bare(paths[0])}{' …' if len(paths) > 1 else ''}" if paths else ""


def _rows(comparison: Comparison) -> Iterator[list[str]]:
    """Yield a header and rows: totals, then the functions with the largest changes."""
    result = comparison.result
    if not result.totals:
        return
    unit = result.new[0].unit
    per = "unit of work" if comparison.has_work else "run"
    yield [f"per {per}", "base", "new", "growth", "95 % interval", "base share", "new share"]
    foreign = (result.foreign,) if result.foreign is not None else ()
    for one in (*result.totals, *foreign, *largest(result.functions)):
        is_total = one.measure.kind == "total"
        part = {"own": " (own)", "foreign": " (of the machine)"}.get(one.measure.kind, "")
        shares = ["", ""] if is_total else [f"{one.base_share:.1%}", f"{one.new_share:.1%}"]
        yield [
            f"{name_of(one)}{part}",
            amount(one.base, one, unit),
            amount(one.new, one, unit),
            percent(one.growth),
            _interval(one),
            *shares,
        ]


def largest(functions: Sequence[Growth], most: int = MOST_ROWS) -> list[Growth]:
    """Return the largest changes, one row for a function whose own time is all of its time."""
    inclusive = {one.measure.name: one for one in functions if one.measure.kind == "inclusive"}
    shown = [
        one
        for one in functions
        if one.measure.kind == "inclusive"
        or one.measure.name not in inclusive
        or one.new < 0.98 * inclusive[one.measure.name].new
    ]
    chosen = sorted(shown, key=lambda one: -abs(one.increase))[:most]
    return sorted(chosen, key=lambda one: -one.increase)


def _interval(growth: Growth) -> str:
    if not math.isfinite(growth.low):
        return "–"
    return f"{growth.low * 100:+.1f} to {growth.high * 100:+.1f} %"


def _aligned(rows: Sequence[Sequence[str]]) -> Iterator[str]:
    widths = [max(len(row[at]) for row in rows) for at in range(len(rows[0]))]
    for name, *cells in rows:
        line = f"{name:<{widths[0]}}"
        for width, cell in zip(widths[1:], cells, strict=True):
            line += f"  {cell:>{width}}"
        yield line.rstrip()


def _piped(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _per(comparison: Comparison) -> str:
    return "per unit of work" if comparison.has_work else "per run"


def _for_power(comparison: Comparison) -> list[Growth]:
    """Return the totals, and the functions that are tested alone, else the largest by its own time."""
    result = comparison.result
    named = [one for one in result.functions if one.measure.name in _named(result)]
    if named:
        return [*result.totals, *named[:MOST_NAMES]]
    own = [one for one in result.functions if one.measure.kind == "own"]
    return [*result.totals, *([max(own, key=lambda one: one.base)] if own else [])]


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


def _named(result: Result) -> tuple[str, ...]:
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
        return f"{runs} show how much runs differ; to find {asked} takes at least {needed}"
    if result.runs_needed <= min(len(result.base), len(result.new)):
        return f"{asked} is not excluded: repeat the runs, or record more"
    return f"{asked} is not excluded; to find it takes about {needed}"


def _asked(result: Result) -> str:
    """Return the growth that was asked for and that the runs neither show nor exclude."""
    rules = result.rules
    if result.shortage is not Shortage.FUNCTION_NOISE or rules.asked_function is None:
        return f"a growth of {USUAL if rules.asked is None else rules.asked:.0%}"
    names = _named(result)
    which = ", ".join(map(bare, names[:MOST_NAMES])) if names else "a function"
    return f"a growth of {which} by {rules.asked_function:.0%}"
