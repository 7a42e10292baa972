"""What a measurement says: a goal with its figure, and a section of RESULTS.md."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass
class Goal:
    """One goal, what was reached, and whether that is enough; `limit` says what stands in the way."""

    number: str
    what: str
    wanted: str
    reached: str
    is_met: bool
    limit: str = ""


@dataclass
class Section:
    """One part of the results: Markdown lines, and the goals they answer."""

    title: str
    lines: list[str] = field(default_factory=list)
    goals: list[Goal] = field(default_factory=list)


def goal_table(goals: list[Goal]) -> list[str]:
    """Return all goals as Markdown."""
    lines = ["| goal | wanted | reached | |", "| --- | --- | --- | --- |"]
    for goal in goals:
        verdict = "met" if goal.is_met else f"missed{': ' + goal.limit if goal.limit else ''}"
        lines.append(f"| {goal.number} {goal.what} | {goal.wanted} | {goal.reached} | {verdict} |")
    return lines
