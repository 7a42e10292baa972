"""Merged stacks of the runs of one build as a JSON document, as baselines in the service store them.

    {"event": "cpu-clock", "unit": "ns", "samples": 9240, "names": ["main"], "kinds": ["user"], "depth": [0],
    "frame": [0], "self": [1.2e6]}

Rows are the call tree in preorder. `self` is the weight of a row per unit of work, the mean of the runs.
Where a tree has more rows than are stored, the lightest go, and a row named `[pruned]` has their weight.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ingest.comparison.costs import name_of
from ingest.comparison.costs_document import CostsDocumentError
from ingest.comparison.document_values import column, number, symbol, text
from ingest.export.columns import graph
from ingest.model.profile import NO_CPU, ROOT, Frame, Profile, Thread

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from ingest.comparison.costs import Run

MAX_ROWS = 20_000
MAX_DEPTH = 1000
KINDS = frozenset({"kernel", "module", "user", "jit", "unknown"})
PLAIN_UNITS = frozenset({"ns", "samples"})
PRUNED = "unknown.[pruned]"


class _Node(NamedTuple):
    """A node of the merged tree: weight of itself alone, and the nodes below by `kind.name`."""

    own: list[float]
    below: dict[str, _Node]


def to_document(runs: Sequence[Run], *, max_rows: int = MAX_ROWS) -> dict[str, Any] | None:
    """Return the merged stacks of `runs` as JSON values; None where a run has none at hand."""
    root = _Node([0.0], {})
    for run in runs:
        if run.view is None:
            return None
        _add(root, run, len(runs))
    first = runs[0].costs
    return {
        "event": first.event,
        "unit": first.unit,
        "samples": sum(run.costs.samples for run in runs),
        **_columns(root, max_rows),
    }


def from_document(document: Mapping[str, Any]) -> Profile:
    """Return the profile of a document that `to_document` wrote.

    Raises:
        CostsDocumentError: A column is missing, of another type or length, or describes no tree.
    """
    try:
        depth, frame = (np.array(column(document[key], int), dtype=np.int32) for key in ("depth", "frame"))
        own = np.array([number(weight) for weight in document["self"]], dtype=np.float64)
        names = [symbol(name) for name in column(document["names"], str)]
        kinds = column(document["kinds"], str)
        samples = number(document["samples"])
        event, unit = text(document["event"]), text(document["unit"])
    except KeyError as error:
        raise CostsDocumentError(f"the stacks have no field {error}") from None
    except (OverflowError, TypeError, ValueError) as error:
        raise CostsDocumentError(f"these are not stacks: {error}") from None
    if set(kinds) - KINDS:
        raise CostsDocumentError(f"the kinds of frames are {', '.join(sorted(KINDS))}")
    _check_tree(depth, frame, own, len(names), len(kinds))
    total = float(own.sum())
    if not (total and samples):
        raise CostsDocumentError("the stacks have no weight or no samples")
    rows = len(depth)
    return Profile(
        event=event,
        unit=unit if unit in PLAIN_UNITS else f"period:{unit}",
        frames=tuple(Frame(name, "", kind) for name, kind in zip(names, kinds, strict=True)),
        node_parent=_parents(depth),
        node_frame=frame,
        node_line=np.ones(rows, dtype=np.int32),
        sample_node=np.arange(rows, dtype=np.int32),
        sample_weight=own,
        sample_count=own / total * samples,
        sample_time=None,
        sample_cpu=np.full(rows, NO_CPU, dtype=np.int32),
        sample_thread=np.zeros(rows, dtype=np.int32),
        sample_line=np.ones(rows, dtype=np.int32),
        threads=(Thread("", -1, -1),),
        is_ordered=False,
        has_weights=True,
    )


def _add(root: _Node, run: Run, runs: int) -> None:
    assert run.view is not None  # noqa: S101 - checked by the caller
    profile = run.view.profile
    tree = graph(run.view, min_share=0.0)
    names = [name_of(frame) for frame in profile.frames]
    path = [root]
    for deep, node, own in zip(tree["depth"], tree["node"], tree["self"], strict=True):
        del path[deep + 1 :]
        name = names[profile.node_frame[node]]
        found = path[-1].below.get(name)
        if found is None:
            found = path[-1].below[name] = _Node([0.0], {})
        found.own[0] += own / run.work / runs
        path.append(found)


def _columns(root: _Node, max_rows: int) -> dict[str, Any]:
    rows: list[tuple[int, str, float, float]] = []
    _preorder(root, rows)
    least = sorted((total for *_, total in rows), reverse=True)[max_rows - 1] if len(rows) > max_rows else 0.0
    names: dict[str, int] = {}
    depth: list[int] = []
    frame: list[int] = []
    own: list[float] = []
    for deep, name, weight in _kept(rows, least):
        depth.append(deep)
        frame.append(names.setdefault(name, len(names)))
        own.append(float(f"{weight:.6g}"))
    parts = [name.partition(".") for name in names]
    return {
        "names": [name for _, _, name in parts],
        "kinds": [kind for kind, _, _ in parts],
        "depth": depth,
        "frame": frame,
        "self": own,
    }


def _preorder(root: _Node, rows: list[tuple[int, str, float, float]]) -> None:
    """Append depth, name, own and total weight of every node below `root`, without recursion."""
    pending = [(0, name, node) for name, node in reversed(root.below.items())]
    while pending:
        deep, name, node = pending.pop()
        rows.append((deep, name, node.own[0], 0.0))
        pending += [(deep + 1, below, one) for below, one in reversed(node.below.items())]
    sums: list[float] = []
    for at in range(len(rows) - 1, -1, -1):
        deep, name, own, _ = rows[at]
        del sums[deep + 2 :]
        sums += [0.0] * (deep + 2 - len(sums))
        total = own + sums[deep + 1]
        sums[deep + 1] = 0.0
        sums[deep] += total
        rows[at] = (deep, name, own, total)


def _kept(rows: Sequence[tuple[int, str, float, float]], least: float) -> Iterator[tuple[int, str, float]]:
    """Yield depth, name and own weight of the rows of at least so much weight.

    The first row below each of them has what was left out there.
    """
    kept: list[tuple[int, str, float]] = []
    rest = [0.0]
    path: list[int] = []
    pruned_at = MAX_DEPTH
    for deep, name, own, total in rows:
        if deep > pruned_at:
            continue
        del path[deep:]
        if total < least or deep >= MAX_DEPTH - 2:
            pruned_at = deep
            rest[path[-1] + 1 if path else 0] += total
            continue
        pruned_at = MAX_DEPTH
        path.append(len(kept))
        kept.append((deep, name, own))
        rest.append(0.0)
    if rest[0]:
        yield 0, PRUNED, rest[0]
    for (deep, name, own), left_out in zip(kept, rest[1:], strict=True):
        yield deep, name, own
        if left_out:
            yield deep + 1, PRUNED, left_out


def _check_tree(
    depth: np.ndarray[Any, Any],
    frame: np.ndarray[Any, Any],
    own: np.ndarray[Any, Any],
    names: int,
    kinds: int,
) -> None:
    rows = len(depth) if depth.ndim == 1 else 0
    if not 0 < rows <= 2 * MAX_ROWS or frame.shape != (rows,) or own.shape != (rows,) or names != kinds:
        raise CostsDocumentError(
            f"depth, frame and self are columns of one length, at most {2 * MAX_ROWS:,}, and names have kinds"
        )
    is_tree = depth[0] == 0 and (depth >= 0).all() and (np.diff(depth) <= 1).all() and depth.max() < MAX_DEPTH
    if not is_tree or (frame < 0).any() or (frame >= names).any():
        raise CostsDocumentError("the rows are no call tree in preorder, or name a frame that is not there")


def _parents(depth: np.ndarray[Any, Any]) -> np.ndarray[Any, np.dtype[np.int32]]:
    parents = np.full(len(depth), ROOT, dtype=np.int32)
    path: list[int] = []
    for row, deep in enumerate(depth.tolist()):
        del path[deep:]
        if path:
            parents[row] = path[-1]
        path.append(row)
    return parents
