"""`stack` and `leaf`: share of weight, or presence, of frames in order.

A share is relative to a population (`all`, `busy`, `kernel_busy`: the innermost frame is in the kernel and
not idle). With `at` it is computed for each process (its samples ÷ its own population) and for all processes
together (`*`).
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ingest.model.profile import UNKNOWN_CALLERS
from signatures.judging.observation import (
    MAX_EXEMPLARS,
    MAX_NODES,
    WHOLE,
    Cited,
    MatchResult,
    Reason,
    State,
    number_result,
    unknown,
)
from signatures.judging.population import Part, Population

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from signatures.judging.profile_index import Tree
    from signatures.language.conditions import FrameSet, StackCondition

NO_WEIGHTS = "no weights: frequency unknown"
RARE = 0.01
"""Minimum share of presence in a large number of stacks: some task always forks or exits."""

ASLEEP = ("bare", "offcpu")
"""Kinds of profiles that show waiting threads; CPU samples never do."""

NOT_KNOWN: FrameSet = (UNKNOWN_CALLERS,)
"""Frame that stands for omitted callers."""

ASSUMED = "many distinct leaf functions"

_MANY_PROCESSES = 64


class _Found(NamedTuple):
    """Matching nodes (where the pattern completes), and samples grouped by node."""

    samples: NDArray[np.int32]
    nodes: NDArray[np.int32]


def observe(condition: StackCondition, tree: Tree, index: int) -> Iterator[MatchResult]:
    """Yield the results for profile number `index`."""
    profile = tree.profile
    population = Population(tree, condition.of, condition.comm)
    can_weigh = tree.is_timed
    if condition.is_seen:
        if (condition.is_at_rest and profile.what == "event") or (
            condition.is_asleep and profile.what not in ASLEEP
        ):
            return
        is_enough = can_weigh and population.samples >= condition.min_samples
        yield from _presence(condition, tree, index, _find(condition, tree, population), is_enough=is_enough)
        return
    if not can_weigh:
        return
    found = _find(condition, tree, population)
    if condition.is_distinct:
        yield _distinct(condition, tree, index, found)
        return
    yield from _shares(condition, tree, index, found, population)


def _find(condition: StackCondition, tree: Tree, population: Population) -> _Found:
    if condition.leaf:
        nodes = tree.leaves(condition.leaf, condition.path, condition.within)
        samples = tree.samples_at(nodes)
    else:
        nodes = tree.completes(condition.path)
        samples = tree.samples_below(nodes)
    if condition.without and len(samples):
        nodes = tree.outside(nodes, condition.without)
        samples = samples[~tree.has_path((condition.without,))[samples]]
    if condition.leaf:
        nodes = np.unique(tree.profile.sample_node[samples])
    return _Found(population.of_comm(samples), np.sort(nodes))


def _cite(tree: Tree, index: int, found: _Found) -> tuple[Cited, ...]:
    """Cite the nodes, and the lines of the heaviest samples, different stacks first."""
    profile = tree.profile
    samples = found.samples
    if not len(samples):
        return ()
    own = profile.sample_node[samples]
    starts = np.flatnonzero(np.concatenate(([True], own[1:] != own[:-1])))
    weights = np.add.reduceat(tree.weight[samples], starts)
    heaviest = np.lexsort((own[starts], -weights))[:MAX_EXEMPLARS]
    first = {
        int(own[starts[at]]): int(profile.sample_line[samples[starts[at]]])
        for at in heaviest
        if weights[at] > 0
    }
    nodes = tuple(found.nodes[:MAX_NODES].tolist())
    return tuple(
        Cited(line, _last_line(tree, node, line), index, nodes if position == 0 else ())
        for position, (node, line) in enumerate(first.items())
    )


def _last_line(tree: Tree, node: int, start: int) -> int:
    """Return the last line of the sample that starts at `start`: a frame a line, or all on one."""
    profile = tree.profile
    lines: list[int] = []
    while node >= 0:
        lines.append(int(profile.node_line[node]))
        node = int(profile.node_parent[node])
    if len(set(lines)) < len(lines):
        return start
    following = tree.line_after(start)
    printed = lines[0] - start if start in (lines[0], lines[0] - 1) else 1
    end = start + len(lines) - 1 + printed
    return end if following is None else min(end, following - 1)


def _presence(
    condition: StackCondition, tree: Tree, index: int, found: _Found, *, is_enough: bool
) -> Iterator[MatchResult]:
    if is_enough and condition.has_share_sibling:
        return
    total = Population(tree, "all").samples
    part = float(tree.profile.sample_count[found.samples].sum())
    is_counted = tree.profile.has_weights and total >= condition.min_samples and not is_enough
    if is_counted and 0 < part < RARE * total:
        yield unknown(
            Reason.ABSENT, f"in {part:.0f} of {total:.0f} stacks", observed="seen", threshold="seen"
        )
    elif part and condition.is_distinct:
        yield _presence_of_threads(condition, tree, index, found)
    elif part:
        process, caps = "", () if is_enough else (NO_WEIGHTS,)
        if condition.at:
            pids = set(np.unique(tree.pids[found.samples]).tolist()) - {-1}
            process = str(pids.pop()) if len(pids) == 1 else ""
        yield MatchResult(
            State.TRUE,
            observed="seen",
            threshold="seen",
            distance=0.0,
            strength=1.0,
            is_seen=True,
            process=process,
            caps=caps,
            citations=_cite(tree, index, found),
        )
    elif _hidden(condition, tree, found, tree.population("all")):
        yield unknown(Reason.LOW_QUALITY, "callers are omitted", observed="not seen", threshold="seen")
    elif is_enough:
        yield MatchResult(
            State.FALSE, "not in any sample", observed="not seen", threshold="seen", distance=1.0
        )
    elif tree.profile.node_parent.size:
        yield unknown(Reason.ABSENT, "not in the few stacks available", observed="not seen", threshold="seen")


def _threads(tree: Tree, found: _Found) -> tuple[str, ...]:
    """Return the ids of the matching threads; threads without an id are omitted."""
    threads = (tree.profile.threads[at] for at in np.unique(tree.profile.sample_thread[found.samples]))
    return tuple(
        sorted(
            {
                str(max(thread.tid, thread.pid)) if thread.tid < 0 else str(thread.tid)
                for thread in threads
                if max(thread.tid, thread.pid) >= 0
            }
        )
    )


def _presence_of_threads(condition: StackCondition, tree: Tree, index: int, found: _Found) -> MatchResult:
    """Return the result for the threads of one reading."""
    return threads_result(condition, _threads(tree, found), _cite(tree, index, found))


def threads_result(
    condition: StackCondition, threads: tuple[str, ...], citations: tuple[Cited, ...]
) -> MatchResult:
    """Return TRUE when enough threads show it, else UNKNOWN: other threads were not captured."""
    found = number_result(float(len(threads)), condition.bound, caps=(NO_WEIGHTS,), is_seen=True)
    if found.state is State.TRUE:
        return replace(found, threads=threads, citations=citations, note="threads")
    reason = f"{len(threads)} so far" if threads else "no thread ids"
    return unknown(
        Reason.TOO_FEW,
        reason,
        observed=found.observed,
        threshold=found.threshold,
        threads=threads,
        citations=citations,
    )


def _distinct(condition: StackCondition, tree: Tree, index: int, found: _Found) -> MatchResult:
    threads = _threads(tree, found)
    if not threads and len(found.samples):
        return unknown(Reason.ABSENT, "no thread ids")
    return number_result(float(len(threads)), condition.bound, citations=_cite(tree, index, found))


def _shares(
    condition: StackCondition, tree: Tree, index: int, found: _Found, population: Population
) -> Iterator[MatchResult]:
    found = found._replace(samples=found.samples[population.mask[found.samples]])
    whole = _share(condition, tree, index, found, population.whole, mask=population.mask)
    processes = population.processes if condition.at else ()
    if not processes:
        yield whole
        return
    yield replace(whole, process=WHOLE)
    pids = tree.pids[found.samples]
    for process in processes[:_MANY_PROCESSES]:
        if process.samples < condition.min_samples:
            break
        own = found._replace(samples=found.samples[pids == process.pid])
        share = _share(
            condition, tree, index, own, process, mask=population.mask & (tree.pids == process.pid)
        )
        yield replace(share, process=str(process.pid))


def _hidden(condition: StackCondition, tree: Tree, found: _Found, mask: NDArray[np.bool_]) -> float:
    """Return the weight of samples that may match because their callers are omitted."""
    if condition.leaf and not condition.path:
        return 0.0
    open_ends = tree.completes((NOT_KNOWN,))
    if not len(open_ends):
        return 0.0
    samples = tree.samples_below(open_ends)
    samples = np.setdiff1d(samples[mask[samples]], found.samples)
    if condition.leaf:
        samples = np.intersect1d(samples, tree.samples_at(tree.leaves(condition.leaf, (), 0)))
    return float(tree.weight[samples].sum())


def _share(
    condition: StackCondition, tree: Tree, index: int, found: _Found, of: Part, *, mask: NDArray[np.bool_]
) -> MatchResult:
    population = condition.of.replace("_", "-")
    threshold = condition.bound.at_least or condition.bound.below or condition.bound.at_most
    if of.samples < condition.min_samples:
        return unknown(
            Reason.TOO_FEW,
            f"{of.samples:.0f} of the {condition.min_samples:.0f} {population} samples needed for a share",
            threshold=threshold.value if threshold else None,
            unit="share",
        )
    share = float(tree.weight[found.samples].sum()) / of.weight if of.weight else 0.0
    hidden = _hidden(condition, tree, found, mask) / of.weight if of.weight else 0.0
    lower, upper = (number_result(value, condition.bound, "share") for value in (share, share + hidden))
    if lower.state != upper.state:
        return unknown(
            Reason.LOW_QUALITY,
            f"{hidden:.0%} of the {population} weight has omitted callers",
            observed=share,
            threshold=threshold.value if threshold else None,
            unit="share",
        )
    note = f"of {of.samples:.0f} {population} samples"
    if tree.profile.what == "event":
        note += f"; traced counts taken as time samples: {ASSUMED}"
    cited = _cite(tree, index, found)
    return number_result(share, condition.bound, "share", note=note, samples=of.samples, citations=cited)
