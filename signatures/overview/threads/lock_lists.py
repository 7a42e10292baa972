"""Lists of locks of lockdep, which name what tasks hold and what they wait for.

Of 5 tasks 2 list text_mutex (a:1997, a:2451): one task holds each of these locks, …
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from signatures.overview.threads.words import GROUPS, NAMES

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ingest.engines.threads.groups import Crowd, Waiting

LISTED = "lockdep-held"
"""The form of such a list."""


def listed(crowd: Crowd, shared: Mapping[str, Sequence[Waiting]]) -> str:
    """Return `Of 5 tasks 2 list text_mutex (a:1, b:2): …` about the locks that lockdep lists."""
    if not shared:
        return f"No lock is listed by two of {crowd.total:,} tasks: none of them is shown to wait for another"
    parts = [_listing(name, several) for name, several in list(shared.items())[:GROUPS]]
    return (
        f"Of {crowd.total:,} tasks {', '.join(parts)}: "
        "one task holds each of these locks, and the others that list it wait for it"
    )


def _listing(lock: str, several: Sequence[Waiting]) -> str:
    """Return `2 list text_mutex (a:1, b:2)` about a lock, printed as its address and its name."""
    name = lock.partition(" (")[2].removesuffix(")") or lock
    who = ", ".join(f"{one.look.name}:{one.look.tid}" for one in several[:NAMES])
    return f"{len(several):,} list {name} ({who})"
