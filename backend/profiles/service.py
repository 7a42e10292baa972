"""Profile queries as JSON: call tree as columns, tables, diff trees, heat maps, lanes.

Weights come from the whole profile; pruning only drops rows that are not visible and reports their number.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

import ingest.model.errors
from backend.core.errors import InvalidRequestError, NotFoundError, UnsupportedQueryError
from backend.profiles.schemas import NodeLines
from ingest.export import columns, difference, functions, times, whole

if TYPE_CHECKING:
    from backend.profiles.views import ProfileHandle
    from ingest.model.profile import Profile
    from ingest.model.selection import Selection

MAX_KEEP_NODES = 20_000
MAX_EXEMPLARS = 20


@dataclass(frozen=True, slots=True)
class Tree:
    """Selected part and order of a call tree.

    Attributes:
        min_share: Nodes below this share of the selection are pruned, except `keep`.
        root: The node to start below; None for all. In an inverted tree the end node of a stack of the row.
        depth: Depth of the first row of an inverted subtree; None for none.
        keep: Nodes never pruned, with their ancestors.
        is_compact: Fewer bytes for many rows.
    """

    min_share: float = 0.001
    root: int | None = None
    depth: int | None = None
    keep: tuple[int, ...] = ()
    order: columns.Order = "left-heavy"
    is_inverted: bool = False
    is_compact: bool = False


def node_list(text: str) -> tuple[int, ...]:
    """Return the nodes of a comma-separated list.

    Raises:
        InvalidRequestError: It is malformed or too long.
    """
    parts = [part.strip() for part in text.split(",") if part.strip()]
    if len(parts) > MAX_KEEP_NODES:
        raise InvalidRequestError(f"keep takes at most {MAX_KEEP_NODES:,} nodes")
    if not all(part.isascii() and part.isdecimal() for part in parts):
        raise InvalidRequestError("keep takes comma-separated node numbers: 3,17,204")
    return tuple(sorted({int(part) for part in parts}))


def graph(handle: ProfileHandle, selection: Selection, tree: Tree) -> bytes:
    """Return the call tree of a selection.

    Raises:
        NotFoundError: The profile has no such node, or the selection has no such row.
    """
    selected = handle.view(selection)
    for node in (*tree.keep[-1:], *(() if tree.root is None else (tree.root,))):
        check_node(selected.profile, node)
    if tree.root is not None and not selected.core.holds(tree.root):
        raise NotFoundError(f"no selected sample passes through node {tree.root}")
    row = None if tree.depth is None or tree.root is None else (tree.root, tree.depth)
    tree_document = columns.graph(
        selected,
        min_share=tree.min_share,
        root=tree.root if row is None else None,
        keep=tree.keep,
        order=tree.order,
        is_inverted=tree.is_inverted,
        row=row,
    )
    if row is not None and not tree_document["node"]:
        raise NotFoundError(f"node {tree.root} has no callers {tree.depth} above it")
    if tree.is_compact:
        if "start" in tree_document:
            raise UnsupportedQueryError("rows in chronological order have no compact form")
        tree_document = columns.compact(tree_document)
    return answer(handle, tree_document)


def table(handle: ProfileHandle, selection: Selection, **options: Any) -> bytes:
    """Return a page of the functions by name."""
    return answer(handle, functions.table(handle.view(selection), **options))


def sandwich(
    handle: ProfileHandle,
    selection: Selection,
    name: str,
    *,
    min_share: float,
    order: Literal["left-heavy", "alpha", "time"],
) -> bytes:
    """Return the callers and callees of a function.

    Raises:
        NotFoundError: No selected sample passes through it.
    """
    view = functions.sandwich(handle.view(selection), name, min_share=min_share, order=order)
    if view is None:
        raise NotFoundError(f"no selected sample passes through {name}")
    return answer(handle, view)


def diff(
    handle: ProfileHandle,
    base: ProfileHandle,
    selection: Selection,
    base_selection: Selection,
    **options: Any,
) -> bytes:
    """Return the diff tree of two selections; `base` is a, the other b."""
    view = difference.difference(base.view(base_selection), handle.view(selection), **options)
    return answer(handle, {"base_id": str(base.profile_id), **view, "base_whole": base.whole()})


def heat(handle: ProfileHandle, selection: Selection, *, rows: int, column_seconds: float) -> bytes:
    """Return the sample counts by time column and row."""
    return answer(handle, times.heat(handle.view(selection), rows=rows, column_seconds=column_seconds))


def lanes(handle: ProfileHandle, selection: Selection, **options: Any) -> bytes:
    """Return the spans of samples by lane."""
    return answer(handle, times.lanes(handle.view(selection), **options))


def overview(handle: ProfileHandle) -> bytes:
    """Return the summary of the whole recording with CPUs and threads."""
    return answer(handle, whole.who(handle.profile()))


def answer(handle: ProfileHandle, view: dict[str, Any]) -> bytes:
    """Return a response as JSON, including the summary of the whole recording."""
    document = {"profile_id": str(handle.profile_id), **view, "whole": handle.whole()}
    return json.dumps(document, separators=(",", ":"), allow_nan=False, ensure_ascii=False).encode(
        "utf-8", "replace"
    )


def of_base(
    selection: Selection,
    t0: float | None,
    t1: float | None,
    from_sample: int | None,
    to_sample: int | None,
) -> Selection:
    """Return the selection of the base: as the query, with its own ranges."""
    return replace(selection, t0=t0, t1=t1, from_sample=from_sample, to_sample=to_sample)


def node_lines(handle: ProfileHandle, selection: Selection, node: int) -> NodeLines:
    """Return where the frame of `node` was first printed, and lines of selected samples through it.

    Raises:
        NotFoundError: The profile has no such node.
        UnsupportedQueryError: The recording lacks the data for the selection.
    """
    try:
        view = handle.view(selection)
    except ingest.model.errors.UnsupportedQueryError as error:
        raise UnsupportedQueryError(str(error)) from error
    profile = view.profile
    check_node(profile, node)
    inside = np.frombuffer(view.core.below(node), dtype=np.bool_)
    raw = view.core.columns()
    ends = np.frombuffer(raw["sample_node"], dtype="<i4")
    is_below = np.zeros(len(ends), dtype=np.bool_)
    is_below[ends >= 0] = inside[ends[ends >= 0]]
    samples = np.frombuffer(raw["position"], dtype="<i4")[is_below]
    heaviest = samples[np.argsort(-profile.sample_weight[samples], kind="stable")[:MAX_EXEMPLARS]]
    return NodeLines(
        evidence_id=handle.place.evidence_id,
        node=node,
        first_line=int(profile.node_line[node]),
        lines=sorted({int(line) for line in profile.sample_line[heaviest]}),
    )


def check_node(profile: Profile, node: int) -> None:
    """Check that the profile has the node.

    Raises:
        NotFoundError: It does not exist.
    """
    if not 0 <= node < len(profile.node_parent):
        raise NotFoundError(f"the profile has no node {node}; it has {len(profile.node_parent)}")
