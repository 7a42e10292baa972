"""Fault rounds of a seed, their outcomes, and the table of results."""

from __future__ import annotations

import json
import statistics
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

COMPONENTS = ("api", "worker", "template", "valkey", "postgres", "disk")
MOMENTS = ("upload", "read", "judge")
PROCESSES = {
    "api": ("api", "api-2"),
    "worker": ("worker-light", "worker-light-2", "worker-heavy"),
    "valkey": ("valkey",),
    "postgres": ("postgres",),
}
SETTLE_SECONDS = 60.0
"""The promise: so long after the kill, everything acknowledged is read and judged."""


@dataclass(frozen=True, slots=True)
class Round:
    """One round of a seed: `number` within its component."""

    component: str
    number: int

    @property
    def moment(self) -> str:
        """When the kill comes; a disk is full while bytes arrive."""
        return "upload" if self.component == "disk" else MOMENTS[self.number % len(MOMENTS)]

    def seed(self, seed: int) -> str:
        """Return the random seed of this round: the same in every run."""
        return f"{seed}:{self.component}:{self.number}"


@dataclass(frozen=True, slots=True)
class Outcome:
    """Outcome of one round.

    Attributes:
        lost: Acknowledged bytes or evidence that were not there afterwards.
        duplicated: Evidence or profiles that were there more than once.
        settled_seconds: From the kill until all was read and judged; None when it never was.
        said: The problem, "" without one.
        orphans: Processes that outlived what started them.
    """

    component: str
    number: int
    moment: str
    lost: int
    duplicated: int
    settled_seconds: float | None
    said: str
    orphans: int = 0


def rounds(components: Sequence[str], count: int) -> Iterator[Round]:
    """Yield the rounds in an order that gives every component its share early."""
    for number in range(count):
        for component in components:
            yield Round(component, number)


class Log:
    """Log of outcomes of one seed, one line each, so that a run can be resumed."""

    def __init__(self, path: Path) -> None:
        """Read the existing log."""
        self._path = path
        path.parent.mkdir(parents=True, exist_ok=True)
        lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
        self.outcomes = [Outcome(**json.loads(line)) for line in lines]

    def has(self, one: Round) -> bool:
        """Say whether the round was run."""
        return any((done.component, done.number) == (one.component, one.number) for done in self.outcomes)

    def add(self, outcome: Outcome) -> None:
        """Append an outcome."""
        self.outcomes.append(outcome)
        with self._path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(asdict(outcome)) + "\n")


def table(outcomes: Sequence[Outcome]) -> str:
    """Return the Markdown table, one row per component and moment."""
    rows = [
        "| killed | while | rounds | lost | duplicated | orphans | settled in 60 s | median s | slowest s |",
        "| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |",
    ]
    for component in COMPONENTS:
        for moment in MOMENTS:
            group = [one for one in outcomes if (one.component, one.moment) == (component, moment)]
            if group:
                rows.append(_row(component, moment, group))
    return "\n".join(rows)


def _row(component: str, moment: str, group: Sequence[Outcome]) -> str:
    times = [one.settled_seconds for one in group if one.settled_seconds is not None]
    in_time = sum(seconds <= SETTLE_SECONDS for seconds in times)
    cells = [
        "disk full" if component == "disk" else component,
        moment,
        str(len(group)),
        str(sum(one.lost for one in group)),
        str(sum(one.duplicated for one in group)),
        str(sum(one.orphans for one in group)),
        f"{in_time} of {len(group)}",
        f"{statistics.median(times):.1f}" if times else "-",
        f"{max(times):.1f}" if times else "-",
    ]
    return f"| {' | '.join(cells)} |"
