"""Shares of the weight of matching stacks, in total and by process."""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property
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
    from collections.abc import Iterator

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
) -> Iterator[MatchResult]:
    """Yield the share of the population, and with `by_process` that of each named process."""
    tree = match.tree
    matching: _Matching = tree.cached(
        ("matching", match.index, match.pattern, population.key), lambda: _Matching(match, population)
    )
    processes = population.processes if by_process else ()
    whole = _result(matching, _ALL, population.whole, test)
    if processes:
        yield replace(whole, process=WHOLE)
        # Of most processes nothing matches, and of all patterns this reads alike.
        of_none: dict[int, MatchResult] = tree.cached(
            ("no share", test._replace(min_samples=0.0), population.key), dict
        )
        for process in processes[:_MANY_PROCESSES]:
            if process.samples < test.min_samples:
                break
            at = tree.places[process.pid]
            result = of_none.get(at) if at not in matching.places else None
            if result is None:
                result = _result(matching, at, process, test)
                if at not in matching.places:
                    of_none[at] = result
            yield result
    else:
        yield whole
    matching.release()


class _Weights(NamedTuple):
    """Weight of the matching samples of a part of the population, and of those that may match, too."""

    matching: float
    hidden: float


class _Matching:
    """What of a population matches a pattern, as numbers and citations.

    All conditions on the pattern share it, so it keeps no samples: they are selected again where needed.
    """

    def __init__(self, match: StackMatch, population: Population) -> None:
        self.tree = match.tree
        self._match, self._population = match, population
        self._selection: _Selection | None = None
        self._citations: dict[int, tuple[Cited, ...]] = {}
        self._cpu_shares: dict[int, float | None] = {}

    def weights(self, place: int) -> _Weights:
        """Return the weights of a process, or of all."""
        if place == _ALL:
            return self._whole
        own, unseen = self._divided
        return _Weights(own.weights[place], unseen.weights[place])

    @cached_property
    def places(self) -> frozenset[int]:
        """Places of the processes with samples that match, or may match."""
        own, unseen = self._divided
        return own.places | unseen.places

    def citations(self, place: int) -> tuple[Cited, ...]:
        """Cite the samples of a process, or of all."""
        if place not in self._citations:
            self._citations[place] = self._selected.of(place).cite()
        return self._citations[place]

    def cpu_share(self, place: int) -> float | None:
        """Return what the samples of a process, or all, take of all CPU time."""
        if place not in self._cpu_shares:
            self._cpu_shares[place] = cpu_share(self.tree, self._selected.of(place).samples)
        return self._cpu_shares[place]

    def release(self) -> None:
        """Forget the samples."""
        self._selection = None

    @cached_property
    def _whole(self) -> _Weights:
        match, hidden = self._selected.match, self._selected.hidden
        return _Weights(match.weight_of(match.samples), match.weight_of(hidden))

    @cached_property
    def _divided(self) -> tuple[_Divided, _Divided]:
        selected = self._selected
        return _divided(self.tree, selected.match.samples), _divided(self.tree, selected.hidden)

    @property
    def _selected(self) -> _Selection:
        if self._selection is None:
            self._selection = _Selection(self._match.only(self._population.mask), self._population)
        return self._selection


class _Selection:
    """The samples of a population that match a pattern."""

    def __init__(self, match: StackMatch, population: Population) -> None:
        self.match = match
        self._population = population

    @cached_property
    def hidden(self) -> NDArray[np.int32]:
        """Samples that may match, too."""
        return self.match.hidden(self._population.mask)

    @cached_property
    def _processes(self) -> NDArray[np.intp]:
        return self.match.tree.process_of(self.match.samples)

    def of(self, place: int) -> StackMatch:
        """Return the match of a process, or of all."""
        samples = self.match.samples
        if place == _ALL or not len(samples):
            return self.match
        return replace(self.match, samples=samples[self._processes == place])


class _Divided(NamedTuple):
    """Weight of samples by the place of their process, and the places that have any."""

    weights: list[float]
    places: frozenset[int]


def _divided(tree: Tree, samples: NDArray[np.int32]) -> _Divided:
    """Divide samples by process."""
    count = len(tree.processes)
    if not len(samples):
        return _Divided([0.0] * count, frozenset())
    of = tree.process_of(samples) + 1
    sums = np.bincount(of, weights=tree.weight[samples], minlength=count + 1)
    return _Divided(sums[1:].tolist(), frozenset(np.flatnonzero(np.bincount(of)[1:]).tolist()))


def _result(matching: _Matching, place: int, of: Part, test: ShareTest) -> MatchResult:
    """Return the share of one part of the population: the process at a place, or all."""
    bound, tree = test.bound, matching.tree
    process = "" if place == _ALL else str(of.pid)
    threshold = bound.at_least or bound.below or bound.at_most
    if of.samples < test.min_samples:
        return unknown(
            Reason.TOO_FEW,
            f"{of.samples:.0f} of the {test.min_samples:.0f} {test.population} samples needed for a share",
            threshold=threshold.value if threshold else None,
            unit="share",
            process=process,
        )
    weights = matching.weights(place)
    share = weights.matching / of.weight if of.weight else 0.0
    more = weights.hidden / of.weight if of.weight else 0.0
    compared = compare_number(share, bound, "share")
    if more and compare_number(share + more, bound, "share").is_met != compared.is_met:
        return unknown(
            Reason.LOW_QUALITY,
            f"{more:.0%} of the {test.population} weight has omitted callers or callees",
            observed=share,
            threshold=threshold.value if threshold else None,
            unit="share",
            process=process,
        )
    is_load = compared.is_met and bound.at_least is not None and test.is_busy
    note = f"of {of.samples:.0f} {test.population} samples"
    if tree.profile.what == "event":
        note += f"; traced counts taken as time samples: {ASSUMED}"
    is_far = bool(process) and threshold is not None and share < FAR * threshold.value
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
    weight = match.weight_of(match.samples) + match.weight_of(match.hidden(population.mask))
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
