"""Views of a profile: the call tree as columns, folded stacks, speedscope's JSON, exemplar lines.

The whole profile is weighed here; a view only leaves out what the page could not show.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np

from backend.core.errors import InvalidRequestError, NotFoundError
from backend.evidence import readings
from backend.profiles.schemas import NodeLines
from ingest.export import columns
from ingest.export import folded as folded_stacks
from ingest.export import speedscope as speedscope_file

if TYPE_CHECKING:
    from backend.core.storage import Store
    from backend.models.profile import Profile as ProfileRow
    from backend.profiles.queries import Place
    from ingest.profile import Profile

MAX_KEPT_NODES = 20_000
MAX_EXEMPLARS = 20


@dataclass(frozen=True, slots=True)
class View:
    """Which part of a call tree is asked for, and in which order.

    Attributes:
        min_share: Nodes below this share of the whole profile are left out, unless kept.
        root: The node to start below; None for all.
        keep: Nodes that are never left out, nor are those above them.
    """

    min_share: float
    root: int | None
    keep: tuple[int, ...]
    order: Literal["left-heavy", "alpha", "time"]
    is_inverted: bool


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


def load(store: Store, row: ProfileRow, place: Place) -> Profile:
    """Return the columns of a profile."""
    return readings.load(store, place.store_key, place.digest).profiles[row.ordinal]


def graph(store: Store, row: ProfileRow, place: Place, view: View) -> bytes:
    """Return one view of the call tree as JSON.

    Raises:
        NotFoundError: The profile has no such node.
    """
    profile = load(store, row, place)
    for node in (*view.keep[-1:], *(() if view.root is None else (view.root,))):
        _check_node(profile, node)
    told = columns.graph(
        profile,
        min_share=view.min_share,
        root=view.root,
        keep=view.keep,
        order=view.order,
        is_inverted=view.is_inverted,
    )
    return json.dumps({"profile_id": str(row.id), **told}, separators=(",", ":")).encode()


def speedscope(store: Store, row: ProfileRow, place: Place) -> bytes:
    """Return the profile as a speedscope file."""
    profile = load(store, row, place)
    return json.dumps(
        speedscope_file.document([profile], name=place.evidence_name), separators=(",", ":")
    ).encode()


def folded(store: Store, row: ProfileRow, place: Place, *, weight: Literal["samples", "period"]) -> str:
    """Return the profile as folded stacks."""
    return folded_stacks.text(load(store, row, place), weight=weight)


def node_lines(store: Store, row: ProfileRow, place: Place, node: int) -> NodeLines:
    """Return where the frame of `node` was first printed, and lines of samples that end in it or below.

    Raises:
        NotFoundError: The profile has no such node.
    """
    profile = load(store, row, place)
    _check_node(profile, node)
    inside = np.zeros(len(profile.node_parent), dtype=bool)
    inside[node] = True
    for child in range(node + 1, len(inside)):
        parent = profile.node_parent[child]
        inside[child] = parent >= 0 and inside[parent]
    has_stack = profile.sample_node >= 0
    is_below = np.zeros(len(profile.sample_node), dtype=bool)
    is_below[has_stack] = inside[profile.sample_node[has_stack]]
    samples = np.flatnonzero(is_below)
    heaviest = samples[np.argsort(-profile.sample_weight[samples], kind="stable")[:MAX_EXEMPLARS]]
    return NodeLines(
        evidence_id=place.evidence_id,
        node=node,
        first_line=int(profile.node_line[node]),
        lines=sorted({int(line) for line in profile.sample_line[heaviest]}),
    )


def _check_node(profile: Profile, node: int) -> None:
    if not 0 <= node < len(profile.node_parent):
        raise NotFoundError(f"the profile has no node {node}; it has {len(profile.node_parent)}")
