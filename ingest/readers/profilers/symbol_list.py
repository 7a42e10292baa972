"""Flat profiles of programs: `go tool pprof -top`, async-profiler, gprof, callgrind_annotate, flame graphs.

Example:
          flat  flat%   sum%        cum   cum%
         3.82s 15.51% 15.51%     11.60s 47.10%  runtime.pcvalue
         3.73s 15.14% 30.65%      3.73s 15.14%  runtime.readvarint

The forms are rows of `ingest/engines/symbols/forms.yaml`. A flame graph states for each function the share
with what it calls, once for each place on a stack; of these the largest is kept.
Sources: google/pprof, internal/report/report.go (printText); async-profiler, src/profiler.cpp (dumpFlat);
gprof(1); callgrind_annotate(1); FlameGraph, flamegraph.pl.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ingest.engines.symbols.lists import continues, documents, form_at, listed
from ingest.model.profile import Symbol, SymbolTable
from ingest.model.reading import Reading
from ingest.native.linear import Pattern
from ingest.parsing.shapes import Lines
from ingest.paste.transcript import transcript

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ingest.engines.symbols.lists import Row
    from ingest.model.section import Text

NEARLY_ALL = 0.95
"""Of a flame graph: what nearly all stacks begin with says nothing about the time."""

_NAMED = re.compile(r"\(\?P<\w+>")
_FIRST = Pattern(
    "|".join(
        f"(?:{_NAMED.sub('(?:', text)})" for row in documents() for text in row.get("heads", (row["row"],))
    )
)


@dataclass(frozen=True, slots=True, kw_only=True)
class SymbolLists(Lines):
    """Lists of functions, which rows of data recognise."""

    def begins(self, lines: Sequence[str], at: int) -> bool:
        """Return whether a list starts at `lines[at]`."""
        return form_at(lines, at) is not None

    def continues(self, line: str) -> bool:
        """Return whether `line` can occur in a list."""
        return continues(line)


def read(text: Text) -> Reading:
    """Read the functions as one table of symbols."""
    pasted = transcript(text)
    texts = [line for _, line, _ in pasted.lines]
    form = next((one for at in range(len(texts)) if (one := form_at(texts, at))), None)
    if form is None:
        return Reading(skipped=pasted.skips.result(), quality=tuple(pasted.quality))
    rows, skipped = listed(((number, line) for number, line, _ in pasted.lines), form)
    for number in skipped:
        pasted.skips.add("not a function with its share", number)
    symbols = tuple(_symbol(row) for row in _once(rows))
    tables = (SymbolTable("", symbols, None, None, has_header=bool(form.heads)),) if symbols else ()
    return Reading(tables=tables, skipped=pasted.skips.result(), quality=tuple(pasted.quality))


def _once(rows: Sequence[Row]) -> list[Row]:
    """Return the rows; of those with the share of all that they call alone, each function by its largest."""
    if any(row.self_share is not None for row in rows):
        return list(rows)
    largest: dict[str, Row] = {}
    for row in rows:
        known = largest.get(row.name)
        if known is None or (row.total_share or 0.0) > (known.total_share or 0.0):
            largest[row.name] = row
    telling = [row for row in largest.values() if (row.total_share or 0.0) < NEARLY_ALL]
    return telling or list(largest.values())


def _symbol(row: Row) -> Symbol:
    return Symbol(row.name, row.self_share or 0.0, row.total_share, row.module, "user", "", row.line)


FORMAT = SymbolLists(
    name="symbol-list",
    title="Flat profiles of programs",
    command="go tool pprof -top cpu.pprof",
    example="      flat  flat%   sum%        cum   cum%\n"
    "     3.82s 15.51% 15.51%     11.60s 47.10%  runtime.pcvalue\n"
    "     3.73s 15.14% 30.65%      3.73s 15.14%  runtime.readvarint",
    first=_FIRST,
    read=read,
)
