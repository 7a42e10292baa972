"""One library entry as a search result with its scores."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from backend.library.queries import Entry
    from backend.library.schemas import ReasonRead


@dataclass(slots=True)
class Answer:
    """One entry with its unweighted scores.

    Attributes:
        spelled: Weight of the best variant of each query word in the entry, by word number.
        is_weak: It contains few of the words, or much less of them than the best result.
    """

    entry: Entry
    judged: float = 0.0
    functions: dict[str, float] = field(default_factory=dict)
    words: dict[str, float] = field(default_factory=dict)
    spelled: dict[int, float] = field(default_factory=dict)
    verdict: str | None = None
    met: tuple[str, ...] = ()
    kernel_verdict: str | None = None
    kernel_basis: str = ""
    kernel_sentence: str = ""
    score: float = 0.0
    is_weak: bool = False
    reasons: list[ReasonRead] = field(default_factory=list)
