"""Pairs of builds out of recorded sessions: identical ones, and ones with a known slowdown.

Runs of a pair are of one session and in the order they were recorded in, base and new in turn. Disjoint pairs
share no run, so their alarms are independent; drawn pairs overlap, which is good for a mean, not for an
interval.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, TypeVar

import numpy as np

from benchmarks.gate.record import UNCHANGED

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from benchmarks.gate.record import Session
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
        for chosen in _whole(_neighbours(session, build), runs):
            yield Pair(tuple(base for base, _ in chosen), tuple(new for _, new in chosen))


def drawn_slower(sessions: Sequence[Session], build: str, runs: int, count: int) -> Iterator[Pair]:
    """Yield `count` such pairs for each session, of neighbours drawn at random."""
    generator = np.random.default_rng(_SEED)
    for session in sessions:
        every = _neighbours(session, build)
        for _ in range(count if len(every) >= runs else 0):
            chosen = [every[at] for at in np.sort(generator.choice(len(every), runs, replace=False))]
            yield Pair(tuple(base for base, _ in chosen), tuple(new for _, new in chosen))


def _neighbours(session: Session, build: str) -> list[tuple[Costs, Costs]]:
    """Return each run of `build` with the nearest unchanged run that no other has."""
    free = [at for at, run in enumerate(session.runs) if run.build == UNCHANGED]
    found = []
    for at, run in enumerate(session.runs):
        if run.build == build and free:
            nearest = min(free, key=lambda place: abs(place - at))
            free.remove(nearest)
            found.append((session.runs[nearest].costs, run.costs))
    return found


def _whole(items: Sequence[_Item], size: int) -> list[Sequence[_Item]]:
    """Return pieces of `size`, without a shorter last one."""
    return [items[at : at + size] for at in range(0, len(items) - size + 1, size)]


def _in_turn(runs: Sequence[Costs]) -> Pair:
    turns = [TURN[at % len(TURN)] for at in range(len(runs))]
    return Pair(
        tuple(run for run, turn in zip(runs, turns, strict=True) if not turn),
        tuple(run for run, turn in zip(runs, turns, strict=True) if turn),
    )
