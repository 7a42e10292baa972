"""Describe the conditions of a signature in words, by kind of evidence.

Example:
    stacks: evict_folios under try_to_free_mem_cgroup_pages, at least 50 % of busy kernel samples
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from signatures.judging.observe import conditions_of
from signatures.language import expression
from signatures.language.conditions import (
    FactCondition,
    HistogramCondition,
    KernelCondition,
    LogCondition,
    RowsCondition,
    SequenceCondition,
    StackCondition,
    SymbolCondition,
)
from signatures.language.number_format import value_words

if TYPE_CHECKING:
    from collections.abc import Sequence

    from signatures.language.conditions import Bound, Condition, FrameSet, Step
    from signatures.language.model import Clause

_POPULATIONS = {"all": "all samples", "busy": "busy samples", "kernel_busy": "busy kernel samples"}
_SHOWN = 3


class ConditionText(NamedTuple):
    """One condition in words: the kind of evidence it tests, and the test."""

    kind: str
    text: str


def describe(clause: Clause) -> list[ConditionText]:
    """Return every condition of a clause in words, in the order of the file."""
    return [_describe(condition) for condition in conditions_of(clause.test)]


def _describe(condition: Condition) -> ConditionText:
    if isinstance(condition, StackCondition):
        return ConditionText("stacks", _stack(condition))
    if isinstance(condition, SymbolCondition):
        names = _any(condition.names)
        return ConditionText("table", f"{names}, {_bound(condition.bound, 'share')} {condition.what} time")
    if isinstance(condition, SequenceCondition):
        first, then = _step(condition.first), _step(condition.then)
        return ConditionText("order", f"{first}, then {then}, at least {condition.at_least} times")
    if isinstance(condition, FactCondition):
        return ConditionText("values", _fact(condition))
    if isinstance(condition, HistogramCondition):
        return ConditionText("histogram", _histogram(condition))
    if isinstance(condition, RowsCondition):
        unit = expression.unit_of(condition.expression)
        group = f" grouped by {' and '.join(condition.by)}" if condition.by else ""
        text = f"{condition.expression} of {condition.rows}{group}: {_bound(condition.bound, unit)}"
        return ConditionText("rows", text)
    if isinstance(condition, LogCondition):
        return ConditionText("kernel log", _log(condition))
    return ConditionText("kernel", _kernel(condition))


def _any(names: Sequence[str]) -> str:
    shown = " or ".join(names[:_SHOWN])
    return f"{shown} and {len(names) - _SHOWN} similar" if len(names) > _SHOWN else shown


def _path(path: Sequence[FrameSet]) -> str:
    return " under ".join(_any(frames) for frames in path)


def _bound(bound: Bound, unit: str) -> str:
    parts = []
    for word, limit in (("at least", bound.at_least), ("below", bound.below), ("at most", bound.at_most)):
        if limit is not None:
            parts.append(f"{word} {value_words(limit.value, limit.unit or unit)}")
    if bound.equals is not None:
        parts.append(f"exactly {value_words(bound.equals.value, bound.equals.unit or unit)}")
    return " and ".join(parts)


def _stack(condition: StackCondition) -> str:
    where = _path(condition.path)
    if condition.leaf:
        near = f" within {condition.within} frames of" if condition.within else " called from"
        where = f"innermost {_any(condition.leaf)}" + (f"{near} {where}" if where else "")
    if condition.without:
        where += f", without {_any(condition.without)}"
    if condition.comm:
        where += f", in threads named {_any(condition.comm)}"
    if condition.is_seen and condition.is_distinct:
        how = " that are waiting" if condition.is_asleep else ""
        return f"{where}, in {_bound(condition.bound, 'count')} threads{how}"
    if condition.is_asleep:
        return f"{where}, in a waiting thread"
    if condition.is_seen:
        return f"{where}, in at least one stack"
    if condition.is_distinct:
        return f"{where}, {_bound(condition.bound, 'count')} threads"
    return f"{where}, {_bound(condition.bound, 'share')} of {_POPULATIONS[condition.of]}"


def _step(step: Step) -> str:
    parts = [_path(step.path)] if step.path else []
    parts += [f"threads named {_any(step.comm)}"] if step.comm else []
    return " in ".join(parts)


def _fact(condition: FactCondition) -> str:
    if condition.equals is not None:
        value = value_words(condition.equals) if isinstance(condition.equals, bool) else condition.equals
        return f"{condition.expression} is {value}"
    text = f"{condition.expression}: {_bound(condition.bound, expression.unit_of(condition.expression))}"
    labels = ", ".join(f"{label} {_any(values)}" for label, values in condition.where)
    text = f"{text}, where {labels}" if labels else text
    return f"{text}, only for readings without times" if condition.is_untimed else text


def _histogram(condition: HistogramCondition) -> str:
    name = _any((*condition.names, *condition.probes))
    value = value_words(condition.parameter.value, condition.parameter.unit)
    if condition.measure == "max_bucket_at_least":
        return f"{name}: a value of {value} or more"
    if condition.measure == "percentile":
        return f"{name}: p{value} {_bound(condition.bound, '')}"
    what = "of the time" if condition.measure == "time_share_above" else "of the calls"
    return f"{name}: {_bound(condition.bound, 'share')} {what} above {value}"


def _log(condition: LogCondition) -> str:
    fields = ", ".join(f"{name} {_any(values)}" for name, values in condition.fields)
    what = f"{_any(condition.kinds)}{f' with {fields}' if fields else ''}"
    measure = f"{condition.measure} " if condition.measure else ""
    window = value_words(condition.window_seconds, "seconds")
    return f"{what}: {measure}{_bound(condition.bound, 'count')} within {window}"


def _kernel(condition: KernelCondition) -> str:
    return condition.words
