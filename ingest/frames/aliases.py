"""Alias sets: one concept, its function names over kernel versions.

Example:
    frames_of("reclaim_lruvec") == ("shrink_lruvec", "shrink_node_memcg")

Source: `aliases.yaml` beside this module; every set cites the kernel sources of its names.
"""

from __future__ import annotations

from functools import cache

from ingest.tables import files, table


@cache
def all_aliases() -> dict[str, tuple[str, ...]]:
    """Return every alias set by name; a name may hold `*`."""
    document = table(files("ingest.frames") / "aliases.yaml")
    return {name: tuple(entry["frames"]) for name, entry in document.items()}


def frames_of(name: str) -> tuple[str, ...]:
    """Return the function names of the alias set `name` (without `@`).

    Raises:
        KeyError: There is no such set.
    """
    return all_aliases()[name]
