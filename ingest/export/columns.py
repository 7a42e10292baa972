"""The call tree as columns in preorder: what a flame graph draws.

Example:
    {"names": ["main", "read"], "depth": [0, 1], "frame": [0, 1], "self": [1.0, 3.0], "total": [4.0, 3.0], …}

Totals are of the whole profile, also where light branches are left out. Samples without a stack are in
`total_weight` and in no row.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from ingest.native import _core, weight_by_node

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from ingest.profile import Profile

Order = Literal["left-heavy", "alpha", "time"]

MAX_ROWS = 200_000


def graph(
    profile: Profile,
    *,
    min_share: float = 0.001,
    root: int | None = None,
    keep: Sequence[int] = (),
    order: Order = "left-heavy",
    is_inverted: bool = False,
) -> dict[str, Any]:
    """Return one view of the call tree, ready for JSON.

    Args:
        profile: The stacks.
        min_share: Nodes below this share of the whole profile are left out.
        root: Only this node and what is below it.
        keep: Nodes that are never left out, nor are those above them.
        order: Siblings by weight, by name, or as they were first seen.
        is_inverted: Innermost frames outermost, their callers below. `node` is then the heaviest node a row
            stands for, `self` what begins there, and nothing is kept.
    """
    total = profile.weight
    least = min_share * total
    ranks = _ranks(profile) if order == "alpha" else np.zeros(len(profile.frames), dtype=np.int32)
    tree = (
        profile.node_parent.astype("<i4").tobytes(),
        profile.node_frame.astype("<i4").tobytes(),
        weight_by_node(profile).astype("<f8").tobytes(),
    )
    sorting = ranks.astype("<i4").tobytes()
    if is_inverted:
        raw = _core.inverted_graph(*tree, least, root, order, sorting, MAX_ROWS)
    else:
        raw = _core.graph(*tree, least, root, list(keep), order, sorting, MAX_ROWS)
    used, frame = np.unique(np.frombuffer(raw["frame"], dtype="<i4"), return_inverse=True)
    return {
        "event": profile.event,
        "unit": profile.unit,
        "total_weight": total,
        "total_samples": profile.samples,
        "names": [profile.frames[at].name for at in used],
        "kinds": [profile.frames[at].kind for at in used],
        "depth": np.frombuffer(raw["depth"], dtype="<i4").tolist(),
        "frame": frame.tolist(),
        "self": np.frombuffer(raw["self_weight"], dtype="<f8").tolist(),
        "node": np.frombuffer(raw["node"], dtype="<i4").tolist(),
        "total": np.frombuffer(raw["total"], dtype="<f8").tolist(),
        "pruned_nodes": raw["pruned"],
    }


def _ranks(profile: Profile) -> NDArray[np.int32]:
    """Return the place of every frame when they are sorted by name."""
    names = sorted(range(len(profile.frames)), key=lambda at: profile.frames[at].name)
    ranks = np.empty(len(names), dtype=np.int32)
    ranks[names] = np.arange(len(names), dtype=np.int32)
    return ranks
