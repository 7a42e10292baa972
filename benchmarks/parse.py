"""Reading `perf script` text beside its peers, and how many samples come out."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks.programs import Program, casebook, in_turn, inside, ratio, run, table, wall
from benchmarks.record import INPUTS, MEGABYTE, make_input
from benchmarks.results import Goal, Section

if TYPE_CHECKING:
    from benchmarks.programs import Run

INFERNO = INPUTS / "bin" / "inferno-collapse-perf"
SPEEDSCOPE = "speedscope's importer in node"
IMPORTER = Path(__file__).with_name("speedscope.mjs")
# It holds a text as one string, and takes minutes for larger ones.
MOST_FOR_SPEEDSCOPE = 100
TREE_1, TREE_2, FOLD = "tree, 1 thread", "tree, 2 threads", "folded text, 2 threads"
THEIRS_1, THEIRS_2 = "inferno -n 1", "inferno -n 2"
LIMIT_1, LIMIT_2 = "line ends by memchr, 1 thread", "line ends by memchr, 2 threads"
WHOLE = "casebook fold, whole command"
START = "casebook fold of one line: the start"


def measure(size: int, parts: list[Path]) -> Section:
    """Measure an input of `size` megabytes."""
    text = make_input(size * MEGABYTE, parts)
    line = INPUTS / "one-line.folded"
    line.write_text("a;b 1\n")
    programs = [
        inside(LIMIT_1, "scan", 1),
        inside(LIMIT_2, "scan", 2),
        inside(TREE_1, "tree", 1),
        Program(THEIRS_1, (str(INFERNO), "-n", "1", "{input}")),
        inside(TREE_2, "tree", 2),
        Program(THEIRS_2, (str(INFERNO), "-n", "2", "{input}")),
        inside(FOLD, "fold", 2),
        casebook(WHOLE, "fold", "{input}"),
        casebook(START, "fold", str(line)),
    ]
    if size <= MOST_FOR_SPEEDSCOPE:
        programs.append(Program(SPEEDSCOPE, ("node", str(IMPORTER), "{input}")))
    rows = in_turn(programs, text)
    return Section(
        f"{size:,} MB of perf script",
        [*table(rows, text.stat().st_size / MEGABYTE), "", *_samples(text)],
        _goals(rows, size),
    )


def _goals(rows: dict[str, list[Run]], size: int) -> list[Goal]:
    goals = []
    for number, what, ours, theirs, wanted in (
        ("1", f"tree of {size} MB, 2 threads", TREE_2, THEIRS_2, 5.0),
        ("1", f"tree of {size} MB, 1 thread", TREE_1, THEIRS_1, 4.0),
        ("2", f"folded text of {size} MB", FOLD, THEIRS_2, 4.0),
    ):
        walls, cpus = ratio(rows, ours, theirs)
        goals.append(
            Goal(
                number,
                what,
                f"{wanted:.0f} times inferno",
                f"{walls:.1f} in wall, {cpus:.1f} in CPU seconds",
                min(walls, cpus) >= wanted,
                "both CPUs are busy throughout; each reader learns every frame and node for itself",
            )
        )
    if SPEEDSCOPE in rows:
        walls, cpus = ratio(rows, WHOLE, SPEEDSCOPE)
        start = wall(rows[START])
        goals.append(
            Goal(
                "3",
                f"whole command, {size} MB",
                "15 times speedscope's importer",
                f"{walls:.1f} in wall, {cpus:.1f} in CPU seconds",
                min(walls, cpus) >= 15,
                f"{start:.2f} of {wall(rows[WHOLE]):.2f} s are the start of Python and its libraries",
            )
        )
    share = wall(rows[LIMIT_1]) / wall(rows[TREE_1])
    goals.append(
        Goal("4", f"distance to the limit, {size} MB", "12 %", f"{share:.0%} of memchr", share >= 0.12)
    )
    return goals


def _samples(text: Path) -> list[str]:
    """Return how many samples go in and come out, here and there."""
    head = re.compile(rb"^\S.*\s-?\d+(?:/-?\d+)?\s.*\d+\.\d+:\s")
    with text.open("rb") as lines:
        expected = sum(bool(head.match(line)) for line in lines)
    # Nothing large is held here: a program that is started is said to have held what its parent held.
    _, ours, period = (float(word) for word in run(inside(TREE_2, "tree", 2), text).output)
    command = [str(INFERNO), str(text)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as peer:
        weight = sum(int(line.rsplit(b" ", 1)[1]) for line in peer.stdout or ())
    theirs = weight / period
    return [
        "| samples | count | |",
        "| --- | --- | --- |",
        f"| heads in the text | {expected:,} | |",
        f"| ours | {ours:,.0f} | {expected - ours:,.0f} lost |",
        f"| inferno (weight / period) | {theirs:,.0f} | {expected - theirs:,.0f} lost |",
        "",
        "inferno leaves out samples without a stack, and frames that begin with a parenthesis.",
    ]


def peerless() -> list[str]:
    """Return the comparable tools that are unavailable, as sentences."""
    return ["stackcollapse-perf.pl and Firefox's importer are in no package registry: they are left out."]
