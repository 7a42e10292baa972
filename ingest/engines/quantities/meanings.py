"""What a printed name means: rows of `quantities.yaml`, looked up by name and by the words beside it.

    meaning_of("r_await")                    ->  request latency of a device, seconds, bad when high
    meaning_of("time", {"icmp seq", "ttl"})  ->  round-trip time of a target
    meaning_of("uptime")                     ->  None

Names are compared in lower case, their words apart: `MemAvailable` and `mem_available` are alike.
"""

from __future__ import annotations

import re
from fnmatch import fnmatchcase
from functools import cache, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeAlias

from ingest.engines.quantities.cells import BINARY, SUFFIXES
from ingest.engines.quantities.grid import VALUES
from ingest.tables import table

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from ingest.engines.quantities.grid import Grid

Direction: TypeAlias = Literal["high", "low", "change", ""]

MOST_NAMES = 400
"""Rows that are looked up by their name."""

_TABLE = Path(__file__).parent / "quantities.yaml"
_HUMP = re.compile(r"(?<=[a-z])(?=[A-Z])")
_APART = re.compile(r"[^a-z0-9%+>]+")
_HEAD_NOUN = re.compile(r" (?:of|that|for|in|inside|without|since|between|on|by|under|to|again|left|from) ?")
_PERCENT = re.compile(r"%")


class Range(NamedTuple):
    """A normal range with its source.

    Attributes:
        most: Values above it are beyond the range; None without an upper end.
        least: Values below it are beyond the range; None without a lower end.
        source: Who says so.
        words: What a value beyond it means.
    """

    most: float | None
    least: float | None
    source: str
    words: str


class Flag(NamedTuple):
    """A bit of a status word, and what it means; `is_bad` where it is a fault now."""

    bit: int
    words: str
    is_bad: bool


class Meaning(NamedTuple):
    """One meaning.

    Attributes:
        quantity: What is measured.
        of: What it is of: `device`, `machine`, `process`.
        unit: The unit of facts.
        scale: Factor of a number without a unit to it.
        bad: When it is trouble.
        about: The question of the overview.
        normal: The normal range; None where no source states one.
        flags: Bits of a status word.
        base: The quantity that it is a share of, "" without one.
        is_flow: What flows while work is done: a stop in it is seen.
        is_meant_to_flow: A test or copy, which has no other purpose: 0 in all rows is one, too.
        met: Printed name by tool.
        met_in: Tools of these of which the name was found in real output, their source or their manual.
        lookalikes: Names that do not mean it.
        beside: Words of which one stands in the same table or line.
        run: What shows more of it.
        topic: What the first steps are about.
        usual: Words of subjects that lead on a healthy machine, too.
        target: Names of the column of the same table that it is to stay at.
        window: The fact whose rule says from which value on a window of it is high, "" without one.
        is_capacity: A share of what there is at most: at 1 nothing is left.
        limit_of: The quantity and what it is of that cannot be more, `sessions of proxy`.
        is_part: A share of a whole, of which the largest is what most of the whole goes to.
    """

    quantity: str
    of: str
    unit: str = ""
    scale: float = 1.0
    bad: Direction = ""
    about: str = "scheduling"
    normal: Range | None = None
    flags: tuple[Flag, ...] = ()
    base: str = ""
    is_flow: bool = False
    is_meant_to_flow: bool = False
    met: Mapping[str, str] = {}
    met_in: tuple[str, ...] = ()
    lookalikes: tuple[str, ...] = ()
    beside: frozenset[str] = frozenset()
    run: str = ""
    topic: str = ""
    usual: tuple[str, ...] = ()
    target: tuple[str, ...] = ()
    window: str = ""
    is_capacity: bool = False
    is_part: bool = False
    limit_of: str = ""

    @property
    def verb(self) -> str:
        """`is`, or `are` of a quantity that is a plural."""
        head = _HEAD_NOUN.split(self.quantity, maxsplit=1)[0]
        return "are" if head.endswith("s") and not head.endswith(("ss", "us")) else "is"


class Shape(NamedTuple):
    """Rows that are known without their head: kinds of their words, units and names of their numbers.

    One of `words`, if there are any, stands in the row. `subject` matches its first word; numbers are between
    `least` and `most` of their names.
    """

    kinds: str
    units: tuple[str, ...]
    names: tuple[str, ...]
    words: frozenset[str]
    subject: re.Pattern[str]
    least: Mapping[str, float] = {}
    most: Mapping[str, float] = {}

    def has(self, subject: str, numbers: Sequence[float]) -> bool:
        """Return whether the first word and the numbers of a row may be of this one."""
        named = dict(zip(self.names, numbers, strict=True))
        return (
            self.subject.fullmatch(subject) is not None
            and all(named[name] >= least for name, least in self.least.items())
            and all(named[name] <= most for name, most in self.most.items())
        )


class _Index(NamedTuple):
    exact: dict[str, list[Meaning]]
    patterns: list[tuple[str, str, Meaning]]


@lru_cache(maxsize=20_000)
def normal_form(name: str) -> str:
    """Return a name in lower case with its words apart.

    >>> normal_form("MemAvailable:"), normal_form("%util"), normal_form("Reallocated_Sector_Ct")
    ('mem available', '% util', 'reallocated sector ct')
    """
    text = _PERCENT.sub(" % ", _HUMP.sub(" ", name[:200]).lower())
    return _APART.sub(" ", text).strip()


def sized(name: str, word: tuple[float, str, str], context: Iterable[str] = ()) -> tuple[float, str]:
    """Return number and unit of a value under its name: the suffix of a size is a power of 1,024.

    sized("cached", (17348000.0, "", "k"))  ->  (17764352.0, "bytes"): 17,348 KiB

    Args:
        name: As printed.
        word: Number, unit and suffix as `cells.number_of` reads them.
        context: Other names and words of the same table or line.
    """
    number, unit, suffix = word
    if unit or suffix not in SUFFIXES:
        return number, unit
    meaning = meaning_of(name, context)
    if meaning is None or meaning.unit != "bytes":
        return number, unit
    return number / SUFFIXES[suffix] * BINARY[suffix.lower()], "bytes"


def meaning_of(name: str, context: Iterable[str] = ()) -> Meaning | None:
    """Return the meaning of a printed name; None where the dictionary has none.

    Args:
        name: As printed.
        context: Other names and words of the same table or line.
    """
    found = _candidates(normal_form(name))
    if not found or not found[0].beside:
        return found[0] if found else None
    beside = frozenset(map(normal_form, context))
    return next((one for one in found if not one.beside or _stands_in(one.beside, beside)), None)


def may_mean(name: str) -> bool:
    """Return whether the dictionary has a printed name, whatever stands beside it."""
    return bool(_candidates(normal_form(name)))


def has_meaning(grid: Grid) -> bool:
    """Return whether the dictionary knows a column of a grid, or a row by its name."""
    names = [name for name, _ in grid.columns]
    rows = grid.rows[:MOST_NAMES]
    counted = [name for at, name in enumerate(names) if any(isinstance(row[at], float) for row in rows)]
    if grid.form == VALUES:
        named = {str(row[1]) for row in rows if isinstance(row[2], float)}
    else:
        named = {str(row[0]) for row in rows}
    return any(meaning_of(name, names) for name in (*counted, *named))


def _stands_in(wanted: frozenset[str], beside: frozenset[str]) -> bool:
    return not wanted.isdisjoint(beside) or any(
        f" {one} " in f" {text} " for text in beside for one in wanted if " " in text
    )


@lru_cache(maxsize=20_000)
def _candidates(name: str) -> tuple[Meaning, ...]:
    """Return all meanings of a name: printed names before patterns, those with words beside them first."""
    index = _index()
    exact = index.exact.get(name, ())
    alike = [one for first, pattern, one in index.patterns if first in name and fnmatchcase(name, pattern)]
    return tuple(one for found in (exact, alike) for one in sorted(found, key=lambda one: not one.beside))


@cache
def meanings() -> tuple[Meaning, ...]:
    """Return all rows in order."""
    return tuple(_meaning(row) for row in _rows()["meanings"])


@cache
def shapes() -> tuple[Shape, ...]:
    """Return the rows that are known without their head."""
    return tuple(
        Shape(
            row["kinds"],
            tuple(row["units"]),
            tuple(row["names"]),
            frozenset(row.get("words", ())),
            re.compile(row.get("subject", ".*")),
            row.get("least", {}),
            row.get("most", {}),
        )
        for row in _rows()["shapes"]
    )


def _meaning(row: Any) -> Meaning:
    normal = row.get("normal")
    return Meaning(
        quantity=row["quantity"],
        of=row["of"],
        unit=row.get("unit", ""),
        scale=float(row.get("scale", 1.0)),
        bad=row.get("bad", ""),
        about=row.get("about", "scheduling"),
        normal=Range(normal.get("most"), normal.get("least"), normal["source"], normal.get("words", ""))
        if normal
        else None,
        flags=tuple(Flag(int(bit), str(words), bool(is_bad)) for bit, words, is_bad in row.get("flags", ())),
        base=row.get("base", ""),
        is_flow=row.get("flow", "") != "",
        is_meant_to_flow=row.get("flow", "") == "meant",
        met=row["met"],
        met_in=tuple(row["met_in"]),
        lookalikes=tuple(row.get("not", ())),
        beside=frozenset(map(normal_form, row.get("beside", ()))),
        run=row.get("run", ""),
        topic=row.get("topic", ""),
        usual=tuple(row.get("usual", ())),
        target=tuple(row.get("target", ())),
        window=row.get("window", ""),
        is_capacity=bool(row.get("capacity", False)),
        is_part=bool(row.get("part", False)),
        limit_of=row.get("limit_of", ""),
    )


@cache
def _index() -> _Index:
    exact: dict[str, list[Meaning]] = {}
    patterns: list[tuple[str, str, Meaning]] = []
    for row, meaning in zip(_rows()["meanings"], meanings(), strict=True):
        for name in {normal_form(name) for name in meaning.met.values()}:
            exact.setdefault(name, []).append(meaning)
        for pattern in row.get("names", ()):
            literal = max(pattern.split("*"), key=len)
            patterns.append((literal.strip(), pattern, meaning))
    return _Index(exact, patterns)


@cache
def _rows() -> Any:
    return table(_TABLE)
