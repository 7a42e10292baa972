"""Records of tables with a head that names a state: the rows below it, each with its fields.

    UNIT         LOAD   ACTIVE SUB    DESCRIPTION
    ● app.service loaded failed failed App server
    ->  Record("unit", "app.service", 1, {"state": "failed", "substate": "failed", …})

Cells are those two blanks apart; where rows do not have the number of the head, words, else places decide.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from ingest.engines.status.model import Record
from ingest.engines.status.trees import plain
from ingest.engines.status.words import field_of_head, kind_of_head, kind_of_name, titles

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

MOST_COLUMNS = 30
MOST_ROWS = 20_000
LEAST_HEAD = 2

_WIDE = re.compile(r"\s{2,}|\t+|\s*[|│┃]\s*")
_CELL = re.compile(r"\S+(?: \S+)*")
_WORD = re.compile(r"\S+")
_BULLET = re.compile(r"^(\s*)[●○×*↻✔✗](?=\s)")
_RULER = re.compile(r"^[\s|+:=\-─━┼]+$")
_HEAD_WORD = re.compile(r"^[A-Za-z%#][\w ()/:.%#-]{0,30}$")


class Head(NamedTuple):
    """The names of columns with the field of each and where it begins."""

    names: tuple[str, ...]
    fields: tuple[str, ...]
    starts: tuple[int, ...]
    is_words: bool
    indent: int


def records(lines: Sequence[str], owners: Sequence[tuple[int, str, str]]) -> Iterator[tuple[Record, int]]:
    """Yield the record of each row, with the index of the head.

    Args:
        lines: The text.
        owners: Index, kind and name of objects that the text names, for rows without a name.
    """
    head: Head | None = None
    head_at = rows = 0
    for at, line in enumerate(lines):
        if not line.strip():
            head = head if rows == 0 and head is not None and at == head_at + 1 else None
            continue
        if found := head_of(line):
            head, head_at, rows = found, at, 0
        elif head is not None and not _RULER.match(line):
            is_outside = len(line) - len(line.lstrip()) < head.indent and head.indent > 1
            fields = None if is_outside else _cells(line, head)
            if fields is None:
                head = None
                continue
            rows += 1
            if rows <= MOST_ROWS:
                owner = next((one[1:] for one in reversed(owners) if one[0] < at), ("", ""))
                yield _record(head, fields, at, owner), head_at


def head_of(line: str) -> Head | None:
    """Return the head of a table with a column of states; None of any other line."""
    bare = line.strip().strip("|│┃")
    is_words = bare.isupper()
    names = _words_of_head(bare) if is_words else [one.strip() for one in _WIDE.split(bare) if one.strip()]
    if len(names) < LEAST_HEAD:
        is_words, names = True, bare.split()
    if not LEAST_HEAD <= len(names) <= MOST_COLUMNS or not all(map(_HEAD_WORD.match, names)):
        return None
    fields = tuple(field_of_head(plain(name)) for name in names)
    is_event = {"type", "reason", "message"} <= set(fields)
    if ("state" not in fields and not is_event) or len(set(filter(None, fields))) < LEAST_HEAD:
        return None
    if sum(name[:1].isupper() or name[:1] == "%" for name in names) * 2 < len(names):
        return None
    starts: list[int] = []
    at = 0
    for name in names:
        at = line.find(name, at)
        starts.append(at)
        at += len(name)
    return Head(tuple(names), fields, tuple(starts), is_words, len(line) - len(line.lstrip()))


def _words_of_head(bare: str) -> list[str]:
    """Return the words of a head in capitals, those of one title joined: `LAST SEEN`."""
    for title in titles():
        bare = bare.replace(title, title.replace(" ", "\0"))
    return [one.replace("\0", " ") for one in bare.split()]


def _cells(line: str, head: Head) -> list[str] | None:
    """Return the cells of a row in the order of the head; None of a line that is none."""
    width = len(head.names)
    row = _BULLET.sub(r"\1 ", line).rstrip()
    bare = row.strip().strip("|│┃").strip()
    cells = [one.strip() for one in _WIDE.split(bare)]
    if len(cells) == width:
        return cells
    is_open = not any(" " in name for name in head.names) or not "".join(head.names).isupper()
    if is_open and head.is_words:
        words = bare.split(None, width - 1)
        if len(words) == width:
            return words
    placed = [""] * width
    for cell in (_WORD if is_open else _CELL).finditer(row):
        column = max((one for one in range(width) if head.starts[one] <= cell.start() + 1), default=0)
        placed[column] = f"{placed[column]} {cell[0]}".strip()
    return placed if sum(map(bool, placed)) >= LEAST_HEAD else None


def _record(head: Head, cells: Sequence[str], at: int, owner: tuple[str, str]) -> Record:
    fields: dict[str, str] = {}
    kind = kind_of_head(tuple(map(plain, head.names)))
    for name, field, cell in zip(head.names, head.fields, cells, strict=True):
        if field and cell and cell != "<none>":
            fields.setdefault(field, cell)
        if field == "name" and not kind:
            kind = kind_of_name(plain(name))
    name = fields.pop("name", "").rpartition("/")[2] if kind == "pod" else fields.pop("name", "")
    if "state" not in fields and "type" in fields:
        fields["state"] = fields.pop("type")
        fields.setdefault("since", fields.pop("age", ""))
        kind, name = "", ""
    if {"type", "state"} <= fields.keys() and fields["state"] in {"True", "False", "Unknown"}:
        fields["state"] = f"{fields.pop('type')}={fields['state']}"
        kind, name = owner if not name else (kind, name)
    elif "object" in fields:
        first, _, rest = fields["object"].partition("/")
        kind, name = (first.lower(), rest) if rest else ("object", first)
    elif not name:
        kind, name = owner
    if cells and head.is_words and head.fields[-1] not in {"message", "description"}:
        number, _, rest = cells[-1].partition(" ")
        if rest.strip() and number.replace(".", "").isdigit():
            fields.setdefault("message", rest.strip())
    return Record(kind, name, at, fields)
