"""The statuses of all objects of a text.

statuses(lines)  ->  [Status("pod", "web", "crash_loop", …), Status("pod", "db", "", "Running", …)]
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ingest.engines.status import descriptions, replicas, tables, trees
from ingest.engines.status.model import MOST_TEXT, Record, Status
from ingest.engines.status.words import line_forms, word_of
from ingest.native.linear import Pattern

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

MOST_OBJECTS = 20_000
"""As many as lines that are looked at: none is dropped unsaid."""

MOST_CHARACTERS = 2_000

_PROMISING = Pattern(
    r"(?i)\b(?:state|status|phase|reason|health|active|attr|sub|exited|result|pool)\b"
    r"|exitcode|activestate|HEALTH_|_DOWN|Evicted|BackOff|\bRAID\d|physicaldrive|logicaldrive|\bosd\.\d"
    r"|DEGRADED|FAULTED|UNAVAIL|\b(?:offln|ubad|msng)\b|\.(?:service|mount|socket|timer)[ \t]+loaded"
    r"|_Running\b"
)
_EVENTS = frozenset({"normal", "warning"})
_NUMBER = re.compile(r"\d{1,9}")
_EXIT = re.compile(r"(?i)\bExited \((?P<code>\d{1,3})\)|\b(?:exit code|status)[ =:](?P<other>\d{1,3})\b")
_TIMES = re.compile(r"\(x(?P<count>\d{1,9}) over ")
_SINCE = re.compile(r"\bsince (?P<since>[^;]{4,40})|(?P<ago>\b[\w ]{1,20} ago)\b|^Up (?P<up>[^(]{2,20})")


def statuses(lines: Sequence[str]) -> list[Status]:
    """Return what every object of a text states, in the order of their lines; one of each line."""
    if not _PROMISING.search("\n".join(lines)):
        return []
    lines = [line[:MOST_CHARACTERS] for line in lines]
    found: dict[int, Record] = {}
    heads: set[int] = set()
    seen: set[tuple[str, str, str]] = set()
    root = trees.tree_of(lines)
    described = list(descriptions.records(root, lines))
    owners = sorted(descriptions.owners(root))
    for record, head in tables.records(lines, owners):
        found[record.line] = record
        heads.add(head)
    for record in described:
        own = (record.kind, record.name, record.fields.get("state", ""))
        if record.line not in found and record.line not in heads and own not in seen:
            found[record.line] = record
            seen.add(own)
    for record in replicas.records(lines):
        found[record.line] = record
    for record in _by_line(lines):
        if record.line not in found or word_of(found[record.line]) is None:
            found[record.line] = record
    ordered = [found[at] for at in sorted(found)][:MOST_OBJECTS]
    told = (_status(one) for one in ordered if one.fields.get("state") or one.fields.get("reason"))
    return [one for one in told if one.word or (one.kind and one.state.lower() not in _EVENTS)]


def _by_line(lines: Sequence[str]) -> Iterator[Record]:
    for at, line in enumerate(lines):
        for kind, form in line_forms():
            if row := form.search(line):
                fields = {name: text for name, text in row.groupdict().items() if text and name != "name"}
                yield Record(kind, (row.groupdict().get("name") or "").strip(), at, fields)
                break


def _status(record: Record) -> Status:
    word = word_of(record)
    fields = record.fields
    state = fields.get("state", "")
    exited = _EXIT.search(state) or _EXIT.search(fields.get("reason", ""))
    code = fields.get("exit_code") or (exited and (exited["code"] or exited["other"])) or ""
    since = fields.get("since", "")
    if not since and (told := _SINCE.search(state)):
        since = next(filter(None, told.groups()), "")
    times = _TIMES.search(since)
    return Status(
        record.kind,
        record.name[:MOST_TEXT],
        word.name if word else "",
        state[:MOST_TEXT],
        fields.get("reason", "")[:MOST_TEXT],
        fields.get("message", "")[:MOST_TEXT],
        _number(code),
        _number(fields.get("restarts", "")),
        _number(times["count"] if times else fields.get("count", "")),
        since.strip()[:MOST_TEXT],
        record.line,
    )


def _number(text: str) -> float | None:
    found = _NUMBER.match(text.strip())
    return float(found[0]) if found else None
