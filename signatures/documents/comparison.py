"""Whether the recordings of two phases of a host compare."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class ComparisonDocument:
    """The comparison of the recordings of one host.

    Attributes:
        sick: Phase of the trouble.
        since: The phase after it.
        differs: Whether they do not compare.
        words: Why, or what could not be compared.
    """

    host: str
    sick: str = ""
    since: str = ""
    differs: bool = False
    words: str = ""
