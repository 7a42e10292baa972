"""Plan of observing a condition: by itself, or like all of its kind where evidence has no trace of it."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import count
from typing import TYPE_CHECKING

from signatures.language.conditions import ANYTHING, Trace

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator

    from signatures.language.conditions import Condition


@dataclass(slots=True, eq=False)
class Plan:
    """How a condition is observed: like all of its kind where evidence has none of its traces.

    Attributes:
        condition: The condition.
        at: Its place among the plans of the catalogue.
        unnamed: Number of `Condition.unnamed`; None for a condition that is absent without a trace.
        is_anywhere: Any evidence may show it.
        numbers: Numbers of all conditions of the catalogue.
        next_number: A counter, so that threads give no two conditions the same.
    """

    condition: Condition
    at: int
    unnamed: int | None
    is_anywhere: bool
    numbers: dict[Hashable, int]
    next_number: Iterator[int]
    _number: int | None = field(default=None, init=False)

    @property
    def number(self) -> int:
        """Number of the condition; equal conditions have the same. Computed on use: its hash is slow."""
        if self._number is None:
            self._number = self.numbers.setdefault(self.condition, next(self.next_number))
        return self._number


class Plans:
    """Plans of the conditions of a catalogue.

    Attributes:
        by_trace: Places of the plans that have a trace.
    """

    def __init__(self) -> None:
        """Begin without conditions."""
        self.by_trace: dict[Trace, set[int]] = {}
        self._plans: dict[int, Plan] = {}
        self._conditions: dict[Hashable, int] = {}
        self._next_number = count()
        self._unnamed: dict[Hashable, int] = {}

    def of(self, condition: Condition) -> Plan:
        """Return the plan of a condition, which is made once."""
        plan = self._plans.get(id(condition))
        if plan is None:
            plan = self._plans[id(condition)] = self._made(condition)
        return plan

    def _made(self, condition: Condition) -> Plan:
        key, traces = condition.unnamed, condition.traces
        is_anywhere, at = ANYTHING in traces, len(self._plans)
        for trace in traces:
            self.by_trace.setdefault(trace, set()).add(at)
        return Plan(
            condition,
            at,
            None if key is None or is_anywhere else self._unnamed.setdefault(key, len(self._unnamed)),
            is_anywhere,
            self._conditions,
            self._next_number,
        )


def is_pattern(trace: Trace) -> bool:
    """Return whether evidence is searched for a trace, which is not a name that it has or has not."""
    return trace.kind == "text" or "*" in trace.name
