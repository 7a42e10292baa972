"""Summary of a whole recording, part of every view of it.

Example:
    {"event": "cycles", "unit": "period:cycles", "weight": 6.9e11, "samples": 68163, "idle_share": 0.31, …}

Shares are of all weight, whatever is selected: idle (the innermost frame means a CPU without work), unknown
(the innermost frame has no name), without stack.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ingest.export.arrangement import UNRESOLVED
from ingest.export.columns import number
from ingest.native.views import first_time, idle_frames

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

    from ingest.model.profile import Profile
    from ingest.model.reading import Quality

UNKNOWN = "[unknown]"
MAX_ENTRIES = 500


def whole(profile: Profile, quality: Iterable[Quality]) -> dict[str, Any]:
    """Return what the recording is, what it holds and what weakens it."""
    times = profile.sample_time
    from_s = first_time(profile)
    to_s = None if times is None or from_s is None else float(np.nanmax(times))
    unknown = np.array(
        [UNRESOLVED.fullmatch(frame.name) is not None for frame in profile.frames], dtype=np.bool_
    )
    return {
        "event": profile.event,
        "unit": profile.unit,
        "what": profile.what,
        "has_weights": profile.has_weights,
        "is_ordered": profile.is_ordered,
        "has_time": from_s is not None,
        "has_cpu": profile.sample_cpu is not None,
        "weight": number(profile.weight),
        "samples": number(profile.samples),
        "from_s": from_s,
        "to_s": to_s,
        "duration_s": None if from_s is None or to_s is None else round(to_s - from_s, 9),
        "idle_share": _share_ending_in(profile, idle_frames(profile)),
        "unknown_share": _share_ending_in(profile, unknown),
        "no_stack_share": _share(profile, profile.sample_node < 0),
        "quality": [remark._asdict() for remark in quality],
    }


def who(profile: Profile) -> dict[str, Any]:
    """Return on which CPUs and in which threads the samples were taken, the heaviest threads first."""
    threads = len(profile.threads)
    weight = np.bincount(profile.sample_thread, weights=profile.sample_weight, minlength=threads)
    samples = np.bincount(profile.sample_thread, weights=profile.sample_count, minlength=threads)
    comms: dict[str, list[float]] = {}
    for at, thread in enumerate(profile.threads):
        entry = comms.setdefault(thread.comm, [0.0, 0.0])
        entry[0] += samples[at]
        entry[1] += weight[at]
    heaviest = np.argsort(-weight, kind="stable")[:MAX_ENTRIES]
    by_weight = sorted(comms.items(), key=lambda entry: -entry[1][1])
    return {
        "cpus": _cpus(profile),
        "comms": [_entry({"comm": comm}, *weighed) for comm, weighed in by_weight[:MAX_ENTRIES]],
        "threads": [
            _entry(profile.threads[at]._asdict(), float(samples[at]), float(weight[at])) for at in heaviest
        ],
        "comm_count": len(comms),
        "thread_count": threads,
    }


def _cpus(profile: Profile) -> list[dict[str, Any]]:
    if profile.sample_cpu is None:
        return []
    cpus, inverse = np.unique(profile.sample_cpu, return_inverse=True)
    samples = np.bincount(inverse, weights=profile.sample_count, minlength=len(cpus))
    weight = np.bincount(inverse, weights=profile.sample_weight, minlength=len(cpus))
    rows: Sequence[tuple[int, float, float]] = list(
        zip(cpus.tolist(), samples.tolist(), weight.tolist(), strict=True)
    )
    return [_entry({"cpu": cpu}, taken, weighed) for cpu, taken, weighed in rows[:MAX_ENTRIES]]


def _entry(named: dict[str, Any], samples: float, weight: float) -> dict[str, Any]:
    return {**named, "samples": number(samples), "weight": number(weight)}


def _share_ending_in(profile: Profile, frames: NDArray[np.bool_]) -> float:
    """Return the share of weight whose innermost frame is one of `frames` (F)."""
    if not len(profile.node_frame):
        return 0.0
    ends = np.zeros(len(profile.sample_node), dtype=np.bool_)
    has_stack = profile.sample_node >= 0
    ends[has_stack] = frames[profile.node_frame[profile.sample_node[has_stack]]]
    return _share(profile, ends)


def _share(profile: Profile, is_one: NDArray[np.bool_]) -> float:
    total = profile.weight
    return round(float(profile.sample_weight[is_one].sum()) / total, 9) if total > 0 else 0.0
