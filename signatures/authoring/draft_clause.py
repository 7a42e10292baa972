"""A condition of a draft."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class DraftClause:
    """One drafted clause.

    Attributes:
        clause: Id of the condition.
        yaml: Its lines, indented for `clauses:`.
        weight: Weight of the clause.
        capture: Name of the capture that settles it, "" for none.
        share: Share of the kernel time that it asks for, 0 for conditions of another kind.
        is_core: Whether it may be required; a stack merely seen has no weight and only supports the others.
    """

    clause: str
    yaml: str
    weight: int
    capture: str
    share: float = 0.0
    is_core: bool = True
