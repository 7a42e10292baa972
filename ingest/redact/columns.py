"""Names in the columns of any program's table, by the titles of its header: `column_titles.yaml`.

    NAME      USED  AVAIL  MOUNTPOINT             | hostname   | port |        name,hwaddr,hostname
    walnut   1.13T   612G  /walnut                | barrelroom | 3306 |        a,3c:ec:ef:12:9a:04,till4

A header is a line of titles in blanks, tabs, bars or commas. A cell belongs to the title that it overlaps, or
that has the same number between separators. Tables end with an empty line, one of half as many words, one
without separators, a command or a setting.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

import yaml

from ingest.native import _core
from ingest.redact import detectors, shape_checks
from ingest.redact.cells import Cell, Rows, column_of, is_behind_a_table, without_branches

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

TITLES = detectors.FOLDER / "column_titles.yaml"
MAX_HEADER = 400
SHORTEST, LONGEST = 3, 80
LEAST_TITLES = 2
LEAST_COMMAS = 3
MOST_TITLES = 8
"""Tables of more titles leave cells empty."""
_BAR = re.compile(rb"\||\xe2\x94\x82")
_TAB = re.compile(rb"\t")
_COMMA = re.compile(rb",")
_SEPARATORS = {"bar": _BAR, "tab": _TAB, "comma": _COMMA}
_END_OF_HOST = re.compile(rb"[:/](?=[0-9/]|$)|[/,]")
_WIDE = re.compile(rb"\S+(?: \S+)*")
_TOKEN = re.compile(rb"\S+")
_RULE = re.compile(rb"[-=+|\s\xe2\x94\x80-\xbf]+")
_TITLE = re.compile(r"[a-z%#][a-z %#/().*&']*(?:[0-9]{1,2}[a-z %#/().*&']*)?")
_OF_THE_KERNEL = frozenset({"pid", "tid", "lwp", "objs", "slabs", "irq"})
_COMMANDS = frozenset({"name", "names", "service", "context", "group", "resource", "index"})
"""Titles that stand for commands, caches or numbers in tables of processes and of the kernel."""
_LAST = frozenset(
    {"name", "host", "hostname", "server", "node", "user", "owner", "account", "database", "cluster"}
)
"""Words that titles of names end with: `switch name`."""
_PLAIN = frozenset(
    {
        "host",
        "hosts",
        "hostname",
        "node",
        "nodename",
        "server",
        "machine",
        "computer",
        "guest",
        "vm",
        "member",
    }
    | {
        "user",
        "username",
        "login",
        "owner",
        "account",
        "database",
        "datname",
        "db",
        "dbname",
        "schema",
        "cluster",
    }
    | {"pool", "queue", "bucket", "tenant", "customer", "share", "volume", "dataset", "project"}
)
"""Titles of columns that hold nothing but names, or their last words."""
_MARKS = b" \t\"'`*()<>[]{},;"
_TERMINAL = re.compile(rb"(?:pts|tty)/?[0-9]*")
_NAME = re.compile(rb"[A-Za-z0-9_\x80-\xff][A-Za-z0-9._@+:/\x80-\xff-]*")


class Column(NamedTuple):
    """A column that holds names: its number, start and end (exclusive) of its title, kind of name.

    Attributes:
        is_plain: Whether its cells are nothing but names: a compound of words is one, too.
    """

    number: int
    start: int
    end: int
    kind: str
    is_plain: bool


def cells(text: bytes) -> Iterator[Cell]:
    """Yield the names in all tables of `text`."""
    behind = 0
    rows = Rows(text)
    for start, end, _ in _headers().places(text):
        is_short = end - start <= MAX_HEADER and start >= behind
        separator, columns = _columns(text[start:end]) if is_short else ("", [])
        if columns:
            titles = len(text[start:end].split())
            if separator in _SEPARATORS:
                titles = len(_SEPARATORS[separator].findall(text[start:end]))
            below = rows.below((separator, titles, *columns), end + 1)
            for cell in _cells(below, separator, columns, titles):
                behind = cell.end
                yield cell


def _columns(header: bytes) -> tuple[str, list[Column]]:
    """Return the separator of a line and its columns with names; none when it is no header."""
    separator = _separator(header)
    titles = list(_pieces(header, separator))
    if separator == "wide":
        titles = list(_known_titles(header, titles))
    words = [_title(header[start:end]) for _, start, end in titles]
    is_header = len(titles) >= LEAST_TITLES and all(_TITLE.fullmatch(word) for word in words)
    if not is_header or not _is_table(header, separator):
        return separator, []
    if not _OF_THE_KERNEL.isdisjoint(words):
        words = ["" if word in _COMMANDS else word for word in words]
    found = [
        Column(number, start, end, _kind_of(word), word.rpartition(" ")[2] in _PLAIN)
        for (number, start, end), word in zip(titles, words, strict=True)
        if _kind_of(word)
    ]
    return separator, found


def _separator(header: bytes) -> str:
    if len(_BAR.findall(header)) >= LEAST_TITLES - 1:
        return "bar"
    if header.strip().count(b"\t") >= LEAST_TITLES - 1 and b"  " not in header:
        return "tab"
    if header.count(b",") >= LEAST_COMMAS and b" " not in header.strip():
        return "comma"
    return "wide"


def _is_table(header: bytes, separator: str) -> bool:
    """Return whether titles are set apart: by a separator, by two blanks, or by capitals alone."""
    text = header.strip()
    return separator != "wide" or b"  " in text or text.isupper()


def _pieces(line: bytes, separator: str) -> Iterator[tuple[int, int, int]]:
    """Yield number, start and end (exclusive) of what separators leave of a line."""
    if separator == "wide":
        shape = _TOKEN if line.strip().isupper() and b"  " not in line.strip() else _WIDE
        for number, found in enumerate(shape.finditer(line)):
            yield number, found.start(), found.end()
        return
    marks = _SEPARATORS[separator]
    ends = [*((mark.start(), mark.end()) for mark in marks.finditer(line)), (len(line), len(line))]
    behind = 0
    for number, (end, resume) in enumerate(ends):
        piece = line[behind:end]
        start = behind + len(piece) - len(piece.lstrip(b" "))
        if piece.strip():
            yield number, start, behind + len(piece.rstrip(b" "))
        behind = resume


def _known_titles(header: bytes, pieces: list[tuple[int, int, int]]) -> Iterator[tuple[int, int, int]]:
    """Yield the pieces again; of those that are no title, the titles in them: `USER ST` is two."""
    for number, start, end in pieces:
        if not header[start:end].isupper() or _title(header[start:end]) in _kinds():
            yield number, start, end
            continue
        tokens = [
            (found.start() + start, found.end() + start) for found in _TOKEN.finditer(header[start:end])
        ]
        while tokens:
            size = next(
                (one for one in (4, 3, 2, 1) if one <= len(tokens) and _is_known(header, tokens[:one])), 1
            )
            yield 0, tokens[0][0], tokens[size - 1][1]
            tokens = tokens[size:]


def _is_known(header: bytes, tokens: list[tuple[int, int]]) -> bool:
    title = _title(header[tokens[0][0] : tokens[-1][1]])
    return title in _kinds() and title not in _COMMANDS


def _title(piece: bytes) -> str:
    words = re.sub(r"[-_\s]+", " ", piece.decode("utf-8", "replace").lower())
    return words.strip(" #*")


def _cells(
    rows: Iterator[tuple[int, bytes]], separator: str, columns: list[Column], titles: int
) -> Iterator[Cell]:
    for start, row in rows:
        is_rule = _RULE.fullmatch(row) is not None
        if not row.strip() or (not is_rule and _is_behind(row, separator, titles)):
            return
        if not is_rule:
            for column, begins, ends in _cells_of(row, separator, columns):
                yield from _names(row, start, column, begins, ends)


def _is_behind(row: bytes, separator: str, titles: int) -> bool:
    """Return whether a row has too few words, too few commas or tabs, or other bars than `titles`."""
    if separator == "wide":
        return 2 * len(row.split()) < min(titles, MOST_TITLES) or is_behind_a_table(row)
    count = len(_SEPARATORS[separator].findall(row))
    return count != titles if separator == "bar" else not count


def _cells_of(row: bytes, separator: str, columns: list[Column]) -> Iterator[tuple[Column, int, int]]:
    """Yield each column with its cell in a row."""
    if separator != "wide":
        by_number = {number: (begins, ends) for number, begins, ends in _pieces(row, separator)}
        for column in columns:
            if column.number in by_number:
                yield column, *by_number[column.number]
        return
    tokens = [(found.start(), found.end()) for found in _TOKEN.finditer(row)]
    shown = [(column_of(row, begins), column_of(row, ends)) for begins, ends in tokens]
    for column in columns:
        places = zip(tokens, shown, strict=True)
        at = next((one for one, as_is in places if as_is[0] < column.end and column.start < as_is[1]), None)
        if at is not None:
            yield column, *at


def _names(row: bytes, at: int, column: Column, begins: int, ends: int) -> Iterator[Cell]:
    """Yield the token in a cell, without the marks around it and what follows it."""
    kind = column.kind
    begins += without_branches(row[begins:ends])
    cell = row[begins:ends]
    bare = cell.lstrip(_MARKS)
    begins += len(cell) - len(bare)
    bare = bare.rstrip(_MARKS + b".:")
    if kind in {"host", "project"}:
        bare = _END_OF_HOST.split(bare)[0]
    is_terminal = _TERMINAL.fullmatch(bare) is not None
    if is_terminal or not SHORTEST <= len(bare) <= LONGEST or _NAME.fullmatch(bare) is None:
        return
    name = bare.decode("utf-8", "replace")
    check = "identifier" if kind == "serial" else "value" if column.is_plain else "name"
    is_certain = shape_checks.CHECKS[check](name, (b"", b""))
    yield Cell(at + begins, at + begins + len(bare), kind, is_certain)


def _kind_of(title: str) -> str:
    """Return the kind of name below a title, "" for none."""
    last = title.rpartition(" ")[2]
    return _kinds().get(title) or (_kinds()[last] if last in _LAST else "")


@lru_cache(maxsize=1)
def _kinds() -> dict[str, str]:
    """Return the kind of name by title."""
    titles: dict[str, Iterable[str]] = yaml.load(TITLES.read_text(encoding="utf-8"), Loader=yaml.CSafeLoader)
    return {title: kind for kind, all_of in titles.items() for title in all_of}


def header() -> str:
    """Return the pattern of a line that may be a header."""
    words = sorted({re.escape(title).replace(r"\ ", "[ _-]") for title in _kinds()}, key=len, reverse=True)
    marks = r"[A-Za-z0-9 \t|%#_/().,*&'\xe2\x94\x82-]"
    title = "(?i:" + "|".join(words) + ")"
    return rf"(?m)^(?:{marks}*[ \t|,#*_\x82-])?{title}(?:[ \t|,*(]{marks}*)?$"


@lru_cache(maxsize=1)
def _headers() -> _core.Patterns:
    """Return the lines that may be headers, compiled once per process."""
    return _core.Patterns([header()])
