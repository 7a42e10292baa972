"""`lslocks`: locks on files, who holds them and who waits, as columns or JSON (-J).

Example:
    COMMAND   PID  TYPE SIZE MODE   M START END PATH       BLOCKER
    flock   31212 FLOCK      WRITE* 0     0   0 /run/a.lck   31205
    flock   31205 FLOCK      WRITE  0     0   0 /run/a.lck

A `*` behind the mode marks who waits. BLOCKER, if it was asked for, is the process that holds the lock; else
that is who has the lock of the same path. Facts are those of `/proc/locks`, with the path of the file.
Source: misc-utils/lslocks.c of util-linux; lslocks(8).
"""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from ingest.native.linear import Pattern
from ingest.parsing.fact_reader import FactReader
from ingest.parsing.shapes import Lines

if TYPE_CHECKING:
    import re
    from collections.abc import Iterator, Mapping, Sequence

    from ingest.model.reading import Reading
    from ingest.model.section import Text

_HEAD = Pattern(
    r"^\s*COMMAND\s+PID\s+TYPE\s+(?:SIZE\s+)?(?:INODE\s+)?(?:MAJ:MIN\s+)?MODE\s+M\s+START\s+END\s+PATH\b"
)
_ROW = Pattern(
    r"^\s*(?P<command>\S(?:[^\n]{0,30}\S)?|)\s+(?P<pid>-?\d{1,10})\s+"
    r"(?P<type>POSIX|FLOCK|OFDLCK|LEASE|DELEG|ACCESS|UNKNOWN)\s+(?:(?P<size>\d[\d.]{0,12}[BKMGTPE]?)\s+)?"
    r"(?:\d{1,20}\s+)?(?:\d{1,5}:\d{1,8}\s+)?(?P<mode>READ|WRITE|RW|NONE|UNLCK)(?:(?P<waits>\*)\s*|\s+)"
    r"(?P<mandatory>[01])\s+(?P<start>\d{1,20})\s+(?P<end>\d{1,20})(?:\s+(?P<path>\S.*))?$"
)
_BLOCKER = Pattern(r"^(?P<path>.*?\S)?\s+(?P<blocker>\d{1,10})$")
_JSON_HEAD = Pattern(r"^\s*\{?\s*\"locks\"\s*:\s*\[")
_JSON_LINE = Pattern(
    r"^\s*(?:[\[\]{}]{1,2},?\s*$|\},\s*\{\s*$"
    r"|\"(?:locks|command|pid|type|size|inode|maj:min|mode|m|start|end|path|blocker|holders)\"\s*:)"
)
_OPENS = Pattern(r"^\s*\{\s*$")
MOST_LINES = 500_000
"""Of a document; more than any machine has locks."""

NO_LOCK = "not a lock of a file"


class _Lock(NamedTuple):
    """A lock that somebody holds or waits for; `blocker` is "" where it is not printed."""

    line: int
    command: str
    pid: str
    type: str
    path: str
    is_waiting: bool
    blocker: str


def read(text: Text) -> Reading:
    """Read how many locks are held of each type, and how many tasks wait for each lock that has any."""
    reader = FactReader(text)
    locks: list[_Lock] = []
    document: list[tuple[int, str]] = []
    has_blocker = False
    for line, entry in reader.lines():
        if document or _JSON_HEAD.match(entry) or _OPENS.match(entry):
            document.append((line, entry))
        elif _HEAD.match(entry):
            has_blocker = entry.rstrip().endswith("BLOCKER")
        elif row := _ROW.match(entry):
            locks.append(_of_row(line, row, has_blocker=has_blocker))
        else:
            reader.skips.add(NO_LOCK, line)
    if document:
        found = list(_of_document(document))
        if not found:
            reader.skips.add("JSON that does not end, or lists no lock", document[0][0])
        locks += found
    _add(reader, locks)
    return reader.result()


def _of_row(line: int, row: re.Match[str], *, has_blocker: bool) -> _Lock:
    path, blocker = (row["path"] or "").strip(), ""
    if has_blocker and (found := _BLOCKER.match(f" {path}")):
        path, blocker = (found["path"] or "").strip(), found["blocker"]
    return _Lock(line, row["command"], row["pid"], row["type"], path, bool(row["waits"]), blocker)


def _of_document(lines: list[tuple[int, str]]) -> Iterator[_Lock]:
    """Yield the locks of JSON; each is cited at the line of its command, in their order."""
    try:
        found = json.loads("\n".join(text for _, text in lines[:MOST_LINES]))
    except (ValueError, RecursionError):
        return
    rows = found.get("locks") if isinstance(found, dict) else None
    places = [line for line, text in lines if '"command"' in text]
    for at, row in enumerate(rows if isinstance(rows, list) else ()):
        if not isinstance(row, dict):
            continue
        mode = str(row.get("mode", ""))
        yield _Lock(
            places[at] if at < len(places) else lines[0][0],
            _text(row, "command"),
            _text(row, "pid"),
            _text(row, "type"),
            _text(row, "path"),
            mode.endswith("*"),
            _text(row, "blocker"),
        )


def _text(row: Mapping[str, object], name: str) -> str:
    value = row.get(name)
    return str(value)[:4000] if isinstance(value, str | int) else ""


def _is_cut(path: str) -> bool:
    """Return whether a path does not say which file it is: `/...` of another mount namespace."""
    return not path or path.endswith("...")


def _add(reader: FactReader, locks: list[_Lock]) -> None:
    """Add the locks held by type, and those that tasks wait for, with their holder."""
    held = [one for one in locks if not one.is_waiting]
    types = Counter(one.type for one in held)
    for kind, count in types.items():
        line = next(one.line for one in held if one.type == kind)
        reader.add("file_lock.held", float(count), line, "count", {"type": kind})
    waiting: dict[tuple[str, str, str], list[_Lock]] = {}
    by_pid = {(one.pid, one.path): one for one in reversed(held)}
    by_path = {(one.type, one.path): one for one in reversed(held) if not _is_cut(one.path)}
    for one in (each for each in locks if each.is_waiting):
        holder = by_pid.get((one.blocker, one.path)) if one.blocker else by_path.get((one.type, one.path))
        pid = one.blocker or (holder.pid if holder else "")
        waiting.setdefault((one.path, pid, holder.command if holder else ""), []).append(one)
    for (path, pid, command), several in waiting.items():
        labels = {"file": path, "pid": pid, "type": several[0].type}
        if command:
            labels["comm"] = command
        reader.add("file_lock.waiting", float(len(several)), several[0].line, "count", labels)


@dataclass(frozen=True, slots=True, kw_only=True)
class LockLists(Lines):
    """Lists of locks; the brace above JSON begins one only with its key below."""

    def begins(self, lines: Sequence[str], at: int) -> bool:
        """Return whether a list of locks starts at `lines[at]`."""
        if _OPENS.match(lines[at]):
            return at + 1 < len(lines) and bool(_JSON_HEAD.match(lines[at + 1]))
        return any(one.match(lines[at]) for one in (_HEAD, _ROW, _JSON_HEAD))


_STARTS = (_HEAD, _ROW, _JSON_HEAD, _OPENS)

FORMAT = LockLists(
    name="lslocks",
    title="lslocks",
    command="lslocks -o +BLOCKER",
    example=(
        "COMMAND   PID  TYPE SIZE MODE   M START END PATH       BLOCKER\n"
        "flock   31212 FLOCK      WRITE* 0     0   0 /run/a.lck   31205\n"
        "flock   31205 FLOCK      WRITE  0     0   0 /run/a.lck"
    ),
    first=Pattern("|".join(one.pattern.removeprefix("^") for one in _STARTS)),
    shapes=(_HEAD, _ROW, _JSON_LINE),
    read=read,
)
