"""Tables of bcc and libbpf-tools: a line for each event or each second.

Examples:
    TIME     COMM             TID           LAT(us)
    08:20:56 tokio-rt-worker  75               4208

    PID    COMM         FUNC             -
    4490   dd           sys_read         read 1048576 bytes

        HITS   MISSES  DIRTIES HITRATIO   BUFFERS_MB  CACHED_MB
        1132        0        4  100.00%          277       4367

    SOFTIRQ          TOTAL_usecs
    net_rx                    35

        Driver   Device    VQ Name  In SGs Out SGs          In BW         Out BW
    virtio_net  virtio0    input.0  260669       0      406743040              0

A table is one of these tools' when its header has two words that they print and no other tool does. The row
set is called after the columns: `rows:time,comm,tid,latency_us`.
Source: bcc's tools/*.py and libbpf-tools/*.c, the header of each.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ingest.model.citation import Lines
from ingest.model.facts import Fact
from ingest.model.reading import Reading
from ingest.parsing.series import Quantity, Rows, Series
from ingest.parsing.sums import Sums
from ingest.paste.transcript import transcript
from ingest.readers.bpf.bcc_rows.columns import (
    FREE_LAST,
    KEY_COLUMNS,
    NAMES,
    NUMERIC,
    PLAIN,
    VIRTIO,
    WHOLE,
)

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ingest.model.reading import Cell
    from ingest.model.section import Text

NAME = "bcc-rows"
VERSION = 7
PRIORITY = 62
TITLE = "Tables of bcc tools"
COMMAND = "runqslower"
EXAMPLE = "TIME     COMM             TID           LAT(us)\n08:20:56 tokio-rt-worker  75               4208"

BETWEEN = "<->"
"""What tcpretrans -c prints between the two ends of a connection."""

SWAP_INS = "Counting swap ins."
_TRACE = re.compile(r"^\s*(?:TIME\s+)?(?:CPU\s+)?PID\s+(?:TID\s+)?COMM\s+FUNC\s+-\s*$")
_VIRTIO = re.compile(r"^\s*Driver\s+Device\s+VQ Name\s+In SGs\s+Out SGs\s+In BW\s+Out BW\s*$")
_FLOW = re.compile(r"^\s*\d+\s+\d+\s+\d+\s+\d+\.\d{3}\s+(?:<-|->) ")
_WORD = re.compile(r"^%?[A-Z][A-Za-z0-9_/%()|:.]*$")
_NUMBER_SIGN = re.compile(r" # (?=[A-Z])")
_JOINED = re.compile(r" \(us\)")
_BANNER = re.compile(
    r"^(?:Tracing|Sampling|Counting|Display kvm exit|Hit Ctrl-C|Attaching|Printing output|Detaching"
    r"|Running)\b"
)
_CLOCK = re.compile(r"^\s*(?:\d\d:\d\d:\d\d|\[\d\d:\d\d:\d\d\]|\d\d:\d\d:\d\d loadavg: .*|-{8})\s*$")
_NUMBER = re.compile(r"^-?\d+(?:\.\d+)?%?$")
_PROSE = re.compile(r"^\s*[A-Z][a-z']+(?: [a-z'-]+){3,}")
_MESSAGE = re.compile(r"^(?:libbpf: |failed to |WARNING: )")


def _columns(line: str) -> list[str]:
    """Return the words of a header of these tools, none when `line` is no such header."""
    words = _JOINED.sub("(us)", _NUMBER_SIGN.sub(" ", line)).split()
    if _TRACE.match(line):
        return words
    if _VIRTIO.match(line):
        return list(VIRTIO)
    if len(words) < 2 or not all(_WORD.match(word) for word in words):
        return []
    if " ".join(words) in WHOLE:
        return words
    key_columns = KEY_COLUMNS.intersection(words)
    if not key_columns or (not (KEY_COLUMNS | PLAIN).issuperset(words) and len(key_columns) < 3):
        return []
    is_pair = bool(key_columns & {"LAT(us)", "LAT(ms)", "LATms", "TOTAL_usecs", "TOTAL_nsecs", "HITRATIO"})
    is_count = len(words) == 2 and words[1] == "COUNT"
    return words if len(key_columns) >= 2 or is_pair or is_count else []


STARTS = (
    _BANNER.pattern,
    r"\s*[A-Z][\w/%()|:.]*(?:\s+(?:# |%)?[A-Z][\w/%()|:.]*| \(us\))+\s*$",
    r".*\sCOMM\s+FUNC\s+-\s*$",
    _VIRTIO.pattern.removeprefix("^"),
)


def begins(lines: Sequence[str], at: int) -> bool:
    """Return whether a table starts at `lines[at]`: a header with a row below, or the banner above it."""
    line = lines[at]
    if _BANNER.match(line):
        ahead = [one for one in lines[at + 1 : at + 6] if one.strip() and not _CLOCK.match(one)]
        return bool(ahead and _columns(ahead[0]))
    columns = _columns(line)
    if not columns:
        return False
    below = next((one for one in lines[at + 1 : at + 3] if one.strip()), "")
    return not below or _cells(below, columns) is not None


def continues(line: str) -> bool:
    """Return whether `line` can be a row."""
    if _BANNER.match(line) or _CLOCK.match(line) or _columns(line) or _MESSAGE.match(line):
        return True
    if _FLOW.match(line):
        return True
    if _PROSE.match(line) or line.rstrip().endswith((":", "!", "?", ".")):
        return False
    return len(line.split()) >= 2 and any(char.isdecimal() for char in line)


def _cells(line: str, columns: Sequence[str]) -> list[str] | None:
    """Split a row; blanks in a command or a path do not move the columns. None when it does not fit."""
    words = [word for word in line.split() if word != BETWEEN]
    extra = len(words) - len(columns)
    if extra > 0:
        at = columns.index("COMM") if "COMM" in columns else len(columns) - 1
        inner = next((one for one in ("STAGE", "CMDLINE") if one in columns), "")
        if inner:
            at = columns.index(inner)
        elif columns[-1] in FREE_LAST and columns[-1] != "COMM":
            at = len(columns) - 1
        elif columns[at] not in FREE_LAST:
            return None
        words = [*words[:at], " ".join(words[at : at + extra + 1]), *words[at + extra + 1 :]]
    elif extra < 0:
        if extra < -1 or columns[-1] not in {*FREE_LAST, "EXTRA_INFO"}:
            return None
        words.append("")
    fits = all(
        _NUMBER.match(word) or word == "LL_MAX"
        for name, word in zip(columns, words, strict=True)
        if name in NUMERIC
    )
    return words if fits else None


def _name(column: str) -> str:
    if column in NAMES:
        return NAMES[column]
    suffix = "_per_second" if column.endswith("/s") else ""
    return re.sub(r"[^a-z0-9]+", "_", column.removesuffix("/s").lower()).strip("_") + suffix


def _cell(word: str) -> Cell:
    if not word:
        return None
    if not _NUMBER.match(word):
        return word
    return float(word.rstrip("%")) / 100 if word.endswith("%") else float(word)


def _cells_by_name(columns: Sequence[str], words: Sequence[str]) -> dict[str, Cell]:
    """Return a row by the names of its columns; a percentage may be marked in the header alone."""
    cells: dict[str, Cell] = {}
    for column, word in zip(columns, words, strict=True):
        cell = _cell(word)
        is_percentage = column.startswith("%") and not word.endswith("%") and isinstance(cell, float)
        cells[_name(column)] = cell / 100 if is_percentage and isinstance(cell, float) else cell
    return cells


def _count(sums: Sums, cells: Mapping[str, Cell], line: int, *, counts_swap_ins: bool) -> None:
    """Add swap-ins of a process and retransmitted segments of a connection to their sums."""
    count, retransmits = cells.get("count"), cells.get("retransmits")
    if counts_swap_ins and isinstance(count, float):
        sums.add("trace.swap_ins", count, line, comm=str(cells.get("comm")))
    if isinstance(retransmits, float):
        ends = f"{cells.get('laddr_lport')} to {cells.get('raddr_rport')}"
        sums.add("trace.tcp_flow_retransmits", retransmits, line, flow=ends)


def read(text: Text) -> Reading:
    """Read every table; the longest latency and the total of a count are facts."""
    pasted = transcript(text)
    tables: dict[str, Rows] = {}
    series = Series()
    columns: list[str] = []
    longest: dict[str, tuple[float, int]] = {}
    calls: dict[str, list[int]] = {}
    sums, counts_swap_ins = Sums(), False
    for number, line, _ in pasted.lines:
        if not line.strip() or _CLOCK.match(line):
            continue
        if found := _columns(line):
            columns = found
        elif _BANNER.match(line) or _MESSAGE.match(line):
            counts_swap_ins |= line.startswith(SWAP_INS)
            pasted.skips.add("a message of the tool", number)
        elif columns and (words := _cells(line, columns)):
            cells = _cells_by_name(columns, words)
            table = f"rows:{','.join(cells)}"
            tables.setdefault(table, Rows(table)).add(number, cells)
            if "message" in cells and isinstance(function := cells.get("func"), str):
                calls.setdefault(function, []).append(number)
            _count(sums, cells, number, counts_swap_ins=counts_swap_ins)
            for name, cell in cells.items():
                # Below zero is no latency: a clock that went back, or a sentinel.
                if name.startswith("latency_") and isinstance(cell, float) and cell >= 0:
                    longest[name] = max(longest.get(name, (cell, number)), (cell, number))
        else:
            pasted.skips.add("not a row of the table", number)
    for name, (value, at) in longest.items():
        unit = name.removeprefix("latency_")
        series.add(Quantity(f"trace.max_latency_{unit}", unit), value, at)
    traced = (
        Fact("trace.calls", float(len(at)), Lines(at[0], at[-1]), "count", {"function": name})
        for name, at in calls.items()
    )
    return Reading(
        facts=(*series.facts(), *traced, *sums.facts()),
        row_sets=tuple(found for rows in tables.values() for found in rows.sets()),
        skipped=pasted.skips.result(),
        quality=tuple(pasted.quality),
    )
