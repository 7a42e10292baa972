"""The call tree as columns in preorder: the rows of a flame graph.

Example:
    {"names": ["main", "read"], "depth": [0, 1], "frame": [0, 1], "self": [1, 3], "total": [4, 3], …}

Totals are of all that is selected, also where light branches are left out. Samples without a stack are in
`total_weight` and in no row. Frames are numbered as they first appear. A node is the profile's own, so that
it is the same in every view; where several became one row it is the first of them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from ingest.export.arrangement import added_frames
from ingest.model.errors import UnsupportedQueryError
from ingest.native.views import first_time

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from ingest.export.arrangement import Arrangement
    from ingest.model.profile import Profile
    from ingest.native.views import View

Order = Literal["left-heavy", "alpha", "time", "chronological"]

MAX_ROWS = 200_000
MAX_STAYS = 10_000
"""Rows in chronological order: as many as a screen can show."""
WHOLE_BELOW = 2.0**53
"""Floats below it that are whole numbers are written as such."""


def graph(
    view: View,
    *,
    min_share: float = 0.001,
    root: int | None = None,
    keep: Sequence[int] = (),
    order: Order = "left-heavy",
    is_inverted: bool = False,
    row: tuple[int, int] | None = None,
    arrangement: Arrangement | None = None,
) -> dict[str, Any]:
    """Return the call tree of a view, ready for JSON.

    Args:
        view: What is selected.
        min_share: Nodes below this share of what is selected are left out.
        root: Only this node and what is below it.
        keep: Nodes that are never left out, nor are those above them.
        order: Siblings by weight, by name, as they were first seen; or `chronological`, one row for every
            uninterrupted stay in a function, with where it begins, and only the `MAX_STAYS` longest.
        is_inverted: Innermost frames outermost, their callers below. `node` is then the heaviest node a row
            represents, `leaf` where a stack of it ends, `self` what begins there; `keep` is ignored.
        row: Leaf and depth of a row of the inverted tree: only that and what is below it.
        arrangement: Commands as the first level, frames without a symbol joined; `joined` is how many nodes.
            Neither inverted nor chronological rows have one.

    Raises:
        CannotAnswerError: A recording without order is viewed chronologically.
    """
    least = min_share * view.total_weight
    if order == "chronological":
        return head(view) | _chronological(view, least)
    ranks = view.ranks() if order == "alpha" else np.zeros(0, dtype=np.int32)
    if is_inverted:
        raw = view.core.inverted(least, root, row, order, ranks, MAX_ROWS)
        return head(view) | rows(view.profile, raw) | {"leaf": integers(raw["leaf"])}
    if arrangement is not None:
        arranged = view.core.arranged_graph(arrangement, least, root, list(keep), order, ranks, MAX_ROWS)
        added = added_frames(view.profile)
        return head(view) | rows(view.profile, arranged, added) | {"joined": integers(arranged["joined"])}
    raw = view.core.graph(least, root, list(keep), order, ranks, MAX_ROWS)
    return head(view) | rows(view.profile, raw)


def head(view: View) -> dict[str, Any]:
    """Return what every answer about a view begins with."""
    return {
        "event": view.profile.event,
        "unit": view.unit,
        "total_weight": number(view.total_weight),
        "total_samples": number(view.total_samples),
    }


def rows(profile: Profile, raw: Mapping[str, Any], added: Sequence[tuple[str, str]] = ()) -> dict[str, Any]:
    """Return rows of the core as columns with the frames they use; `added` are after those of the profile."""
    return named(profile, np.frombuffer(raw["frame"], dtype="<i4"), added) | {
        "depth": integers(raw["depth"]),
        "self": floats(raw["self_weight"]),
        "node": integers(raw["node"]),
        "total": floats(raw["total"]),
        "pruned_nodes": raw["pruned"],
    }


def named(
    profile: Profile, column: NDArray[np.int32], added: Sequence[tuple[str, str]] = ()
) -> dict[str, Any]:
    """Return `names` and `kinds` of the frames in a column, and the column numbered by them; -1 stays."""
    used, frame = first_seen(column)
    count = len(profile.frames)
    own = [profile.frames[at][::2] if at < count else added[at - count] for at in used]
    return {
        "names": [name for name, _ in own],
        "kinds": [kind for _, kind in own],
        "frame": frame,
    }


def first_seen(column: NDArray[np.int32]) -> tuple[list[int], list[int]]:
    """Return the distinct values of a column as they first appear, and the column numbered by them.

    Negative values are none: they are not among the distinct ones and are -1 in the column.
    """
    distinct, first, inverse = np.unique(column, return_index=True, return_inverse=True)
    is_one = distinct >= 0
    order = np.argsort(np.where(is_one, first, len(column)), kind="stable")
    numbers = np.empty(len(distinct), dtype=np.int64)
    numbers[order] = np.arange(len(distinct))
    numbers[~is_one] = -1
    return distinct[order][: int(is_one.sum())].tolist(), numbers[inverse].tolist()


def compact(columns: dict[str, Any]) -> dict[str, Any]:
    """Return the same rows in fewer bytes: nodes as differences, weights as multiples of one step.

    `total` is empty: it is `self`, `rest` (what was left out right below) and the totals of the children.
    """
    depth = columns["depth"]
    total = np.array(columns["total"], dtype=np.float64)
    rest = total - np.array(columns["self"], dtype=np.float64)
    way: list[int] = []
    parents = np.full(len(depth), -1, dtype=np.int64)
    base = depth[0] if depth else 0
    for row, deep in enumerate(depth):
        del way[deep - base :]
        parents[row] = way[-1] if way else -1
        way.append(row)
    has_parent = parents >= 0
    np.subtract.at(rest, parents[has_parent], total[has_parent])
    own = np.array(columns["self"], dtype=np.float64)
    step = _step(np.concatenate((own, total)))
    # Sums of fractions leave crumbs.
    rest = np.where(np.abs(rest) <= 1e-9 * total, 0.0, rest)
    return {
        **{name: column for name, column in columns.items() if name not in {"node", "self"}},
        "compact": True,
        "total": [],
        "step": number(step),
        "node": np.diff(np.array(columns["node"], dtype=np.int64), prepend=0).tolist(),
        "self": numbers(own / step),
        "rest": numbers(rest / step),
    }


def integers(raw: bytes) -> list[int]:
    """Return an i4 column as a list."""
    return list(np.frombuffer(raw, dtype="<i4").tolist())


def floats(raw: bytes) -> list[float]:
    """Return an f8 column as a list; whole numbers without a fraction."""
    return numbers(np.frombuffer(raw, dtype="<f8"))


def numbers(column: NDArray[np.float64]) -> list[float]:
    """Return a column as a list; whole numbers without a fraction, when all are whole."""
    if _are_whole(column):
        return list(column.astype(np.int64).tolist())
    return list(column.tolist())


def number(value: float) -> float:
    """Return a whole number without a fraction."""
    return int(value) if float(value).is_integer() and abs(value) < WHOLE_BELOW else value


def _are_whole(column: NDArray[np.float64]) -> bool:
    return bool(np.all(np.abs(column) < WHOLE_BELOW) and np.all(np.floor(column) == column))


def _step(column: NDArray[np.float64]) -> float:
    """Return the largest number of which all are multiples, 1 when they are not whole."""
    if not len(column) or not _are_whole(column):
        return 1.0
    return float(np.gcd.reduce(column.astype(np.int64))) or 1.0


def _chronological(view: View, least: float) -> dict[str, Any]:
    if not view.profile.is_ordered:
        raise UnsupportedQueryError(
            "the samples of this profile have no order: a chronological view is not possible"
        )
    raw = view.core.chart(least, MAX_STAYS)
    columns = rows(view.profile, raw) | {
        "start": floats(raw["start"]),
        "first_sample": integers(raw["first_sample"]),
        "last_sample": integers(raw["last_sample"]),
    }
    origin = first_time(view.profile)
    if origin is not None:
        since = np.frombuffer(raw["time"], dtype="<f8") - origin
        columns["start_s"] = [None if np.isnan(time) else round(time, 6) for time in since.tolist()]
    return columns
