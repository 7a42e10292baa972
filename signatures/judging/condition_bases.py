"""Base classes of the kinds of conditions, by what a condition is observed on.

A condition on readings depends on one reading at a time, so its match results are cached, but for those on
records of logs, which an index answers. A condition on facts, or on the wait graph, depends on a whole scope,
which several pieces of evidence state together.
"""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Final, NamedTuple

from signatures.language.conditions import Condition, Trace

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator, Sequence

    from ingest.model.reading import LogRecord, Reading
    from signatures.judging.fact_index import ScopeFacts
    from signatures.judging.observation import MatchResult, Observation
    from signatures.judging.profile_index import Trees
    from signatures.waits.model import WaitGraph


TIMED: Final = "timed profiles"
"""Profiles whose shares are shares of time (`profile_index.Tree.is_timed`)."""


class Span(NamedTuple):
    """Time span of the captures of a host, in seconds since boot."""

    start: float
    end: float


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadingCondition(Condition):
    """A condition observed on one reading.

    Attributes:
        PARTS: Parts of a reading that it tests; readings without any of them are skipped.
    """

    PARTS: ClassVar[tuple[str, ...]]

    @abstractmethod
    def observe(self, reading: Reading, trees: Trees, span: Span | None) -> Iterator[MatchResult]:
        """Yield the match results of a reading.

        Args:
            reading: The reading.
            trees: Indices of its profiles.
            span: Time span of the captures of its host and boot, None when unknown.
        """

    @property
    def parts(self) -> tuple[str, ...]:
        """Parts of a reading that can show anything of it: `PARTS`, or `TIMED` profiles alone."""
        return self.PARTS

    @property
    def traces(self) -> tuple[Trace, ...]:
        """Any of the parts."""
        return tuple(Trace("part", part) for part in self.PARTS)

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
class LogRecordsCondition(ReadingCondition):
    """A condition observed on the kernel log of one reading, of which an index tells the records.

    The index answers faster than a cache, so its match results are not cached.

    Attributes:
        kinds: Classes of the records that it selects; () for any.
        text: Regular expression that their messages contain; "" for any. One of both is given.
    """

    PARTS: ClassVar[tuple[str, ...]] = ("log_records",)

    kinds: tuple[str, ...]
    text: str = ""

    @property
    def traces(self) -> tuple[Trace, ...]:
        """Any log, for a condition that holds where nothing is logged; else the classes, or the text."""
        if self.is_absence:
            return (Trace("part", "log_records"),)
        return tuple(Trace("class", kind) for kind in self.kinds) or (Trace("text", self.text),)

    @property
    def unnamed(self) -> Hashable:
        """Its cap: a log without a record states the same of every class and text."""
        return type(self), self.cap

    def observe(self, reading: Reading, trees: Trees, span: Span | None) -> Iterator[MatchResult]:
        """Yield the match results of a reading."""
        del trees
        if reading.log_records:
            yield from self.observe_records(reading, reading.log_records, span)

    @abstractmethod
    def observe_records(
        self, reading: Reading, records: Sequence[LogRecord], span: Span | None
    ) -> Iterator[MatchResult]:
        """Yield the match results of a reading, `records` being all that the condition may select."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ScopeCondition(Condition):
    """A condition observed on the facts of a scope."""

    @property
    @abstractmethod
    def traces(self) -> tuple[Trace, ...]:
        """The facts that it compares."""

    @abstractmethod
    def observe(self, facts: ScopeFacts) -> Iterator[Observation]:
        """Yield one observation per entity."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WaitGraphCondition(Condition):
    """A condition observed on the wait graph of a scope."""

    @property
    def traces(self) -> tuple[Trace, ...]:
        """Anything that tasks wait for."""
        return (Trace("waits", "*"),)

    @abstractmethod
    def observe(self, graph: WaitGraph) -> Iterator[Observation]:
        """Yield the observations of a graph that has tasks."""
