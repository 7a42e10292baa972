"""Flame graphs of given sizes out of real recordings: our columns, and the nested JSON of d3-flame-graph.

python -m benchmarks.graph_input 5000 70000        # nodes, of 5000, 70000, 500000 and 1400000

The recordings of `benchmarks.record` have too few different stacks for the larger sizes, so their trees are
split as a view by thread and time splits them: below a frame for every thread one for every slice of time,
with as many slices as the size needs. Stacks, names and weights stay as recorded.
"""

from __future__ import annotations

import gzip
import json
import sys
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from benchmarks.record import INPUTS, recordings
from ingest.native import parse_perf_script

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from ingest.model.profile import Profile

BLOCK_BYTES = 1 << 20
SLICES = {5_000: 1, 70_000: 1, 500_000: 1_000, 1_400_000: 20_000}
FOLDER = INPUTS / "graphs"
FIRST_VIEW_SHARE = 0.001


class Tree(NamedTuple):
    """Nodes in preorder: depth, index into `names`, own and whole weight; `names` with their kinds."""

    depth: NDArray[np.int64]
    frame: NDArray[np.int64]
    own: NDArray[np.float64]
    total: NDArray[np.float64]
    names: list[str]
    kinds: list[str]


def recorded() -> Profile:
    """Return all recordings as one profile."""

    def blocks() -> Iterator[bytes]:
        for path in recordings():
            with path.open("rb") as text:
                while block := text.read(BLOCK_BYTES):
                    yield block

    return max(parse_perf_script(blocks()).profiles, key=lambda profile: profile.samples)


def split(
    profile: Profile, slices: int
) -> tuple[NDArray[np.int64], NDArray[np.int64], list[tuple[int, int]]]:
    """Return the part and node of every sample with a stack, and the thread and slice of every part."""
    time = profile.sample_time if profile.sample_time is not None else np.zeros(len(profile.sample_node))
    has_stack = profile.sample_node >= 0
    order = np.argsort(np.argsort(time[has_stack], kind="stable"), kind="stable")
    piece = order * slices // max(1, len(order))
    key = piece * len(profile.threads) + profile.sample_thread[has_stack]
    used, part = np.unique(key, return_inverse=True)
    count = len(profile.threads)
    parts = [(value % count, value // count) for value in used.tolist()]
    return part.astype(np.int64), profile.sample_node[has_stack].astype(np.int64), parts


def nodes_of(profile: Profile, part: NDArray[np.int64], node: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the sorted keys `part * N + node` of all samples and of all that called them."""
    size = len(profile.node_parent)
    parents = profile.node_parent.astype(np.int64)
    found = level = np.unique(part * size + node)
    while len(level):
        above = parents[level % size]
        level = np.unique((level // size * size + above)[above >= 0])
        level = level[~np.isin(level, found, assume_unique=True)]
        found = np.union1d(found, level)
    return found


def tree(profile: Profile, wanted: int) -> Tree:
    """Return a tree of about `wanted` nodes, parts in the order of time."""
    part, node, parts = split(profile, SLICES[wanted])
    keys = nodes_of(profile, part, node)
    size = len(profile.node_parent)
    last_part = int(keys[min(wanted, len(keys)) - 1] // size)
    keys = keys[: np.searchsorted(keys, (last_part + 1) * size)]
    inside = part <= last_part
    own = np.zeros(len(keys))
    np.add.at(own, np.searchsorted(keys, part[inside] * size + node[inside]), 1.0)
    return _preorder(profile, keys, own, parts[: last_part + 1])


def _preorder(
    profile: Profile, keys: NDArray[np.int64], own: NDArray[np.float64], parts: list[tuple[int, int]]
) -> Tree:
    size = len(profile.node_parent)
    part, nodes = keys // size, keys % size
    above = profile.node_parent[nodes].astype(np.int64)
    parent = np.where(above < 0, -1, np.searchsorted(keys, part * size + above))
    total = own.copy()
    for at in range(len(keys) - 1, -1, -1):
        if parent[at] >= 0:
            total[parent[at]] += total[at]
    children: dict[int, list[int]] = {}
    for at in np.argsort(-total, kind="stable").tolist():
        children.setdefault(int(parent[at]) if parent[at] >= 0 else -1 - int(part[at]), []).append(at)
    rows = _Rows([], [], [], [])
    names = [frame.name for frame in profile.frames]
    kinds = [frame.kind for frame in profile.frames]
    of_thread: dict[int, list[int]] = {}
    for number, (thread, _) in enumerate(parts):
        of_thread.setdefault(thread, []).append(number)
    for thread, numbers in of_thread.items():
        comm, _, tid = profile.threads[thread]
        names += [f"{comm} {tid}", *(f"slice {parts[number][1]}" for number in numbers)]
        kinds += ["unknown"] * (1 + len(numbers))
        weights = [float(total[children[-1 - number]].sum()) for number in numbers]
        rows.add(0, len(names) - len(numbers) - 1, 0.0, sum(weights))
        for place, (number, weight) in enumerate(zip(numbers, weights, strict=True)):
            rows.add(1, len(names) - len(numbers) + place, 0.0, weight)
            waiting = [(at, 2) for at in reversed(children[-1 - number])]
            while waiting:
                at, level = waiting.pop()
                rows.add(level, int(profile.node_frame[nodes[at]]), float(own[at]), float(total[at]))
                waiting += [(child, level + 1) for child in reversed(children.get(at, []))]
    depth, frame, selves, totals = (np.array(column) for column in rows)
    return Tree(depth, frame, selves, totals, names, kinds)


class _Rows(NamedTuple):
    depth: list[int]
    frame: list[int]
    own: list[float]
    total: list[float]

    def add(self, depth: int, frame: int, own: float, total: float) -> None:
        self.depth.append(depth)
        self.frame.append(frame)
        self.own.append(own)
        self.total.append(total)


def columns(tree: Tree, least_share: float) -> dict[str, Any]:
    """Return the columns the server would send, pruned below `least_share`."""
    whole = float(tree.total[tree.depth == 0].sum())
    shown = np.flatnonzero(tree.total >= least_share * whole)
    used, frame = np.unique(tree.frame[shown], return_inverse=True)
    return {
        "event": "cpu-clock",
        "unit": "samples",
        "total_weight": whole,
        "total_samples": whole,
        "names": [tree.names[at] for at in used],
        "kinds": [tree.kinds[at] for at in used],
        "depth": tree.depth[shown].tolist(),
        "frame": frame.tolist(),
        "self": tree.own[shown].astype(int).tolist(),
        "node": shown.tolist(),
        "total": tree.total[shown].astype(int).tolist(),
        "pruned_nodes": len(tree.depth) - len(shown),
    }


def nested(tree: Tree) -> dict[str, Any]:
    """Return the tree as d3-flame-graph takes it."""
    root: dict[str, Any] = {"name": "all", "value": float(tree.total[tree.depth == 0].sum()), "children": []}
    path = [root]
    for depth, frame, total in zip(
        tree.depth.tolist(), tree.frame.tolist(), tree.total.tolist(), strict=True
    ):
        made = {"name": tree.names[frame], "value": total, "children": []}
        del path[depth + 1 :]
        path[depth]["children"].append(made)
        path.append(made)
    return root


def main(sizes: list[int]) -> None:
    """Write `graph-<nodes>-{all,first,nested}.json` and `graph-<nodes>.json`, what they weigh."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    profile = recorded()
    for size in sizes:
        made = tree(profile, size)
        whole = json.dumps(columns(made, 0), separators=(",", ":")).encode()
        first = json.dumps(columns(made, FIRST_VIEW_SHARE), separators=(",", ":")).encode()
        theirs = json.dumps(nested(made), separators=(",", ":")).encode()
        for name, content in (("all", whole), ("first", first), ("nested", theirs)):
            (FOLDER / f"graph-{size}-{name}.json").write_bytes(content)
        row: dict[str, Any] = {"wanted": size, "nodes": len(made.depth)}
        for name, content in (("all", whole), ("first", first), ("nested", theirs)):
            row[f"{name}_bytes"] = len(content)
            row[f"{name}_gzip_bytes"] = len(gzip.compress(content, 6))
        (FOLDER / f"graph-{size}.json").write_text(json.dumps(row))
        sys.stderr.write(f"{row}\n")


if __name__ == "__main__":
    sys.setrecursionlimit(20_000)
    main([int(word) for word in sys.argv[1:]] or list(SLICES))
