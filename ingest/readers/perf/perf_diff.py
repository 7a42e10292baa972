"""`perf diff`: which symbols grew and which shrank between two recordings.

Example:
    # Event 'cpu-clock:ppp'
    #
    # Baseline  Delta Abs  Shared Object         Symbol
    # ........  .........  ....................  ..................................
    #
        14.70%    +12.31%  [kernel.kallsyms]     [k] vsnprintf
                   +4.02%  [kernel.kallsyms]     [k] shrink_lruvec

A symbol without a baseline is new. Shares are of each recording's own total.
Source: tools/perf/builtin-diff.c; perf-diff(1).
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ingest.model.reading import Reading
from ingest.native.linear import Pattern
from ingest.parsing.series import Quantity, Rows, Series
from ingest.paste.transcript import decimal, transcript

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ingest.model.section import Text

NAME = "perf-diff"
VERSION = 1
TITLE = "perf diff"
COMMAND = "perf diff"
EXAMPLE = (
    "# Event 'cpu-clock:ppp'\n#\n"
    "# Baseline  Delta Abs  Shared Object         Symbol                            \n"
    "# ........  .........  ....................  ..................................\n"
    "    14.70%    +12.31%  [kernel.kallsyms]     [k] vsnprintf"
)

_EVENT = re.compile(r"^# Event '(?P<event>[^']+)'\s*$")
_HEAD = re.compile(r"^# Baseline(?:/\d+)?\s+Delta(?: Abs)?\s.*\bSymbol\s*$")
_ROW = Pattern(
    r"^\s*(?:(?P<base>\d+[.,]\d+)%)?\s+(?P<delta>[+-]\d+[.,]\d+)%\s+(?P<module>\S+)\s+(?:\["
    r"(?P<kind>.)\] )?(?P<name>\S.*?)\s*$"
)
_GONE = Pattern(r"^\s*(?P<base>\d+[.,]\d+)%\s{3,}(?P<module>\S+)\s+(?:\[(?P<kind>.)\] )?(?P<name>\S.*?)\s*$")
_COMMENT = re.compile(r"^#(?:[\s.]*$| Data files:|  ?\[\d+\]| Samples:)")


STARTS = (
    _EVENT.pattern,
    "# Baseline",
)


def begins(lines: Sequence[str], at: int) -> bool:
    """Return whether the table starts at `lines[at]`: its header, or the event above it."""
    if _HEAD.match(lines[at]):
        return True
    return bool(_EVENT.match(lines[at])) and any(_HEAD.match(ahead) for ahead in lines[at + 1 : at + 4])


def continues(line: str) -> bool:
    """Return whether `line` is a row or a comment of the table."""
    return any(shape.match(line) for shape in (_EVENT, _HEAD, _ROW, _GONE, _COMMENT))


def read(text: Text) -> Reading:
    """Read rows as `perf_diff`; the largest growth is a fact."""
    pasted = transcript(text)
    rows, series = Rows("perf_diff"), Series()
    event = ""
    grown: tuple[float, int, str] | None = None
    for number, line, _ in pasted.lines:
        if found := _EVENT.match(line):
            event = found["event"]
        elif found := _ROW.match(line):
            base = decimal(found["base"]) / 100 if found["base"] else 0.0
            delta = decimal(found["delta"]) / 100
            rows.add(
                number,
                {
                    "event": event,
                    "symbol": found["name"],
                    "module": found["module"],
                    "baseline_share": base,
                    "delta_share": round(delta, 6),
                    "is_new": float(found["base"] is None),
                },
            )
            grown = max(grown or (0.0, 0, ""), (delta, number, found["name"]))
        elif found := _GONE.match(line):
            base = decimal(found["base"]) / 100
            cells = {"event": event, "symbol": found["name"], "module": found["module"], "is_new": 0.0}
            rows.add(number, {**cells, "baseline_share": base, "delta_share": -base})
        elif line.strip() and not _COMMENT.match(line) and not _HEAD.match(line):
            pasted.skips.add("not a row of perf diff", number)
    if grown and grown[0] > 0:
        series.add(Quantity("perf.diff.delta_share", "share"), grown[0], grown[1], {"symbol": grown[2]})
    return Reading(
        facts=tuple(series.facts()),
        row_sets=rows.sets(),
        skipped=pasted.skips.result(),
        quality=tuple(pasted.quality),
    )
