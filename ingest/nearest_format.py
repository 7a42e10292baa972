"""The format that text of no known format resembles most: by the command above it, else by shared names.

    nearest(["pool", "alloc", "free"], "zpool iostat 1", None)  ->  the row of a format, and what both have

The names of the formats are those of their samples (`printed_names.yaml`, generated). A name that many
formats print bears few bits, so that `read` and `write` alone name no tool. Below the bounds none is named.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from ingest.format_list import FormatRow, format_rows
from ingest.former_formats import former_formats
from ingest.readers.logs import text
from ingest.tables import files, table

if TYPE_CHECKING:
    from collections.abc import Sequence

FEWEST_SHARED = 3
"""Names that both have."""

LEAST_BITS = 14.0
"""Of the names that both have, together: two that no other format prints."""

LEAST_SHARE = 0.4
"""Of the bits of all names of the text."""

_WRAPPERS = {"sudo", "cat", "grep", "egrep", "head", "tail", "sort", "ls", "find", "watch", "timeout", "time"}
_WRAPPERS |= {"sh", "bash", "python3", "echo", "less", "xargs"}
"""Commands that say nothing about what is printed."""


_UNIT = re.compile(r"[\s]?[(\[][^)\]]{0,20}[)\]]$")


class Nearest(NamedTuple):
    """A format, and what the text shares with it: its program, or names."""

    row: FormatRow
    program: str
    shared: tuple[str, ...]


def nearest(names: Sequence[str], command: str = "") -> Nearest | None:
    """Return the format that text with these names resembles most; None below the bounds."""
    wanted = tuple(dict.fromkeys(filter(None, map(plain_name, names))))
    for program in filter(None, map(_program, command.split("|"))):
        if rows := [row for row in _rows() if _program(row.command) == program]:
            best = max(rows, key=lambda row: (_bits(wanted, row), _agreeing(row.command, command)))
            return Nearest(best, program, ())
    best = max(_rows(), key=lambda row: _bits(wanted, row))
    shared = tuple(word for word in wanted if word in _printed().get(best.name, ()))
    all_bits = sum(_bits_of(word) for word in wanted)
    bits = _bits(wanted, best)
    is_near = len(shared) >= FEWEST_SHARED and bits >= LEAST_BITS and bits >= LEAST_SHARE * all_bits
    return Nearest(best, "", shared) if is_near else None


def plain_name(name: str) -> str:
    """Return a name in lower case without its unit: `LAT(ms)` -> `lat`; "" without a letter."""
    return _UNIT.sub("", name.lower()).strip() if any(map(str.isalpha, name)) else ""


@cache
def _printed() -> dict[str, frozenset[str]]:
    rows = table(files("ingest.catalogue") / "printed_names.yaml")
    return {name: frozenset(words) for name, words in rows.items()}


@cache
def _rows() -> tuple[FormatRow, ...]:
    former = (FormatRow(one.name, one.title, False, "", "", "", one.command) for one in former_formats())
    return (*former, *(row for row in format_rows() if row.command and row.name != text.NAME))


@cache
def _counts() -> Counter[str]:
    return Counter(word for words in _printed().values() for word in words)


def _bits_of(word: str) -> float:
    return math.log2(len(_printed()) / max(1, _counts()[word]))


def _bits(names: Sequence[str], row: FormatRow) -> float:
    return sum(_bits_of(word) for word in names if word in _printed().get(row.name, ()))


def _program(command: str) -> str:
    """Return the program that a command runs; "" when it shows a file or nothing is known."""
    words = (word.rpartition("/")[2] for word in command.split())
    return next((word for word in words if word not in _WRAPPERS and word[:1].isalpha()), "")


def _agreeing(one: str, other: str) -> int:
    """Return how many words two commands begin with alike."""
    pairs = zip(one.split(), other.split(), strict=False)
    return next((at for at, (mine, theirs) in enumerate(pairs) if mine != theirs), min(len(one), len(other)))
