"""Counters of evidence that grow, as conditions of a draft.

Which counters mean trouble when they grow, the library knows: those whose growth its core conditions ask for,
divisors aside. A counter that no signature asks for is drafted by nobody; its author names it.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from signatures.document.catalog import load_catalog
from signatures.judging.observe import conditions_of
from signatures.judging.predicates.fact import FactCondition
from signatures.language import expression, units
from signatures.language.expression import Call, Name, Operation

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from signatures.judging.scope import Item
    from signatures.language.expression import Node

MAX_COUNTERS = 3
LEAST_GROWTH = 10.0
_PLAIN = ("", "count")


class Growth(NamedTuple):
    """A counter that grew from the first reading to the last, of the entity where it grew most."""

    name: str
    first: float
    last: float

    @property
    def amount(self) -> float:
        """By how much it grew."""
        return self.last - self.first


def growing_counters(items: Sequence[Item]) -> list[Growth]:
    """Return the counters that grew, by the ratio of growth and first value."""
    values: dict[tuple[str, tuple[tuple[str, str], ...]], list[float]] = {}
    for item in items:
        for fact in sorted(item.reading.facts, key=lambda fact: fact.snapshot):
            if fact.name in watched_counters() and isinstance(fact.value, float):
                values.setdefault((fact.name, tuple(sorted(fact.labels.items()))), []).append(fact.value)
    most: dict[str, Growth] = {}
    for (name, _), series in values.items():
        growth = Growth(name, series[0], series[-1])
        if growth.amount >= LEAST_GROWTH and (name not in most or growth.amount > most[name].amount):
            most[name] = growth
    return sorted(most.values(), key=lambda one: (-one.amount / (one.first + 1.0), one.name))[:MAX_COUNTERS]


def counter_clause(growth: Growth) -> tuple[str, str, int, str]:
    """Return id, YAML, weight and capture of the condition that a counter grows by half as much."""
    clause = "grows_" + growth.name.replace(".", "_").lower()
    least = f"{growth.amount / 2:.0f}"
    text = (
        f"  {clause}:\n"
        f"    title: {growth.name} grows\n"
        "    role: core\n"
        f"    # {growth.amount:,.0f} more in this evidence, from {growth.first:,.0f}: divide by its base.\n"
        f"    fact: {{expr: delta({growth.name}), at_least: {least}, say: between the readings}}\n"
        "    weight: 4\n"
    )
    return clause, text, 4, watched_counters()[growth.name]


@lru_cache(maxsize=1)
def watched_counters() -> Mapping[str, str]:
    """Return the counters whose growth the library asks for, each with the capture that shows it."""
    found: dict[str, str] = {}
    for signature in load_catalog().signatures:
        for clause in signature.clauses:
            captures = signature.next.get(clause.id, ())
            if clause.role != "core":
                continue
            for condition in conditions_of(clause.test):
                if isinstance(condition, FactCondition):
                    for name in _grown(expression.parse(condition.expression)):
                        found.setdefault(name, captures[0].name if captures else "")
    return found


def _grown(node: Node) -> Iterator[str]:
    """Yield the counters below `delta` and `rate`, divisors aside."""
    if isinstance(node, Operation):
        yield from _grown(node.left)
        if node.op != "/":
            yield from _grown(node.right)
    elif isinstance(node, Call) and node.function in ("delta", "rate"):
        name = node.arguments[0]
        if isinstance(name, Name) and units.unit_of(name.name) in _PLAIN:
            yield name.name
