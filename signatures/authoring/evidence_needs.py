"""Evidence that a case must hold for a signature to match or be suspected there: what an index can look up.

A verdict needs a required condition that is TRUE, and a condition that was observed on nothing is UNKNOWN.
So a case without any of the parts, facts, log classes or functions that the required conditions look
at needs no judging. Where no index describes a condition, every case may hold it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from signatures.judging import fact_series
from signatures.judging.condition_bases import ReadingCondition
from signatures.judging.derived_facts import resolved
from signatures.judging.predicates.fact import FactCondition
from signatures.judging.predicates.histogram import HistogramCondition
from signatures.judging.predicates.log import LogCondition
from signatures.judging.predicates.rows import RowsCondition
from signatures.judging.predicates.stack import StackCondition
from signatures.language.conditions import Group

if TYPE_CHECKING:
    from collections.abc import Iterable

    from signatures.language.conditions import Bound, Condition, Test
    from signatures.language.model import Signature

Part = Literal["facts", "log_records", "row_sets", "histograms", "profiles"]
INDEXED: frozenset[str] = frozenset({"facts", "log_records", "row_sets", "histograms", "profiles"})


@dataclass(frozen=True, slots=True)
class Need:
    """A part of a reading; with `names` one of these: facts, classes, row sets, or functions of profiles.

    Names of functions may have the wildcard `*`; the others have none.
    """

    part: Part
    names: tuple[str, ...] = ()


def needs_of(signatures: Iterable[Signature]) -> frozenset[Need] | None:
    """Return what a case must hold one of; None where any case may be one."""
    found: set[Need] = set()
    for signature in signatures:
        if signature.status == "retired":
            continue
        implied = {row.fact for row in signature.implies}
        for clause in signature.clauses:
            if clause.role != "core":
                continue
            needs = _of_test(clause.test, implied)
            if needs is None:
                return None
            found |= needs
    return frozenset(found)


def _of_test(test: Test, implied: set[str]) -> frozenset[Need] | None:
    if not isinstance(test, Group):
        return _of_condition(test, implied)
    parts = [_of_test(inner, implied) for inner in test.tests]
    if test.op == "none":
        return None
    known = [part for part in parts if part is not None]
    if test.op == "any":
        return frozenset().union(*known) if len(known) == len(parts) else None
    # Of several that are all needed one suffices: the one that names most precisely.
    return max(known, key=_precision, default=None)


def _precision(needs: frozenset[Need]) -> tuple[bool, int]:
    return all(need.names for need in needs), -len(needs)


def _of_condition(condition: Condition, implied: set[str]) -> frozenset[Need] | None:
    if isinstance(condition, FactCondition):
        names = tuple(sorted(set(fact_series.names_of(resolved(condition.expression)))))
        return None if not names or implied.intersection(names) else frozenset({Need("facts", names)})
    if isinstance(condition, LogCondition):
        is_exact = _asks_presence(condition.bound) and not any("*" in one for one in condition.kinds)
        return frozenset({Need("log_records", condition.kinds if is_exact else ())})
    if isinstance(condition, RowsCondition):
        return frozenset({Need("row_sets", (condition.rows,))})
    if isinstance(condition, StackCondition):
        return frozenset({Need("profiles", condition.functions if _asks_presence(condition.bound) else ())})
    if isinstance(condition, HistogramCondition):
        return frozenset({Need("histograms")})
    if isinstance(condition, ReadingCondition) and INDEXED.issuperset(condition.PARTS):
        return frozenset(Need(part) for part in condition.PARTS)  # type: ignore[arg-type]
    return None


def _asks_presence(bound: Bound) -> bool:
    """Return whether nothing at all cannot meet the bound."""
    return bound.at_most is None and bound.below is None and bound.equals is None
