"""Windows that are put into calm recordings, and whether the engine of series finds them.

    python -m benchmarks.windows 7  ->  cases of seed 7, as Markdown

A case takes the rows of a real recording at random until it has 40 to 120 intervals, and raises one quantity
for 1 to 5 intervals to 1.1 to 10 times the threshold of its rule (a share to 1 at most). Found is a window
whose onset and end are within one interval of what was put in. Calm cases are the recordings as they are, the
same rows without a window, and noise below the threshold.
"""

from __future__ import annotations

import random
import sys
from array import array
from collections import Counter
from dataclasses import replace
from math import ceil
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ingest.engines.series.model import looks_column, series_of
from ingest.evidence import read_bytes, read_paths
from ingest.model.reading import RowSet
from ingest.model.row_columns import Numbers, numbers, words
from signatures.judging.scope import Scope, items_of
from signatures.overview.scope_evidence import ScopeEvidence
from signatures.overview.window_rules import rules, worst_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ingest.model.row_columns import Column
    from signatures.judging.scope import Item
    from signatures.overview.window_rule import Rule

DATA = Path(__file__).parents[1] / "tests" / "data"
RECORDINGS = (
    "vmstat/vmstat.wide.txt",
    "vmstat/vmstat.narrow.txt",
    "vmstat/vmstat.wide-timestamps.txt",
    "mpstat/mpstat.all-cpus.txt",
    "mpstat/mpstat.json",
    "iostat/iostat.extended.txt",
    "iostat/iostat.iso.txt",
    "pidstat/pidstat.processes.txt",
    "pidstat/pidstat.threads.txt",
    "dstat/defaults.txt",
    "dstat/wide.txt",
    "sar/sar-A.txt",
    "sar/sadf-d.txt",
    "sar/sar.u-q-n.txt",
    "atop/three.txt",
    "atopsar/atopsar-A.txt",
    "recorded/guest/idle/proc_pressure_memory.txt",
)
CASES = 120
HEIGHTS, LONGEST = (1.1, 1.5, 2.0, 4.0, 10.0), 5
MOST_PER_RULE = 3


class Base(NamedTuple):
    """A quantity of a real recording that is calm in it."""

    name: str
    item: Item
    rows: RowSet
    rule: Rule


class Case(NamedTuple):
    """One case, and whether its window was found.

    Attributes:
        tool: The format.
        fact: The quantity.
        times: Height in thresholds.
        length: Intervals.
        outcome: "" when found, else what was instead.
    """

    tool: str
    fact: str
    times: float
    length: int
    outcome: str


def bases() -> list[Base]:
    """Return every pair of a recording and a rule whose quantity is there, and below the threshold."""
    found = []
    for name in RECORDINGS:
        for item in items_of(read_paths([DATA / name])):
            for rule in rules():
                if rule.is_below or rule.of:
                    continue
                column = looks_column(rule.fact)
                for rows in item.reading.row_sets:
                    values = rows.column(column)
                    if not isinstance(values, Numbers) or len(rows) < 2:
                        continue
                    if (values.array < rule.above).any() and series_of(item.reading, rule.fact):
                        found += [] if (values.array >= rule.above).any() else [Base(name, item, rows, rule)]
    return found


def case_of(base: Base, choice: random.Random) -> Case | None:
    """Return a case of a base; None where the rule asks for a longer window."""
    interval = choice.choice((1.0, 10.0, 60.0))
    least = max(1, ceil(base.rule.least_seconds / interval))
    if least > LONGEST:
        return None
    size, length = choice.randint(40, 120), choice.randint(least, LONGEST)
    times = choice.choice(HEIGHTS)
    at = choice.randrange(size - length)
    evidence = composed(base, choice, interval, size, (at, length, times))
    found = worst_of(evidence, base.rule)
    outcome = ""
    if found is None:
        outcome = "not found"
    else:
        first, last = found.window.first, found.window.last
        # The first row of a counter or of a short series may be left out: an interval is allowed.
        if abs(first - at) > 1 or abs(last - (at + length - 1)) > 1:
            outcome = f"rows {first} to {last} instead of {at} to {at + length - 1}"
    return Case(base.item.format, base.rule.fact, times, length, outcome)


def composed(
    base: Base, choice: random.Random, interval: float, size: int, window: tuple[int, int, float] | None
) -> ScopeEvidence:
    """Return a longer recording of rows of a base; `window` is its onset, length and height."""
    column = looks_column(base.rule.fact)
    intervals = _intervals(base.rows)
    chosen = [choice.choice(intervals) for _ in range(size)]
    measured = np.array(base.rows.column(column), dtype=np.float64)
    subject = choice.choice([at for at in intervals[0] if not np.isnan(measured[at])])
    places = np.array([at for rows in chosen for at in rows])
    stamps = np.repeat(np.arange(size), [len(rows) for rows in chosen])
    raised = measured[places]
    if window is not None:
        at, length, times = window
        key = _key(base.rows, subject)
        threshold = max(base.rule.above, base.rule.times_median * float(np.nanmedian(measured)))
        high = [threshold * times * choice.uniform(1.0, 1.08) for _ in range(length)]
        is_share = base.rule.fact.endswith("_share") and not base.rule.fact.startswith("process.")
        for row, (place, stamp) in enumerate(zip(places.tolist(), stamps.tolist(), strict=True)):
            if at <= stamp < at + length and _key(base.rows, place) == key:
                height = high[stamp - at]
                raised[row] = min(height, 1.0) if is_share else height
    cells: list[Column] = []
    for name, old in zip(base.rows.columns, base.rows.cells, strict=True):
        if name == column:
            cells.append(numbers(raised))
        elif name == "time_text":
            cells.append(words(_clock(stamp * interval) for stamp in stamps.tolist()))
        elif isinstance(old, Numbers):
            cells.append(numbers(old.array[places]))
        else:
            cells.append(words(None if old[at] is None else str(old[at]) for at in places.tolist()))
    lines = array("i", range(1, len(places) + 1))
    rows = RowSet(base.rows.name, base.rows.columns, tuple(cells), lines, (size - 1) * interval)
    reading = replace(base.item.reading, row_sets=(rows,))
    return ScopeEvidence(Scope("", "during", (replace(base.item, reading=reading),)))


def _intervals(rows: RowSet) -> list[list[int]]:
    """Return the places of the rows of each interval: of those that all that is named has a row in."""
    by_key: dict[tuple[str, ...], list[int]] = {}
    for at in range(len(rows)):
        by_key.setdefault(_key(rows, at), []).append(at)
    most = max(map(len, by_key.values()))
    whole = [places for places in by_key.values() if len(places) == most]
    return [list(places) for places in zip(*whole, strict=True)]


def _key(rows: RowSet, at: int) -> tuple[str, ...]:
    named = (
        ("device", "interface", "pid", "tid", "comm")
        if "pid" in rows.columns
        else ("device", "cpu", "interface")
    )
    return tuple(str(column[at]) for name in named if (column := rows.column(name)) is not None)


def _clock(seconds: float) -> str:
    return f"{int(seconds) // 3600 % 24:02d}:{int(seconds) // 60 % 60:02d}:{int(seconds) % 60:02d}"


def pressure_case(choice: random.Random, *, is_calm: bool) -> Case:
    """Return a case of looks at /proc/pressure/memory: its averages, raised for 3 to 5 looks of 10 s."""
    size, length, times = 40, choice.randint(3, LONGEST), choice.choice((1.1, 1.3, 1.6))
    at = choice.randrange(1, size - length)
    text, total = "", 48_887_424
    for look in range(size):
        is_high = at <= look < at + length and not is_calm
        share = 0.6 * times * choice.uniform(1.0, 1.03) if is_high else choice.uniform(0, 0.1)
        total += int(share * 1e7)
        text += f"{1795846624 + 10 * look}.942180571\n==> /proc/pressure/memory <==\n"
        for kind in ("some", "full"):
            text += f"{kind} avg10={min(100 * share, 99):.2f} avg60=2.10 avg300=1.00 total={total}\n"
    items = items_of([read_bytes(text.encode(), name="looks.txt")])
    fact = choice.choice(("pressure.memory.full.avg10_share", "pressure.memory.full.total_seconds"))
    rule = next(one for one in rules() if one.fact == fact)
    found = worst_of(ScopeEvidence(Scope("", "during", tuple(items))), rule)
    if found is None:
        return Case("pressure", fact, times, length, "not found")
    is_near = abs(found.window.first - at) <= 1 and abs(found.window.last - (at + length - 1)) <= 1
    return Case(
        "pressure",
        fact,
        times,
        length,
        "" if is_near else f"rows {found.window.first} to {found.window.last}",
    )


def injected(seed: int, size: int = CASES) -> list[Case]:
    """Return cases with windows, each rule as often as each other."""
    choice = random.Random(seed)  # noqa: S311 - cases, no secrets
    by_rule: dict[str, list[Base]] = {}
    for base in bases():
        by_rule.setdefault(base.rule.fact, []).append(base)
    found: list[Case] = []
    while len(found) < size:
        for own in by_rule.values():
            for base in choice.sample(own, min(len(own), MOST_PER_RULE)):
                case = case_of(base, choice)
                found += [case] if case is not None else []
        found += [pressure_case(choice, is_calm=False)]
    return choice.sample(found, size)


def calm(seed: int, size: int = CASES) -> list[Case]:
    """Return cases without a window: recordings as they are, their rows, noise below the threshold."""
    choice = random.Random(seed)  # noqa: S311 - cases, no secrets
    found = []
    for base in bases():
        whole = ScopeEvidence(Scope("", "during", (base.item,)))
        found.append((base, "as recorded", whole))
        found.append((base, "its rows", composed(base, choice, 1.0, choice.randint(40, 120), None)))
        found.append((base, "noise", composed(_noisy(base, choice), choice, 1.0, 60, None)))
    chosen = choice.sample(found, min(size - 1, len(found)))
    cases = [
        Case(
            base.item.format,
            base.rule.fact,
            0.0,
            0,
            f"{kind}: alarm" if worst_of(evidence, base.rule) else "",
        )
        for base, kind, evidence in chosen
    ]
    pressure = pressure_case(choice, is_calm=True)
    return [*cases, pressure._replace(outcome="" if pressure.outcome == "not found" else "alarm")]


def _noisy(base: Base, choice: random.Random) -> Base:
    """Return a base whose quantity is anything below the threshold."""
    column = looks_column(base.rule.fact)
    values = numbers(np.array([choice.uniform(0, 0.95) * base.rule.above for _ in range(len(base.rows))]))
    cells = tuple(
        values if name == column else old
        for name, old in zip(base.rows.columns, base.rows.cells, strict=True)
    )
    return base._replace(rows=replace(base.rows, cells=cells))


def report(seed: int) -> Iterator[str]:
    """Yield the lines of WINDOWS.md."""
    cases, quiet = injected(seed), calm(seed)
    missed = [one for one in cases if one.outcome]
    tools = sorted({one.tool for one in cases})
    yield "# Windows put into calm recordings"
    yield ""
    yield f"`make bench-windows`; seed {seed}. `benchmarks/windows.py` says what a case is."
    yield ""
    yield f"- {len(cases) - len(missed)} of {len(cases)} windows found, onset and end within one interval"
    yield f"- {sum(bool(one.outcome) for one in quiet)} alarms in {len(quiet)} calm series"
    yield f"- {len(tools)} tools: {', '.join(tools)}; {len({one.fact for one in cases})} quantities"
    yield ""
    yield from _table("Height in thresholds", cases, [f"{one.times:g}" for one in cases])
    yield from _table("Tool", cases, [one.tool for one in cases])
    for one in [*missed, *(one for one in quiet if one.outcome)]:
        yield f"- {one.tool}, {one.fact}, {one.length} intervals, {one.times:g} thresholds: {one.outcome}"


def _table(title: str, cases: Sequence[Case], keys: Sequence[str]) -> Iterator[str]:
    found = Counter(key for key, one in zip(keys, cases, strict=True) if not one.outcome)
    yield f"| {title} | Cases | Found |"
    yield "|---|---:|---:|"
    for key, count in sorted(Counter(keys).items()):
        yield f"| {key} | {count} | {found[key]} |"
    yield ""


if __name__ == "__main__":
    sys.stdout.write("\n".join(report(int(sys.argv[1]))).rstrip() + "\n")
