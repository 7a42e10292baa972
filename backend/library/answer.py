"""One entry of the library as the answer to a question, and what speaks for it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from backend.library.schemas import ReasonRead
    from backend.models.library_entry import LibraryEntry


@dataclass(slots=True)
class Answer:
    """One entry and what speaks for it; the shares are not yet weighed.

    Attributes:
        spelled: By number of the word, what the best way counts in which the entry says it.
    """

    entry: LibraryEntry
    judged: float = 0.0
    functions: dict[str, float] = field(default_factory=dict)
    words: dict[str, float] = field(default_factory=dict)
    spelled: dict[int, float] = field(default_factory=dict)
    verdict: str | None = None
    met: tuple[str, ...] = ()
    kernel_verdict: str | None = None
    kernel_basis: str = ""
    score: float = 0.0
    reasons: list[ReasonRead] = field(default_factory=list)
