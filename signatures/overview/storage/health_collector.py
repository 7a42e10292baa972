"""Figures and statements about the health of storage, collected for one answer."""

from __future__ import annotations

from typing import TYPE_CHECKING

from signatures.overview.model import Statement

if TYPE_CHECKING:
    from signatures.documents.levels import Level
    from signatures.overview.first_steps import Topic
    from signatures.overview.model import Figure, StatementKind


class HealthCollector:
    """Figures and statements of one answer."""

    def __init__(self) -> None:
        """Begin without any."""
        self.figures: list[Figure] = []
        self.statements: list[Statement] = []

    def add(
        self,
        figure: Figure,
        text: str = "",
        *,
        level: Level = "failure",
        capture: str = "",
        kind: StatementKind = "alarm",
        topic: Topic = "failing disk",
    ) -> None:
        """Add a figure, and what it means when it has a text: an alarm, or a notable fact."""
        self.figures.append(figure)
        if text:
            statement = Statement(
                "io",
                text,
                figure.places,
                kind,
                level if kind == "alarm" else "notable",
                capture,
                is_notable=kind == "fact",
                topic=topic,
                subject=figure.label,
            )
            self.statements.append(statement)
