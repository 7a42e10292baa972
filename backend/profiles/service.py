"""Answers about profiles as JSON: the call tree as columns, tables, differences, samples in time.

The whole profile is weighed here; an answer only leaves out what the page could not show, and says how much.
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
    from backend.profiles.views import Kept
    from ingest.model.profile import Profile
    from ingest.model.selection import Selection

MAX_KEPT_NODES = 20_000
MAX_EXEMPLARS = 20


@dataclass(frozen=True, slots=True)
class Tree:
    """Which part of a call tree is asked for, and in which order.

    Attributes:
        min_share: Nodes below this share of what is selected are left out, unless kept.
        root: The node to start below; None for all. In an inverted tree a node where a stack of the row ends.
        depth: How deep the row is that an inverted subtree begins with; None for no inverted subtree.
        keep: Nodes that are never left out, nor are those above them.
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
        InvalidRequestError: It is no such list, or too long.
    """
    parts = [part.strip() for part in text.split(",") if part.strip()]
    if len(parts) > MAX_KEPT_NODES:
        raise InvalidRequestError(f"at most {MAX_KEPT_NODES:,} nodes can be kept")
    if not all(part.isascii() and part.isdecimal() for part in parts):
        raise InvalidRequestError("keep takes node numbers with commas between: 3,17,204")
    return tuple(sorted({int(part) for part in parts}))


def graph(kept: Kept, selection: Selection, tree: Tree) -> bytes:
    """Return the call tree of a selection.

    Raises:
        NotFoundError: The profile has no such node, or the selection has no such row.
    """
    view = kept.view(selection)
    for node in (*tree.keep[-1:], *(() if tree.root is None else (tree.root,))):
        check_node(view.profile, node)
    if tree.root is not None and not view.core.holds(tree.root):
        raise NotFoundError(f"nothing that is selected passes through node {tree.root}")
    row = None if tree.depth is None or tree.root is None else (tree.root, tree.depth)
    told = columns.graph(
        view,
        min_share=tree.min_share,
        root=tree.root if row is None else None,
        keep=tree.keep,
        order=tree.order,
        is_inverted=tree.is_inverted,
        row=row,
    )
    if row is not None and not told["node"]:
        raise NotFoundError(f"node {tree.root} has no callers {tree.depth} above it")
    if tree.is_compact:
        if "start" in told:
            raise UnsupportedQueryError("rows in chronological order have no compact form")
        told = columns.compact(told)
    return answer(kept, told)


def table(kept: Kept, selection: Selection, **asked: Any) -> bytes:
    """Return a page of the functions by name."""
    return answer(kept, functions.table(kept.view(selection), **asked))


def sandwich(
    kept: Kept,
    selection: Selection,
    name: str,
    *,
    min_share: float,
    order: Literal["left-heavy", "alpha", "time"],
) -> bytes:
    """Return who calls a function and what it calls.

    Raises:
        NotFoundError: No sample that is selected passes through it.
    """
    told = functions.sandwich(kept.view(selection), name, min_share=min_share, order=order)
    if told is None:
        raise NotFoundError(f"no sample that is selected passes through {name}")
    return answer(kept, told)


def diff(kept: Kept, base: Kept, selection: Selection, base_selection: Selection, **asked: Any) -> bytes:
    """Return two selections as one tree; `base` is a, the other b."""
    told = difference.difference(base.view(base_selection), kept.view(selection), **asked)
    return answer(kept, {"base_id": str(base.profile_id), **told, "base_whole": base.whole()})


def heat(kept: Kept, selection: Selection, *, rows: int, column_seconds: float) -> bytes:
    """Return how many samples there were in every part of every column of time."""
    return answer(kept, times.heat(kept.view(selection), rows=rows, column_seconds=column_seconds))


def lanes(kept: Kept, selection: Selection, **asked: Any) -> bytes:
    """Return who ran where and when."""
    return answer(kept, times.lanes(kept.view(selection), **asked))


def overview(kept: Kept) -> bytes:
    """Return the truth about the whole recording, and who is in it."""
    return answer(kept, whole.who(kept.profile()))


def answer(kept: Kept, told: dict[str, Any]) -> bytes:
    """Return an answer as JSON, with the truth about the whole recording."""
    document = {"profile_id": str(kept.profile_id), **told, "whole": kept.whole()}
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
    """Return the selection of a base: everything alike but the ranges, which are its own."""
    return replace(selection, t0=t0, t1=t1, from_sample=from_sample, to_sample=to_sample)


def node_lines(kept: Kept, selection: Selection, node: int) -> NodeLines:
    """Return where the frame of `node` was first printed, and lines of selected samples that pass through it.

    Raises:
        NotFoundError: The profile has no such node.
        UnsupportedQueryError: The recording does not tell what is selected.
    """
    try:
        view = kept.view(selection)
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
        evidence_id=kept.place.evidence_id,
        node=node,
        first_line=int(profile.node_line[node]),
        lines=sorted({int(line) for line in profile.sample_line[heaviest]}),
    )


def check_node(profile: Profile, node: int) -> None:
    """Refuse a node that the profile does not have.

    Raises:
        NotFoundError: There is none.
    """
    if not 0 <= node < len(profile.node_parent):
        raise NotFoundError(f"the profile has no node {node}; it has {len(profile.node_parent)}")
