"""Several names with their numbers on one line, in either order, and names in a column of their own.

    %Cpu(s): 63.2 us, 21.1 sy, 15.8 ni,  0.0 id                     ->  us 63.2, sy 21.1, … of `%Cpu(s)`
    CPU | sys      19% | user    149% | idle     31% |              ->  sys 0.19, user 1.49, … of CPU
    link mlx5_0/1 out_of_buffer 0 local_ack_timeout_err 8           ->  … of mlx5_0/1
    <cpu number="all" user="51.5" idle="0.0"/>                      ->  user 51.5, idle 0.0 of cpu all
    vm  1  2026-11-21T08:06:55  all  %idle  0.00                    ->  %idle 0.0 of all

Only lines of which the dictionary knows a name count: prose has words and numbers, too.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ingest.engines.quantities.cells import UNITS, number_of, words_of
from ingest.engines.quantities.grid import SUBJECT, VALUES, Grid
from ingest.engines.quantities.meanings import meaning_of, sized

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ingest.engines.quantities.cells import Word
    from ingest.model.row_columns import Cell

LEAST_PAIRS = 3
MOST_PAIRS = 100
MOST_SUBJECT = 3
"""Words of a subject."""

LEAST_LONG = 4
"""Lines with a name in a column of its own, from which on they are rows."""

OF_MEMORY = frozenset({"cached", "cached Mem", "avail", "avail Mem"})
"""What top prints at the end of its line of swap for want of space."""

COLUMNS = ((SUBJECT, ""), ("key", ""), ("value", ""), ("unit", ""), ("text", ""))

_ELEMENT = re.compile(
    r"^\s*<(?P<name>[A-Za-z][\w:-]{0,60})(?P<attributes>(?:\s+[\w:%.-]{1,60}=\"[^\"]{0,200}\")+)\s*/?>"
)
_ATTRIBUTE = re.compile(r"(?P<name>[\w:%.-]{1,60})=\"(?P<text>[^\"]{0,200})\"")
_BAR = re.compile(r"[|│┃]")
_LABEL = re.compile(r"^\s*(?P<label>[^\s:|][^:|]{0,40}?)\s*:\s+(?P<rest>[\d.+-].*)$")
_PARTS = re.compile(r",\s*|\.\s{2,}")
_NUMBER_FIRST = re.compile(r"(?P<number>[-+]?[\d.]{1,30}[%KMGTk]?)\s*(?P<name>[A-Za-z][\w/%+ -]{0,40})$")
_LONG = re.compile(r"\t|\s{2,}|;")


def grids(lines: Sequence[str], free: Sequence[int]) -> Iterator[tuple[Grid, list[int]]]:
    """Yield key and value of the lines with the indices `free`, with the indices that they take."""
    rows: list[tuple[Cell, ...]] = []
    numbers: list[int] = []
    for at in free:
        found = _pairs(lines[at])
        if len(found) >= LEAST_PAIRS and _is_known(found):
            rows += [(subject or None, key, value, unit or None, None) for subject, key, value, unit in found]
            numbers += [at] * len(found)
    taken = set(numbers)
    for at, row in _long(lines, [at for at in free if at not in taken]):
        rows.append(row)
        numbers.append(at)
    if rows:
        yield Grid(VALUES, COLUMNS, rows, numbers), sorted(set(numbers))


Pair = tuple[str, str, float, str]


def _is_known(found: Sequence[Pair]) -> bool:
    names = [key for _, key, _, _ in found]
    return any(meaning_of(name, names) is not None for name in names)


def _pairs(line: str) -> list[Pair]:
    """Return subject, name, number and unit of each pair; [] of a line that is made of anything else."""
    if element := _ELEMENT.match(line):
        return _attributes(element["name"], element["attributes"])
    if len(_BAR.findall(line)) > 2:
        return _between_bars([cell.strip() for cell in _BAR.split(line)])
    if label := _LABEL.match(line):
        return _number_first(label["label"].strip(), label["rest"])
    return _name_first(words_of(line))


def _attributes(name: str, text: str) -> list[Pair]:
    read = [(one["name"], number_of(one["text"]), one["text"]) for one in _ATTRIBUTE.finditer(text)]
    named = " ".join([name, *(text for _, number, text in read if number is None)][:MOST_SUBJECT])
    return [(named, key, number[0], number[1].name) for key, number, _ in read if number is not None]


def _between_bars(cells: Sequence[str]) -> list[Pair]:
    """Return the pairs of cells `name number`; cells without a number before them are the subject."""
    subject: list[str] = []
    found: list[Pair] = []
    for cell in cells:
        words = words_of(cell)
        numbers = [word for word in words if word.number is not None]
        if not words:
            continue
        if len(numbers) == 1 and len(words) > 1 and words[-1].number is not None:
            name = " ".join(word.text for word in words[:-1])
            found.append((" ".join(subject[:MOST_SUBJECT]), name, float(words[-1].number), words[-1].unit))
        elif not found:
            subject += [word.text for word in words if word.text.strip("-")]
    return found if len(found) * 2 > sum(bool(cell) for cell in cells) else []


def _number_first(label: str, text: str) -> list[Pair]:
    """Return the pairs of `63.2 us, 21.1 sy`, whose names follow their numbers: `us` is no unit there.

    A unit in front of the label is that of all: `MiB Mem :  24105.6 total,  8986.6 free`.
    """
    prefix, _, of = label.partition(" ")
    of_swap = label == "Swap"
    common = UNITS.get(prefix) if of else None
    found: list[Pair] = []
    for part in _PARTS.split(text.strip().rstrip(".")):
        pair = _NUMBER_FIRST.match(part.strip())
        number = number_of(pair["number"]) if pair else None
        if pair is None or number is None:
            return []
        name = f"{pair['name']} {of}" if common and of else pair["name"]
        if of_swap and pair["name"] in OF_MEMORY:
            label = "Mem"
        if common:
            found.append((label, name, number[0] * common.factor, common.name))
        else:
            value, unit = sized(name, (number[0], number[1].name, number[2]), (label,))
            found.append((label, name, value, unit))
    return found


def _name_first(words: Sequence[Word]) -> list[Pair]:
    """Return the pairs of `out_of_buffer 0 duplicate_request 0`, and what stands before them."""
    if not 2 * LEAST_PAIRS <= len(words) <= 2 * MOST_PAIRS:
        return []
    first = next((at for at, word in enumerate(words) if word.number is not None), 0) - 1
    if not 0 <= first <= MOST_SUBJECT or (len(words) - first) % 2:
        return []
    subject = " ".join(word.text for word in words[:first] if not word.is_time)
    found: list[Pair] = []
    for name, value in zip(words[first::2], words[first + 1 :: 2], strict=True):
        if name.number is not None or value.number is None or name.is_time:
            return []
        of_value = sized(name.text.rstrip(":"), (float(value.number), value.unit, value.suffix), (subject,))
        found.append((subject, name.text.rstrip(":"), *of_value))
    return found


def _long(lines: Sequence[str], free: Sequence[int]) -> Iterator[tuple[int, tuple[Cell, ...]]]:
    """Yield rows of lines that end in a known name and its number, of which there are several alike."""
    found: dict[int, list[tuple[int, tuple[Cell, ...]]]] = {}
    for at in free:
        cells = [cell.strip() for cell in _LONG.split(lines[at].strip())]
        if not 3 <= len(cells) <= MOST_PAIRS:
            continue
        number = number_of(cells[-1])
        if any(mark in cells[-2] for mark in ":|="):
            continue
        if number is None or number_of(cells[-2]) is not None or meaning_of(cells[-2]) is None:
            continue
        subject = cells[-3] if cells[-3] not in {"-", "all"} and not _is_plain(cells[-3]) else ""
        row = (subject or None, cells[-2], number[0], number[1].name or None, None)
        found.setdefault(len(cells), []).append((at, row))
    for rows in found.values():
        if len(rows) >= LEAST_LONG:
            yield from rows


def _is_plain(cell: str) -> bool:
    return any(word.is_time for word in words_of(cell))
