"""Kinds of binary files by their first bytes, each with the command that makes text of it.

    described(b"FLR…")  ->  "this is a recording of Java Flight Recorder (JFR): make text of it with …"

The kinds are rows of `binary_kinds.yaml`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

from ingest.tables import files, table

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

MOST_BYTES = 256 << 20
"""Of a file that is looked through: what marks its kind stands near the end of long recordings."""


@dataclass(frozen=True, slots=True)
class BinaryKind:
    """A kind of file; the attributes are those of `binary_kinds.yaml`."""

    what: str
    do: str
    magics: tuple[bytes, ...]
    at: int
    also_at: int
    also: bytes
    holds: tuple[bytes, ...]
    in_all: bytes
    suffixes: tuple[str, ...]

    def begins(self, head: bytes, name: str) -> bool:
        """Return whether the first bytes, or the name, are of the kind."""
        if not self.magics:
            return name.lower().endswith(self.suffixes)
        begins = any(head.startswith(one, self.at) for one in self.magics)
        return begins and head.startswith(self.also, self.also_at) and all(one in head for one in self.holds)


def described(head: bytes, name: str = "", rest: Iterable[bytes] = ()) -> str | None:
    """Return what a binary file is and what to do with it; None for text and for what no row knows.

    Args:
        head: Its first bytes.
        name: Its file name; it decides only where a kind has no bytes of its own and the head is binary.
        rest: All of it, for kinds that bytes anywhere tell from others; at most some of it is taken.
    """
    if not _any_magic().match(head):
        return None
    for kind in _kinds():
        if kind.magics and kind.begins(head, name) and (not kind.in_all or _stands(kind.in_all, head, rest)):
            return f"this is {kind.what}: {kind.do}"
    return None


def named(name: str) -> str | None:
    """Return the same of a binary file that only its name tells from others."""
    found = next((kind for kind in _kinds() if not kind.magics and kind.begins(b"", name)), None)
    return f"this is {found.what}: {found.do}" if found else None


def _stands(marker: bytes, head: bytes, rest: Iterable[bytes]) -> bool:
    if marker in head:
        return True
    taken, end = 0, b""
    for chunk in rest:
        if marker in end + chunk:
            return True
        end = chunk[-len(marker) :]
        taken += len(chunk)
        if taken > MOST_BYTES:
            break
    return False


@cache
def _any_magic() -> re.Pattern[bytes]:
    """Return what matches the first bytes of every kind that has some, and little else."""
    begins = (b".{%d}%s" % (kind.at, re.escape(magic)) for kind in _kinds() for magic in kind.magics)
    return re.compile(b"|".join(begins), re.DOTALL)


@cache
def _kinds() -> tuple[BinaryKind, ...]:
    return tuple(map(_kind, table(files(__package__) / "binary_kinds.yaml")["kinds"]))


def _kind(row: Mapping[str, Any]) -> BinaryKind:
    also = row.get("also", {})
    return BinaryKind(
        row["is"],
        row["do"],
        tuple(map(bytes.fromhex, row.get("hex", ()))),
        row.get("at", 0),
        also.get("at", 0),
        bytes.fromhex(also.get("hex", "")),
        tuple(map(bytes.fromhex, row.get("holds", ()))),
        bytes.fromhex(row.get("in_all", "")),
        tuple(row.get("suffixes", ())),
    )
