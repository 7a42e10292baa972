"""Shares of the weight of matching stacks, in total and by process."""

from __future__ import annotations

from functools import cached_property
from itertools import takewhile
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from signatures.judging.capacity import cpu_share
from signatures.judging.observation import (
    WHOLE,
    MatchResult,
    Reason,
    compare_number,
    compared_result,
    unknown,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from signatures.judging.observation import Cited
    from signatures.judging.population import Part, Population
    from signatures.judging.profile_index import Tree
    from signatures.judging.stack_match import StackMatch
    from signatures.language.conditions import Bound

ASSUMED = "many distinct leaf functions"

FAR = 0.5
"""Shares of a process below this part of the limit are not cited: it is one of many that show nothing."""

_MANY_PROCESSES = 64
_ALL = -1
"""Place of all processes together."""


class ShareTest(NamedTuple):
    """What a share is compared with.

    Attributes:
        bound: The bound of the share.
        population: Name of the population, for people.
        min_samples: Minimum samples of the population.
        is_busy: Idle samples are none of the population.
    """

    bound: Bound
    population: str
    min_samples: float
    is_busy: bool = False


def shares(
    match: StackMatch, population: Population, test: ShareTest, *, by_process: bool
) -> list[MatchResult]:
    """Return the share of the population, and with `by_process` that of each named process.

    Args:
        match: What of the population matches.
        population: The population.
        test: What its share is compared with.
        by_process: Whether processes have shares.
    """
    compared: _Compared = match.tree.cached(
        ("shares", match.index, match.pattern, population.key, test._replace(min_samples=0.0)),
        lambda: _Compared(_matching(match, population), population, test),
    )
    processes = population.processes if by_process else ()
    too_few = _too_few(population.whole, test)
    if not processes:
        return [too_few or compared.whole]
    whole = too_few._replace(process=WHOLE) if too_few else compared.whole_of_processes
    enough = takewhile(lambda process: process.samples >= test.min_samples, processes[:_MANY_PROCESSES])
    found = [whole, *map(compared.of, enough)]
    compared.release()
    return found


class _Weights(NamedTuple):
    """Weight of the matching samples of a part of the population, and of those that may match, too."""

    matching: float
    hidden: float


def _matching(match: StackMatch, population: Population) -> _Matching:
    key = ("matching", match.index, match.pattern, population.key)
    found: _Matching = match.tree.cached(key, lambda: _Matching(match, population))
    return found


class _Matching:
    """What of a population matches a pattern, as numbers and citations.

    All conditions on the pattern share it, so it keeps no samples for longer than one takes.
    """

    def __init__(self, match: StackMatch, population: Population) -> None:
        self.match, self.tree = match, match.tree
        hidden = match.hidden(population.mask)
        self._hidden_weight = match.weight_of(hidden)
        self._unseen = _divided(match.tree, hidden)
        self._citations: dict[int, tuple[Cited, ...]] = {}
        self._cpu_shares: dict[int, float | None] = {}
        self._by_process: Callable[[int], NDArray[np.int32]] | None = None

    def weights(self, place: int) -> _Weights:
        """Return the weights of a process, or of all."""
        if place == _ALL:
            return _Weights(self.match.weight, self._hidden_weight)
        own, unseen = self.match.measured, self._unseen
        return _Weights(
            own.by_process[place] if place in own.places else 0.0,
            unseen.weights[place] if place in unseen.places else 0.0,
        )

    @cached_property
    def places(self) -> frozenset[int]:
        """Places of the processes with samples that match, or may match."""
        return self.match.measured.places | self._unseen.places

    def citations(self, place: int) -> tuple[Cited, ...]:
        """Cite the samples of a process, or of all."""
        if place not in self._citations:
            match = self.match
            self._citations[place] = match.cite() if place == _ALL else match.cite_process(place)
        return self._citations[place]

    def cpu_share(self, place: int) -> float | None:
        """Return what the samples of a process, or all, take of all CPU time."""
        if place not in self._cpu_shares:
            weight = self.weights(place).matching
            self._cpu_shares[place] = cpu_share(self.tree, weight, lambda: self._samples(place))
        return self._cpu_shares[place]

    def _samples(self, place: int) -> NDArray[np.int32]:
        if place == _ALL:
            return self.match.samples
        if self._by_process is None:
            self._by_process = self.match.by_process()
        return self._by_process(place)

    def release(self) -> None:
        """Forget the samples."""
        self._by_process = None


class _Divided(NamedTuple):
    """Weight of samples by the place of their process, and the places that have any."""

    weights: list[float]
    places: frozenset[int]


def _divided(tree: Tree, samples: NDArray[np.int32]) -> _Divided:
    """Divide samples by process."""
    if not len(samples):
        return _Divided([], frozenset())
    of = tree.process_of(samples) + 1
    sums = np.bincount(of, weights=tree.weight[samples], minlength=len(tree.processes) + 1)
    return _Divided(sums[1:].tolist(), frozenset(np.flatnonzero(np.bincount(of)[1:]).tolist()))


def _too_few(of: Part, test: ShareTest) -> MatchResult | None:
    """Return that a population is too small for a share, None when it is large enough."""
    if of.samples >= test.min_samples:
        return None
    return unknown(
        Reason.TOO_FEW,
        f"{of.samples:.0f} of the {test.min_samples:.0f} {test.population} samples needed for a share",
        threshold=_threshold(test.bound),
        unit="share",
    )


def _threshold(bound: Bound) -> float | None:
    found = bound.at_least or bound.below or bound.at_most
    return found.value if found else None


class _Compared:
    """Shares compared with a bound: conditions that need other numbers of samples have them in common."""

    def __init__(self, matching: _Matching, population: Population, test: ShareTest) -> None:
        self._matching, self._population, self._test = matching, population, test
        self._found: dict[int, MatchResult] = {}
        # Of most processes nothing matches, and of all patterns this reads alike.
        self._of_none: dict[int, MatchResult] = matching.tree.cached(
            ("no share", test._replace(min_samples=0.0), population.key), dict
        )

    @cached_property
    def whole(self) -> MatchResult:
        """The share of all processes together."""
        return _result(self._matching, _ALL, self._population.whole, self._test)

    @cached_property
    def whole_of_processes(self) -> MatchResult:
        """The same beside the shares of processes."""
        return self.whole._replace(process=WHOLE)

    def release(self) -> None:
        """Forget the samples."""
        self._matching.release()

    def of(self, process: Part) -> MatchResult:
        """Return the share of a process."""
        place = self._matching.tree.places[process.pid]
        known = self._found if place in self._matching.places else self._of_none
        found = known.get(place)
        if found is None:
            found = known[place] = _result(self._matching, place, process, self._test)
        return found


def _result(matching: _Matching, place: int, of: Part, test: ShareTest) -> MatchResult:
    """Return the share of one part of the population: the process at a place, or all."""
    bound, tree = test.bound, matching.tree
    process = "" if place == _ALL else str(of.pid)
    threshold = _threshold(bound)
    weights = matching.weights(place)
    share = weights.matching / of.weight if of.weight else 0.0
    more = weights.hidden / of.weight if of.weight else 0.0
    compared = compare_number(share, bound, "share")
    if more and compare_number(share + more, bound, "share").is_met != compared.is_met:
        return unknown(
            Reason.LOW_QUALITY,
            f"{more:.0%} of the {test.population} weight has omitted callers or callees",
            observed=share,
            threshold=threshold,
            unit="share",
            process=process,
        )
    is_load = compared.is_met and bound.at_least is not None and test.is_busy
    note = f"of {of.samples:.0f} {test.population} samples"
    if tree.profile.what == "event":
        note += f"; traced counts taken as time samples: {ASSUMED}"
    is_far = bool(process) and threshold is not None and share < FAR * threshold
    citations = () if is_far else matching.citations(place)
    return compared_result(
        share,
        compared,
        "share",
        note=note,
        samples=of.samples,
        process=process,
        citations=citations,
        cpu_share=matching.cpu_share(place) if is_load else None,
        cpus=tree.cpus if is_load else 0,
    )


def too_little(match: StackMatch, population: Population, test: ShareTest) -> MatchResult | None:
    """Return why stacks with printed weights are not seen: together they stay below the share that is needed.

    Their samples are too few, or not printed, so they do not refute it either. None when they reach it.
    """
    low, whole = test.bound.at_least, population.whole
    if low is None or not whole.weight or not len(match.samples):
        return None
    weight = match.weight + match.weight_of(match.hidden(population.mask))
    if weight / whole.weight >= low.value:
        return None
    return unknown(
        Reason.TOO_FEW,
        f"{whole.samples:.0f} {test.population}",
        observed=weight / whole.weight,
        threshold=low.value,
        unit="share",
        citations=match.cite(),
    )
