"""`ps` in any of its forms: one row per process or thread.

Example:
    USER       PID %CPU %MEM    VSZ   RSS TTY      STAT START   TIME COMMAND
    root         1  4.1  0.1   4744  3448 ?        S    00:42   0:07 /bin/bash /root/guest.sh nokaslr

    PID STAT WCHAN
      1 Ss   do_epoll_wait

Any list of columns is one: with words that only ps prints above numbers where PIDs are, or below the
command, whose `-o` list names the columns where no header is printed (`ps -eo pid=,comm=`).
The age of a process and its group are facts as well, where they are printed (`ps -eo pid,etime,cgroup`).
%CPU is the average over the life of the process, so it is a row value and never a current share.
Source: ps(1).
"""

from __future__ import annotations

import re
from array import array
from typing import TYPE_CHECKING

from ingest.model.citation import Lines
from ingest.model.facts import Fact
from ingest.model.reading import Reading, RowSet, SkipCounter
from ingest.parsing.fact_reader import BYTES_PER_KIB
from ingest.parsing.printed_columns import AT_ONCE, PrintedColumns
from ingest.parsing.protocols import Start

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ingest.model.section import Text

NAME = "ps"
VERSION = 7
TITLE = "ps"
EXAMPLE = (
    "USER       PID %CPU %MEM    VSZ   RSS TTY      STAT START   TIME COMMAND\n"
    "root         1  4.1  0.1   4744  3448 ?        S    00:42   0:07 /bin/bash"
)

PATHS: tuple[str, ...] = ("sos_commands/process/ps_*",)
# A list of commands prints other tables, too.
COMMANDS: tuple[str, ...] = (r"ps(?: [^;&]*)?",)
HINTS: tuple[str, ...] = ()

FEW_PROCESSES = 16
"""Length of a list of processes that somebody chose."""

NAMES = {
    "%CPU": "lifetime_cpu_share",
    "%MEM": "memory_share",
    "STAT": "state",
    "S": "state",
    "CMD": "command",
}
_PRINTED = (
    "%CPU %MEM ADDR BLOCKED C CAUGHT CGROUP CLS CMD COMMAND CPU EGID EGROUP ELAPSED EUID EUSER F FGID "
    "GID GROUP IGNORED LWP MAJFL MAJFLT MINFL MINFLT MNTNS NI NLWP NUMA P PENDING PGID PGRP PID PIDNS "
    "POL PPID PRI PSR RGID RGROUP RSS RSZ RTPRIO RUID RUSER S SESS SID SIZE SPID STACKP START STARTED "
    "STAT STIME SUPGID SUPGRP SZ TGID THCNT TID TIME TPGID TRS TT TTY UID UNIT USER VSIZE VSZ WCHAN"
)
WORDS = frozenset(_PRINTED.split())
"""What ps prints above its columns (ps(1), "STANDARD FORMAT SPECIFIERS")."""

KEY_COLUMNS = frozenset(("STAT", "S", "RSS", "WCHAN", "TTY"))
KIB = {"VSZ": "vsz_bytes", "RSS": "rss_bytes"}
SHARES = frozenset(("lifetime_cpu_share", "memory_share"))
NUMBERS = frozenset(("pid", "ppid", "lwp", "tid", "nlwp", "spid", "pri", "ni", "uid"))

_ELAPSED = re.compile(
    r"^(?:(?:(?P<days>\d{1,6})-)?(?P<hours>\d{1,2}):)?(?P<minutes>\d{1,2}):(?P<seconds>\d{2})$"
)
_ALL_SECONDS = re.compile(r"^\d{1,12}$")
_GROUP = re.compile(r"(?:^|,)\d{1,3}:(?P<controllers>[a-z_,]*|name=[\w.-]+):(?P<path>/[^,\s]*)")
_HEADER = re.compile(r"^\s*(?:[A-Z%]+\s+)*PID\s.*\b(?:CMD|COMMAND)\b")
_LIST = re.compile(r"(?:^|\s)(?:-?[a-zA-Z]*o\s*|--format[= ])(?P<list>[a-z_%][\w%:=,]*)")
_NO_HEADER = re.compile(r"\s--no-headers?\b|\s-?[a-z]*h\b")
SPELLED = {
    "PCPU": "%CPU",
    "PMEM": "%MEM",
    "ARGS": "COMMAND",
    "COMM": "COMMAND",
    "STATE": "S",
    "ETIME": "ELAPSED",
    "ETIMES": "ELAPSED",
}
_ROW = re.compile(r"^\s*\S+\s+\S+\s+\S")
_STATE = r"[RSDTtZXI][<NLsl+]*"
_AUX_ROW = re.compile(
    rf"^[\w.@$+-]+\s+\d{{1,10}}\s+\d+[.,]\d\s+\d+[.,]\d\s+\d+\s+\d+\s+\S+\s+{_STATE}\s+\S+\s+\d+:\d\d\s+\S"
)
"""A row of `ps aux`, which nothing else looks like: `grep` took the header away."""

CONTINUES = (rf"{_AUX_ROW.pattern}.*$",)

_SELECTED_ROW = re.compile(r"^\s*\d{1,10}\s+D[<NLsl+]*\s+[a-z_]\w{5,60}(?:\.\w+)*\s+\S")
_SELECTED = "PID STAT WCHAN COMMAND"
"""Tasks in uninterruptible sleep that somebody chose out of `ps -eo pid,stat,wchan,comm`; two rows tell."""

_AUX = "USER PID %CPU %MEM VSZ RSS TTY STAT START TIME COMMAND"
_FILTERED = re.compile(r"\|\s*(?:sudo )?(?:e?grep|awk|sed|tail|rg)\b")


STARTS = (
    ".*(?:PID|TID|LWP)",
    _AUX_ROW.pattern,
    Start((_SELECTED_ROW.pattern,), near=(_SELECTED_ROW.pattern,), within=1),
)


def begins(lines: Sequence[str], at: int) -> bool:
    """Return whether a table of ps starts at `lines[at]`: its header, state or memory columns included."""
    header = lines[at]
    if _AUX_ROW.match(header):
        return True
    if _SELECTED_ROW.match(header):
        return at + 1 < len(lines) and bool(_SELECTED_ROW.match(lines[at + 1]))
    if "PID" not in header and "TID" not in header and "LWP" not in header:
        return False
    words = header.split()
    if (
        _HEADER.match(header)
        and words[-1] in {"CMD", "COMMAND", "CGROUP"}
        and not KEY_COLUMNS.isdisjoint(words)
    ):
        return "%wait" not in header and "TIME+" not in header
    return len(words) > 1 and WORDS.issuperset(words) and at + 1 < len(lines) and _fits(words, lines[at + 1])


def _fits(words: Sequence[str], row: str) -> bool:
    """Return whether `row` has a PID where the header has one, and as many cells at least."""
    cells = row.split(None, len(words) - 1)
    if len(cells) != len(words):
        return False
    numbers = [cell for word, cell in zip(words, cells, strict=True) if word in {"PID", "TID", "LWP", "PPID"}]
    return bool(numbers) and all(cell.isdecimal() for cell in numbers)


def continues(line: str) -> bool:
    """Return whether `line` can be a row."""
    return bool(_ROW.match(line))


def read(text: Text) -> Reading:
    """Read the rows as one row set `ps`."""
    table = _Table(_columns_of(text.command))
    for start in range(0, len(text.lines), AT_ONCE):
        table.take(text.lines[start : start + AT_ONCE], text.first_line + start)
    if not table.row_lines:
        return Reading(skipped=table.skips.result())
    found = RowSet("ps", tuple(table.columns), table.printed.columns(), table.row_lines)
    facts = (*_ages_and_groups(found), *_sizes(found))
    return Reading(facts=facts, row_sets=(found,), skipped=table.skips.result())


class _Table:
    """The rows so far; the columns are known from the first of them on."""

    def __init__(self, columns: list[str]) -> None:
        self.columns = columns
        self.skips = SkipCounter()
        self.row_lines = array("i")
        self.printed = PrintedColumns([])

    def take(self, lines: Sequence[str], first_line: int) -> None:
        """Take some lines, of which a few may be no rows."""
        rows = self._alike(lines)
        if rows:
            self.row_lines.extend(range(first_line, first_line + len(lines)))
        else:
            rows = list(self._rows(lines, first_line))
        self.printed.take(rows)

    def _alike(self, lines: Sequence[str]) -> list[list[str]]:
        """Return the cells of lines that all are rows, else none."""
        if not self.row_lines or "started" in self.columns or any(map(str.isupper, lines)):
            return []
        last = len(self.columns) - 1
        rows = [line.split(None, last) for line in lines]
        return rows if set(map(len, rows)) == {len(self.columns)} else []

    def _rows(self, lines: Sequence[str], first_line: int) -> Iterator[list[str]]:
        """Yield the cells of rows, one line at a time."""
        for line, entry in enumerate(lines, start=first_line):
            if not self.columns and _AUX_ROW.match(entry):
                self.columns = _columns(_AUX)
            elif not self.columns and _SELECTED_ROW.match(entry):
                self.columns = _columns(_SELECTED)
            elif not self.columns or (entry.isupper() and _is_header(entry) and self._may_begin(entry)):
                if _HEADER.match(entry) or (entry.strip() and WORDS.issuperset(entry.split())):
                    self.columns = _columns(entry)
                elif entry.strip():
                    self.skips.add("before the header of ps", line)
                continue
            cells = _cells(entry, self.columns)
            if len(cells) != len(self.columns):
                if entry.strip():
                    self.skips.add("not a row of ps", line)
                continue
            if not self.row_lines:
                self.printed = PrintedColumns([_divisor(column) for column in self.columns])
            self.row_lines.append(line)
            yield cells

    def _may_begin(self, header: str) -> bool:
        return not self.row_lines or self.columns == _columns(header)


def _divisor(column: str) -> float | None:
    """Return what a printed number is divided by for the unit of its column, None for a column of texts."""
    if column in SHARES:
        return 100.0
    if column in KIB.values():
        return 1.0 / BYTES_PER_KIB
    return 1.0 if column in NUMBERS else None


def _ages_and_groups(rows: RowSet) -> tuple[Fact, ...]:
    """Return age and group of each process; a group that is not the last column may be cut off."""
    pids, ages = rows.column("pid"), rows.column("elapsed")
    if pids is None or ages is None or not {"lwp", "tid", "spid"}.isdisjoint(rows.columns):
        return ()
    facts = []
    last = rows.cells[-1]
    for pid, printed, group_of, line in zip(pids, ages, last, rows.row_lines, strict=True):
        age = seconds_of(str(printed))
        if not isinstance(pid, float) or age is None:
            continue
        labels = {"pid": f"{pid:.0f}"}
        facts.append(Fact("process.age_seconds", age, Lines.at(line), "seconds", labels))
        for group in _GROUP.finditer(str(group_of)) if rows.columns[-1] == "cgroup" else ():
            hierarchy = {**labels, "hierarchy": group["controllers"] or "unified"}
            facts.append(Fact("process.cgroup", group["path"], Lines.at(line), "", hierarchy))
    return tuple(facts)


def seconds_of(printed: str) -> float | None:
    """Return seconds of `etime` (`12-03:04:05`) or `etimes` (`1047845`), None for anything else."""
    if _ALL_SECONDS.match(printed):
        return float(printed)
    found = _ELAPSED.match(printed)
    if found is None:
        return None
    days, hours, minutes, seconds = (float(part or 0) for part in found.groups())
    return ((days * 24 + hours) * 60 + minutes) * 60 + seconds


def _sizes(rows: RowSet) -> tuple[Fact, ...]:
    """Return the resident sizes of a list of few processes, which somebody chose."""
    pids, sizes = rows.column("pid"), rows.column("rss_bytes")
    if len(rows) > FEW_PROCESSES or pids is None or sizes is None:
        return ()
    return tuple(
        Fact("process.rss.ps_bytes", resident, Lines.at(line), "bytes", {"pid": f"{who:.0f}"})
        for who, resident, line in zip(pids, sizes, rows.row_lines, strict=True)
        if isinstance(resident, float) and isinstance(who, float)
    )


def _columns_of(command: str) -> list[str]:
    """Return the columns of a command that prints no header: every one of its list has an empty name."""
    typed = command.partition("|")[0]
    requested = [name for found in _LIST.finditer(typed) for name in found["list"].split(",") if name]
    names = [name.partition("=")[0].partition(":")[0].upper() for name in requested]
    has_none = _NO_HEADER.search(command) or all(name.endswith("=") for name in requested)
    if not requested or not (has_none or _FILTERED.search(command)):
        return []
    return _columns(" ".join(SPELLED.get(name, name) for name in names))


def _is_header(entry: str) -> bool:
    """Return whether a line is a header of ps: words that only ps prints."""
    words = entry.split()
    return len(words) > 1 and WORDS.issuperset(words)


def _columns(header: str) -> list[str]:
    """Return the names of the columns, the unit last; `STARTED` is one column of five words."""
    columns: list[str] = []
    for word in header.split():
        name = KIB.get(word) or NAMES.get(word) or word.lower().lstrip("%")
        columns.append(name if name not in columns else f"{name}_{len(columns)}")
    return columns


def _cells(entry: str, columns: list[str]) -> list[str]:
    """Split a row: the last column may hold blanks, `STARTED` holds five words."""
    if "started" not in columns:
        return entry.split(None, len(columns) - 1)
    at = columns.index("started")
    words = entry.split(None, len(columns) + 3)
    return [*words[:at], " ".join(words[at : at + 5]), *words[at + 5 :]]
