"""Base classes of the kinds of conditions, by what a condition is observed on.

A condition on readings depends on one reading at a time, so its match results are cached. A condition on
facts, or on the wait graph, depends on a whole scope, which several pieces of evidence state together.
"""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, NamedTuple

from signatures.language.conditions import Condition

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ingest.model.reading import Reading
    from signatures.judging.fact_index import ScopeFacts
    from signatures.judging.observation import MatchResult, Observation
    from signatures.judging.profile_index import Trees
    from signatures.waits.model import WaitGraph


class Span(NamedTuple):
    """Time span of the captures of a host, in seconds since boot."""

    start: float
    end: float


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadingCondition(Condition):
    """A condition observed on one reading.

    Attributes:
        PARTS: Parts of a reading that it tests; readings without any of them are skipped.
        NEEDS_SPAN: The result depends on the time span of the captures, so it is not cached.
    """

    PARTS: ClassVar[tuple[str, ...]]
    NEEDS_SPAN: ClassVar[bool] = False

    @abstractmethod
    def observe(self, reading: Reading, trees: Trees, span: Span | None) -> Iterator[MatchResult]:
        """Yield the match results of a reading.

        Args:
            reading: The reading.
            trees: Indices of its profiles.
            span: Time span of the captures of its host and boot, None when unknown.
        """

    @property
    def capping_qualities(self) -> frozenset[str]:
        """Qualities of a reading that could make the tested number wrong; see `quality_caps`."""
        return frozenset()

    def pooled(
        self, observations: tuple[Observation, ...], facts: ScopeFacts | None = None
    ) -> tuple[Observation, ...]:
        """Combine the observations of all readings of a scope, by what its facts say of the host."""
        del facts
        return observations


@dataclass(frozen=True, slots=True, kw_only=True)
class ScopeCondition(Condition):
    """A condition observed on the facts of a scope."""

    @abstractmethod
    def observe(self, facts: ScopeFacts) -> Iterator[Observation]:
        """Yield one observation per entity."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WaitGraphCondition(Condition):
    """A condition observed on the wait graph of a scope."""

    @abstractmethod
    def observe(self, graph: WaitGraph) -> Iterator[Observation]:
        """Yield the observations of a graph that has tasks."""
