"""What a handoff says beside its findings: whether it is only an OOM, and which verdicts it changed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

from signatures.documents.citation import Place

OomAnswer: TypeAlias = Literal["no", "not just", "yes", "unknown"]


@dataclass(frozen=True, slots=True, kw_only=True)
class OomPlaceDocument:
    """A cited line: a kill in a kernel log, or a counter."""

    evidence: str
    line: int
    text: str

    @property
    def place(self) -> Place:
        """The cited line."""
        return Place(self.evidence, 0, self.line, self.line)


@dataclass(frozen=True, slots=True, kw_only=True)
class OomDocument:
    """Whether an incident is only an OOM, as a sentence with cited lines.

    Attributes:
        more: Number of lines that are left out.
    """

    answer: OomAnswer
    sentence: str
    places: tuple[OomPlaceDocument, ...] = ()
    more: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class VerdictChangeDocument:
    """A verdict that a handoff changed, by leaving evidence out or by redaction.

    Attributes:
        before: "" where it was not judged.
        after: "" where it is not judged.
        what: Differences as sentences.
    """

    cause: Literal["omission", "redaction"]
    signature: str
    title: str
    before: str
    after: str
    what: tuple[str, ...]
