"""Functions by name: the table of all, and callers and callees of one (sandwich view).

Examples:
    {"items": [{"name": "shrink_lruvec", "self": 3, "total": 4, "self_share": 0.75, …}], "matched": None, …}
    {"name": "vfs_read", "total": 3, "callers": {"names": […], "depth": […], …}, "callees": {…}}

A sample counts once for a name, however often it occurs in the stack: at the outermost call.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from ingest.export.columns import MAX_ROWS, head, number, rows

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ingest.model.profile import Frame
    from ingest.native.views import View

Sort = Literal["self", "total", "name"]


def table(
    view: View,
    *,
    sort: Sort = "self",
    is_descending: bool = True,
    query: str = "",
    offset: int = 0,
    limit: int = 100,
) -> dict[str, Any]:
    """Return a page of the functions of a view with what they weigh.

    Args:
        view: What is selected.
        sort: By own weight, by that of whole stacks, or by name; equal ones by name.
        is_descending: The most, or the last name, first.
        query: A part of the name in whatever case, or a regular expression between slashes.
        offset: How many of the sorted functions to leave out.
        limit: How many to give.

    Raises:
        UnsupportedQueryError: The regular expression is none.
    """
    own, total, is_there = view.by_name
    is_shown = is_there.copy()
    matched = None
    if query:
        frames = np.frombuffer(view.found(_expression(query)), dtype=np.uint8)
        is_found = np.zeros(len(view.names), dtype=np.bool_)
        is_found[view.name_of_frame[frames != 0]] = True
        is_shown &= is_found
        weight = view.core.passing(frames.tobytes())
        matched = {
            "names": int(is_shown.sum()),
            "weight": number(weight),
            "share": _share(weight, view.total_weight),
        }
    found = np.flatnonzero(is_shown)
    page = _sorted(view, found, own, total, sort, is_descending=is_descending)[offset : offset + limit]
    frames_of = _frames(view)
    return head(view) | {
        "count": len(found),
        "offset": offset,
        "items": [_item(view, frames_of[at], float(own[at]), float(total[at])) for at in page],
        "matched": matched,
    }


def sandwich(
    view: View,
    name: str,
    *,
    min_share: float = 0.001,
    order: Literal["left-heavy", "alpha", "time"] = "left-heavy",
) -> dict[str, Any] | None:
    """Return who calls a function and what it calls, None when no selected sample passes through it.

    The first row of both trees is the function itself. Rows of callers go outwards: `self` begins there.
    """
    frames = np.array([frame.name == name for frame in view.profile.frames], dtype=np.uint8)
    ranks = view.ranks() if order == "alpha" else np.zeros(0, dtype=np.int32)
    above, below, calls = view.core.sandwich(
        frames.tobytes(), min_share * view.total_weight, order, ranks, MAX_ROWS
    )
    if not calls or not below["frame"]:
        return None
    own, total, _ = view.by_name
    at = view.names.index(name)
    return head(view) | {
        **_item(view, _frames(view)[at], float(own[at]), float(total[at])),
        "nodes": calls,
        "callers": rows(view.profile, above),
        "callees": rows(view.profile, below),
    }


def _expression(query: str) -> str:
    if len(query) > 2 and query.startswith("/") and query.endswith("/"):
        return query[1:-1]
    return "(?i)" + re.sub(r"([^\w\s])", r"\\\1", query)


def _sorted(
    view: View,
    found: NDArray[np.intp],
    own: NDArray[np.float64],
    total: NDArray[np.float64],
    sort: Sort,
    *,
    is_descending: bool,
) -> list[int]:
    by_name = sorted(found.tolist(), key=lambda at: view.names[at], reverse=sort == "name" and is_descending)
    if sort == "name":
        return by_name
    column = own if sort == "self" else total
    return sorted(by_name, key=lambda at: -column[at] if is_descending else column[at])


def _frames(view: View) -> list[Frame]:
    """Return one frame of every name: the first that bears it."""
    first: list[Frame] = []
    for frame, name in zip(view.profile.frames, view.name_of_frame.tolist(), strict=True):
        if name == len(first):
            first.append(frame)
    return first


def _item(view: View, frame: Frame, own: float, total: float) -> dict[str, Any]:
    return {
        **frame._asdict(),
        "self": number(own),
        "total": number(total),
        "self_share": _share(own, view.total_weight),
        "total_share": _share(total, view.total_weight),
    }


def _share(weight: float, whole: float) -> float:
    return round(weight / whole, 9) if whole > 0 else 0.0
