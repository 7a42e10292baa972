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
        names: Traces that evidence has or has not.
        patterns: Traces of which evidence may have something.
        unnamed: Number of `Condition.unnamed`; None for a condition that is absent without a trace.
        is_anywhere: Any evidence may show it.
        numbers: Numbers of all conditions of the catalogue.
        next_number: A counter, so that threads give no two conditions the same.
    """

    condition: Condition
    names: frozenset[Trace]
    patterns: tuple[Trace, ...]
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
    """Plans of the conditions of a catalogue."""

    def __init__(self) -> None:
        """Begin without conditions."""
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
        is_anywhere = ANYTHING in traces
        return Plan(
            condition,
            frozenset(one for one in traces if not is_pattern(one)),
            tuple(one for one in traces if is_pattern(one)),
            None if key is None or is_anywhere else self._unnamed.setdefault(key, len(self._unnamed)),
            is_anywhere,
            self._conditions,
            self._next_number,
        )


def is_pattern(trace: Trace) -> bool:
    """Return whether evidence is searched for a trace, which is not a name that it has or has not."""
    return trace.kind == "text" or "*" in trace.name
