"""Symbol tables of `perf top --stdio` and `perf report --stdio`, and the stacks of call trees below rows.

Examples:
    PerfTop:    8062 irqs/sec  kernel:100.0%  exact:  0.0% lost: 0/0 drop: 0/0 [4000Hz cpu-clock]
    -----------------------------------------------------------------------------------
        64.28%  [kernel]       [k] shrink_lruvec

    # Samples: 3K of event 'cpu-clock:ppp'
    # Event count (approx.): 39232322840
    #
    # Children      Self  Command          Shared Object        Symbol
    # ........  ........  ...............  ...................  ........................
    #
         3.35%     0.03%  kworker/u8:1-wr  [kernel.kallsyms]    [k] worker_thread

    55.47% [kernel] [k] _raw_spin_unlock_irq

Two rows pasted without a header are a table too, of an unknown population. Call trees below the rows are a
profile (`trees`); with children each repeats its neighbours, and what ended in each row is taken from them
(`children`). A screen of `perf top -g` is a table of its own with its own stacks, weighed by the interrupts
of one second; rows that its edge cut are named as the tree spells them.
Not read here: `perf annotate`, oprofile, atopsar, `perf lock contention`.

Sources: tools/perf/ui/stdio/hist.c, tools/perf/util/top.c (perf_top__header_snprintf).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ingest.readers.perf.perf_table import header, rows
from ingest.readers.perf.perf_table.reader import Reader

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ingest.model.reading import Reading
    from ingest.model.section import Text

NAME = "perf-table"
VERSION = 7
TITLE = "perf top / perf report"
COMMAND = "perf report --stdio"
EXAMPLE = (
    "   PerfTop:    8062 irqs/sec  kernel:100.0%  exact:  0.0% lost: 0/0 drop: 0/0 [4000Hz cpu-clock]\n"
    "    64.28%  [kernel]       [k] shrink_lruvec"
)

_WORDS = ("Samples:", "Events:", "Overhead", "Children", "perf.data", "# ====")
"""One of them is in every header line; most lines of other tools have none."""


STARTS = (
    r".*\d%.*\[[k.ugGH]\]\s",
    r".*\d%\s+\[(?:guest\.)?kernel",
    r"\s*PerfTop:",
    r"\s*[-+]\s+\d{1,3}[.,]\d{1,2}%\s+[A-Za-z_]",
    ".*(?:" + "|".join(_WORDS) + ")",
)


def begins(lines: Sequence[str], at: int) -> bool:
    """Return whether a symbol table starts at `lines[at]`: a header unique to perf, or a marked row."""
    line = lines[at]
    if rows.is_marked_row(line) or header.SCREEN.match(line) or rows.opens_tree(lines, at):
        return True
    if not any(word in line for word in _WORDS):
        return False
    if "[percent: " in line:
        return False  # of perf annotate
    if header.SAMPLES.match(line) or header.columns(line):
        return "Samples:" in line or "Events:" in line or header.opens_report(lines, at)
    if line.startswith("#") and (
        header.REPORT_HINT.match(line) or header.FENCE.match(line) or header.TOTAL_LOST.match(line)
    ):
        return header.opens_report(lines, at)
    return False


def continues(line: str) -> bool:
    """Return whether `line` can occur inside: a row, a comment, a ruler, a tree."""
    stripped = line.strip()
    if not stripped or line.startswith("#") or not stripped.strip("-_. []"):
        return True
    if rows.is_row(line) or rows.is_tree(line):
        return True
    return bool(header.SCREEN.match(line) or header.columns(line) or header.KEYS.match(line))


def read(text: Text) -> Reading:
    """Read every table of one section: one per screen, event or member of an event group."""
    return Reader(text).result()
