"""What a kernel thread is for, by its name: the rows of `kernel_threads.yaml`.

purpose_of("[198.51.100.97-m]")  ->  Purpose("recovers the state of NFS server 198.51.100.97", "nfs_rpc")
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, cast

from ingest.native.linear import Pattern
from ingest.tables import table

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

_TABLE = Path(__file__).parent / "kernel_threads.yaml"


class Purpose(NamedTuple):
    """What a thread does, and the kind of resource that it waits for, "" where it may be many."""

    words: str
    kind: str


def purpose_of(name: str) -> Purpose | None:
    """Return what a kernel thread is for; None for other tasks."""
    bare = name.strip().removeprefix("[").removesuffix("]")
    for row, named in _rows():
        if found := named.fullmatch(bare):
            return Purpose(row["is"].format(**found.groupdict()), row.get("kind", ""))
    return None


def rows() -> Sequence[Mapping[str, str]]:
    """Return the rows of the table."""
    return cast("Sequence[Mapping[str, str]]", table(_TABLE)["rows"])


@cache
def _rows() -> Sequence[tuple[Mapping[str, str], Pattern]]:
    return [(row, Pattern(row["named"])) for row in rows()]
