"""Lint rules for bounds: one that no evidence reaches, or that all evidence meets, tests nothing.

share: {at_least: 30}  ->  a share is at most 1, so 30 is never reached; write 30 %
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from signatures.judging.predicates.log import LogCondition
from signatures.judging.predicates.stack import StackCondition
from signatures.judging.predicates.symbol import SymbolCondition

if TYPE_CHECKING:
    from collections.abc import Iterator

    from signatures.language.conditions import Bound, Condition


def bound_complaints(condition: Condition) -> Iterator[str]:
    """Yield what is wrong with the bound of a count or share."""
    if not isinstance(condition, LogCondition | StackCondition | SymbolCondition):
        return
    if isinstance(condition, SymbolCondition) or (
        isinstance(condition, StackCondition) and condition.is_share
    ):
        yield from _above_one(condition.bound)
    is_count = not (isinstance(condition, LogCondition) and condition.measure)
    least = condition.bound.at_least
    if is_count and least is not None and least.value <= 0:
        yield f"at_least {least.value:g} is met by everything; write what ordinary evidence does not reach"


def _above_one(bound: Bound) -> Iterator[str]:
    stated = {"at_least": bound.at_least, "strong": bound.strong, "at_most": bound.at_most}
    for name, quantity in stated.items():
        if quantity is not None and quantity.value > 1:
            value = f"{quantity.value:g}"
            yield f"{name}: a share is at most 1, so {value} is never reached; write {value} %"
