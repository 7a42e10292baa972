"""Lint rules for the path that a condition is about: it is shown by its own functions, and with weight.

A spin lock's slow path in a table says that somebody waits, not for what. A stack merely seen says nothing
about time. Both need something beside them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ingest.frames import is_shared
from ingest.frames.aliases import frames_of
from signatures.judging.observe import conditions_of
from signatures.judging.predicates.stack import StackCondition
from signatures.judging.predicates.symbol import SymbolCondition
from signatures.language.conditions import Group

if TYPE_CHECKING:
    from collections.abc import Iterator

    from signatures.language.conditions import Condition, Test
    from signatures.language.model import Clause, Decide

NO_PATH = "{names}: many paths end there; add a symbol or stack of this one beside it (all)"
NO_WEIGHT = "a stack merely seen has no weight; add a share to the same any, distinct, or seen: asleep"


def own_functions(condition: Condition) -> frozenset[str]:
    """Return the functions of a condition that not every path may end in."""
    return frozenset(name for name in condition.functions if not is_shared(name))


def path_complaints(clause: Clause, decide: Decide) -> Iterator[str]:
    """Yield what is missing beside the conditions of a clause."""
    can_suspect = clause.role == "core" and (not decide.suspect_any or clause.id in decide.suspect_any)
    yield from dict.fromkeys(_of(clause.test, (), can_suspect=can_suspect))


def _of(test: Test, beside: tuple[Condition, ...], *, can_suspect: bool) -> Iterator[str]:
    """Yield the complaints of a test; all of `beside` must be met as well."""
    if isinstance(test, Group):
        for at, inner in enumerate(test.tests):
            others = (*test.tests[:at], *test.tests[at + 1 :]) if test.op == "all" else ()
            needed = (*beside, *(one for other in others for one in conditions_of(other)))
            yield from _of(inner, needed, can_suspect=can_suspect)
        return
    if isinstance(test, SymbolCondition) and not any(map(own_functions, (test, *beside))):
        yield NO_PATH.format(names=", ".join(test.names[:2]))
    if not isinstance(test, StackCondition) or not test.is_seen or test.is_distinct:
        return
    if can_suspect and not _has_weight(test, beside):
        yield NO_WEIGHT


def _has_weight(seen: StackCondition, beside: tuple[Condition, ...]) -> bool:
    """Return whether time, or the number of those who wait, is measured or reported with it."""
    if seen.is_asleep or seen.share is not None or frames_of("latency_tracer") in seen.path:
        return True
    return any(not isinstance(one, StackCondition) or one.is_share or one.is_asleep for one in beside)
