r"""Replicas of a database: whether their threads run, and the error that stopped one.

    Source_Host: db1
    Replica_SQL_Running: No
    Last_SQL_Error: Could not execute Write_rows event …
    ->  Record("replica", "db1", 1, {"state": "SQL thread: No", "message": "Could not execute …"})

Columns of `SHOW REPLICA STATUS\G` and its older name, in mysql and mariadb; channels follow each other.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ingest.engines.status.model import Record
from ingest.native.linear import Pattern

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_MARK = Pattern(r"^\*{5,60} \d{1,12}\. row")
_PAIR = Pattern(
    r"^\s*(?P<key>(?:Slave|Replica)_(?P<what>IO|SQL)_Running|(?:Master|Source)_Host|Last_(?:(?:IO|SQL)_)?Error"
    r"|Channel_Name|Connection_name)\s*:\s?(?P<value>.*)$"
)

RUNS = "Yes"


def records(lines: Sequence[str]) -> Iterator[Record]:
    """Yield a record for each thread of a replica that does not run."""
    threads: list[tuple[int, str, str]] = []
    fields: dict[str, str] = {}
    for at, line in enumerate([*lines, ""]):
        if at == len(lines) or _MARK.match(line):
            yield from _threads(threads, fields)
            threads, fields = [], {}
        elif found := _PAIR.match(line):
            value = found["value"].strip()
            if found["what"]:
                threads.append((at, found["what"], value))
            else:
                fields[found["key"].lower()] = value


def _threads(threads: Sequence[tuple[int, str, str]], fields: dict[str, str]) -> Iterator[Record]:
    name = fields.get("source_host") or fields.get("master_host") or ""
    channel = fields.get("channel_name") or fields.get("connection_name") or ""
    for at, what, state in threads:
        if state == RUNS:
            continue
        error = fields.get(f"last_{what.lower()}_error") or (
            fields.get("last_error") if what == "SQL" else ""
        )
        found = {"state": f"{what} thread: {state}"}
        if error:
            found["message"] = error
        yield Record(
            "replica", f"of {' '.join(filter(None, (name, channel)))}" if name else channel, at, found
        )
