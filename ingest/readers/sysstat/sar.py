"""`sar` in every table it has, and `sadf` as rows (-p), as CSV (-d) and as JSON (-j).

Examples:
    00:11:39      runq-sz  plist-sz   ldavg-1   ldavg-5  ldavg-15   blocked
    00:11:40           12       199     12.99      8.00      5.07         0

    vm	1	2026-11-21 08:06:55 UTC	all	%user	0.00

    # hostname;interval;timestamp;CPU;%user;%nice;%system;%iowait;%steal;%idle
    vm;1;2026-11-21 08:06:55 UTC;-1;0.00;94.55;5.45;0.00;0.00;0.00

A column keeps its printed name: `pgscand/s` is `sar.pgscand_per_second`, `%vmeff` `sar.vmeff_share`. CPU
shares have the names they have everywhere. Stated averages become facts, else the mean; looks are rows.
Source: sysstat pr_stats.c and rndr_stats.c; sar(1), sadf(1).
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

from ingest.model.reading import Reading
from ingest.parsing import sadf_xml, sysstat_json
from ingest.parsing.series import (
    BANNER,
    CLOCK,
    CPU_SHARES,
    Quantity,
    Rows,
    Series,
    banner_facts,
    plain_name,
    printed_number,
)
from ingest.paste.transcript import transcript

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from ingest.model.facts import Fact
    from ingest.model.reading import Cell
    from ingest.model.section import Text

NAME = "sar"
VERSION = 2
TITLE = "sar, sadf"
COMMAND = "sar -u -q 1"
EXAMPLE = (
    "00:11:39      runq-sz  plist-sz   ldavg-1   ldavg-5  ldavg-15   blocked\n"
    "00:11:40           12       199     12.99      8.00      5.07         0"
)

ENTITIES = {"CPU": "cpu", "IFACE": "interface", "DEV": "device", "INTR": "irq", "TTY": "tty"}
LAST_ENTITIES = {"FILESYSTEM": "filesystem", "MOUNTPOINT": "filesystem"}
_STAMP = rf"(?P<time>{CLOCK}|Average:|Summary:)"
_WORD = r"(?:%?[A-Za-z][\w.-]*(?:/s)?)"
LARGEST = 1e300
_SECTIONS = re.compile(
    r"/s\b|%|\b(?:runq-sz|kbmemfree|kbhugfree|kbswpfree|totsck|tcp6sck|dentunusd|MBfsfree|MHz|rcvin|INTR)\b"
)
_HEAD = re.compile(rf"^{_STAMP}\s+(?P<columns>{_WORD}(?:\s+{_WORD})+)\s*$")
_ROW = re.compile(rf"^{_STAMP}\s+(?P<cells>\S.*\d\S*.*)$")
_RESTART = re.compile(rf"^{CLOCK}\s+LINUX RESTART\b")
_CSV_HEAD = re.compile(r"^# hostname;interval;timestamp;(?P<columns>\S.*)$")
_CSV = re.compile(
    r"^(?P<host>[\w.-]+);(?P<interval>-?\d+);(?P<time>[\d-]+ [\d:]+(?: \w+)?|\d+);(?P<cells>.*)$"
)
_LONG = re.compile(
    r"^(?P<host>[\w.-]+)\t(?P<interval>\d+)\t(?P<time>[\d-]+ [\d:]+(?: \w+)?|\d{9,})\t(?P<entity>\S+)\t"
    r"(?P<column>%?[A-Za-z]\S*)\t(?P<value>-?\d+(?:[.,]\d+)?)\s*$"
)


STARTS = (
    BANNER.pattern,
    r'\{\s*"sysstat"',
    r"\s*<\?xml",
    _HEAD.pattern,
    _CSV_HEAD.pattern,
    _LONG.pattern,
)


def begins(lines: Sequence[str], at: int) -> bool:
    """Return whether output of sar or sadf starts at `lines[at]`."""
    line = lines[at]
    if BANNER.match(line):
        following = next((ahead for ahead in lines[at + 1 : at + 4] if ahead.strip()), "")
        return _is_head(following)
    if sysstat_json.begins(line):
        return sysstat_json.tool_of(lines, at) == NAME
    if sadf_xml.begins(lines, at):
        return True
    return _is_head(line) or bool(_CSV_HEAD.match(line) or _LONG.match(line))


def _is_head(line: str) -> bool:
    """Return whether `line` is a header of sar and of no other tool of sysstat."""
    head = _HEAD.match(line)
    if not head or "%irq" in line.split()[:7] or line.rstrip().endswith("Command"):
        return False
    if re.search(r"\s%usr\s+%nice\s+%sys\s+%iowait\s+%irq\b", line):
        return False
    if re.match(r"(?:NODE|CPU)\s+\S+/s", head["columns"]) and " total/s" not in line:
        return False  # interrupts of mpstat
    return bool(_SECTIONS.search(head["columns"]))


def continues(line: str) -> bool:
    """Return whether `line` can occur in such output."""
    shapes = (_HEAD, _ROW, _RESTART, _CSV_HEAD, _CSV, _LONG, BANNER)
    if re.match(r'^\s*[{}\]"]', line) or sadf_xml.continues(line):
        return True
    return any(shape.match(line) for shape in shapes)


class _Tables:
    """Collects looks of all tables."""

    def __init__(self) -> None:
        """Start without a table."""
        self.series = Series()
        self.rows: dict[str, Rows] = {}
        self.facts: list[Fact] = []

    def look(
        self,
        line: int,
        time: str,
        labels: Mapping[str, str],
        cells: Mapping[str, str | float],
        *,
        is_average: bool = False,
    ) -> None:
        """Record one row: values by printed column, and what it is about."""
        row_cells: dict[str, Cell] = {"time_text": time, **labels}
        names = []
        for column, printed in cells.items():
            value = printed_number(printed) if isinstance(printed, str) else float(printed)
            if value is None:
                continue
            quantity = CPU_SHARES.get(column) or _quantity(column)
            self.series.add(quantity, value, line, labels, is_average=is_average)
            name = quantity.fact.partition(".")[2]
            names.append(name)
            row_cells[name] = round(value * quantity.factor, 6)
        if names and not is_average:
            table = f"sar:{','.join(names[:3])}"
            self.rows.setdefault(table, Rows(table)).add(line, row_cells)


def _quantity(column: str) -> Quantity:
    """Return the quantity of a column that has no name of its own."""
    name = plain_name(column)
    unit = "share" if name.endswith("_share") else "per_second" if name.endswith("_per_second") else "count"
    return Quantity(f"sar.{name}", unit, 0.01 if unit == "share" else 1.0)


def _entity(columns: Sequence[str], words: Sequence[str]) -> tuple[dict[str, str], dict[str, str]] | None:
    """Return labels and cells of a row, None when it does not fit its header."""
    if len(words) != len(columns):
        return None
    cells = dict(zip(columns, words, strict=True))
    labels = {}
    for column, label in ((columns[0], ENTITIES), (columns[-1], LAST_ENTITIES)):
        if column in label:
            value = cells.pop(column)
            if value not in {"all", "-1"}:
                labels[label[column]] = value
    return labels, cells


def read(text: Text) -> Reading:
    """Read every table."""
    pasted = transcript(text)
    tables = _Tables()
    columns: list[str] = []
    document: list[tuple[int, str]] = []
    xml: list[tuple[int, str]] = []
    for number, line, _ in pasted.lines:
        if xml or line.lstrip().startswith("<?xml"):
            xml.append((number, line))
        elif document or sysstat_json.begins(line):
            document.append((number, line))
        elif not line.strip():
            continue
        elif stated := banner_facts(line, number):
            tables.facts.extend(stated)
        elif head := _HEAD.match(line) or _CSV_HEAD.match(line):
            columns = re.split(r"[;\s]+", head["columns"].strip())
        elif found := _LONG.match(line):
            labels = {} if found["entity"] in {"all", "-"} else {"entity": found["entity"]}
            tables.look(number, found["time"], labels, {found["column"]: found["value"]})
        elif (found := _CSV.match(line)) and (row := _entity(columns, found["cells"].split(";"))):
            tables.look(number, found["time"], *row)
        elif (found := _ROW.match(line)) and (row := _entity(columns, found["cells"].split())):
            tables.look(number, found["time"], *row, is_average=found["time"] in {"Average:", "Summary:"})
        elif _RESTART.match(line):
            pasted.remark("mixed_boots", "the machine restarted in between: means are of two boots", number)
        else:
            pasted.skips.add("not a row of sar", number)
    for look in sadf_xml.looks(xml):
        tables.look(look.line, look.time, look.labels, look.cells)
    if document and not _read_json(document, tables):
        pasted.skips.add("not the JSON of sadf, or cut off", document[0][0], len(document))
    return Reading(
        facts=(*tables.facts, *tables.series.facts()),
        row_sets=tuple(found for rows in tables.rows.values() for found in rows.sets()),
        skipped=pasted.skips.result(),
        quality=tuple(pasted.quality),
    )


def _read_json(lines: Sequence[tuple[int, str]], tables: _Tables) -> bool:
    """Read `sadf -j`; every value cites the line of its time stamp. False when it is no JSON of sadf."""
    try:
        hosts = json.loads("\n".join(line for _, line in lines))["sysstat"]["hosts"]
        stamps = [number for number, line in lines if '"timestamp":' in line]
        statistics = [
            one for host in hosts for one in host["statistics"] if isinstance(one.get("timestamp"), dict)
        ]
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return False
    if len(stamps) < len(statistics):
        return False
    for line, statistic in zip(stamps, statistics, strict=False):
        stamp = statistic.pop("timestamp")
        for labels, cells in _flat(statistic):
            tables.look(line, f"{stamp.get('date', '')} {stamp.get('time', '')}".strip(), labels, cells)
    return True


def _flat(value: Any, key: str = "") -> Iterator[tuple[dict[str, str], dict[str, float]]]:
    """Yield labels and numbers of every object that holds numbers; shares are named like columns of sar."""
    if isinstance(value, list):
        for one in value:
            yield from _flat(one, key)
    elif isinstance(value, dict):
        labels = {
            name.rpartition("-")[2]: str(child)
            for name, child in value.items()
            if isinstance(child, str) and child != "all"
        }
        percents = key == "cpu-load"
        numbers = {
            f"%{name.removesuffix('-percent')}" if percents or name.endswith("-percent") else name: float(
                child
            )
            for name, child in value.items()
            if isinstance(child, int | float) and abs(child) < LARGEST and not isinstance(child, bool)
        }
        if numbers:
            yield labels, numbers
        for name, child in value.items():
            if isinstance(child, dict | list):
                yield from _flat(child, name)
