"""Counters of evidence that grow, as conditions of a draft.

Which counters mean trouble when they grow, the library knows: those whose growth its core conditions ask for,
divisors aside. Drops of the network that no signature asks for are drafted as a share of what they are a part
of, if it is more than usual. Other counters are drafted by nobody; the author names them.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from signatures.authoring.draft_clause import DraftClause
from signatures.document.catalog import load_catalog
from signatures.judging.observe import conditions_of
from signatures.judging.predicates.fact import FactCondition
from signatures.language import expression, units
from signatures.language.expression import Call, Name, Operation
from signatures.overview.drop_counters import drops

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from signatures.judging.scope import Item
    from signatures.language.expression import Node

MAX_COUNTERS = 3
LEAST_GROWTH = 10.0
LEAST_BASE = 100.0
"""Drops of fewer say nothing, whatever their share."""

_PLAIN = ("", "count")
_BASED = {drop.counter: drop for drop in drops()}
_NETWORK = "tcp_counters"
"""The capture that reads what `drops` names."""


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
    grown = _growths(items)
    asked = [
        one
        for one in grown.values()
        if one.amount >= LEAST_GROWTH
        and (one.name in watched_counters() or (one.name in _BASED and _is_unusual(one, grown)))
    ]
    return sorted(asked, key=lambda one: (-one.amount / (one.first + 1.0), one.name))[:MAX_COUNTERS]


def _growths(items: Sequence[Item]) -> dict[str, Growth]:
    """Return the growth of every number that has two readings, of the entity where it is largest."""
    values: dict[tuple[str, tuple[tuple[str, str], ...]], list[float]] = {}
    for item in items:
        for fact in sorted(item.reading.facts, key=lambda fact: fact.snapshot):
            if isinstance(fact.value, float):
                values.setdefault((fact.name, tuple(sorted(fact.labels.items()))), []).append(fact.value)
    most: dict[str, Growth] = {}
    for (name, _), series in values.items():
        growth = Growth(name, series[0], series[-1])
        if name not in most or growth.amount > most[name].amount:
            most[name] = growth
    return most


def _is_unusual(growth: Growth, grown: Mapping[str, Growth]) -> bool:
    return (_share(growth, grown) or 0.0) >= _BASED[growth.name].above


def _share(growth: Growth, grown: Mapping[str, Growth]) -> float | None:
    """Return the drops as a share of what they are a part of; None when that is not in the evidence."""
    bases = [grown[name].amount for name in _BASED[growth.name].base if name in grown]
    return growth.amount / sum(bases) if sum(bases) > 0 else None


def counter_clauses(items: Sequence[Item]) -> list[DraftClause]:
    """Return the condition of every counter that grew."""
    grown = _growths(items)
    found: list[DraftClause] = []
    for growth in growing_counters(items):
        share = _share(growth, grown) if growth.name in _BASED else None
        is_share = share is not None and growth.name not in watched_counters()
        found.append(_share_clause(growth, share) if share and is_share else _growth_clause(growth))
    return found


def _share_clause(growth: Growth, share: float) -> DraftClause:
    """Return the condition that a drop is half the share of what it is a part of."""
    clause, drop = "share_" + growth.name.replace(".", "_").lower(), _BASED[growth.name]
    base = " + ".join(f"delta({name})" for name in drop.base)
    divisor = f"({base})" if len(drop.base) > 1 else base
    text = (
        f"  {clause}:\n"
        f"    title: '{drop.meaning[0].upper()}{drop.meaning[1:]}'\n"
        "    role: core\n"
        f"    # {share:.1%} in this evidence ({growth.amount:,.0f}); {drop.above:.2%} is usual.\n"
        f"    fact: {{expr: delta({growth.name}) / {divisor}, at_least: {max(drop.above, share / 2):.4g}, "
        f"strong: {share:.4g}, min: {{{base}: {LEAST_BASE:.0f}}}, say: between the readings}}\n"
        "    weight: 4\n"
    )
    return DraftClause(clause, text, 4, _NETWORK)


def _growth_clause(growth: Growth) -> DraftClause:
    """Return the condition that a counter grows by half as much."""
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
    return DraftClause(clause, text, 4, watched_counters()[growth.name])


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
