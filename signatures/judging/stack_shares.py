"""Shares of the weight of matching stacks, in total and by process."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from signatures.judging.observation import WHOLE, MatchResult, Reason, number_result, unknown

if TYPE_CHECKING:
    from collections.abc import Iterator

    import numpy as np
    from numpy.typing import NDArray

    from signatures.judging.population import Part, Population
    from signatures.judging.stack_match import StackMatch
    from signatures.language.conditions import Bound

ASSUMED = "many distinct leaf functions"

_MANY_PROCESSES = 64


class ShareTest(NamedTuple):
    """What a share is compared with.

    Attributes:
        bound: The bound of the share.
        population: Name of the population, for people.
        min_samples: Minimum samples of the population.
    """

    bound: Bound
    population: str
    min_samples: float


def shares(
    match: StackMatch, population: Population, test: ShareTest, *, by_process: bool
) -> Iterator[MatchResult]:
    """Yield the share of the population, and with `by_process` that of each named process."""
    mask, tree = population.mask, match.tree
    match = match.only(mask)
    whole = _share(match, population.whole, test, mask)
    processes = population.processes if by_process else ()
    if not processes:
        yield whole
        return
    yield replace(whole, process=WHOLE)
    for process in processes[:_MANY_PROCESSES]:
        if process.samples < test.min_samples:
            break
        own = tree.pids == process.pid
        share = _share(match.only(own), process, test, mask & own)
        yield replace(share, process=str(process.pid))


def _share(match: StackMatch, of: Part, test: ShareTest, mask: NDArray[np.bool_]) -> MatchResult:
    """Return the share of one part of the population, whose samples `mask` selects."""
    tree, bound = match.tree, test.bound
    threshold = bound.at_least or bound.below or bound.at_most
    if of.samples < test.min_samples:
        return unknown(
            Reason.TOO_FEW,
            f"{of.samples:.0f} of the {test.min_samples:.0f} {test.population} samples needed for a share",
            threshold=threshold.value if threshold else None,
            unit="share",
        )
    share = float(tree.weight[match.samples].sum()) / of.weight if of.weight else 0.0
    hidden = match.hidden_weight(mask) / of.weight if of.weight else 0.0
    lower, upper = (number_result(value, bound, "share") for value in (share, share + hidden))
    if lower.state != upper.state:
        return unknown(
            Reason.LOW_QUALITY,
            f"{hidden:.0%} of the {test.population} weight has omitted callers",
            observed=share,
            threshold=threshold.value if threshold else None,
            unit="share",
        )
    note = f"of {of.samples:.0f} {test.population} samples"
    if tree.profile.what == "event":
        note += f"; traced counts taken as time samples: {ASSUMED}"
    return number_result(share, bound, "share", note=note, samples=of.samples, citations=match.cite())


def too_little(match: StackMatch, population: Population, test: ShareTest) -> MatchResult | None:
    """Return why stacks with printed weights are not seen: together they stay below the share that is needed.

    Their samples are too few, or not printed, so they do not refute it either. None when they reach it.
    """
    low, whole = test.bound.at_least, population.whole
    if low is None or not whole.weight or not len(match.samples):
        return None
    weight = float(match.tree.weight[match.samples].sum()) + match.hidden_weight(population.mask)
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
