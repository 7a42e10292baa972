"""`docker stats` and `podman stats`: CPU time, memory and I/O of each container.

Example:
    CONTAINER ID   NAME         CPU %     MEM USAGE / LIMIT   MEM %     NET I/O          BLOCK I/O        PIDS
    3f9d1c20ab7e   shop-api-1   187.42%   1.972GiB / 2GiB     98.60%    1.21GB / 884MB   12.4GB / 3.1MB   214

    {"BlockIO":"12.4GB / 3.1MB","CPUPerc":"187.42%","MemUsage":"1.972GiB / 2GiB","Name":"shop-api-1"}

JSON is read, too: a line for each container (docker stats --format json, --format '{{json .}}'), and a list
(podman stats --format json, `jq -s`). 100 % are one CPU. Memory is without the page cache that can be dropped
at once; its limit is the memory of the machine where none is set. Amounts of network and block I/O are totals
since the container began.
Source: docker/cli cli/command/container/formatter_stats.go; podman cmd/podman/containers/stats.go.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

from ingest.native.linear import Pattern
from ingest.parsing.fact_reader import FactReader
from ingest.parsing.protocols import Start

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from ingest.model.reading import Reading
    from ingest.model.section import Text

NAME = "docker-stats"
VERSION = 3
TITLE = "docker stats"
COMMAND = "docker stats --no-stream"
EXAMPLE = (
    "CONTAINER ID   NAME         CPU %     MEM USAGE / LIMIT   MEM %     NET I/O\n"
    "3f9d1c20ab7e   shop-api-1   187.42%   1.972GiB / 2GiB     98.60%    1.21GB / 884MB\n"
)

_SCREEN = re.compile(r"^(?:\x1b\[[0-9;]{0,8}[A-Za-z])+")
"""What clears the screen before each table of a stream."""

_HEAD = re.compile(r"^\s*(?:CONTAINER(?: ID)?|ID|NAME)\s(?:\s*NAME\s)?\s*CPU %\s+MEM USAGE / LIMIT(?:\s|$)")
_AMOUNT = r"(?P<{0}>\d{{1,9}}(?:\.\d{{1,9}})?)(?P<{0}_unit>[kKMGTP]?i?B)"
_MEMORY = _AMOUNT.format("memory") + " / " + _AMOUNT.format("memory_limit")
_NETWORK = _AMOUNT.format("network_received") + " / " + _AMOUNT.format("network_sent")
_BLOCK = _AMOUNT.format("read") + " / " + _AMOUNT.format("written")
_ROW = re.compile(
    rf"^\s*(?P<id>\S{{1,128}})(?:\s+(?P<name>\S{{1,255}}))?\s+(?P<cpu>\d{{1,7}}\.\d{{1,4}})%\s+{_MEMORY}"
    rf"(?:\s+\d{{1,5}}\.\d{{1,4}}%)?(?:\s+(?:{_NETWORK}|-- / --))?(?:\s+(?:{_BLOCK}|-- / --))?"
    r"(?:\s+(?P<pids>\d{1,9}))?(?:\s.*)?$"
)
_STOPPED = re.compile(r"^\s*\S{1,128}(?:\s+\S{1,255})?\s+--\s+-- / --\s")
_SCALES = {"": 0, "K": 1, "M": 2, "G": 3, "T": 4, "P": 5}
_AMOUNTS = ("memory", "memory_limit", "network_received", "network_sent", "read", "written")

_KEYS = {
    "name": ("Name", "name"),
    "id": ("ID", "id", "Container"),
    "cpu": ("CPUPerc", "cpu_percent"),
    "memory": ("MemUsage", "mem_usage"),
    "network": ("NetIO", "net_io"),
    "block": ("BlockIO", "block_io"),
    "pids": ("PIDs", "pids"),
}
"""Keys of docker, then of podman."""

_PAIRS = {
    "memory": ("memory", "memory_limit"),
    "network": ("network_received", "network_sent"),
    "block": ("read", "written"),
}
_OTHERS = ("MemPerc", "mem_percent", "cpu_time", "avg_cpu", "up_time")
_ANY_KEY = "|".join((*(key for keys in _KEYS.values() for key in keys), *_OTHERS))
_USE = Pattern(r"^.*\"(?:MemUsage|mem_usage)\"\s*:\s*\"[\d.]+\s?[kKMGTP]?i?B / [\d.]+")
_OPENS = Pattern(r"^\s*\[?\s*\{?\s*$")
_JSON_LINE = Pattern(
    rf"^\s*(?:[\[\]{{}}]{{1,2}}\s*,?\s*$|\[?,?\s*\{{\s*\"(?:{_ANY_KEY})\"\s*:|\"(?:{_ANY_KEY})\"\s*:\s*[^{{\[]*$)"
)
_PERCENT = re.compile(r"^(?P<number>\d{1,7}(?:\.\d{1,9})?)%$")
_SIZE = re.compile("^" + _AMOUNT.format("size") + "$")
_COUNT = re.compile(r"^\d{1,9}$")
MOST_LINES = 24
"""Of one container in JSON."""

MOST_CHARACTERS = 1_000_000
MOST_NAME = 255

STARTS = (
    _HEAD.pattern,
    r"\x1b\[[0-9;]*[A-Za-z].*\sCPU %",
    _USE.pattern,
    Start((_OPENS.pattern,), near=(_USE.pattern,), within=MOST_LINES // 2),
)


def begins(lines: Sequence[str], at: int) -> bool:
    """Return whether the head of the table is at `lines[at]`, or the JSON of a container."""
    plain = _plain(lines[at])
    if _HEAD.match(plain):
        return True
    if not (_OPENS.match(plain) or _USE.match(plain)):
        return False
    for below in lines[at : at + MOST_LINES // 2]:
        line = _plain(below)
        if not _JSON_LINE.match(line):
            return False
        if _USE.match(line):
            return True
    return False


def continues(line: str) -> bool:
    """Return whether `line` is a head, a container, or a line of one in JSON."""
    plain = _plain(line)
    return any(one.match(plain) for one in (_HEAD, _ROW, _STOPPED, _JSON_LINE))


def read(text: Text) -> Reading:
    """Read what each container uses, by its name, or its id where no name is printed."""
    reader = FactReader(text)
    printed: list[tuple[int, str]] = []
    for line, entry in reader.lines():
        plain = _plain(entry)
        row = _ROW.match(plain)
        if row is not None:
            _add(reader, line, row.groupdict())
        elif _JSON_LINE.match(plain):
            printed.append((line, plain))
        elif not _HEAD.match(plain):
            reader.skips.add(NO_ROW, line)
    for line, cells in _containers(printed):
        if cells is None:
            reader.skips.add(NO_ROW, line)
        else:
            _add(reader, line, cells)
    return reader.result()


NO_ROW = "a container that does not run, or no row of the table"


def _containers(printed: Sequence[tuple[int, str]]) -> Iterator[tuple[int, dict[str, str | None] | None]]:
    """Yield the cells of each container in JSON with the line of its memory; None of what is none."""
    gathered: list[tuple[int, str]] = []
    for line, text in printed:
        if not text.strip(" \t[],") and not gathered:
            continue
        gathered.append((line, text))
        if text.rstrip(" \t],").endswith("}") or len(gathered) >= MOST_LINES:
            where = next((at for at, one in gathered if _USE.match(one)), gathered[0][0])
            for found in _objects(" ".join(one for _, one in gathered)):
                yield where, _cells(found)
            gathered = []
    if gathered:
        yield gathered[0][0], None


def _objects(text: str) -> list[object]:
    """Return the objects of a part of a list; one that is none for text that is not JSON."""
    if len(text) > MOST_CHARACTERS:
        return [None]
    try:
        found = json.loads(f"[{text.strip(' [],')}]")
    except (ValueError, RecursionError):
        return [None]
    return found if isinstance(found, list) else [None]


def _cells(found: object) -> dict[str, str | None] | None:
    """Return the cells of a container as a row of the table has them; None without CPU time and memory."""
    if not isinstance(found, dict):
        return None
    values = {
        name: next((str(found[key]).strip() for key in keys if key in found), "")
        for name, keys in _KEYS.items()
    }
    cells: dict[str, str | None] = {"id": values["id"] or None, "name": values["name"] or None}
    cpu = _PERCENT.match(values["cpu"])
    cells["cpu"] = cpu["number"] if cpu else None
    cells["pids"] = values["pids"] if _COUNT.match(values["pids"]) else None
    for name, pair in _PAIRS.items():
        for group, part in zip(pair, values[name].split(" / "), strict=False):
            size = _SIZE.match(part.strip().replace(" ", ""))
            cells[group], cells[f"{group}_unit"] = (size["size"], size["size_unit"]) if size else (None, None)
    is_named = cells["id"] or cells["name"]
    return cells if is_named and (cells["cpu"] or cells.get("memory")) else None


def _add(reader: FactReader, line: int, cells: Mapping[str, str | None]) -> None:
    """Add what one container uses."""
    labels = {"container": cells["name"] or cells["id"] or ""}
    if cpu := cells["cpu"]:
        reader.add("container.cpus", round(float(cpu) / 100, 6), line, "count", labels)
    for group in _AMOUNTS:
        if amount := cells.get(group):
            size = _bytes(amount, cells[f"{group}_unit"] or "")
            reader.add(f"container.{group}_bytes", size, line, "bytes", labels)
    if pids := cells["pids"]:
        reader.add("container.tasks", float(pids), line, "count", labels)


def _plain(line: str) -> str:
    return _SCREEN.sub("", line)


def _bytes(amount: str, unit: str) -> float:
    """Return an amount in bytes; only units with `i` are powers of 1024."""
    factor = 1024.0 if "i" in unit else 1000.0
    return float(round(float(amount) * factor ** _SCALES[unit.rstrip("iB").upper()]))
