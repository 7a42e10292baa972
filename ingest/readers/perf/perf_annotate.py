"""`perf annotate`: the instructions of a function, each with its share of the function's samples.

Examples:
     Percent |  Source code & Disassembly of hash for cpu-clock (157 samples, percent: local period)
    ------------------------------------------------------------------------------------------------
             : 15   while (table[h] && table[h] != keys[i])
        0.00 :   1195:   mov    (%rsi,%rdx,4),%edx
       89.17 :   1198:   cmp    %edx,%ecx

    __put_user_nocheck_4  /proc/kcore [Percent: local period]
    Percent │
      89.91 │      stac

A `local` share is one of the samples of the function, a `global` one of all samples. Column headers `Samples`
and `Period` stand for counts. Numbers of source lines are those of objdump's output, not of the file, and are
not read. The browser of perf and `--stdio2` print source and instructions alike: of them the source is
unknown. `load0` is the name of a segment of `/proc/kcore`, not of a function.
Source: tools/perf/util/annotate.c (hist_entry__annotate_printf, annotation_line__write); perf-annotate(1).
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from ingest.model.reading import Reading
from ingest.native.linear import Pattern
from ingest.parsing.fact_reader import FactReader
from ingest.parsing.series import Rows
from ingest.paste.transcript import decimal

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ingest.model.section import Text

NAME = "perf-annotate"
VERSION = 1
TITLE = "perf annotate"
COMMAND = "perf annotate --stdio"
EXAMPLE = (
    " Percent | Source code & Disassembly of hash for cpu-clock (157 samples, percent: local period)\n"
    "------------------------------------------------------------------------------------------------\n"
    "   89.17 :   1198:   cmp    %edx,%ecx"
)

MOST_FACTS = 5
"""Instructions of a function that are facts; all that have samples are rows."""

_BASIS = r"(?P<basis>local|global) (?:period|hits)"
_HEAD = Pattern(
    r"^\s*#?\s*(?P<unit>Percent|Samples|Period)\s*\|\s*Source code & Disassembly of (?P<object>\S.*?)"
    r"(?: for (?P<event>(?:[^{}()]{1,40} )?\{[^{}]*\}|[^\s{]\S*))?"
    rf"(?: \((?:(?P<samples>\d{{1,18}}) samples, percent: {_BASIS}\)|.*))?\s*$"
)
_SHOWING = Pattern(r"^\s*Showing (?P<event>\S.{0,100}?) for (?P<symbol>\S.*?)\s*$")
_LIMIT = Pattern(r"^\s*Events\s+Pcnt \(>=\d+%\)\s*$")
_POPULATION = Pattern(
    r"^\s*Samples: [\d.]+[KMG]?\s+of events? '(?P<event>[^']+)'.*?"
    r"(?P<own>\[percent: (?:local|global) \w+\])?\s*$"
)
_BROWSER = Pattern(
    r"^\s*(?P<symbol>\S.*?)(?:\(\))?(?:\s+(?P<object>\S+))?"
    rf"\s+\[Percent: {_BASIS}\][\s▒◆░█▲▼]*$"
)
_NAMED = Pattern(r"^(?P<symbol>\S.*?)\(\) (?P<object>\S.*?)\s*$")
_COLUMN = Pattern(r"^\s*Percent\s*(?:│.*)?[\s▒◆░█▲▼]*$")
_SUMMARY = Pattern(r"^\s*Sorted summary for file (?P<object>\S.*?)\s*$")
_RULE = re.compile(r"^\s*-{20,}>?\s*$")
_CELL = r"\d{1,16}(?:[.,]\d{1,2})?%?"
_ROW = Pattern(
    rf"^\s*(?P<cells>{_CELL}(?:\s+{_CELL}){{0,7}})\s+:\s*(?:(?P<address>[0-9a-f]{{1,16}}):\s+)?"
    r"(?P<instruction>\S.*?)\s*$"
)
_SOURCE = Pattern(r"^\s{4,120}:(?:\s+(?:\d{1,7}(?:\s+|$))?(?P<text>\S.*?)?)?\s*$")
_BROWSED = Pattern(
    r"^\s*(?P<cells>\d{1,3}[.,]\d\d(?:\s+\d{1,3}[.,]\d\d){0,7})\s+(?:│\s*(?:\d[\d.]*\s+){0,2})?"
    r"(?:(?P<address>[0-9a-f]{1,16}):\s+)?(?:[↓↑→←]\s*)?(?P<instruction>[^\s│].*?)[\s▒◆░█▲▼]*$"
)
_INDENTED = re.compile(r"^(?:\s{0,60}│|\s{6,120}\S|\t)")
_LINE_SHARE = Pattern(r"^\s{1,20}(?P<share>\d{1,3}[.,]\d\d)\s+(?P<source>\S+:\d{1,7})(?:\s+\(.*\))?\s*$")
_SYMBOL = Pattern(r"^(?:\d{1,7}\s+)?(?:0x)?[0-9a-f]{4,16} <(?P<symbol>.+)>:$")
_WITHIN = Pattern(r"^(?:\d{1,7}\s+)?(?P<symbol>[\w.~:<>$@ ,*&]+)\(\):$")
_SEGMENT = re.compile(r"^(?:load\d+|\.\w+)(?:[+-]0x[0-9a-f]+)?$|^.+\+0x[0-9a-f]+$")
_COMMENT = Pattern(r"^(?P<instruction>\S.*?)\s*//\s*(?P<source>[^\s:]+:\d{1,7})$")
_GROUP = Pattern(r"\{(?P<members>[^{}]*)\}")
_SECTION = "Disassembly of section"

_SHAPES = (_HEAD, _SHOWING, _LIMIT, _BROWSER, _SUMMARY, _RULE, _ROW, _SOURCE, _BROWSED, _INDENTED)

STARTS = (
    r".*Source code & Disassembly of ",
    r".*\[[Pp]ercent: (?:local|global) (?:period|hits)\]",
    r"\s*Sorted summary for file ",
    r"\s*Showing \S+ for ",
)


class _Instruction(NamedTuple):
    """One row with samples: shares or counts by event, and where it stands."""

    line: int
    cells: tuple[float, ...]
    address: str
    text: str
    source: str
    previous: str


@dataclass(slots=True)
class _Function:
    """What was printed of one function.

    Attributes:
        unit: `Percent`, `Samples` or `Period`.
        basis: `local`, `global`, or "" when nothing states it.
        samples: Samples of the function, None when nothing states them.
    """

    line: int
    symbol: str = ""
    shared_object: str = ""
    event: str = ""
    unit: str = "Percent"
    basis: str = ""
    samples: float | None = None
    is_browser: bool = False
    source: str = ""
    previous: str = ""
    rows: list[_Instruction] = field(default_factory=list)

    @property
    def events(self) -> tuple[str, ...]:
        """The event of each column."""
        group = _GROUP.search(self.event)
        return tuple(one.strip() for one in group["members"].split(",")) if group else (self.event,)


def begins(lines: Sequence[str], at: int) -> bool:
    """Return whether the head of a function is at `lines[at]`."""
    line = lines[at]
    if _HEAD.match(line) or _BROWSER.match(line):
        return True
    below = next((one for one in lines[at + 1 : at + 3] if one.strip()), "")
    if found := _POPULATION.match(line):
        return bool(found["own"] or _BROWSER.match(below))
    if _SUMMARY.match(line):
        return bool(_RULE.match(below))
    return bool(_SHOWING.match(line) and (_LIMIT.match(below) or _HEAD.match(below)))


def continues(line: str) -> bool:
    """Return whether `line` can occur in the listing of a function."""
    return any(shape.match(line) for shape in _SHAPES) or bool(_NAMED.match(line))


def read(text: Text) -> Reading:
    """Read instructions that have samples as rows, the hottest of each function as facts."""
    listing = _Listing(text)
    for line, entry in enumerate(text.lines, start=text.first_line):
        if entry.strip():
            listing.take(line, entry.rstrip())
    return listing.result()


class _Listing:
    """The functions of one text."""

    def __init__(self, text: Text) -> None:
        self.reader = FactReader(text)
        self.functions: list[_Function] = []
        self.by_source = Rows("annotated_sources")
        self.shown = ""
        self.event = ""
        self.summary = ""
        self.is_heading = False

    def take(self, line: int, entry: str) -> None:
        """Read one line."""
        if head := _HEAD.match(entry):
            samples = float(head["samples"]) if head["samples"] else None
            event, basis = head["event"] or "", head["basis"] or ""
            self.functions.append(
                _Function(line, self.shown, head["object"], event, head["unit"], basis, samples)
            )
            self.shown = ""
        elif found := _POPULATION.match(entry):
            self.event, self.is_heading = found["event"], True
        elif found := _SHOWING.match(entry):
            self.shown = found["symbol"]
        elif found := _SUMMARY.match(entry):
            self.summary = found["object"]
        elif (found := _BROWSER.match(entry)) or (self.is_heading and (found := _NAMED.match(entry))):
            self._browse(line, entry, found)
        elif found := _LINE_SHARE.match(entry):
            share = round(decimal(found["share"]) / 100, 6)
            self.by_source.add(line, {"object": self.summary, "source": found["source"], "share": share})
        elif not self._row(line, entry) and not (
            _RULE.match(entry) or _LIMIT.match(entry) or _COLUMN.match(entry)
        ):
            self.reader.skips.add("not a line of perf annotate", line)

    def _browse(self, line: int, entry: str, found: re.Match[str]) -> None:
        """Begin a function as the browser shows it."""
        basis = "global" if "ercent: global" in entry else "local"
        symbol = found["symbol"].removesuffix("()")
        shared_object = found["object"] or ""
        self.functions.append(
            _Function(line, symbol, shared_object, self.event, basis=basis, is_browser=True)
        )
        self.is_heading = False

    def _row(self, line: int, entry: str) -> bool:
        """Read an instruction or a line of source; return whether it is one."""
        if not self.functions:
            return False
        function = self.functions[-1]
        found = (_BROWSED if function.is_browser else _ROW).match(entry)
        if found:
            self._instruction(function, line, found)
            return True
        if function.is_browser:
            function.previous = ""
            return bool(_INDENTED.match(entry) or _COLUMN.match(entry))
        source = _SOURCE.match(entry)
        if source is None:
            return False
        words = source["text"] or ""
        if named := _SYMBOL.match(words) or _WITHIN.match(words):
            name = named["symbol"].partition("@@")[0]
            if not function.symbol and not _SEGMENT.match(name):
                function.symbol = name
        elif any(one.isalpha() for one in words) and not words.startswith(_SECTION):
            function.source = words
        return True

    def _instruction(self, function: _Function, line: int, found: re.Match[str]) -> None:
        """Add the row of an instruction when it has samples."""
        words, source = found["instruction"], function.source
        if stated := _COMMENT.match(words):
            words = stated["instruction"]
            source = f"{stated['source']} {source}".rstrip()
        words = " ".join(words.split())
        cells = tuple(decimal(cell.rstrip("%")) for cell in found["cells"].split())
        if any(cells):
            # The browser prints offsets of the targets of jumps alone.
            address = "" if function.is_browser else found["address"] or ""
            row = _Instruction(line, cells, address, words, source, function.previous)
            function.rows.append(row)
        function.previous = words

    def result(self) -> Reading:
        """Return facts and rows of all functions."""
        rows = Rows("annotated_instructions")
        for function in self.functions:
            for column, event in enumerate(function.events):
                self._function(function, column, event, rows)
        read_out = self.reader.result()
        return Reading(
            facts=read_out.facts,
            row_sets=(*rows.sets(), *self.by_source.sets()),
            skipped=read_out.skipped,
            quality=read_out.quality,
        )

    def _function(self, function: _Function, column: int, event: str, rows: Rows) -> None:
        """Add one event of one function."""
        named = {"function": function.symbol, "object": function.shared_object, "event": event}
        labels = {name: value for name, value in named.items() if value}
        if function.samples is not None and column == 0:
            self.reader.add("annotate.samples", function.samples, function.line, "count", labels)
        printed = [(row, row.cells[column]) for row in function.rows if column < len(row.cells)]
        # Counts become shares of what is printed: the listing has every instruction of the function.
        whole = 100.0 if function.unit == "Percent" else sum(value for _, value in printed)
        shares = [(row, round(value / whole, 6)) for row, value in printed if value]
        is_global = function.basis == "global" and function.unit == "Percent"
        for row, share in shares:
            cells = {
                **named,
                "address": row.address,
                "instruction": row.text,
                "share": share,
                "share_of": "recording" if is_global else "function",
                "source": row.source,
                "previous": row.previous,
            }
            rows.add(row.line, {name: value or None for name, value in cells.items()})
        fact = "annotate.instruction_total_share" if is_global else "annotate.instruction_share"
        told: set[tuple[str, str]] = set()
        for row, share in sorted(shares, key=lambda one: -one[1])[:MOST_FACTS]:
            # The browser prints no addresses: an instruction may stand in a function twice.
            if (row.address, row.text) not in told:
                told.add((row.address, row.text))
                own = {"instruction": row.text} | ({"address": row.address} if row.address else {})
                self.reader.add(fact, share, row.line, "share", {**labels, **own})
