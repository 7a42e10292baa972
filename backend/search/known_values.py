"""Values that a field can have at all: a query that finds nothing names the nearest one of a misspelt value.

A value that cases have is never refused, even when this version does not know it: only a query without a hit
is checked.
"""

from __future__ import annotations

from difflib import get_close_matches
from functools import cache
from typing import TYPE_CHECKING

from backend.search.language import Every, QueryError, Term
from ingest.catalogue.log_classes import classes_by_name
from signatures.document.catalog import load_catalog

if TYPE_CHECKING:
    from collections.abc import Iterator

    from backend.search.language import Node

VERDICTS = ("match", "suspect")


def require_known(node: Node) -> None:
    """Check the values that a query without a hit requires.

    Raises:
        QueryError: A field cannot have the value.
    """
    for term in _required(node):
        known = _known(term.field)
        value = term.value.lower()
        if known and term.op == ":" and not value.endswith("*") and value not in known:
            near = get_close_matches(value[:200], known, n=1)
            meant = f": {near[0]}?" if near else "; `GET /search/completion` lists those that cases have"
            raise QueryError(f"unknown {term.field} {term.value[:80]!r}{meant}", term.column)


def _required(node: Node) -> Iterator[Term]:
    if isinstance(node, Term):
        yield node
    elif isinstance(node, Every):
        for part in node.parts:
            yield from _required(part)


@cache
def _known(field: str) -> frozenset[str]:
    """Return all values of a field in lower case; none where they are open."""
    if field == "class":
        return frozenset(name.lower() for name in classes_by_name())
    if field not in {"finding", "cleared"}:
        return frozenset()
    ids = [one.id.lower() for one in load_catalog().signatures]
    names = {name for one in ids for name in (one, one.partition("/")[0], one.partition("/")[2])}
    verdicts = {f"{one}/{verdict}" for one in ids for verdict in VERDICTS} if field == "finding" else set()
    return frozenset(names | verdicts)
