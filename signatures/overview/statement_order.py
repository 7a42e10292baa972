"""The statements of all panels in the order of the first screen, each event once.

in_order(panels)  ->  alarms, errors of no class, notable facts, others; the strongest of each first
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from signatures.overview.model import Panel, Place, QuestionName, Statement


SUMMED: frozenset[QuestionName] = frozenset({"cpu", "io", "locks", "scheduling"})
"""What a load average sums up: tasks that run, wait for a CPU, or sleep uninterruptibly."""

MEASURED: frozenset[QuestionName] = SUMMED | {"memory", "network"}
"""What is measured over a time that the evidence states. A kernel log and counters of a cgroup may be old."""

JUST_BELOW = 0.001


class Shown(NamedTuple):
    """A statement with the host it is about, "" when unknown."""

    statement: Statement
    host: str


def in_order(panels: Sequence[Panel]) -> Iterator[Shown]:
    """Yield every sentence and event once: alarms, errors of no class, notable facts, others; by strength."""
    kinds = ("alarm", "unclassified", "fact")
    every = [Shown(statement, panel.host) for panel in panels for statement in panel.statements]
    shown = sorted(
        every,
        key=lambda one: (
            kinds.index(one.statement.kind),
            not one.statement.is_notable,
            -_strength(one, every),
        ),
    )
    texts: set[tuple[str, str]] = set()
    events: list[Statement] = []
    for one in shown:
        statement = one.statement
        if (statement.text, one.host) in texts or any(is_same_event(statement, other) for other in events):
            continue
        texts.add((statement.text, one.host))
        events.append(statement)
        yield one


def _strength(one: Shown, shown: Sequence[Shown]) -> float:
    """Return the strength of a statement; of one that yields, it is below the strongest that it yields to."""
    own = one.statement.strength
    if not (one.statement.is_summary or one.statement.is_since_boot):
        return own
    leading = (
        other.statement.strength
        for other in shown
        if other.host == one.host
        and other.statement.kind == "alarm"
        and _yields(one.statement, other.statement)
    )
    return min(own, max(leading, default=1.0) - JUST_BELOW)


def _yields(one: Statement, other: Statement) -> bool:
    """Return whether a summary, or a count since boot, yields to an alarm that says more, or about now."""
    if one.is_summary:
        return not other.is_summary and other.question in SUMMED
    return not other.is_since_boot and other.question in MEASURED


def is_same_event(one: Statement, other: Statement) -> bool:
    """Return whether two statements tell the same lines of a kernel log: a hung task, and its wait."""
    if one.question == other.question or "kernel-log" not in {one.question, other.question}:
        return False
    return all(any(_overlap(mine, theirs) for theirs in other.places) for mine in one.places)


def _overlap(one: Place, other: Place) -> bool:
    is_same_text = (one.evidence, one.section) == (other.evidence, other.section)
    return is_same_text and one.first_line <= other.last_line and other.first_line <= one.last_line
