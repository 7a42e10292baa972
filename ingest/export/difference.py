"""Difference of two views as one tree: the weights of every path, and the change of its share.

Example:
    {"names": ["main"], "depth": [0], "weight_a": [4], "weight_b": [2], "delta": [-0.75], "node_b": [0], …}

Paths are joined by the normalised names of their functions, so that another build of a kernel is the same
kernel; functions without a name by their module. Shares are of each side's own selection.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from ingest.export.columns import MAX_ROWS, first_seen, floats, integers, number
from ingest.export.whole import UNKNOWN
from ingest.frames.normalise import normalise

if TYPE_CHECKING:
    from ingest.model.profile import Frame
    from ingest.native.views import View

Order = Literal["left-heavy", "alpha", "delta"]


def difference(
    before: View,
    after: View,
    *,
    min_share: float = 0.001,
    min_delta: float = 0.0,
    order: Order = "left-heavy",
) -> dict[str, Any]:
    """Return `before` (a) and `after` (b) as one tree in preorder.

    Args:
        before: One side.
        after: The other side.
        min_share: Rows are left out when they are below this share of both sides.
        min_delta: Rows are left out when neither they nor anything below them changed by this share.
        order: Siblings by the sum of shares, by name, or by how much they changed.
    """
    numbers: dict[tuple[str, str], int] = {}
    shown: list[Frame] = []
    sides = []
    for view in (before, after):
        column = np.empty(len(view.profile.frames), dtype=np.int32)
        for at, frame in enumerate(view.profile.frames):
            name = normalise(frame.name)
            key = (name, frame.module if name == UNKNOWN else "")
            column[at] = numbers.setdefault(key, len(numbers))
            if len(shown) < len(numbers):
                shown.append(frame._replace(name=name))
        sides.append(column)
    ranks = np.empty(len(shown), dtype=np.int32)
    ranks[sorted(range(len(shown)), key=lambda at: shown[at].name)] = np.arange(len(shown), dtype=np.int32)
    raw = before.core.diff(after.core, (sides[0], sides[1]), min_share, min_delta, order, ranks, MAX_ROWS)
    used, frame_column = first_seen(np.frombuffer(raw["name"], dtype="<i4"))
    weight_a, weight_b = (np.frombuffer(raw[name], dtype="<f8") for name in ("weight_a", "weight_b"))
    delta = weight_b / (after.total_weight or 1.0) - weight_a / (before.total_weight or 1.0)
    return {
        "event": after.profile.event,
        "base_event": before.profile.event,
        "unit": after.unit,
        "base_unit": before.unit,
        "total_a": number(before.total_weight),
        "total_b": number(after.total_weight),
        "samples_a": number(before.total_samples),
        "samples_b": number(after.total_samples),
        "names": [shown[at].name for at in used],
        "kinds": [shown[at].kind for at in used],
        "depth": integers(raw["depth"]),
        "frame": frame_column,
        "weight_a": floats(raw["weight_a"]),
        "weight_b": floats(raw["weight_b"]),
        "self_a": floats(raw["self_a"]),
        "self_b": floats(raw["self_b"]),
        "delta": np.round(delta, 6).tolist(),
        "node_a": integers(raw["node_a"]),
        "node_b": integers(raw["node_b"]),
        "only_a_share": round(raw["only"][0], 9),
        "only_b_share": round(raw["only"][1], 9),
        "pruned_nodes": raw["pruned"],
    }
