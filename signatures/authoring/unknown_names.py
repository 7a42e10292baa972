"""Complaints about names in conditions that nothing yields: such a condition never becomes TRUE."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ingest.catalogue.log_classes import UNCLASSIFIED
from signatures.document import known_names
from signatures.judging.predicates.fact import FactCondition
from signatures.judging.predicates.log import LogCondition
from signatures.judging.predicates.series import SeriesCondition
from signatures.language import expression

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from signatures.language.conditions import Condition
    from signatures.language.model import Implication


def complaints(condition: Condition, implied: Collection[str] = ()) -> Iterator[str]:
    """Yield what is unknown in one condition, each with the nearest known name.

    Args:
        condition: The condition.
        implied: Facts that `implies` of the signature yields.
    """
    if isinstance(condition, LogCondition):
        yield from _of_log(condition)
    if isinstance(condition, FactCondition):
        texts = (condition.expression, *(text for text, _ in condition.minimum))
        names = dict.fromkeys(name for text in texts for name in expression.names_in(text))
        yield from (text for name in names if name not in implied for text in _of_fact(name))
    if isinstance(condition, SeriesCondition) and condition.fact not in implied:
        yield from _of_fact(condition.fact)
    for function in condition.functions:
        known = known_names.misspelt(function)
        if known:
            yield f"no known function is called {function}; did you mean {known}?"


def _of_log(condition: LogCondition) -> Iterator[str]:
    classes = known_names.log_classes()
    for kind in condition.kinds:
        if kind == UNCLASSIFIED:
            yield "class other is every message without a class; name its text"
        elif kind not in classes:
            yield f"no log record has the class {kind}; {known_names.nearest(kind, classes)}"
    fields = (*known_names.log_fields(), *condition.named_groups)
    named = [name for name, _ in condition.fields]
    named += [condition.measure] if condition.measure else []
    named += [condition.group] if condition.at else []
    for name in named:
        if name not in fields:
            yield f"no log record has the field {name}; {known_names.nearest(name, fields)}"


def of_implication(implication: Implication) -> Iterator[str]:
    """Yield what is unknown in one row of `implies`: the class of a log record."""
    if implication.kind == "log":
        classes = known_names.log_classes()
        for kind in implication.names:
            if kind not in classes:
                yield f"implies: no log record has the class {kind}; {known_names.nearest(kind, classes)}"


def _of_fact(name: str) -> Iterator[str]:
    if not known_names.is_fact(name):
        yield f"nothing yields the fact {name}; {known_names.nearest(name, known_names.fact_names())}"
