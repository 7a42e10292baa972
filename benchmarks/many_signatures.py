"""Judging by a thousand signatures: `python -m benchmarks.many_signatures` writes MANY_SIGNATURES.md.

The signatures are those of the library and copies of them. Most copies look for frames, classes, facts, row
sets and histograms that no evidence has, as those of another subsystem would; some keep their names and have
another limit, so that no observation of the original is theirs.
"""

from __future__ import annotations

import os
import re
import statistics
import time
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from benchmarks.judging import RECORDINGS, profile_of
from ingest.evidence import read_file
from ingest.garbage import collect_rarely
from ingest.model.reading import Reading
from signatures.document.catalog import load_catalog
from signatures.document.files import LIBRARY
from signatures.judging.judge import candidates_of, judge
from signatures.judging.predicates.fact import FactCondition
from signatures.judging.predicates.histogram import HistogramCondition
from signatures.judging.predicates.log import LogCondition
from signatures.judging.predicates.rows import RowsCondition
from signatures.judging.predicates.sequence import SequenceCondition
from signatures.judging.predicates.series import SeriesCondition
from signatures.judging.predicates.stack import StackCondition
from signatures.judging.predicates.symbol import SymbolCondition
from signatures.judging.scope import Item, items_of
from signatures.language.conditions import Group
from signatures.language.model import Catalog

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from signatures.language.conditions import FrameSet
    from signatures.language.model import Signature

RESULTS = Path(__file__).with_name("MANY_SIGNATURES.md")
SIGNATURES = 1000
LIMITED = 60
"""Copies that keep their names."""

ROUNDS = 7
PASTES = {
    "20 lines of a hung task": "tests/data/kernel-log/hung-task.guest.txt",
    "a kernel log of 11 KB": "tests/data/kernel-log/dmesg-T.oom.txt",
    "vmstat": "tests/data/vmstat/vmstat.narrow-end-of-writes.txt",
}
GOALS = {"paste": 30, "profile": 300}
LIMITS = """
What limits it: a decision and a finding are made for each signature, about 4 µs for one without a trace and
50 µs for one that is judged. A log that shows all tasks refutes the waits of 209 signatures, which are
judged; what else is undecided without a trace is asked once for each of 70 kinds of conditions, 4 ms. Of a
profile the index takes 45 ms and the populations 30; patterns and decisions of the library 50 to 130, those
of its copies 40 to 50. Copies have the version tables and the shapes of clauses of their originals: of a
thousand signatures that differ in these as well, fewer tests are equal.
Before and after samples lay in the order of the stacks and the traces named the conditions, in turn in eight
processes at a load of 4 to 5, least CPU ms with 1,000: hung task 28 and 23, kernel log 35 and 29, vmstat 7
and 6, reclaim 345 and 247, reads of memory.stat 255 and 223, a database that is well 203 and 184.
"""
_NAME = re.compile(r"\b[a-z_][a-z_0-9]*(?:\.[a-z_0-9]+)+")


def thousand(library: Catalog) -> Catalog:
    """Return the signatures of a library with copies of them."""
    copies = (
        _copy(library.signatures[number % len(library.signatures)], number)
        for number in range(SIGNATURES - len(library.signatures))
    )
    return Catalog((*library.signatures, *copies), ())


def renamed(signature: Signature, number: int) -> Signature:
    """Return a copy with names that no evidence has."""
    return _copy(signature, LIMITED + number)


def _copy(signature: Signature, number: int) -> Signature:
    """Return a copy with limits of its own, or with names of its own."""
    change = _limited if number < LIMITED else _renamed
    clauses = tuple(
        replace(
            clause,
            test=_changed(clause.test, number, change),
            refuted_by=clause.refuted_by and _changed(clause.refuted_by, number, change),
        )
        for clause in signature.clauses
    )
    return replace(signature, id=f"{signature.id}-{number}", clauses=clauses, extract={})


def _changed(test: Any, number: int, change: Callable[[Any, int], Any]) -> Any:
    if isinstance(test, Group):
        return replace(test, tests=tuple(_changed(inner, number, change) for inner in test.tests))
    return change(test, number)


def _limited(test: Any, number: int) -> Any:
    """Return a condition whose limit no other has."""
    if isinstance(test, StackCondition):
        return replace(test, min_samples=test.min_samples + number)
    if isinstance(test, LogCondition):
        return replace(test, window_seconds=test.window_seconds + number)
    return replace(test, min_duration=test.min_duration + number) if isinstance(test, RowsCondition) else test


def _renamed(test: Any, number: int) -> Any:
    """Return a condition on names that no evidence has; of the kernel and of tasks that wait it stays."""

    def own(names: FrameSet) -> FrameSet:
        return tuple(f"{name}_v{number}" for name in names)

    def own_facts(text: str) -> str:
        return _NAME.sub(
            lambda found: f"{found[0].rpartition('.')[0]}.v{number}.{found[0].rpartition('.')[2]}", text
        )

    match test:
        case StackCondition():
            share = test.share and _renamed(test.share, number)
            return replace(test, path=tuple(map(own, test.path)), leaf=own(test.leaf), share=share)
        case SymbolCondition():
            return replace(test, names=own(test.names))
        case SequenceCondition() if test.rows:
            return replace(test, rows=f"{test.rows}_v{number}")
        case SequenceCondition():
            return replace(test, first=replace(test.first, path=tuple(map(own, test.first.path))))
        case LogCondition():
            return replace(test, kinds=own(test.kinds), text=f"v{number} {test.text}" if test.text else "")
        case FactCondition() if not test.is_never:
            minimum = tuple((own_facts(text), least) for text, least in test.minimum)
            return replace(test, expression=own_facts(test.expression), minimum=minimum)
        case RowsCondition():
            return replace(test, rows=f"{test.rows}_v{number}")
        case SeriesCondition():
            return replace(test, fact=own_facts(test.fact))
        case HistogramCondition():
            return replace(test, names=own(test.names), probes=own(test.probes))
    return test


def main() -> None:
    """Judge each input by the library and by a thousand signatures, and write the table."""
    collect_rarely()  # as every command does
    library = load_catalog()
    many = thousand(library)
    rows = [
        _row(name, kind, items, catalog) for name, kind, items in _inputs() for catalog in (library, many)
    ]
    lines = [
        *f"""# Judging by many signatures

{datetime.now(tz=UTC):%Y-%m-%d}, {os.cpu_count()} CPUs, load {os.getloadavg()[0]:.1f}; written by
`python -m benchmarks.many_signatures`.
The {SIGNATURES:,} signatures are the library and copies of it: {LIMITED} with other limits, the others with
frames, classes, facts, row sets and histograms that no evidence has. *Judged* are those of which the index
finds a trace, or what decides them; all others share their outcomes. No observation is cached; CPU
milliseconds of {ROUNDS} rounds, after a first one. Goal with {SIGNATURES:,}: {GOALS["paste"]} ms a paste,
{GOALS["profile"]} ms a profile of 1.4 M nodes.
""".splitlines(),
        "",
        "| input | signatures | judged | CPU ms, median (min) | |",
        "| --- | ---: | ---: | ---: | --- |",
        *rows,
    ]
    RESULTS.write_text("\n".join(lines) + "\n" + LIMITS, encoding="utf-8")


def _inputs() -> Iterator[tuple[str, str, list[Item]]]:
    for name, path in PASTES.items():
        yield name, "paste", items_of([read_file(Path(path))])
    for name, folder in RECORDINGS.items():
        reading = Reading(profiles=(profile_of(LIBRARY / folder),))
        item = Item("perf.txt", "", "", "", "during", 0, "perf-script", reading, 1, 1)
        yield f"1.4 M nodes: {name}", "profile", [item]


def _row(name: str, kind: str, items: list[Item], catalog: Catalog) -> str:
    faults = [one.signature.id for one in judge(items, catalog) if one.fault]
    if faults:
        raise RuntimeError(f"could not be evaluated: {', '.join(faults)}")
    times = []
    for _ in range(ROUNDS):
        began = time.process_time()
        judge(items, catalog)
        times.append(1000 * (time.process_time() - began))
    count = len(catalog.signatures)
    middle = statistics.median(times)
    met = "" if count < SIGNATURES else "met" if middle <= GOALS[kind] else "missed"
    judged = len(candidates_of(items, catalog))
    return f"| {name} | {count:,} | {judged} | {middle:.0f} ({min(times):.0f}) | {met} |"


if __name__ == "__main__":
    main()
