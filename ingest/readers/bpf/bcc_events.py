r"""Event lines of bcc tools: kills, drops, retransmits, states of connections, files that are gone.

Examples:
    21:03:39 Triggered by PID 3297 ("ntpd"), OOM kill of PID 22516 ("perl"), 3850642 pages, loadavg: 0.99 …

    TIME     PID    IP LADDR:LPORT          T> RADDR:RPORT          STATE
    01:55:05 0      4  10.153.223.157:22    R> 69.53.245.40:34619   ESTABLISHED

    %CPU  83.00%, unclaimed idle 0.12%

    18:33:10: PIDs/sec: 21

    18:31:00 22905   vim               RENAME .viminfo.tmp > .viminfo

Every event is a row, of a set called after the tool; kernel stacks below an event are counted as skipped.
Source: tools/{oomkill,tcpretrans,tcpdrop,tcpstates,tcpsubnet,rdmaucma,cpuunclaimed,pidpersec}.py and
tools/filegone.py of bcc.
"""

from __future__ import annotations

import re
from collections import defaultdict
from typing import TYPE_CHECKING, NamedTuple

from ingest.model.citation import Lines
from ingest.model.facts import Fact
from ingest.model.reading import Reading
from ingest.parsing.series import Rows
from ingest.paste.transcript import transcript

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ingest.model.section import Text

NAME = "bcc-events"
VERSION = 2
PRIORITY = 61
TITLE = "Event lines of bcc tools"
COMMAND = "oomkill"
EXAMPLE = (
    '21:03:39 Triggered by PID 3297 ("ntpd"), OOM kill of PID 22516 ("perl"), 3850642 pages, '
    "loadavg: 0.99 0.39 0.30 3/282 22724"
)

_TIME = r"\s*(?P<time>\d\d:\d\d:\d\d)\s+"


class Peak(NamedTuple):
    """A column whose highest value is a fact; `factor` turns what is printed into `unit`."""

    column: str
    fact: str
    unit: str
    factor: float = 1.0


class Event(NamedTuple):
    """A tool, its event line, and what counts as a fact.

    Attributes:
        tool: Its name.
        expression: Named groups are the columns.
        fact: Name of the count, "" without one.
        label: Column that the count is of.
        peak: Column whose highest value is a fact, None without one.
    """

    tool: str
    expression: re.Pattern[str]
    fact: str = ""
    label: str = ""
    peak: Peak | None = None


EVENTS = (
    Event(
        "oomkill",
        re.compile(
            _TIME
            + r'Triggered by PID (?P<by_pid>\d+) \("(?P<by_comm>[^"]*)"\), OOM kill of PID (?P<pid>\d+) '
            r'\("(?P<comm>[^"]*)"\), (?P<pages>\d+) pages'
            r"(?:\s*|, loadavg: (?P<load_1>\d+(?:\.\d+)?)(?:\s[\d./\s]*)?)$"
        ),
        "trace.oom_kills",
        "comm",
    ),
    Event(
        "tcpretrans",
        re.compile(
            _TIME + r"(?P<pid>\d+)\s+(?P<ip>[46])\s+(?P<local>\S+:\d+)\s+(?P<kind>[A-Z])>\s+"
            r"(?P<remote>\S+:\d+)\s+(?P<state>[A-Z][A-Z0-9_-]+)\s*$"
        ),
        "trace.tcp_retransmits",
        "state",
    ),
    Event(
        "tcpdrop",
        re.compile(
            _TIME + r"(?P<pid>\d+)\s+(?P<ip>[46])\s+(?P<source>\S+:\d+)\s+>\s+(?P<destination>\S+:\d+)\s+"
            r"(?P<state>[A-Z][A-Z0-9_]+) \((?P<flags>[A-Z|]*)\)(?:\s+(?P<reason>\w+) \(\d+\))?\s*$"
        ),
        "trace.tcp_drops",
        "reason",
    ),
    Event(
        "tcpstates",
        re.compile(
            r"\s*(?:\d\d:\d\d:\d\d\s+)?[0-9a-f]{16}\s+(?P<pid>\d+)\s+(?P<comm>\S{1,16})\s+(?:[46]\s+)?"
            r"(?P<local>\S+)\s+(?P<local_port>\d+)\s+(?P<remote>\S+)\s+(?P<remote_port>\d+)\s+"
            r"(?P<old_state>[A-Z][A-Z0-9_]+)\s+->\s+(?P<new_state>[A-Z][A-Z0-9_]+)\s+(?P<duration_ms>[\d.]+)\s*$"
        ),
    ),
    Event(
        "rdmaucma",
        re.compile(
            _TIME + r"(?P<event>[a-z]+(?: [a-z]+){0,4})\s+(?P<family>IPv[46])\s+(?P<local>\S+)\s+"
            r"(?P<remote>\S+)\s*$"
        ),
    ),
    Event(
        "cpuunclaimed",
        re.compile(
            r"\s*%CPU\s+(?P<busy_percent>\d+\.\d+)%, unclaimed idle (?P<unclaimed_idle_percent>\d+\.\d+)%\s*$"
        ),
        peak=Peak("unclaimed_idle_percent", "cpu.unclaimed_idle_share", "share", 0.01),
    ),
    Event(
        "pidpersec",
        re.compile(r"\s*(?P<time>\d\d:\d\d:\d\d): PIDs/sec: (?P<processes>\d{1,12})\s*$"),
        peak=Peak("processes", "trace.most_forks_per_second", "per_second"),
    ),
    Event(
        "filegone",
        re.compile(
            _TIME + r"(?P<pid>\d{1,10})\s+(?P<comm>\S(?:.{0,14}\S)?)\s+(?P<action>DELETE|RENAME) "
            r"(?P<file>\S.{0,511})$"
        ),
        "trace.files_gone",
        "comm",
    ),
)
_SUBNET = Event("tcpsubnet", re.compile(r"\s*(?P<subnet>\d{1,3}(?:\.\d{1,3}){3}/\d\d?)\s+(?P<bytes>\d+)\s*$"))
"""Not of this tool unless a stamp is above."""

_STAMP = re.compile(r"^\s*\[\d\d/\d\d/\d\d \d\d:\d\d:\d\d\]\s*$")
_HEADER = re.compile(
    r"^\s*(?:TIME\s+PID\s+IP\s+[LS]ADDR:[LS]PORT\s|(?:TIME\s+)?SKADDR\s+C-PID\s+C-COMM\s|Timestamp\s+Event\s+Family\s"
    r"|TIME\s+PID\s+COMM\s+ACTION\s+FILE\s*$)"
)
_BANNER = re.compile(r"^(?:Tracing|Sampling)\b.*(?:Ctrl-C to (?:end|stop)|every \d+ sec)")
_FRAME = re.compile(r"^\s+(?:b')?[A-Za-z_][\w.]*(?:\+0x[0-9a-f]+)?'?\s*$")
STARTS = (
    *(event.expression.pattern for event in EVENTS),
    _STAMP.pattern.removeprefix("^"),
)
NEAR = 12
"""Seconds without traffic that may precede the first subnet."""


def begins(lines: Sequence[str], at: int) -> bool:
    """Return whether events start at `lines[at]`: one of them, or the stamp above a subnet."""
    line = lines[at]
    if _STAMP.match(line):
        following = [one for one in lines[at + 1 : at + NEAR] if one.strip() and not _STAMP.match(one)]
        return bool(following and _SUBNET.expression.match(following[0]))
    return any(event.expression.match(line) for event in EVENTS)


def continues(line: str) -> bool:
    """Return whether `line` can occur between events."""
    if any(event.expression.match(line) for event in (*EVENTS, _SUBNET)):
        return True
    return any(shape.match(line) for shape in (_STAMP, _HEADER, _BANNER, _FRAME))


def read(text: Text) -> Reading:
    """Read every event; counts of kills, drops and retransmits are facts."""
    pasted = transcript(text)
    sets: dict[str, Rows] = {}
    counts: dict[tuple[str, str, str], list[int]] = defaultdict(list)
    peaks: dict[Peak, tuple[float, int]] = {}
    for number, line, _ in pasted.lines:
        event, found = next(
            ((one, hit) for one in (*EVENTS, _SUBNET) if (hit := one.expression.match(line))), (None, None)
        )
        if event is None or found is None:
            if line.strip() and not (_STAMP.match(line) or _HEADER.match(line)):
                pasted.skips.add("frame of a stack" if _FRAME.match(line) else "not an event", number)
            continue
        cells = {name: _cell(value) for name, value in found.groupdict().items()}
        sets.setdefault(event.tool, Rows(f"trace:{event.tool}")).add(number, cells)
        if event.fact:
            counts[event.fact, event.label, found[event.label] or ""].append(number)
        if event.peak:
            value = (float(found[event.peak.column]), number)
            peaks[event.peak] = max(peaks.get(event.peak, value), value)
    return Reading(
        facts=tuple(_facts(counts, peaks)),
        row_sets=tuple(made for rows in sets.values() for made in rows.sets()),
        skipped=pasted.skips.result(),
        quality=tuple(pasted.quality),
    )


def _facts(
    counts: dict[tuple[str, str, str], list[int]], peaks: dict[Peak, tuple[float, int]]
) -> Iterator[Fact]:
    for (name, label, value), at in counts.items():
        labels = {label: value} if value else {}
        yield Fact(name, float(len(at)), Lines(at[0], at[-1]), "count", labels)
    for peak, (highest, number) in peaks.items():
        yield Fact(peak.fact, round(highest * peak.factor, 9), Lines.at(number), peak.unit)


def _cell(value: str | None) -> str | float | None:
    if value is None:
        return None
    return float(value) if re.fullmatch(r"\d+(?:\.\d+)?", value) else value
