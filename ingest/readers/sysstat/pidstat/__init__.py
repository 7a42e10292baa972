"""`pidstat`: CPU, memory, disk and context switches of processes and threads over time; tables and `-o JSON`.

Examples:
    Linux 6.12.117+deb12-cloud-amd64 (db-02)  11/21/26  _x86_64_  (4 CPU)

    14:35:24      UID       PID    %usr %system  %guest   %wait    %CPU   CPU  Command
    14:35:25      101        66    0.00 3000.00    0.00    0.00 3000.00    39  clickhouse-serv

    01:57:54 AM   UID      TGID       TID   cswch/s nvcswch/s  Command
    01:57:55 AM     0         -        75      1.00      0.00  |__tokio-rt-worker

`CPU` is the number of a CPU, `%CPU` may exceed 100. Commands are cut to 15 characters. A PID seen from inside
a container is another number than outside: such facts carry `pid_namespace`. Without an interval all is the
average since boot; the time above the columns then is that of the rows.

Source: sysstat pidstat.c (write_stats_…), pidstat(1).
"""

from __future__ import annotations

import re
from collections import defaultdict
from typing import TYPE_CHECKING, NamedTuple

from ingest.model.citation import Lines
from ingest.model.facts import Fact
from ingest.model.reading import Reading, RowSet
from ingest.native.linear import Pattern
from ingest.parsing import sysstat_json
from ingest.paste.prompt import is_inside
from ingest.paste.transcript import decimal, transcript
from ingest.readers.sysstat.pidstat import document
from ingest.readers.sysstat.pidstat.columns import SETS, Quantity

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from ingest.model.reading import Cell
    from ingest.model.section import Text
    from ingest.paste.transcript import Transcript

NAME = "pidstat"
VERSION = 4
TITLE = "pidstat"
COMMAND = "pidstat 1"
EXAMPLE = (
    "14:35:24      UID       PID    %usr %system  %guest   %wait    %CPU   CPU  Command\n"
    "14:35:25      101        66    0.00 3000.00    0.00    0.00 3000.00    39  clickhouse-serv"
)

_CLOCK = r"\d{1,2}:\d\d:\d\d(?: [AP]M)?"
_HEAD = Pattern(
    rf"^\s*(?P<time>#\s*Time|{_CLOCK}|[^\W\d]\w*\.?\s?:)?\s+"
    r"(?P<columns>(?:(?:UID|USER)\s+)?(?:PID|TGID)\s+.*\bCommand)\s*$"
)
_BANNER = re.compile(
    r"^\s*Linux (?P<release>\S+) \((?P<host>[^)]+)\)\s+\S+\s+_(?P<machine>\w+)_\s+\((?P<cpus>\d+) CPUs?\)\s*$"
)
_STAMP = re.compile(rf"^\s*(?P<time>{_CLOCK}|\d{{9,}}|[^\W\d]\w*\.?\s?:)\s+(?P<cells>\S.*)$")
_TIME = re.compile(r"^(?P<hours>\d{1,2}):(?P<minutes>\d\d):(?P<seconds>\d\d)(?: (?P<half>[AP]M))?$")
_PIDSTAT = re.compile(r"\bpidstat\b")


_WHO = ("time_text", "uid", "pid", "tid")


class _Row(NamedTuple):
    """One printed row: cells by printed column, and who it is about."""

    line: int
    time_text: str
    is_average: bool
    pid: str
    tid: str | None
    comm: str
    cells: Mapping[str, str]


STARTS = (
    _BANNER.pattern,
    r".*Command\s*$",
    r'\{\s*"sysstat"',
)


def begins(lines: Sequence[str], at: int) -> bool:
    """Return whether pidstat output starts at `lines[at]`: its column header, or the host line above one."""
    if lines[at].rstrip().endswith("Command"):
        return bool(_HEAD.match(lines[at])) and "TIME+" not in lines[at]
    if sysstat_json.begins(lines[at]):
        return sysstat_json.tool_of(lines, at) == NAME
    return bool(_BANNER.match(lines[at])) and any(_HEAD.match(ahead) for ahead in lines[at + 1 : at + 4])


def continues(line: str) -> bool:
    """Return whether `line` can occur in pidstat output."""
    if not line.strip() or _HEAD.match(line) or _BANNER.match(line) or sysstat_json.continues(line):
        return True
    found = _STAMP.match(line)
    return bool(found and re.match(r"^(?:\S+\s+){1,3}(?:-|\d+)\s", found["cells"]))


def read(text: Text) -> Reading:
    """Read all tables; per process the stated average, else the mean over all intervals, becomes facts."""
    pasted = transcript(text)
    facts: list[Fact] = []
    rows: list[_Row] = []
    columns: list[str] = []
    leader = started = ""
    printed: list[tuple[int, str]] = []
    for number, line, command in pasted.lines:
        if not line.strip():
            continue
        if printed or sysstat_json.begins(line):
            printed.append((number, line))
        elif banner := _BANNER.match(line):
            lines = Lines.at(number)
            facts.append(Fact("kernel.release", banner["release"], lines))
            facts.append(Fact("host.name", banner["host"], lines))
            facts.append(Fact("cpu.online", float(banner["cpus"]), lines, "count"))
        elif head := _HEAD.match(line):
            columns = head["columns"].split()
            started = started or head["time"] or ""
        elif row := _row(number, line, columns, leader):
            leader = row.pid
            rows.append(row)
        else:
            is_message = bool(_PIDSTAT.search(line) or _PIDSTAT.search(command)) and not columns
            pasted.skips.add("a message" if is_message else "not a row of a pidstat table", number)
    if printed:
        facts.extend(document.facts(printed))
        rows.extend(_from_document(printed, pasted))
    namespace = {"pid_namespace": "inner"} if is_inside(pasted.command) else {}
    facts.extend(_facts(rows, namespace, document.looks(printed)))
    _remark(pasted, started, rows)
    duration = _between(started, rows)
    sets = tuple(found for name, named in SETS.items() if (found := _row_set(name, named, rows, duration)))
    return Reading(
        facts=tuple(facts), row_sets=sets, skipped=pasted.skips.result(), quality=tuple(pasted.quality)
    )


def _row(number: int, line: str, columns: Sequence[str], leader: str) -> _Row | None:
    """Read one row below `columns`; a thread without its own TGID belongs to `leader`."""
    found = _STAMP.match(line)
    if not found or not columns:
        return None
    cells = found["cells"].split(None, len(columns) - 1)
    if len(cells) != len(columns) or "Command" not in columns:
        return None
    named = dict(zip(columns, cells, strict=True))
    pid = named.get("TGID", named.get("PID", "-"))
    tid = named.get("TID")
    if not all(who == "-" or who.isdecimal() for who in (pid, tid or "-")):
        return None
    is_thread = tid is not None and tid != "-"
    average = found["time"].rstrip().endswith(":")
    comm = named["Command"].removeprefix("|__").strip()
    return _Row(
        number,
        found["time"],
        average,
        leader if pid == "-" else pid,
        tid if is_thread else None,
        comm,
        named,
    )


def _from_document(printed: Sequence[tuple[int, str]], pasted: Transcript) -> Iterator[_Row]:
    """Yield the rows of a JSON document."""
    has_rows = False
    for line, time_text, cells in document.entries(printed):
        has_rows = True
        pid, tid = cells.get("TGID") or cells.get("PID", ""), cells.get("TID")
        if pid.isdecimal() and (not tid or tid.isdecimal()):
            yield _Row(line, time_text, False, pid, tid or None, cells.get("Command", ""), cells)
        else:
            pasted.skips.add("not a row of a pidstat table", line)
    if not has_rows:
        pasted.skips.add("no whole JSON with rows", printed[0][0], len(printed))


def _number(cell: str | None) -> float | None:
    """Return the printed number, None for `-`, `n/a` and absent cells."""
    if cell is None or not re.match(r"^-?\d+(?:[.,]\d+)?%?$", cell):
        return None
    return decimal(cell.rstrip("%"))


def _row_set(
    name: str, named: Mapping[str, Quantity], rows: Sequence[_Row], duration: float | None
) -> RowSet | None:
    """Return the samples of one kind of table; averages are facts, not rows."""
    present = [row for row in rows if not row.is_average and any(column in row.cells for column in named)]
    if not present:
        return None
    columns = list(dict.fromkeys(quantity.column for quantity in named.values()))
    cells = tuple(
        (
            row.time_text,
            _number(row.cells.get("UID")),
            _number(row.pid),
            _number(row.tid),
            *_quantities(row, named, columns),
            row.comm,
        )
        for row in present
    )
    return RowSet.of_rows(
        name, (*_WHO, *columns, "comm"), cells, tuple(row.line for row in present), duration
    )


def _between(started: str, rows: Sequence[_Row]) -> float | None:
    """Return seconds from the first header to the last sample; midnight may lie between."""
    first = _seconds_of_day(started)
    last = next((_seconds_of_day(row.time_text) for row in reversed(rows) if not row.is_average), None)
    return None if first is None or last is None or first == last else (last - first) % 86400


def _seconds_of_day(text: str) -> float | None:
    found = _TIME.match(text.strip())
    if not found:
        return None
    hours = int(found["hours"]) % 12 if found["half"] else int(found["hours"])
    hours += 12 if found["half"] == "PM" else 0
    return float(3600 * hours + 60 * int(found["minutes"]) + int(found["seconds"]))


def _quantities(row: _Row, named: Mapping[str, Quantity], columns: Sequence[str]) -> tuple[Cell, ...]:
    values: dict[str, float] = {}
    for printed, quantity in named.items():
        value = _number(row.cells.get(printed))
        if value is not None:
            values[quantity.column] = round(value * quantity.factor, 6)
    return tuple(values.get(column) for column in columns)


def _facts(rows: Sequence[_Row], namespace: Mapping[str, str], looks: int) -> Iterator[Fact]:
    """Yield one fact per process and quantity; threads are in the rows.

    pidstat leaves a process out of the intervals in which it did nothing: a share or a rate is one over all
    intervals, of which JSON states at least `looks`, also those without rows. The name of a worker of the
    kernel changes with its work; its average bears the last one.
    """
    samples: dict[tuple[str, str, Quantity, bool], list[tuple[float, int]]] = defaultdict(list)
    intervals: dict[Quantity, set[str]] = defaultdict(set)
    quantities = [pair for named in SETS.values() for pair in named.items() if pair[1].fact]
    for row in rows:
        for printed, quantity in quantities:
            value = _number(row.cells.get(printed))
            if value is None:
                continue
            if not row.is_average:
                intervals[quantity].add(row.time_text)
            if row.tid is None:
                key = (row.pid, row.comm, quantity, row.is_average)
                samples[key].append((value * quantity.factor, row.line))
    averaged = {(pid, quantity) for pid, _, quantity, is_average in samples if is_average}
    for (pid, comm, quantity, is_average), found in samples.items():
        if not is_average and (pid, quantity) in averaged:
            continue
        is_level = is_average or quantity.unit == "bytes"
        times = max(looks, len(intervals[quantity]))
        mean = sum(value for value, _ in found) / (len(found) if is_level else times)
        lines = Lines(found[0][1], found[-1][1])
        labels = {"pid": pid, "comm": comm, **namespace}
        yield Fact(quantity.fact, round(mean, 6), lines, quantity.unit, labels)


def _remark(pasted: Transcript, started: str, rows: Sequence[_Row]) -> None:
    """Record that one interval is one look, or the average since boot."""
    times = {row.time_text for row in rows if not row.is_average}
    if not rows or len(times) != 1 or any(row.is_average for row in rows):
        return
    if started in times:
        words = "the only report is the average since boot, not a look at now"
        pasted.remark("since_boot", words, rows[0].line)
    else:
        pasted.remark("few_samples", "one interval only: one look, not a course", rows[0].line)
