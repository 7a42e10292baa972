"""Shares of the weight of matching stacks, in total and by process."""

from __future__ import annotations

from dataclasses import replace
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
    from collections.abc import Callable, Iterator

    from numpy.typing import NDArray

    from signatures.judging.population import Part, Population
    from signatures.judging.profile_index import Tree
    from signatures.judging.stack_match import StackMatch
    from signatures.language.conditions import Bound

ASSUMED = "many distinct leaf functions"

FAR = 0.5
"""Shares of a process below this part of the limit are not cited: it is one of many that show nothing."""

_MANY_PROCESSES = 64


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
    mask, tree = population.mask, match.tree
    match = match.only(mask)
    hidden = match.hidden(mask)
    processes = population.processes if by_process else ()
    whole = _share(match, hidden, population.whole, test)
    if not processes:
        yield whole
        return
    yield replace(whole, process=WHOLE)
    own, unseen = _Divided(tree, match.samples), _Divided(tree, hidden)
    # Of most processes nothing matches, and of all patterns this reads alike.
    of_none: dict[int, MatchResult] = tree.cached(
        ("no share", test._replace(min_samples=0.0), population.key), dict
    )
    for process in processes[:_MANY_PROCESSES]:
        if process.samples < test.min_samples:
            break
        at = tree.places[process.pid]
        is_none = at not in own.places and at not in unseen.places
        if is_none and at in of_none:
            yield of_none[at]
            continue
        result = _result(
            _Weights(own.weights[at], unseen.weights[at]),
            process,
            test,
            tree,
            lambda at=at: replace(match, samples=own.samples_at(at)),  # type: ignore[misc]
            process=str(process.pid),
        )
        if is_none:
            of_none[at] = result
        yield result


class _Weights(NamedTuple):
    """Weight of the matching samples of a part of the population, and of those that may match, too."""

    matching: float
    hidden: float


class _Divided:
    """Samples and their weight, divided by process.

    Attributes:
        weights: Weight by the place of the process.
        places: Places of the processes that have samples.
    """

    def __init__(self, tree: Tree, samples: NDArray[np.int32]) -> None:
        self._samples = samples
        count = len(tree.processes)
        self.weights = [0.0] * count
        self.places: frozenset[int] = frozenset()
        if len(samples):
            self._of = tree.process_of(samples)
            sums = np.bincount(self._of + 1, weights=tree.weight[samples], minlength=count + 1)
            self.weights = sums[1:].tolist()
            self.places = frozenset(np.flatnonzero(np.bincount(self._of + 1)[1:]).tolist())

    def samples_at(self, place: int) -> NDArray[np.int32]:
        return self._samples[self._of == place] if len(self._samples) else self._samples


def _share(match: StackMatch, hidden: NDArray[np.int32], of: Part, test: ShareTest) -> MatchResult:
    """Return the share of the whole population; `hidden` samples of it may match, too."""
    weights = _Weights(match.weight_of(match.samples), match.weight_of(hidden))
    return _result(weights, of, test, match.tree, lambda: match)


def _result(
    weights: _Weights,
    of: Part,
    test: ShareTest,
    tree: Tree,
    match: Callable[[], StackMatch],
    *,
    process: str = "",
) -> MatchResult:
    """Return the share of one part of the population; `match` is asked for where it is cited."""
    bound = test.bound
    threshold = bound.at_least or bound.below or bound.at_most
    if of.samples < test.min_samples:
        return unknown(
            Reason.TOO_FEW,
            f"{of.samples:.0f} of the {test.min_samples:.0f} {test.population} samples needed for a share",
            threshold=threshold.value if threshold else None,
            unit="share",
            process=process,
        )
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
    citations = () if is_far else match().cite()
    return compared_result(
        share,
        compared,
        "share",
        note=note,
        samples=of.samples,
        process=process,
        citations=citations,
        cpu_share=cpu_share(tree, match().samples) if is_load else None,
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
