"""The profile of a table that has call trees: every row's own share, on the stacks printed below it.

perf leaves out branches below half a percent without a placeholder. Where a stack does not reach a
function that threads, interrupts or system calls begin with, a frame marks its callers as unknown.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ingest.frames.kernel_entries import kinds
from ingest.model.profile import UNKNOWN_CALLEES, UNKNOWN_CALLERS, Frame, Thread
from ingest.parsing.profile_builder import PlacedFrame, StackBuilder, kind_of_stack
from ingest.readers.perf.perf_table import children
from ingest.readers.perf.perf_table.rows import Row
from ingest.readers.perf.perf_table.trees import ROUNDING, may_be_same

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ingest.model.profile import Profile
    from ingest.readers.perf.perf_table.trees import Named, Tree


def profile(
    event: str, samples: float, rows: Sequence[tuple[int, Row, Tree]], *, has_children: bool
) -> Profile | None:
    """Return the stacks of a table that has trees, weighed by share; what no row names has no stack.

    Args:
        event: As the header names it.
        samples: How many the header states, rounded by perf.
        rows: Line, row and tree of each; rows without a tree are stacks of one function.
        has_children: The rows' shares are Children and Self.
    """
    if not any(tree for _, _, tree in rows):
        return None
    found = [
        (line, row, _open_ended(leaf_first), weight)
        for line, row, leaf_first, weight in charged(rows, has_children=has_children)
        if weight
    ]
    if not found:
        return None
    by_name = _places(found)
    builder = StackBuilder()
    for line, row, leaf_first, weight in found:
        own = Frame(row.name, row.module, row.kind)
        frames = [PlacedFrame(own, leaf_first[0][1])]
        frames += [
            PlacedFrame(by_name.get(name, Frame(name, "", "unknown")), at) for name, at in leaf_first[1:]
        ]
        thread = Thread(row.comm, -1, -1)
        builder.add(frames, line=line, weight=weight, count=weight * samples, thread=thread)
    remaining = 1.0 - sum(weight for _, _, _, weight in found)
    if remaining > ROUNDING:
        builder.add([], line=rows[0][0], weight=remaining, count=remaining * samples)
    return builder.build(event=event, unit="share", what="cpu", has_weights=True)


def open_share(found: Profile) -> float:
    """Return the share of the profile's weight at or below a frame for functions that are left out."""
    is_open = np.array([frame.name in (UNKNOWN_CALLERS, UNKNOWN_CALLEES) for frame in found.frames])
    below = np.zeros(len(found.node_parent), dtype=np.bool_)
    for node, (parent, frame) in enumerate(zip(found.node_parent, found.node_frame, strict=True)):
        below[node] = is_open[frame] or (parent >= 0 and below[parent])
    stacked = found.sample_node >= 0
    return float(found.sample_weight[stacked][below[found.sample_node[stacked]]].sum())


_Charged = tuple[int, "Row", "Sequence[Named]", float]


def charged(rows: Sequence[tuple[int, Row, Tree]], *, has_children: bool) -> Iterator[_Charged]:
    """Yield line, row, stack from the inside out, and the row's own share in it; none if undecidable."""
    yield from (_of_children if has_children else _of_self)(rows)


def _of_self(rows: Sequence[tuple[int, Row, Tree]]) -> Iterator[_Charged]:
    """Yield line, row, stack from the inside out, and weight of a table without children."""
    is_callee_first = sum(tree.votes(row) for _, row, tree in rows) >= 0
    for line, row, tree in rows:
        for printed, weight in tree.stacks(row.shares[0]):
            yield line, row, _leaf_first(printed, (row.name, line), is_callee_first=is_callee_first), weight


def _of_children(rows: Sequence[tuple[int, Row, Tree]]) -> Iterator[_Charged]:
    """Yield the same of a table with children; nothing if the direction is undecidable."""
    callchain_order = children.order(rows)
    if not callchain_order:
        return
    found = [
        (line, row, stack.names, stack.share)
        for line, row, tree in rows
        for stack in children.stacks(line, row, tree, callchain_order)
    ]
    has_callers = any(len(names) > 1 for _, _, names, _ in found)
    yield from found if callchain_order == "callee" or has_callers else _of_descents(rows)


def _of_descents(rows: Sequence[tuple[int, Row, Tree]]) -> Iterator[_Charged]:
    """Yield what is below the outermost functions, and what of the rows is not among that."""
    own = {(row.comm, row.name): row.shares[1] for _, row, _ in rows}
    row_of = {(row.comm, row.name): row for _, row, _ in rows}
    for descent in children.descents(rows):
        name, line = descent.names[-1]
        at = (descent.comm, name)
        own[at] = own.get(at, 0.0) - descent.share
        row = row_of.get(at) or Row((descent.share,), name, "", descent.comm, "kernel")
        yield line, row, descent.names[::-1], descent.share
    for line, row, _ in rows:
        remaining = own.pop((row.comm, row.name), 0.0)
        if remaining > ROUNDING:
            yield line, row, [(row.name, line)], remaining


def _leaf_first(printed: Sequence[Named], own: Named, *, is_callee_first: bool) -> list[Named]:
    """Return a path from the row's own function outwards; some trees spell it by another address."""
    path = list(printed) if is_callee_first else list(printed[::-1])
    if path and may_be_same(path[0][0], own[0]):
        return [(own[0], path[0][1]), *path[1:]]
    return [own, (UNKNOWN_CALLERS, own[1]), *path] if path and not is_callee_first else [own, *path]


def _open_ended(leaf_first: Sequence[Named]) -> list[Named]:
    """Return the stack, with a frame for unknown callers if it does not reach an entry.

    A function alone is one whose callers perf left out: even an entry has something to return to.
    """
    name, line = leaf_first[-1]
    if len(leaf_first) == 1 or kind_of_stack([name]) == "unknown":
        return [*leaf_first, (UNKNOWN_CALLERS, line)]
    return list(leaf_first)


def _places(found: Sequence[tuple[int, Row, Sequence[Named], float]]) -> dict[str, Frame]:
    """Return what is known of the functions: by the rows, and kernel what was once seen below an entry."""
    frame_of = {row.name: Frame(row.name, row.module, row.kind) for _, row, _, _ in found}
    frame_of[UNKNOWN_CALLERS] = Frame(UNKNOWN_CALLERS, "", "unknown")
    for _, _, leaf_first, _ in found:
        root_first = [name for name, _ in reversed(leaf_first)]
        for name, kind in zip(root_first, kinds(root_first), strict=True):
            if kind == "kernel":
                frame_of.setdefault(name, Frame(name, "", kind))
    return frame_of
