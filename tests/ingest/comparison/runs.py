"""Runs with known costs: folded stacks, and functions drawn with a known noise."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ingest.comparison.costs import Conditions, Costs, FunctionCost, Run, costs
from ingest.model.selection import Selection
from ingest.native import parse_folded
from ingest.native.views import View

if TYPE_CHECKING:
    import numpy as np

PERIOD = 1e6
FUNCTIONS = 30
SHARE = 0.14
"""Of `user.slow`; the others share the rest, half as much each as the one before, until it is small."""


def of_stacks(stacks: dict[str, int], *, work: float = 1.0) -> Run:
    """Return a run whose samples have these stacks, outermost first, `a;b;c`."""
    text = "".join(f"{stack} {samples}\n" for stack, samples in stacks.items() if samples)
    view = View(parse_folded([text.encode()]).profile, Selection(has_idle=False))
    return Run(costs(view, []), work, view)


def interleaved(count: int) -> tuple[list[int], list[int]]:
    """Return positions of `count` runs on each side in the order A B B A."""
    places = [at for at in range(2 * count) if at % 4 in {0, 3}]
    return places, [at for at in range(2 * count) if at not in places]


def drawn(
    generator: np.random.Generator,
    at: float,
    *,
    slow: float = 0.0,
    everything: float = 0.0,
    samples: int = 10_000,
    common: float = 0.01,
    own: float = 0.02,
    work: float = 1.0,
    **conditions: object,
) -> Run:
    """Return a run that began at `at` seconds; `slow` and `everything` are growths."""
    shares = {"user.slow": SHARE}
    rest = 1 - SHARE
    for number in range(FUNCTIONS):
        shares[f"user.f{number}"] = rest / FUNCTIONS
    factor = (1 + everything) * generator.lognormal(0, common)
    counts = {
        name: float(generator.poisson(samples * share * factor * generator.lognormal(0, own)))
        for name, share in shares.items()
    }
    counts["user.slow"] = round(counts["user.slow"] * (1 + slow))
    total = sum(counts.values())
    functions = {name: FunctionCost(count * PERIOD, count * PERIOD, 7) for name, count in counts.items()}
    functions["user.main"] = FunctionCost(0.0, total * PERIOD, 3)
    recorded = Conditions(
        **{"host": "ci-1", "kernel": "6.1.0", "cpu_model": "X", "cpus": 4, "frequency_hz": 997.0}
        | {"started_at": at, "duration_seconds": 3.0}
        | conditions
    )
    return Run(Costs("cpu-clock", "ns", total * PERIOD, total, functions, {}, recorded), work)


def pair(generator: np.random.Generator, count: int, **new: object) -> tuple[list[Run], list[Run]]:
    """Return interleaved runs of a base and of a new build that differs by `new`."""
    ours, theirs = interleaved(count)
    noise = {key: new.pop(key) for key in ("samples", "common", "own") if key in new}
    return [drawn(generator, at, **noise) for at in ours], [
        drawn(generator, at, **noise, **new) for at in theirs
    ]
