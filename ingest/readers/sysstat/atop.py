"""`atop`: the screen of one interval, of the whole machine and of each process.

Example:
    ATOP - db1      2017/01/23  19:42:32      ---------      10s elapsed
    PRC | sys    3.18s | user  33.24s | #proc    679 | #tslpu    28 | #zombie    0 |
    PSI | cpusome  68% | memsome   0% | memfull   0% | iosome    1% | iofull    0% |
    CPU | sys      29% | user    330% | irq       1% | idle   1857% | wait    182% |
    DSK |          sda | busy    100% | read       4 | write   1789 | avio 5.58 ms |
      PID SYSCPU USRCPU  VGROW  RGROW  RDDSK  WRDSK  CPU CMD
     9783  0.21s 19.44s     0K  -788K     4K  1344K 197% mysqld

Shares of the line `CPU` are sums over CPUs: they are divided by the sum of all. Counts of packets and pages
are of the interval and become rates where its length is printed. The first screen is the average since boot:
it is left out when others follow, and remarked on when it is alone. `cpu` lines, NFS, GPUs and containers are
not read.
Source: atop showlinux.c, showgeneric.c; atop(1).
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from ingest.engines.series.model import looks_column
from ingest.model.citation import Lines
from ingest.model.facts import Fact
from ingest.model.reading import Reading
from ingest.native.linear import Pattern
from ingest.parsing.series import Quantity, Rows, Series, share
from ingest.paste.transcript import transcript

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from ingest.model.reading import Cell
    from ingest.model.section import Text

NAME = "atop"
VERSION = 3
TITLE = "atop"
COMMAND = "atop 5 3"
EXAMPLE = (
    "ATOP - db1      2017/01/23  19:42:32      ---------      10s elapsed\n"
    "CPU | sys      29% | user    330% | irq       1% | idle   1857% | wait    182% |\n"
    "DSK |          sda | busy    100% | read       4 | write   1789 | avio 5.58 ms |"
)

SHARES = {
    "sys": share("cpu.system_share"),
    "user": share("cpu.user_share"),
    "idle": share("cpu.idle_share"),
    "wait": share("cpu.iowait_share"),
    "steal": share("cpu.steal_share"),
}
_PARTS = frozenset({*SHARES, "irq", "guest"})
"""What adds up to all CPUs; time of guests is printed beside that of users."""

COUNTS: Mapping[str, Mapping[str, Quantity]] = {
    "PRC": {
        "#zombie": Quantity("tasks.zombie", "count"),
        "#tslpu": Quantity("sched.blocked", "count"),
        "#trun": Quantity("sched.runnable", "count"),
    },
    "CPL": {
        "avg1": Quantity("loadavg.1m", "count"),
        "avg5": Quantity("loadavg.5m", "count"),
        "avg15": Quantity("loadavg.15m", "count"),
        "numcpu": Quantity("cpu.online", "count"),
    },
    "MEM": {
        "tot": Quantity("free.mem.total_bytes", "bytes"),
        "free": Quantity("free.mem.free_bytes", "bytes"),
        "cache": Quantity("free.mem.cache_bytes", "bytes"),
        "buff": Quantity("free.mem.buffers_bytes", "bytes"),
    },
    "SWP": {
        "tot": Quantity("free.swap.total_bytes", "bytes"),
        "free": Quantity("free.swap.free_bytes", "bytes"),
    },
    "PSI": {
        "cpusome": share("sar.scpu_share"),
        "memsome": share("sar.smem_share"),
        "memfull": share("sar.fmem_share"),
        "iosome": share("sar.sio_share"),
        "iofull": share("sar.fio_share"),
    },
}
RATES: Mapping[str, Mapping[str, Quantity]] = {
    "CPL": {
        "csw": Quantity("system.context_switches_per_second", "per_second"),
        "intr": Quantity("system.interrupts_per_second", "per_second"),
    },
    "PAG": {
        "swin": Quantity("sar.pswpin_per_second", "per_second"),
        "swout": Quantity("sar.pswpout_per_second", "per_second"),
    },
}
"""Counts of the interval, which its seconds divide."""

_DROPS: Mapping[str, Quantity] = {
    "erri": Quantity("sar.rxerr_per_second", "per_second"),
    "erro": Quantity("sar.txerr_per_second", "per_second"),
    "drpi": Quantity("sar.rxdrop_per_second", "per_second"),
    "drpo": Quantity("sar.txdrop_per_second", "per_second"),
}
_DISKS = frozenset({"DSK", "LVM", "MDD"})
_BUSY = share("disk.util_share")
PROCESS = share("process.cpu.total_share")

_BANNER = Pattern(r"^ATOP - (?P<host>\S{1,64})\s.*\s(?P<elapsed>(?:\d{1,6}[dhms]){1,4}) elapsed\s*$")
_LINE = re.compile(
    r"^(?P<kind>PRC|CPU|cpu|CPL|GPU|MEM|SWP|PAG|PSI|DSK|LVM|MDD|NFM|NFC|NFS|NET|IFB|NUM|NUC|LLC) \|"
)
_CLOCK = re.compile(r"\b\d\d:\d\d:\d\d\b")
_SINCE_BOOT = re.compile(r"^\*{3} .*since Boot \*{3}")
_PROCESSES = Pattern(r"^\s*PID\s.*\sCPU\s+CMD(?:\s+\d{1,4}/\d{1,4})?\s*$")
_PROCESS = Pattern(r"^\s*(?P<pid>\d{1,10})\s.*\s(?P<cpu>\d{1,7})%\s+(?P<comm>\S.*?)\s*$")
_CELL = Pattern(
    r"^(?P<name>\S.*?)\s+(?P<value>-?\d{1,12}(?:\.\d{0,3})?)(?P<unit>e\d{1,2}|[KMGT%s]?)(?: ms)?$"
)
_PART = re.compile(r"(?P<count>\d{1,6})(?P<unit>[dhms])")
_SECONDS = {"d": 86400, "h": 3600, "m": 60, "s": 1}
_SCALES = {"K": 1024.0, "M": 1024.0**2, "G": 1024.0**3, "T": 1024.0**4}

STARTS = (_BANNER.pattern, _LINE.pattern)


def begins(lines: Sequence[str], at: int) -> bool:
    """Return whether the host and the interval, or two lines of the machine, are at `lines[at]`."""
    if _BANNER.match(lines[at]):
        return True
    return bool(_LINE.match(lines[at])) and at + 1 < len(lines) and bool(_LINE.match(lines[at + 1]))


def continues(line: str) -> bool:
    """Return whether `line` is of a screen."""
    shapes = (_BANNER, _LINE, _SINCE_BOOT, _PROCESSES, _PROCESS)
    return any(shape.match(line) for shape in shapes)


@dataclass(slots=True)
class _Screen:
    """What one interval says; `seconds` is 0 where its length is not printed."""

    seconds: float = 0.0
    is_since_boot: bool = False
    first_line: int = 0
    time: str = ""
    looks: list[tuple[Quantity, float, int, dict[str, str]]] = field(default_factory=list)

    def add(self, quantity: Quantity, value: float, line: int, **labels: str) -> None:
        """Record a value in the unit of its column."""
        self.looks.append((quantity, value, line, labels))


def read(text: Text) -> Reading:
    """Read the means of all intervals as facts; the screen since boot only when it is alone."""
    pasted = transcript(text)
    screens = [_Screen()]
    lists_processes = False
    for number, line, _ in pasted.lines:
        screen = screens[-1]
        screen.first_line = screen.first_line or number
        if banner := _BANNER.match(line):
            lists_processes = False
            screens.append(_Screen(_elapsed(banner["elapsed"]), first_line=number, time=_time(line)))
        elif found := _LINE.match(line):
            _add_line(screen, found["kind"], line, number)
        elif _SINCE_BOOT.match(line):
            screen.is_since_boot = True
        elif _PROCESSES.match(line):
            lists_processes = True
        elif lists_processes and (process := _PROCESS.match(line)):
            share_of_one = float(process["cpu"])
            if share_of_one:
                comm = process["comm"].removeprefix("<").removesuffix(">")
                screen.add(PROCESS, share_of_one, number, pid=process["pid"], comm=comm)
        elif line.strip():
            pasted.skips.add("not a line of atop", number)
    screens = [screen for screen in screens if screen.looks]
    if len(screens) > 1 and screens[0].is_since_boot:
        pasted.skips.add("average since boot", screens.pop(0).first_line)
    elif screens and screens[0].is_since_boot:
        pasted.remark("since_boot", "the only screen is the average since boot", screens[0].first_line)
    series, rows = Series(), Rows("atop")
    used: dict[tuple[str, str], list[tuple[float, int]]] = {}
    for screen in screens:
        cells: dict[tuple[tuple[str, str], ...], dict[str, Cell]] = {}
        for quantity, value, number, labels in screen.looks:
            if quantity is PROCESS:
                used.setdefault((labels["pid"], labels["comm"]), []).append((value, number))
            else:
                series.add(quantity, value, number, labels)
            of = tuple(labels.items())
            if of not in cells:
                cells[of] = {"time_text": screen.time or None, **labels}
                rows.add(number, cells[of])
            cells[of][looks_column(quantity.fact)] = round(value * quantity.factor, 6)
    sets = rows.sets() if len(screens) > 1 else ()
    return Reading(
        facts=(*series.facts(), *_of_processes(used, len(screens))),
        row_sets=sets,
        skipped=pasted.skips.result(),
        quality=tuple(pasted.quality),
    )


def _of_processes(used: Mapping[tuple[str, str], list[tuple[float, int]]], screens: int) -> Iterator[Fact]:
    """Yield the mean share of each process over all screens: one that is not listed used nothing."""
    for (pid, comm), looks in used.items():
        mean = sum(value for value, _ in looks) * PROCESS.factor / screens
        lines = Lines(looks[0][1], looks[-1][1])
        yield Fact(PROCESS.fact, round(mean, 6), lines, PROCESS.unit, {"pid": pid, "comm": comm})


def _time(line: str) -> str:
    """Return the clock of a banner, "" without one."""
    found = _CLOCK.search(line)
    return found[0] if found else ""


def _elapsed(printed: str) -> float:
    """Return seconds of `8h14m18s`."""
    return float(sum(int(part["count"]) * _SECONDS[part["unit"]] for part in _PART.finditer(printed)))


def _add_line(screen: _Screen, kind: str, line: str, number: int) -> None:
    """Add what one line of the machine says."""
    cells = list(_cells(line))
    values = dict(cells)
    if kind == "CPU":
        whole = sum(value for name, value in cells if name in _PARTS - {"guest"})
        for name, of_all in SHARES.items() if whole else ():
            if name in values:
                screen.add(of_all, 100 * values[name] / whole, number)
        return
    of = line.split("|")[1].split()
    if kind in _DISKS and len(of) == 1 and "busy" in values:
        screen.add(_BUSY, values["busy"], number, device=of[0])
    for column, value in cells:
        if quantity := COUNTS.get(kind, {}).get(column):
            screen.add(quantity, value, number)
        elif screen.seconds and (quantity := RATES.get(kind, {}).get(column)):
            screen.add(quantity, value / screen.seconds, number)
        elif screen.seconds and kind == "NET" and of and (quantity := _DROPS.get(column)):
            screen.add(quantity, value / screen.seconds, number, interface=of[0])


def _cells(line: str) -> Iterator[tuple[str, float]]:
    """Yield name and value of each cell that holds both; sizes in bytes, `1452e3` in full."""
    for cell in line.split("|")[1:]:
        found = _CELL.match(cell.strip())
        if found is None:
            continue
        unit = found["unit"]
        factor = 10.0 ** int(unit[1:]) if unit.startswith("e") else _SCALES.get(unit, 1.0)
        yield found["name"], float(found["value"]) * factor
