"""Plan of observing a condition: by itself, or like all of its kind where evidence has no trace of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from signatures.language.conditions import ANYTHING, Trace

if TYPE_CHECKING:
    from collections.abc import Hashable

    from signatures.language.conditions import Condition


class Plan(NamedTuple):
    """How a condition is observed: like all of its kind where evidence has none of its traces.

    Attributes:
        names: Traces that evidence has or has not.
        patterns: Traces of which evidence may have something.
        unnamed: Number of `Condition.unnamed`; None for a condition that is absent without a trace.
    """

    names: frozenset[Trace]
    patterns: tuple[Trace, ...]
    unnamed: int | None

    def is_absent(self, traces: frozenset[Trace]) -> bool:
        """Return whether evidence with `traces` shows nothing of the condition."""
        return not self.patterns and ANYTHING not in self.names and self.names.isdisjoint(traces)


def plan_of(condition: Condition, numbers: dict[Hashable, int]) -> Plan:
    """Return the plan of a condition; `numbers` has a number for each `Condition.unnamed`."""
    key, traces = condition.unnamed, condition.traces
    return Plan(
        frozenset(one for one in traces if not is_pattern(one)),
        tuple(one for one in traces if is_pattern(one)),
        None if key is None or ANYTHING in traces else numbers.setdefault(key, len(numbers)),
    )


def is_pattern(trace: Trace) -> bool:
    """Return whether evidence is searched for a trace, which is not a name that it has or has not."""
    return trace.kind == "text" or "*" in trace.name
