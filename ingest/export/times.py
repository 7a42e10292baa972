"""Samples over time: a heat map of counts, and lanes of threads or CPUs.

Examples:
    {"columns": 12, "rows": 50, "column_seconds": 1, "counts": […], "max": 41, …}
    {"by": "all", "axis": "samples", "start": [0, 5], "duration": [5, 2], "thread": [0, 1], …}

Columns of the grid are seconds and its rows parts of them, so that what recurs every second is a line, and a
stall is a gap. Where a recording has no clock, the order of samples is the axis of the lanes.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from ingest.export.columns import first_seen, floats, head, integers, number
from ingest.model.errors import UnsupportedQueryError
from ingest.model.profile import NO_CPU
from ingest.native.views import first_time

if TYPE_CHECKING:
    from ingest.export.arrangement import Arrangement
    from ingest.native.views import View

By = Literal["cpu", "thread", "all"]
Alike = Literal["thread", "leaf", "stack"]

MAX_COLUMNS = 3600
MAX_SPANS = 20_000
_STEPS = (0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 30, 60, 120, 300, 600, 1200, 1800, 3600)


def heat(
    view: View,
    *,
    rows: int = 50,
    column_seconds: float = 1.0,
    node: int | None = None,
    arrangement: Arrangement | None = None,
) -> dict[str, Any]:
    """Return how many selected samples there were in every part of every column of the recording.

    With a node or command, `part` is how many of these pass through its row of the arranged tree.

    Args:
        view: What is selected; the grid is always that of the whole recording.
        rows: Parts of a column.
        column_seconds: Length of a column, longer where there would be more than `MAX_COLUMNS`.
        node: A node of the profile, or a command after these.
        arrangement: That of the graph that the node was chosen in.

    Raises:
        UnsupportedQueryError: The recording has no clock.
    """
    times, origin = view.profile.sample_time, first_time(view.profile)
    if times is None or origin is None:
        raise UnsupportedQueryError("this recording has no clock: the times of its samples are unknown")
    duration = float(np.nanmax(times)) - origin
    wide = next(
        (
            step
            for step in (column_seconds, *_STEPS)
            if step >= column_seconds and duration / step < MAX_COLUMNS
        ),
        duration / (MAX_COLUMNS - 1),
    )
    columns = int(duration // wide) + 1
    counts = np.frombuffer(view.core.heat(origin, wide, columns, rows, None), dtype="<f8")
    part = None
    if node is not None and arrangement is not None:
        passing = view.core.arranged_passing(arrangement, node)
        part = floats(view.core.heat(origin, wide, columns, rows, passing))
    return head(view) | {
        "columns": columns,
        "rows": rows,
        "column_seconds": number(float(wide)),
        "row_seconds": wide / rows,
        "from_s": origin,
        "duration_s": round(duration, 9),
        "counts": floats(counts.tobytes()),
        "part": part,
        "max": number(float(counts.max(initial=0.0))),
        "samples": number(float(counts.sum())),
    }


def lanes(
    view: View,
    *,
    by: By | None = None,
    alike: Alike = "thread",
    gap: float | None = None,
    width: int = 2000,
    max_lanes: int = 64,
) -> dict[str, Any]:
    """Return runs of neighbouring samples, lane by lane: lanes of CPUs by number, others by weight.

    Args:
        view: What is selected; its ranges are what the axis spans.
        by: What makes a lane; by default the CPU when every sample states it, else all are one.
        alike: What the samples of a run have in common: the thread, also the innermost frame, or all frames.
        gap: How far apart neighbours may be, in seconds or samples; by default three usual distances.
        width: Parts of the axis when there are more runs than can be shown.
        max_lanes: How many lanes to give, the heaviest.

    Raises:
        CannotAnswerError: The samples have no order, or lanes by CPU are requested and no CPU is recorded.
    """
    profile = view.profile
    if not profile.is_ordered:
        raise UnsupportedQueryError("the samples of this profile have no order: lanes are not possible")
    if by == "cpu" and profile.sample_cpu is None:
        raise UnsupportedQueryError("this recording does not say on which CPU its samples were taken")
    by = by or ("all" if profile.sample_cpu is None or (profile.sample_cpu == NO_CPU).any() else "cpu")
    origin = first_time(profile)
    since = origin or 0.0
    raw = view.core.lanes(
        by, alike, origin is not None, gap, _range(view, origin), width, max_lanes, MAX_SPANS
    )
    frame = np.frombuffer(raw["frame"], dtype="<i4")
    used, both = first_seen(np.concatenate((frame, np.frombuffer(raw["leaf"], dtype="<i4"))))
    thread_numbers, thread = first_seen(np.frombuffer(raw["thread"], dtype="<i4"))
    start = np.frombuffer(raw["start"], dtype="<f8") - since
    duration = np.frombuffer(raw["duration"], dtype="<f8")
    return head(view) | {
        "by": by,
        "axis": "samples" if origin is None else "seconds",
        "from": _rounded(raw["range"][0] - since),
        "to": _rounded(raw["range"][1] - since),
        "interval": _rounded(raw["interval"]),
        "gap": _rounded(raw["gap"]),
        "bin": None if raw["bin"] is None else _rounded(raw["bin"]),
        "names": [profile.frames[at].name for at in used],
        "kinds": [profile.frames[at].kind for at in used],
        "threads": [profile.threads[at]._asdict() for at in thread_numbers],
        "lanes": [_lane(view, by, thread_numbers, *lane) for lane in raw["lanes"]],
        "start": floats(np.round(start, 9).tobytes()),
        "duration": floats(np.round(duration, 9).tobytes()),
        "samples": integers(raw["samples"]),
        "thread": thread,
        "frame": both[: len(frame)],
        "leaf": both[len(frame) :],
        "node": integers(raw["node"]),
        "left_out_lanes": raw["left_out"],
    }


def _range(view: View, origin: float | None) -> tuple[float, float] | None:
    """Return the ends of the axis that the selection states; an open one is that of the recording."""
    selection, profile = view.selection, view.profile
    if origin is None:
        if not selection.has_sample_range:
            return None
        end = len(profile.sample_node)
        return float(selection.from_sample or 0), float(
            min(end, end if selection.to_sample is None else selection.to_sample)
        )
    if not selection.has_time_range or profile.sample_time is None:
        return None
    last = float(np.nanmax(profile.sample_time))
    begin = origin + (selection.t0 or 0.0)
    return begin, last if selection.t1 is None or math.isinf(selection.t1) else origin + selection.t1


def _lane(  # noqa: PLR0917 - the core's row
    view: View, by: By, thread_numbers: list[int], key: int, samples: int, weight: float, spans: int
) -> dict[str, Any]:
    label = "all samples, in order"
    thread = -1
    if by == "cpu":
        label = f"CPU {key}" if key >= 0 else "CPU not stated"
    elif by == "thread":
        comm, pid, tid = view.profile.threads[key]
        ids = "/".join(str(part) for part in dict.fromkeys((pid, tid)) if part >= 0)
        label = f"{comm or '[no name]'} {ids}".strip()
        thread = thread_numbers.index(key) if key in thread_numbers else -1
    return {
        "label": label,
        "cpu": key if by == "cpu" else -1,
        "thread": thread,
        "samples": samples,
        "weight": number(weight),
        "spans": spans,
    }


def _rounded(value: float) -> float:
    return number(round(value, 9))
