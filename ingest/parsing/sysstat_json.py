"""`-o JSON` of sysstat's tools: which of them printed it, and its statistics with the lines they stand in.

Example:
    {"sysstat": {
            "hosts": [
                    {
                            "nodename": "vm",
                            "statistics": [
                                    {
                                            "timestamp": "04:02:50",
                                            "cpu-load": [

iostat prints `avg-cpu` and `disk_device`, mpstat a time of day as its `timestamp`, sadf a date and a time,
pidstat `task-…` or `child-…`.
Source: sysstat iostat.c, mpstat.c, pidstat.c, json_stats.c.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

from ingest.model.citation import Lines
from ingest.model.facts import Fact
from ingest.parsing.documents import mapping, number, objects

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

HEAD_LINES = 24
"""The first statistic stands within so many lines."""

_BEGINNING = re.compile(r'^\s*\{\s*"sysstat"\s*:')
_TOOLS = (
    ("pidstat", re.compile(r'"(?:task|child)-[a-z-]+"\s*:')),
    ("iostat", re.compile(r'"(?:avg-cpu|disk_device)"\s*:')),
    ("mpstat", re.compile(r'"(?:timestamp"\s*:\s*"|cpu-load"\s*:|sum-interrupts"\s*:|node-load"\s*:)')),
)
_SADF = re.compile(r'"timestamp"\s*:\s*\{')


def begins(line: str) -> bool:
    """Return whether `line` is the first of such a document."""
    return line.startswith("{") and bool(_BEGINNING.match(line))


def tool_of(lines: Sequence[str], at: int) -> str:
    """Return the name of the format whose document starts at `lines[at]`."""
    head = "\n".join(lines[at : at + HEAD_LINES])
    if _SADF.search(head):
        return "sar"
    return next((tool for tool, shape in _TOOLS if shape.search(head)), "sar")


def continues(line: str) -> bool:
    """Return whether `line` can occur in such a document."""
    return bool(re.match(r'^\s*[{}\]"]', line))


def hosts(lines: Sequence[tuple[int, str]]) -> Iterator[Mapping[str, Any]]:
    """Yield the hosts of a document; nothing when it is cut or is another's."""
    try:
        document = json.loads("\n".join(line for _, line in lines))
    except (ValueError, RecursionError):
        return
    yield from objects(mapping(mapping(document).get("sysstat")).get("hosts"))


def host_facts(host: Mapping[str, Any], lines: Sequence[tuple[int, str]]) -> Iterator[Fact]:
    """Yield what the document states about a host, as the first line of the tables does."""
    for key, name in (("release", "kernel.release"), ("nodename", "host.name")):
        if isinstance(value := host.get(key), str):
            yield Fact(name, value, Lines.at(Citations(lines, key).next()))
    if count := number(host.get("number-of-cpus")):
        yield Fact("cpu.online", count, Lines.at(Citations(lines, "number-of-cpus").next()), "count")


class Citations:
    """The lines in which a key stands, in their order: one for each value of it."""

    def __init__(self, lines: Sequence[tuple[int, str]], key: str) -> None:
        """Find `key` in the lines of a document."""
        found = [number for number, line in lines for _ in range(line.count(f'"{key}"'))]
        self._lines = iter(found)
        self._last = lines[0][0]

    def next(self) -> int:
        """Return the line of the next value."""
        self._last = next(self._lines, self._last)
        return self._last
