"""Blockers of hangs, healthy hosts, CPU time: `python -m benchmarks.wait_graph` writes WAIT_GRAPH.md.

    --speed TASKS  prints the CPU seconds of a dump of so many tasks and writes nothing

`blockers.tsv` beside the hangs has one evidence a line: path, the blocker that is known, the words of the
answer that name it ("" where the evidence does not have it), and the answer that the tests expect.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import NamedTuple

from benchmarks.wait_graph.speed import measured
from ingest.evidence import read_paths
from signatures.judging.scope import items_of
from signatures.waits import WaitGraph, graph_of
from signatures.waits.sentences import is_notable, summary

DATA = Path(__file__).parents[2] / "tests" / "data"
RECORDED = DATA / "recorded" / "hangs"
PUBLISHED = DATA / "published" / "hangs"
HEALTHY = DATA / "recorded" / "healthy"
RESULTS = Path(__file__).parents[1] / "WAIT_GRAPH.md"
SIZES = (1_000, 5_000, 20_000)


class Hang(NamedTuple):
    """One piece of evidence of a hang: its path, the known blocker, the words that name it, the answer."""

    path: str
    blocker: str
    named: str
    answer: str

    @property
    def is_named(self) -> bool:
        """Whether the answer names the blocker."""
        return bool(self.named) and self.named in self.answer


def graph(path: Path) -> WaitGraph:
    """Return the wait graph of one piece of evidence."""
    return graph_of(items_of(read_paths([path])))


def hangs(folder: Path) -> list[Hang]:
    """Return the hangs of a folder with the answers of now."""
    rows = [line.split("\t") for line in (folder / "blockers.tsv").read_text(encoding="utf-8").splitlines()]
    return [Hang(path, blocker, named, summary(graph(folder / path))) for path, blocker, named, _ in rows]


def table(found: list[Hang]) -> list[str]:
    """Return a table of hangs."""
    rows = [
        f"| `{hang.path}` | {hang.blocker} | {hang.answer} | {'yes' if hang.is_named else 'not there'} |"
        for hang in found
    ]
    return ["| evidence | known blocker | answer | named |", "| --- | --- | --- | --- |", *rows]


def count(found: list[Hang]) -> str:
    """Return how many hangs have their blocker named by some of their evidence."""
    every = {hang.path.split("/", maxsplit=1)[0] for hang in found}
    named = {hang.path.split("/", maxsplit=1)[0] for hang in found if hang.is_named}
    return f"{len(named)} of {len(every)}"


def healthy() -> list[str]:
    """Return the table of healthy hosts."""
    lines = ["| host | tasks | blocked | notable root blockers |", "| --- | ---: | ---: | ---: |"]
    for path in sorted(HEALTHY.glob("*.txt")):
        found = graph(path)
        notable = sum(is_notable(found, root) for root in found.roots)
        lines.append(f"| `{path.name}` | {len(found.tasks)} | {found.blocked} | {notable} |")
    return lines


def speeds() -> list[str]:
    """Return the table of CPU times."""
    lines = [
        "| tasks | blocked | clusters | lines of the log | reading | graph | document of the page |",
        "| ---: | ---: | ---: | ---: | ---: | ---: | ---: |",
    ]
    for tasks in SIZES:
        one = measured(tasks)
        lines.append(
            f"| {one.tasks:,} | {one.blocked:,} | {one.clusters:,} | {one.lines:,} | {one.reading:.2f} s "
            f"| {one.graph:.2f} s | {one.document:.2f} s |"
        )
    return lines


def page() -> str:
    """Return the results page."""
    recorded, published = hangs(RECORDED), hangs(PUBLISHED)
    lines = [
        "# Wait graph: known blockers, healthy hosts, CPU time",
        "",
        "Written by `python -m benchmarks.wait_graph`.",
        "",
        "## Recorded hangs",
        "",
        f"The known blocker is named in {count(recorded)} hangs; of the others it is not in the evidence,",
        "and the answer names the resource. How each was made: `tests/data/recorded/hangs/PROVENANCE.md`.",
        "",
        *table(recorded),
        "",
        "## Published hangs",
        "",
        f"The blocker is named in {count(published)}; the other reports do not have it.",
        "",
        *table(published),
        "",
        "## Healthy hosts",
        "",
        "All tasks by sysrq-t, idle and under writes with fsync.",
        "",
        *healthy(),
        "",
        "## CPU time",
        "",
        "A dump by sysrq-t of public stacks; CPU seconds of one run on one core. The goal is one second",
        "for the graph of 20,000 tasks.",
        "",
        *speeds(),
    ]
    return "\n".join(lines) + "\n"


def main() -> None:
    """Write the results page, or print one speed."""
    arguments = argparse.ArgumentParser(description="Blockers of known hangs, and CPU time of wait graphs.")
    arguments.add_argument("--speed", type=int, metavar="TASKS")
    tasks = arguments.parse_args().speed
    if tasks is None:
        RESULTS.write_text(page(), encoding="utf-8")
    else:
        sys.stdout.write(f"{measured(tasks)}\n")


if __name__ == "__main__":
    main()
