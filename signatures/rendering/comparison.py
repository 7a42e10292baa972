"""A comparison of builds as text for a log and as Markdown for a pull request."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from ingest.comparison.measures import CPU_TIME
from ingest.comparison.results import Status
from signatures.rendering.amounts import cost, percent
from signatures.rendering.comparison_base import baseline_words, places
from signatures.rendering.comparison_headline import (
    MOST_NAMES,
    excluded_words,
    headline,
    name_of,
    named_functions,
)
from signatures.rendering.lines import bare

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ingest.comparison.results import Finding, Growth
    from signatures.rendering.comparison_headline import Comparison

MOST_ROWS = 15
UNKNOWN_NAMES = {
    "host": "host",
    "kernel": "kernel",
    "cpu": "CPU model",
    "cpus": "number of CPUs",
    "frequency": "sampling frequency",
    "order": "order of the runs",
}
ICONS = {Status.PASS: "✅", Status.FAIL: "❌", Status.INCONCLUSIVE: "❔", Status.NOT_COMPARABLE: "⛔"}


def text_lines(comparison: Comparison) -> Iterator[str]:
    """Yield the report for a log."""
    yield headline(comparison)
    yield ""
    yield from (one.line for one in comparison.changes)
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
    yield f"## {ICONS[comparison.status]} {headline(comparison)}"
    yield ""
    findings = [one.line for one in comparison.changes]
    for line in (*findings, *conditions(comparison), *sentences(comparison)):
        yield f"- {line}"
    rows = list(_rows(comparison))
    if rows:
        yield ""
        yield _piped(rows[0])
        yield "| --- |" + " ---: |" * (len(rows[0]) - 1)
        for name, *cells in rows[1:]:
            yield _piped([f"`{name.replace('|', '¦').replace('`', chr(39))}`", *cells])


def conditions(comparison: Comparison) -> Iterator[str]:
    """Yield the runs and what they were recorded under."""
    result = comparison.result
    for title, paths, runs in (("Base", comparison.base, result.base), ("New", comparison.new, result.new)):
        count = "1 run" if len(runs) == 1 else f"{len(runs)} runs"
        samples = sum(run.samples for run in runs)
        where = f", {places(paths)}" if paths else ""
        yield f"{title}: {count}, {samples:,.0f} samples{where}"
    if comparison.baseline is not None:
        role = "the base" if comparison.baseline.is_base else "for its variation"
        yield f"Baseline, {role}: {baseline_words(comparison.baseline)}"
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
        named = ", ".join(map(bare, named_functions(result)))
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


def amount(value: float, growth: Growth, unit: str) -> str:
    """Return the cost of a measure with its unit."""
    if growth.measure.name == "task-clock":
        value, unit = value * 1e6, "ns"
    elif growth.measure.kind == "total" and growth.measure.name != CPU_TIME:
        unit = "count"
    return cost(value, unit)


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


def _for_power(comparison: Comparison) -> list[Growth]:
    """Return the totals, and the functions that are tested alone, else the largest by its own time."""
    result = comparison.result
    named = [one for one in result.functions if one.measure.name in named_functions(result)]
    if named:
        return [*result.totals, *named[:MOST_NAMES]]
    own = [one for one in result.functions if one.measure.kind == "own"]
    return [*result.totals, *([max(own, key=lambda one: one.base)] if own else [])]
