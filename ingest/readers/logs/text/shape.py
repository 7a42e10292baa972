"""What text of no known format looks like: a table, keys with values, JSON, call stacks, a log, bare numbers.

Example:
    pool        alloc   free   read  write      ->  text.shape = table {names=pool, alloc, free, read, write}
    ----------  -----  -----  -----  -----
    tank         983G  2.67T    904    911

Nothing is interpreted: the names are those that stand there. Prose and programs have no shape.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from ingest.model.citation import Lines
from ingest.model.facts import Fact
from ingest.readers.logs.text.cells import FEWEST, Table, by_wide_blanks, is_number, is_rule, tables_in

if TYPE_CHECKING:
    from collections.abc import Sequence

FACT = "text.shape"
MOST_NAMES = 40
MOST_NAME = 40
FEW = 2
"""Lines that make a shape; one stamped line is a log, one row below a head a table."""

_CODE = re.compile(
    r"\s{0,40}(?:def|class|import|from|return|if|for|while|static|struct|int|void|#include|//|/\*|\"\"\")\b"
)
_COMPARED = 4
_FEW = 0.1
_MUCH = 0.6
_SOME = 0.3
_JSON_KEY = re.compile(r'"(?P<name>[\w .%/-]{1,40})"\s?:')
_PAIR = re.compile(
    r"\s{0,40}(?P<name>[A-Za-z_][\w.()/%-]{0,39}(?: [\w.()/%-]{1,20}){0,3}) {0,40}"
    r"(?:[:=]\s{0,40}(?=\S)|\s(?=-?\d[\d.,]*$))"
)
_SENTENCE = re.compile(r"(?:\b[A-Za-z]{2,20},? ){6}")
_FRAME = re.compile(
    r"\s{0,12}(?:#\d{1,4}\s{1,4}(?:0x[0-9a-f]|[\w:~<>*]{1,200}(?:$| ?\(|\+0x| (?:at|in|from) ))"
    r"|at [\w$.<>/]{1,200}\(|File \"|\[<[0-9a-f]{8,16}>\]|\S{1,200}\.go:\d{1,6}"
    r"|[\w.]{1,120}\+0x[0-9a-f]{1,8}(?:/0x[0-9a-f]{1,8})?(?:\s|$)"
    r"|[\w./*()]{1,120}\((?:0x[0-9a-f]{1,16}|\.\.\.)|Thread \d+ \(|goroutine \d+ \[|\d{1,5}\s{1,8}Thread 0x)"
)
_FUNCTION = re.compile(r"(?:^|(?<=\s))(?P<name>[A-Za-z_][\w.$:<>]{3,79})(?: \(|\(|\+0x)")
_STAMP = re.compile(
    r"\W{0,3}(?:[a-z]{2,8}: [a-z]{2,8}: \[)?(?:\d{4}-\d\d-\d\d|\d\d:\d\d:\d\d"
    r"|[A-Z][a-z]{2} {1,2}\d{1,2} \d\d:\d\d"
    r"|[A-Z][a-z]{2} [A-Z][a-z]{2} {1,2}\d{1,2} \d\d:\d\d|\d{1,5}\.\d{3}s\])"
)
_VALUE = re.compile(r"[:=\s|]\s{0,40}[-+<>~]?\d")
_ASSIGNED = re.compile(r"(?<![\w.-])(?P<name>[A-Za-z_][\w.-]{0,39})=(?=\S)")
_PROGRAM = re.compile(r"(?P<name>[A-Za-z][\w.-]{1,39})\[\d{1,8}\]:")


class Shape(NamedTuple):
    """What a text looks like.

    Attributes:
        kind: `table`, `pairs`, `json`, `stacks`, `log`, `rows` or `text`.
        names: Columns, keys, functions or programs, in their order.
        size: Lines of that shape, those of heads not counted.
        first: Index of its first line.
        last: Index of its last line.
        table: The largest table, of that kind only.
    """

    kind: str
    names: tuple[str, ...]
    size: int
    first: int
    last: int
    table: Table | None = None

    def fact(self, first_line: int, command: str) -> Fact:
        """Return the fact of a text that begins at `first_line`, below the prompt of `command`."""
        labels = {"names": ", ".join(self.names), "lines": str(self.size)}
        if command:
            labels["command"] = command
        return Fact(FACT, self.kind, Lines(first_line + self.first, first_line + self.last), "", labels)


def shape_of(lines: Sequence[str]) -> Shape | None:
    """Return the shape that most of the lines have; None of prose and programs."""
    filled = [at for at, line in enumerate(lines) if line.strip() and not is_rule(line)]
    if not filled or _is_program(lines, filled):
        return None
    many = max(min(FEW, len(filled)), int(len(filled) * _MUCH))
    some = max(FEW, int(len(filled) * _SOME))
    tables = tables_in(lines)
    largest = max(tables, key=lambda one: len(one.rows), default=None)
    in_tables = sum(len(one.rows) + 1 for one in tables)
    frames = [at for at in filled if _FRAME.match(lines[at])]
    stamped = [at for at in filled if _STAMP.match(lines[at])]
    pairs = {at: names for at in filled if (names := _keys(lines[at]))}
    if len(filled) == 1 and not _VALUE.search(lines[filled[0]]):
        return None
    if (found := _json(lines, filled)) is not None:
        return found
    if len(frames) >= some:
        return _of("stacks", frames, _functions(lines, frames))
    if largest and in_tables >= many:
        return _of_table(largest)
    if len(stamped) >= many:
        return _of("log", stamped, _programs(lines, stamped))
    if len(pairs) >= many:
        return _of("pairs", list(pairs), [name for names in pairs.values() for name in names])
    if largest and (in_tables >= some or len(largest.rows) > FEW):
        return _of_table(largest)
    rows = _alike(lines, filled)
    return _of("rows", rows, []) if len(rows) >= many else None


def names_in(lines: Sequence[str]) -> list[str]:
    """Return the columns of every table and the keys of other lines, without the cells of rows."""
    found = tables_in(lines)
    rows = {at for one in found for at in (one.head, *one.rows)}
    named = [name for one in found for name in one.names if name]
    keyed = [name for at, line in enumerate(lines) if at not in rows for name in _keys(line)]
    return list(dict.fromkeys(named + keyed))


def stamp_end(line: str) -> int:
    """Return where the time at the beginning of a line ends; 0 without one."""
    found = _STAMP.match(line)
    return found.end() if found else 0


def is_prose(lines: Sequence[str]) -> bool:
    """Return whether half of the lines are sentences, or some begin as those of programs do."""
    filled = [at for at, line in enumerate(lines) if line.strip()]
    sentences = sum(_SENTENCE.search(lines[at]) is not None for at in filled)
    return sentences * 2 >= len(filled) or _is_program(lines, filled)


def _is_program(lines: Sequence[str], filled: Sequence[int]) -> bool:
    return sum(_CODE.match(lines[at]) is not None for at in filled) > len(filled) * _FEW


def unshaped(lines: Sequence[str]) -> Shape:
    """Return what is said of text without a shape: how many lines it has."""
    filled = [at for at, line in enumerate(lines) if line.strip()]
    return Shape("text", (), len(filled), filled[0], filled[-1])


def _of(kind: str, places: Sequence[int], names: Sequence[str]) -> Shape:
    named = tuple(dict.fromkeys(one[:MOST_NAME] for one in names))[:MOST_NAMES]
    return Shape(kind, named, len(places), places[0], places[-1])


def _of_table(table: Table) -> Shape:
    names = tuple(name[:MOST_NAME] for name in table.names[:MOST_NAMES])
    return Shape("table", names, len(table.rows), table.head, table.rows[-1], table)


def _json(lines: Sequence[str], filled: Sequence[int]) -> Shape | None:
    if not lines[filled[0]].lstrip().startswith(("{", "[{", "[")):
        return None
    names = [found["name"] for at in filled for found in _JSON_KEY.finditer(lines[at])]
    keyed = [at for at in filled if _JSON_KEY.search(lines[at])]
    return _of("json", keyed, names) if keyed and len(keyed) >= len(filled) * _SOME else None


def _keys(line: str) -> list[str]:
    """Return the keys of a line, those of `key=value` too; none of a program or sentence."""
    found = _PAIR.match(line)
    if line.rstrip().endswith(("{", "(", ":", "[", ";")) or _SENTENCE.search(line):
        return []
    assigned = [one["name"] for one in _ASSIGNED.finditer(line)]
    if found is None or found[0].rstrip().endswith("="):
        return assigned if len(assigned) >= FEW else [found["name"]] if found else []
    return [found["name"], *assigned]


def _functions(lines: Sequence[str], places: Sequence[int]) -> list[str]:
    return [found["name"] for at in places if (found := _FUNCTION.search(lines[at]))]


def _programs(lines: Sequence[str], places: Sequence[int]) -> list[str]:
    counted = Counter(found["name"] for at in places if (found := _PROGRAM.search(lines[at])))
    return [name for name, _ in counted.most_common()]


def _alike(lines: Sequence[str], filled: Sequence[int]) -> list[int]:
    """Return the lines that begin with numbers and words in the same order as most, with a number."""
    rows = [at for at in filled if not _SENTENCE.search(lines[at])]
    kinds = {at: tuple(map(is_number, lines[at].split()[:_COMPARED])) for at in rows}
    fewest = FEWEST if len(filled) == 1 else FEW
    counted = Counter(kind for kind in kinds.values() if len(kind) >= fewest and any(kind))
    commonest = max(counted, key=lambda kind: counted[kind], default=())
    if commonest and counted[commonest] * 2 >= len(filled):
        return [at for at, kind in kinds.items() if kind == commonest]
    wide = {at: len(by_wide_blanks(lines[at])) for at in rows}
    widths = Counter(width for width in wide.values() if width >= FEWEST)
    width = max(widths, key=lambda one: widths[one], default=0)
    return [at for at, one in wide.items() if one == width and widths[width] >= FEWEST]
