"""Profiles as a speedscope file: `sampled` profiles with explicit weights and unit.

Example:
    {"$schema": "…", "shared": {"frames": [{"name": "read"}]}, "profiles": [{"type": "sampled",
     "name": "All threads", "unit": "none", "startValue": 0, "endValue": 2,
     "samples": [[0]], "weights": [2]}]}

Per event first "All threads", then its heaviest threads alone. Samples keep their order; neighbours with
equal stacks are joined. A profile too large for that has all equal stacks joined, and its name says so.

Source: https://github.com/jlfwong/speedscope/blob/main/src/lib/file-format-spec.ts
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from ingest.model.profile import Profile

SCHEMA = "https://www.speedscope.app/file-format-schema.json"
MAX_THREADS = 20
MAX_ENTRIES = 2_000_000
"""Frame numbers in one profile above which samples lose their order; speedscope needs gigabytes beyond it."""

_UNITS = {"ns": "nanoseconds", "us": "microseconds", "ms": "milliseconds", "s": "seconds", "bytes": "bytes"}


def document(profiles: Sequence[Profile], *, name: str) -> dict[str, Any]:
    """Return a speedscope file of all `profiles`, called `name`."""
    frames: list[dict[str, str]] = []
    entries: list[dict[str, Any]] = []
    for profile in profiles:
        offset = len(frames)
        frames.extend(
            {"name": frame.name} | ({"file": frame.module} if frame.module else {})
            for frame in profile.frames
        )
        of_event = f" ({profile.event})" if len(profiles) > 1 and profile.event else ""
        everyone = np.arange(len(profile.sample_node))
        entries.append(_sampled(profile, everyone, f"All threads{of_event}", offset))
        entries.extend(
            _sampled(profile, samples, f"{title}{of_event}", offset) for title, samples in _threads(profile)
        )
    return {
        "$schema": SCHEMA,
        "shared": {"frames": frames},
        "profiles": entries,
        "name": name,
        "activeProfileIndex": 0,
        "exporter": "casebook",
    }


def _threads(profile: Profile) -> list[tuple[str, NDArray[np.intp]]]:
    """Return titles and sample numbers of the heaviest threads; none when there is only one."""
    if len(profile.threads) < 2:
        return []
    weights = np.bincount(
        profile.sample_thread, weights=profile.sample_weight, minlength=len(profile.threads)
    )
    heaviest = np.argsort(-weights, kind="stable")[:MAX_THREADS]
    threads = []
    for at in heaviest:
        comm, pid, tid = profile.threads[at]
        ids = "/".join(str(number) for number in (pid, tid) if number >= 0)
        threads.append((f"{comm} {ids}".strip() or "[no name]", np.flatnonzero(profile.sample_thread == at)))
    return threads


def unit_of(profile: Profile) -> str:
    """Return speedscope's unit: the period of a clock event is nanoseconds, other counts have none."""
    if profile.unit.startswith("period:") and ("cpu-clock" in profile.unit or "task-clock" in profile.unit):
        return "nanoseconds"
    return _UNITS.get(profile.unit, "none")


def _sampled(profile: Profile, samples: NDArray[np.intp], title: str, offset: int) -> dict[str, Any]:
    """Return one profile of `samples`."""
    nodes, weights = profile.sample_node[samples], profile.sample_weight[samples]
    nodes, weights = _joined(nodes, weights)
    stacks = _Stacks(profile, offset)
    is_ordered = profile.is_ordered
    if int(stacks.depths()[nodes].sum()) > MAX_ENTRIES:
        nodes, inverse = np.unique(nodes, return_inverse=True)
        weights = np.bincount(inverse, weights=weights).astype(np.float64)
        title += ", equal stacks joined" if is_ordered else ""
    total = float(weights.sum())
    return {
        "type": "sampled",
        "name": title,
        "unit": unit_of(profile),
        "startValue": 0,
        "endValue": _number(total),
        "samples": [stacks.of(node) for node in nodes.tolist()],
        "weights": [_number(weight) for weight in weights.tolist()],
    }


def _joined(
    nodes: NDArray[np.int32], weights: NDArray[np.float64]
) -> tuple[NDArray[np.int32], NDArray[np.float64]]:
    """Join neighbours that end in the same node."""
    if not len(nodes):
        return nodes, weights
    starts = np.flatnonzero(np.concatenate(([True], nodes[1:] != nodes[:-1])))
    return nodes[starts], np.add.reduceat(weights, starts)


def _number(value: float) -> float | int:
    return int(value) if value.is_integer() else value


class _Stacks:
    """Frame numbers of nodes, outermost first."""

    def __init__(self, profile: Profile, offset: int) -> None:
        """Number frames from `offset`."""
        self._parents = profile.node_parent.tolist()
        self._frames = (profile.node_frame + offset).tolist()
        self._stacks: dict[int, list[int]] = {-1: []}

    def of(self, node: int) -> list[int]:
        """Return the stack that ends in `node`; a sample without stack has none."""
        stack = self._stacks.get(node)
        if stack is None:
            chain = []
            at = node
            while at >= 0:
                chain.append(self._frames[at])
                at = self._parents[at]
            stack = self._stacks[node] = chain[::-1]
        return stack

    def depths(self) -> NDArray[np.int32]:
        """Return the depth of every node; the last entry, which -1 finds, is 0."""
        depths = np.zeros(len(self._parents) + 1, dtype=np.int32)
        for node, parent in enumerate(self._parents):
            depths[node] = depths[parent] + 1 if parent >= 0 else 1
        return depths
