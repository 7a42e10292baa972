"""`stack` and `leaf`: the share of weight, or the mere presence, of frames in order.

A share is taken of a population (`all`, `busy`, `kernel_busy`: the innermost frame runs in the kernel and is
not an idle one). With `at` it is asked twice: of each process alone (its samples ÷ its own population) and of
all together (`*`).
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from signatures.observation import (
    MAX_EXEMPLARS,
    MAX_NODES,
    WHOLE,
    Cited,
    Reason,
    Sighting,
    State,
    sighted,
    unknown,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from ingest.profile import Profile
    from signatures.nodes import Tree
    from signatures.questions import StackCondition

NO_WEIGHTS = "no weights: a stack was seen, how often is not known"
RARE = 0.01
"""In a large count of stacks, less than this is not presence: somebody always forks or exits."""

ASSUMED = "they end in many functions"

_MANY_PROCESSES = 64


class _Found(NamedTuple):
    """Samples and nodes that match."""

    matching: NDArray[np.bool_]
    nodes: NDArray[np.intp]


def observe(condition: StackCondition, tree: Tree, index: int) -> Iterator[Sighting]:
    """Yield what profile number `index` says."""
    profile = tree.profile
    found = _find(condition, tree)
    in_population = tree.population(condition.of)
    if condition.comm:
        of_comm = tree.is_comm(condition.comm)
        found = found._replace(matching=found.matching & of_comm)
        in_population = in_population & of_comm
    total = float(tree.profile.sample_count[in_population].sum())
    can_weigh = tree.is_timed
    if condition.is_seen:
        if condition.is_at_rest and profile.what == "event":
            return
        yield from _seen(
            condition, tree, index, found, is_enough=can_weigh and total >= condition.min_samples
        )
        return
    if not can_weigh:
        return
    if condition.is_distinct:
        yield _distinct(condition, tree, index, found)
        return
    yield from _shares(condition, tree, index, found, in_population)


def _find(condition: StackCondition, tree: Tree) -> _Found:
    if condition.leaf:
        matching = tree.leaves_called_from(condition.leaf, condition.path, condition.within)
    else:
        matching = tree.has_path(condition.path)
    if condition.without:
        matching &= ~tree.has_path((condition.without,))
    samples = (
        tree.has_stack & matching[np.maximum(tree.profile.sample_node, 0)]
        if len(matching)
        else tree.has_stack
    )
    own = tree.profile.sample_node[samples]
    nodes = np.unique(own).astype(np.intp) if condition.leaf else tree.completes(matching)
    return _Found(samples, nodes)


def _cite(tree: Tree, index: int, found: _Found, of: NDArray[np.bool_] | None = None) -> tuple[Cited, ...]:
    """Cite the nodes, and the lines of the heaviest samples, different stacks first."""
    profile = tree.profile
    samples = np.flatnonzero(found.matching if of is None else of)
    if not len(samples):
        return ()
    by_node: dict[int, float] = {}
    first: dict[int, int] = {}
    weights = np.bincount(profile.sample_node[samples], weights=tree.weight[samples])
    for node in np.argsort(-weights, kind="stable")[:MAX_EXEMPLARS]:
        if weights[node] > 0:
            by_node[int(node)] = float(weights[node])
            at = samples[np.argmax(profile.sample_node[samples] == node)]
            first[int(node)] = int(profile.sample_line[at])
    nodes = tuple(int(node) for node in found.nodes[:MAX_NODES])
    return tuple(
        Cited(first[node], _last_line(profile, node, first[node]), index, nodes if position == 0 else ())
        for position, node in enumerate(by_node)
    )


def _last_line(profile: Profile, node: int, start: int) -> int:
    """Return the last line of the sample that starts at `start`: a frame a line, or all on one."""
    lines: list[int] = []
    while node >= 0:
        lines.append(int(profile.node_line[node]))
        node = int(profile.node_parent[node])
    if len(set(lines)) < len(lines):
        return start
    following = profile.sample_line[profile.sample_line > start]
    printed = lines[0] - start if start in (lines[0], lines[0] - 1) else 1
    end = start + len(lines) - 1 + printed
    return min(end, int(following.min()) - 1) if len(following) else end


def _seen(
    condition: StackCondition, tree: Tree, index: int, found: _Found, *, is_enough: bool
) -> Iterator[Sighting]:
    if is_enough and condition.has_share_sibling:
        return
    total = float(tree.profile.sample_count.sum())
    part = float(tree.profile.sample_count[found.matching].sum())
    is_counted = tree.profile.has_weights and total >= condition.min_samples and not is_enough
    if is_counted and 0 < part < RARE * total:
        yield unknown(
            Reason.ABSENT, f"in {part:.0f} of {total:.0f} stacks", observed="seen", threshold="seen"
        )
    elif part:
        process, caps = "", () if is_enough else (NO_WEIGHTS,)
        if condition.at:
            pids = set(tree.pids[found.matching].tolist()) - {-1}
            process = str(pids.pop()) if len(pids) == 1 else ""
        yield Sighting(
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
    elif is_enough:
        yield Sighting(State.FALSE, "not in any sample", observed="not seen", threshold="seen", distance=1.0)
    elif tree.profile.node_parent.size:
        yield unknown(Reason.ABSENT, "not in the few stacks there are", observed="not seen", threshold="seen")


def _distinct(condition: StackCondition, tree: Tree, index: int, found: _Found) -> Sighting:
    threads = {
        (thread.pid, thread.tid)
        for thread in (
            tree.profile.threads[at] for at in np.unique(tree.profile.sample_thread[found.matching])
        )
        if thread.tid >= 0
    }
    if not threads and found.matching.any():
        return unknown(Reason.ABSENT, "threads are not printed")
    return sighted(float(len(threads)), condition.bound, citations=_cite(tree, index, found))


def _shares(
    condition: StackCondition, tree: Tree, index: int, found: _Found, in_population: NDArray[np.bool_]
) -> Iterator[Sighting]:
    whole = _share(condition, tree, index, found, in_population)
    pids = tree.pids
    named = np.unique(pids[in_population & (pids >= 0)]) if condition.at else np.empty(0, dtype=np.int64)
    if not len(named):
        yield whole
        return
    counts = np.bincount(
        np.searchsorted(named, pids[in_population & (pids >= 0)]),
        weights=tree.profile.sample_count[in_population & (pids >= 0)],
    )
    yield replace(whole, process=WHOLE)
    for at in np.argsort(-counts, kind="stable")[:_MANY_PROCESSES]:
        if counts[at] < condition.min_samples:
            break
        is_own = pids == named[at]
        own = _share(
            condition, tree, index, _Found(found.matching & is_own, found.nodes), in_population & is_own
        )
        yield replace(own, process=str(named[at]))


def _share(
    condition: StackCondition, tree: Tree, index: int, found: _Found, in_population: NDArray[np.bool_]
) -> Sighting:
    samples = float(tree.profile.sample_count[in_population].sum())
    population = condition.of.replace("_", "-")
    threshold = condition.bound.at_least or condition.bound.below or condition.bound.at_most
    if samples < condition.min_samples:
        return unknown(
            Reason.TOO_FEW,
            f"{samples:.0f} of the {condition.min_samples:.0f} {population} samples a share needs",
            threshold=threshold.value if threshold else None,
            unit="share",
        )
    total = float(tree.weight[in_population].sum())
    matching = found.matching & in_population
    share = float(tree.weight[matching].sum()) / total if total else 0.0
    note = f"of {samples:.0f} {population} samples"
    if tree.profile.what == "event":
        note += f"; counted by a tracer, taken as samples in time: {ASSUMED}"
    return sighted(share, condition.bound, "share", note=note, citations=_cite(tree, index, found, matching))
