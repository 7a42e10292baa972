"""The JSON of `pidstat -o JSON`: the cells of each row, under the names that the tables print.

    "task-cpu-load": [
        {"UID": "1000", "PID": "8741", "usr": 0.13, "system": 0.03, …, "cpu_nr": 5, "cmd": "firefox"}

Tables of the children of tasks, `child-…`, are not read: they are of other processes.
Source: sysstat pidstat.c, since 12.7.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ingest.parsing import sysstat_json
from ingest.parsing.documents import objects
from ingest.readers.sysstat.pidstat.columns import IN_JSON

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from ingest.model.facts import Fact


class Entry(NamedTuple):
    """One row: its line, the time it is of, and its cells by printed column."""

    line: int
    time_text: str
    cells: Mapping[str, str]


def facts(lines: Sequence[tuple[int, str]]) -> Iterator[Fact]:
    """Yield what a document states about its hosts."""
    for host in sysstat_json.hosts(lines):
        yield from sysstat_json.host_facts(host, lines)


def looks(lines: Sequence[tuple[int, str]]) -> int:
    """Return the number of looks, those without any row included; 0 without a document."""
    hosts = sysstat_json.hosts(lines) if lines else ()
    return sum(1 for host in hosts for _ in objects(host.get("statistics")))


def entries(lines: Sequence[tuple[int, str]]) -> Iterator[Entry]:
    """Yield the rows of all tables of tasks, in their order."""
    citations = sysstat_json.Citations(lines, "cmd")
    for host in sysstat_json.hosts(lines):
        for look in objects(host.get("statistics")):
            for table, rows in look.items():
                for row in objects(rows):
                    line = citations.next()
                    if not table.startswith("child-"):
                        cells = {IN_JSON.get(key, key): str(value) for key, value in row.items()}
                        yield Entry(line, str(look.get("timestamp", "")), cells)
