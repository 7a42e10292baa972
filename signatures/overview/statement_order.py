"""The statements of all panels in the order of the first screen, each event once.

in_order(panels)  ->  outages, failures, … context
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from signatures.overview.levels import rank

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from signatures.overview.model import Panel, Place, Statement


class Shown(NamedTuple):
    """A statement with the host it is about, "" when unknown, and the phase."""

    statement: Statement
    host: str
    phase: str


def in_order(panels: Sequence[Panel]) -> Iterator[Shown]:
    """Yield every sentence and event once, in the order of `signatures.overview.levels`."""
    every = [Shown(statement, panel.host, panel.phase) for panel in panels for statement in panel.statements]
    texts: set[tuple[str, str]] = set()
    events: list[Statement] = []
    for one in sorted(every, key=lambda shown: rank(shown.statement)):
        statement = one.statement
        if (statement.text, one.host) in texts or any(is_same_event(statement, other) for other in events):
            continue
        texts.add((statement.text, one.host))
        events.append(statement)
        yield one


def is_same_event(one: Statement, other: Statement) -> bool:
    """Return whether two statements tell the same lines of a kernel log: a hung task, and its wait.

    A wait whose first task is another one than that of the log's sentence is stated beside it: it may be the
    cause, and the log lists that task among others.
    """
    if one.question == other.question or "kernel-log" not in {one.question, other.question}:
        return False
    if one.question == "locks" and not is_overlapping(one.places[0], other.places[0]):
        return False
    return all(any(is_overlapping(mine, theirs) for theirs in other.places) for mine in one.places)


def is_overlapping(one: Place, other: Place) -> bool:
    """Return whether two places have a line in common."""
    is_same_text = (one.evidence, one.section) == (other.evidence, other.section)
    return is_same_text and one.first_line <= other.last_line and other.first_line <= one.last_line
