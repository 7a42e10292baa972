"""Citations: the lines that a value rests on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple


class Place(NamedTuple):
    """Lines of one section of one piece of evidence.

    Attributes:
        evidence: Id of the evidence in a case, its name in a report.
        section: Ordinal of the section in the evidence.
    """

    evidence: str
    section: int
    first_line: int
    last_line: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Citation:
    """Lines, and stack nodes completing the pattern, that a condition rests on.

    Attributes:
        evidence: Id of the evidence in a case, its name in a report.
        section: Ordinal of the section in the evidence.
        profile: Ordinal of the profile in the section; -1 for none.
        nodes: Indices of nodes of the profile.
    """

    evidence: str
    section: int
    first_line: int
    last_line: int
    profile: int = -1
    nodes: tuple[int, ...] = ()

    @property
    def place(self) -> Place:
        """The cited lines."""
        return Place(self.evidence, self.section, self.first_line, self.last_line)
