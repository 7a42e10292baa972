"""Pairs of builds out of recorded sessions: identical ones, and ones with a known slowdown.

Runs of a pair are of one session and in the order they were recorded in, base and new in turn. Disjoint pairs
share no run, so their alarms are independent; drawn pairs overlap, which is good for a mean, not for an
interval.
"""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING, NamedTuple, TypeVar

import numpy as np

from benchmarks.gate.record import UNCHANGED

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from benchmarks.gate.record import Recorded, Session
    from ingest.comparison.costs import Costs

_Item = TypeVar("_Item")

TURN = (0, 1, 1, 0)
_SEED = 3


class Pair(NamedTuple):
    """Runs of a base and of a new build."""

    base: tuple[Costs, ...]
    new: tuple[Costs, ...]


def disjoint_identical(sessions: Sequence[Session], runs: int) -> Iterator[Pair]:
    """Yield pairs of the unchanged load, `runs` on each side, that share no run."""
    for session in sessions:
        for chosen in _whole(session.unchanged, 2 * runs):
            yield _in_turn(chosen)


def drawn_identical(sessions: Sequence[Session], runs: int, count: int) -> Iterator[Pair]:
    """Yield `count` pairs of the unchanged load for each session, drawn at random."""
    generator = np.random.default_rng(_SEED)
    for session in sessions:
        unchanged = session.unchanged
        for _ in range(count):
            places = np.sort(generator.choice(len(unchanged), 2 * runs, replace=False))
            yield _in_turn([unchanged[at] for at in places])


def disjoint_slower(sessions: Sequence[Session], build: str, runs: int) -> Iterator[Pair]:
    """Yield pairs of the unchanged load and `build`, `runs` on each side, that share no run."""
    for session in sessions:
        for chosen in _whole(_with(session, build), _blocks_for(runs)):
            yield _slower(chosen, build, [_nearest(block, build) for block in chosen], runs)


def drawn_slower(sessions: Sequence[Session], build: str, runs: int, count: int) -> Iterator[Pair]:
    """Yield `count` such pairs for each session, of blocks and unchanged runs drawn at random."""
    generator = np.random.default_rng(_SEED)
    for session in sessions:
        blocks = _with(session, build)
        choices = list(combinations(range(len(blocks)), _blocks_for(runs)))
        for _ in range(count if choices else 0):
            chosen = [blocks[at] for at in choices[generator.integers(len(choices))]]
            which = [int(generator.integers(len(_unchanged_of(block)) // 2)) for block in chosen]
            yield _slower(chosen, build, which, runs)


def _with(session: Session, build: str) -> list[list[Recorded]]:
    """Return the blocks that have runs of `build`."""
    return [block for block in session.blocks if any(run.build == build for run in block)]


def _nearest(block: Sequence[Recorded], build: str) -> int:
    """Return which unchanged run of the first half is next to that of `build`."""
    half = [run.build for run in block[: len(block) // 2]]
    at = half.index(build)
    unchanged = [place for place, name in enumerate(half) if name == UNCHANGED]
    return min(range(len(unchanged)), key=lambda which: abs(unchanged[which] - at))


def _blocks_for(runs: int) -> int:
    return -(-runs // 2)


def _whole(items: Sequence[_Item], size: int) -> list[Sequence[_Item]]:
    """Return pieces of `size`, without a shorter last one."""
    return [items[at : at + size] for at in range(0, len(items) - size + 1, size)]


def _unchanged_of(block: Sequence[Recorded]) -> list[Costs]:
    return [run.costs for run in block if run.build == UNCHANGED]


def _in_turn(runs: Sequence[Costs]) -> Pair:
    turns = [TURN[at % len(TURN)] for at in range(len(runs))]
    return Pair(
        tuple(run for run, turn in zip(runs, turns, strict=True) if not turn),
        tuple(run for run, turn in zip(runs, turns, strict=True) if turn),
    )


def _slower(blocks: Sequence[Sequence[Recorded]], build: str, which: Sequence[int], runs: int) -> Pair:
    """Return the two runs of `build` in each block, and two unchanged runs of it, one in each half."""
    base: list[Costs] = []
    new: list[Costs] = []
    for block, first in zip(blocks, which, strict=True):
        unchanged = _unchanged_of(block)
        base += [unchanged[first], unchanged[-1 - first]]
        new += [run.costs for run in block if run.build == build]
    return Pair(tuple(base[:runs]), tuple(new[:runs]))
