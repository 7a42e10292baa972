"""Sets of function names, as data beside this module, and matching against them."""

from __future__ import annotations

from functools import cache

from ingest.tables import files, table


@cache
def names_of(name: str) -> tuple[str, ...]:
    """Return the function names of the set `name` in `kinds.yaml`; one that ends in `*` is a prefix.

    Raises:
        KeyError: There is no such set.
    """
    document = table(files("ingest.frames") / "kinds.yaml")
    return tuple(document[name]["frames"])


class Names:
    """A set of names and prefixes."""

    def __init__(self, patterns: tuple[str, ...]) -> None:
        """Hold `patterns`; one that ends in `*` is a prefix."""
        self._whole = frozenset(one for one in patterns if not one.endswith("*"))
        self._prefixes = tuple(one[:-1] for one in patterns if one.endswith("*"))

    def __contains__(self, name: str) -> bool:
        """Return whether `name` is one of them."""
        return name in self._whole or name.startswith(self._prefixes)
