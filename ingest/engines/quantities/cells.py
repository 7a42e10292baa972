"""Cells and words of a line: numbers with their units, parts of a whole, times, flags, words.

    words_of("mem avail: 1501 of 5875 MiB (25 %)")
    ->  mem, avail, 1501 MiB, 5875 MiB (whole), 25 % (share)

Units are scaled to those of facts: seconds, bytes, share, bytes a second. A suffix alone (`13.6K`) is a
factor of 1,000 and no unit.
"""

from __future__ import annotations

import re
from typing import Literal, NamedTuple, TypeAlias

Role: TypeAlias = Literal["", "whole", "share", "end"]

MOST_CHARACTERS = 4_000
"""A longer line is looked at up to here."""

_NUMBER = re.compile(
    r"[-+]?(?:\d{1,3}(?:,\d{3}){1,8}|\d{1,30})(?:\.\d{1,12})?(?:[eE][-+]?\d{1,2})?(?![\d.,]*\d)"
)
_HEX = re.compile(r"0x[0-9a-fA-F]{1,16}$")
_CLOCK = re.compile(
    r"(?:\d{4}-\d\d-\d\d[T_]?)?\d{1,2}:\d\d:\d\d(?:[.,]\d{1,9})?(?:Z|[+-]\d\d:?\d\d)?$"
    r"|\d{4}[-/]\d\d[-/]\d\d$|\d\d/\d\d/\d{2,4}$|@\d{9,11}(?:\.\d{1,9})?$"
)
_DATE = re.compile(
    r"(?:(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun),? )?(?:[A-Z][a-z]{2} +\d{1,2}|\d{1,2} [A-Z][a-z]{2}(?: \d{4})?),? "
    r"(?P<clock>\d\d:\d\d:\d\d(?:\.\d{1,9})?)(?: [AP]M)?(?: [A-Z]{3,4})?(?: \d{4})?(?= |$)"
)
_RUN = re.compile(r"(?:[^\s=,;|()\[\]{}<>\"'`│┃]|(?<=\d),(?=\d{3}(?!\d)))+|'C\b")
_KEYED = re.compile(r"(?P<key>[A-Za-z_][\w./%-]{0,60}):(?P<value>[-+]?\d\S{0,40})$")
_RANGE = re.compile(r"(?P<first>\d{1,12}(?:\.\d{1,9})?)-(?P<last>\d{1,12}(?:\.\d{1,9})?)$")

BINARY = {"": 1.0, "k": 1024.0, "m": 1024.0**2, "g": 1024.0**3, "t": 1024.0**4, "p": 1024.0**5}
_DECIMAL = {"": 1.0, "k": 1e3, "m": 1e6, "g": 1e9, "t": 1e12, "p": 1e15}


class Unit(NamedTuple):
    """A unit as printed: the unit of facts, and the factor to it."""

    name: str
    factor: float


def _units() -> dict[str, Unit]:
    """Return all units by their printed form; those of one letter are in `SUFFIXES`."""
    found = {
        "%": Unit("share", 0.01),
        "percent": Unit("share", 0.01),
        "s": Unit("seconds", 1.0),
        "sec": Unit("seconds", 1.0),
        "secs": Unit("seconds", 1.0),
        "seconds": Unit("seconds", 1.0),
        "second": Unit("seconds", 1.0),
        "ms": Unit("seconds", 1e-3),
        "msec": Unit("seconds", 1e-3),
        "us": Unit("seconds", 1e-6),
        "usec": Unit("seconds", 1e-6),
        "µs": Unit("seconds", 1e-6),
        "μs": Unit("seconds", 1e-6),
        "ns": Unit("seconds", 1e-9),
        "min": Unit("seconds", 60.0),
        "h": Unit("seconds", 3600.0),
        "hours": Unit("seconds", 3600.0),
        "days": Unit("seconds", 86400.0),
        "°C": Unit("celsius", 1.0),
        "'C": Unit("celsius", 1.0),
        "C": Unit("celsius", 1.0),
        "°c": Unit("celsius", 1.0),
        "Celsius": Unit("celsius", 1.0),
        "W": Unit("watts", 1.0),
        "MHz": Unit("mhz", 1.0),
        "GHz": Unit("mhz", 1e3),
        "RPM": Unit("rpm", 1.0),
        "V": Unit("volts", 1.0),
        "pkts": Unit("count", 1.0),
        "packets": Unit("count", 1.0),
        "ops/s": Unit("per_second", 1.0),
        "/s": Unit("per_second", 1.0),
    }
    for letter, factor in BINARY.items():
        big = letter.upper()
        binary = (f"{big}i",) if letter else ()
        for text in (*binary, f"{big}iB", f"{letter}iB", f"{big}B", f"{letter}B", f"{big}b"):
            found.setdefault(text, Unit("bytes", factor))
        for text in (f"{big}/s", f"{letter}/s", f"{big}iB/s", f"{big}B/s", f"{letter}B/s", f"{big}Bps"):
            found.setdefault(text, Unit("bytes_per_second", factor))
        found.setdefault(f"{big}Bytes/sec", Unit("bytes_per_second", factor))
    for letter, factor in _DECIMAL.items():
        for text in (f"{letter.upper()}bits/sec", f"{letter.upper()}bit/s", f"{letter.upper()}bps"):
            found[text] = Unit("bytes_per_second", factor / 8)
    found |= {"B": Unit("bytes", 1.0), "Bytes": Unit("bytes", 1.0), "bytes": Unit("bytes", 1.0)}
    found |= {f"{one.upper()}Bytes": Unit("bytes", factor) for one, factor in BINARY.items() if one}
    found |= {"bits/sec": Unit("bytes_per_second", 1 / 8), "/s": Unit("per_second", 1.0)}
    return found


UNITS = _units()
SUFFIXES = {"K": 1e3, "k": 1e3, "M": 1e6, "G": 1e9, "T": 1e12, "P": 1e15}
"""Factors of a letter alone, directly behind its number."""

NO_UNIT = Unit("", 1.0)


class Word(NamedTuple):
    """One word of a line.

    Attributes:
        text: As printed; of a number without its unit.
        start: Its first character.
        end: Past its last character, of its unit.
        number: Its value in `unit`; None where it is no number.
        unit: The unit of facts, "" without one.
        role: `whole` of the number before it (`1501 of 5875`, `16GiB / 31GiB`), its `share` (`(25 %)`), or
            the `end` of a range that it begins.
        is_time: A clock, a date or seconds since the epoch.
        suffix: The letter behind the number: `K`.
    """

    text: str
    start: int
    end: int
    number: float | None = None
    unit: str = ""
    role: Role = ""
    is_time: bool = False
    suffix: str = ""


def number_of(text: str) -> tuple[float, Unit, str] | None:
    """Return number, unit and suffix of a cell that is a number with at most a unit; None for others.

    >>> number_of("13.6K"), number_of("12%")
    ((13600.0, Unit(name='', factor=1.0), 'K'), (0.12, Unit(name='share', factor=0.01), ''))
    """
    if _HEX.match(text):
        return float(int(text, 16)), NO_UNIT, "0x"
    found = _NUMBER.match(text)
    if found is None:
        return None
    number = float(found[0].replace(",", ""))
    rest = text[found.end() :].strip()
    if not rest:
        return number, NO_UNIT, ""
    if rest in SUFFIXES:
        return number * SUFFIXES[rest], NO_UNIT, rest
    unit = UNITS.get(rest)
    return (number * unit.factor, unit, "") if unit else None


def words_of(line: str) -> list[Word]:
    """Return the words of a line, with numbers read, units joined and wholes and shares marked."""
    line = line[:MOST_CHARACTERS]
    found: list[Word] = []
    at = 0
    if dated := _DATE.search(line[:60]):
        found += _plain(line, 0, dated.start())
        found.append(Word(dated["clock"], dated.start(), dated.end(), is_time=True))
        at = dated.end()
    return _marked(line, found + _plain(line, at, len(line)))


def _plain(line: str, start: int, end: int) -> list[Word]:
    found: list[Word] = []
    for run in _RUN.finditer(line, start, end):
        text, first = run[0], run.start()
        bare = text.rstrip(":")
        if _CLOCK.match(bare):
            found.append(Word(bare, first, run.end(), is_time=True))
        elif pair := _RANGE.match(bare):
            found.append(_number(pair["first"], first))
            found.append(_number(pair["last"], first + pair.start("last"))._replace(role="end"))
        elif "/" in bare and (both := _parts(bare)):
            used, whole = both
            found.append(used._replace(start=first))
            found.append(whole._replace(start=first + 1, end=run.end(), role="whole"))
        elif keyed := _KEYED.match(text):
            found.append(Word(keyed["key"], first, first + keyed.end("key")))
            found += _plain(line, first + keyed.start("value"), run.end())
        elif unit := _unit_of(line, found, text, first):
            found[-1] = _with_unit(found[-1], unit, run.end())
        else:
            found.append(_number(text, first) if number_of(text) else Word(text, first, run.end()))
    return found


def _number(text: str, start: int) -> Word:
    read = number_of(text)
    if read is None:
        return Word(text, start, start + len(text))
    number, unit, suffix = read
    return Word(text, start, start + len(text), number, unit.name, suffix=suffix)


def _parts(text: str) -> tuple[Word, Word] | None:
    """Return both numbers of `16.2GiB/31.2GiB`, `3/1024`; None for a path or anything else."""
    first, _, last = text.partition("/")
    used, whole = number_of(first), number_of(last)
    if used is None or whole is None or "0x" in (used[2], whole[2]):
        return None
    return _number(first, 0), _number(last, 0)


def _unit_of(line: str, found: list[Word], text: str, at: int) -> Unit | None:
    """Return the unit that stands behind the last number, one blank or a bracket apart."""
    last = found[-1] if found else None
    if last is None or last.number is None or last.unit or last.suffix:
        return None
    between = line[last.end : at]
    return UNITS.get(text.rstrip(":")) if between in {"", " ", "  ", "   ", ") "} else None


def _with_unit(word: Word, unit: Unit, end: int) -> Word:
    return word._replace(number=(word.number or 0.0) * unit.factor, unit=unit.name, end=end)


def _marked(line: str, words: list[Word]) -> list[Word]:
    """Mark wholes and shares; a part has the unit of its whole."""
    found: list[Word] = []
    for word in words:
        before = found[-1] if found else None
        if word.number is None or before is None:
            found.append(word)
            continue
        between = line[before.end : word.start].strip()
        two = found[-2] if len(found) > 1 else None
        if before.number is None and before.text in {"of", "/"} and two and two.number is not None:
            found.pop()
            word = word._replace(role="whole")  # noqa: PLW2901 - the same word, marked
        elif word.unit == "share" and before.number is not None and between == "(":
            word = word._replace(role="share")  # noqa: PLW2901 - same
        part = found[-1]
        if word.role == "whole" and word.unit and not part.unit and part.number is not None:
            read = number_of(word.text)
            factor = word.number / read[0] if word.number and read and read[0] else 1.0
            found[-1] = part._replace(number=part.number * factor, unit=word.unit)
        found.append(word)
    return found
