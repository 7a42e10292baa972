"""What many files or hosts state alike, once: the strongest, and a count of the others.

without_repeats(of 40 hosts)  ->  db39: … 39 % of the last 10 s; db38: … 38 % …; likewise on 38 more hosts
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Iterator

    from signatures.overview.statement_order import Shown

MOST_HOSTS = 3
"""So many hosts are stated one by one."""

MOST_PLACES = 4


def without_repeats(statements: Iterable[Shown]) -> Iterator[Shown]:
    """Yield statements in their order, without those of other files or hosts that differ in a quantity alone.

    Of one host the first is stated; of more than `MOST_HOSTS` hosts the first, and the second with a count of
    the others.
    """
    shown = list(_once_a_host(statements))
    alike: dict[Hashable, list[Shown]] = defaultdict(list)
    for one in shown:
        alike[one.statement.key].append(one)
    for one in shown:
        group = alike[one.statement.key]
        if not one.host or len(group) <= MOST_HOSTS or one is group[0]:
            yield one
        elif one is group[1]:
            yield _counted(group[1:])


def _once_a_host(statements: Iterable[Shown]) -> Iterator[Shown]:
    """Yield what no other file of the same host states before. Of unknown hosts all is yielded."""
    stated: dict[Hashable, str] = {}
    for one in statements:
        evidence = one.statement.places[0].evidence
        if not one.host or stated.setdefault((one.host, one.statement.key), evidence) == evidence:
            yield one


def _counted(group: list[Shown]) -> Shown:
    """Return the first of a group with the count of the others, and the places of some of them."""
    first = group[0]
    others = len({one.host for one in group}) - 1
    places = tuple(place for one in group for place in one.statement.places)[:MOST_PLACES]
    hosts = "1 more host" if others == 1 else f"{others} more hosts"
    qualifiers = (*first.statement.qualifiers, f"; likewise on {hosts}")
    return first._replace(statement=replace(first.statement, qualifiers=qualifiers, places=places))
