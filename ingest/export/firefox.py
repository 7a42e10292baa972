"""Profiles as a processed profile of the Firefox profiler: profiler.firefox.com opens the file.

Example:
    {"meta": {"version": 27, "preprocessedProfileVersion": 48, "interval": 1, "product": "casebook", …},
     "threads": [{"name": "java", "pid": "7", "tid": 7, "samples": {"stack": [4], "weight": [2], …}, …}]}

Every thread of every profile is a track. Times are those of the samples in milliseconds; samples without one
stand a millisecond apart, in their order. Weights are the profile's own: milliseconds for times, bytes, or
samples; a period that counts anything else is told as a number of samples.
Source: https://github.com/firefox-devtools/profiler/blob/main/docs-developer/processed-profile-format.md
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from ingest.profile import Profile

FORMAT_VERSION = 27
PROCESSED_VERSION = 48
MILLISECONDS = {"ns": 1e-6, "us": 1e-3, "ms": 1.0, "s": 1e3}
CATEGORIES = (
    ("Other", "grey"),
    ("User", "yellow"),
    ("Kernel", "orange"),
    ("JIT", "green"),
)
_CATEGORY_OF = {"user": 1, "kernel": 2, "module": 2, "jit": 3}


def document(profiles: Sequence[Profile], *, name: str) -> dict[str, Any]:
    """Return a processed profile of all `profiles`, called `name`."""
    threads: list[dict[str, Any]] = []
    for profile in profiles:
        of_event = f" ({profile.event})" if len(profiles) > 1 and profile.event else ""
        for at in range(len(profile.threads)):
            track = _Track(profile, at)
            if len(track.samples):
                threads.append(track.document(of_event))
    return {
        "meta": {
            "version": FORMAT_VERSION,
            "preprocessedProfileVersion": PROCESSED_VERSION,
            "interval": 1,
            "startTime": 0,
            "processType": 0,
            "product": "casebook",
            "name": name,
            "stackwalk": 1,
            "debug": False,
            "symbolicated": True,
            "categories": [
                {"name": category, "color": color, "subcategories": ["Other"]}
                for category, color in CATEGORIES
            ],
            "markerSchema": [],
        },
        "libs": [],
        "pages": [],
        "counters": [],
        "threads": threads,
    }


class _Track:
    """One thread of one profile, with the frames and stacks that it uses.

    Attributes:
        samples: Numbers of its samples, in the order of time.
    """

    def __init__(self, profile: Profile, at: int) -> None:
        """Take thread `at` of `profile`."""
        samples = np.flatnonzero(profile.sample_thread == at)
        times = (
            samples.astype(np.float64) if profile.sample_time is None else profile.sample_time[samples] * 1e3
        )
        order = np.argsort(times, kind="stable")
        self.samples = samples[order]
        self._times = times[order]
        self._profile = profile
        self._at = at

    def _nodes(self) -> NDArray[np.intp]:
        """Return the nodes that the samples need, callers included, ascending."""
        parents = self._profile.node_parent
        used = np.zeros(len(parents) + 1, dtype=bool)
        used[self._profile.sample_node[self.samples]] = True
        for node in range(len(parents) - 1, -1, -1):
            if used[node]:
                used[parents[node]] = True
        return np.flatnonzero(used[:-1])

    def document(self, of_event: str) -> dict[str, Any]:
        """Return the track as the profiler names its parts."""
        profile = self._profile
        comm, pid, tid = profile.threads[self._at]
        nodes = self._nodes()
        place = {node: at for at, node in enumerate(nodes.tolist())}
        unit, factor = _weight_type(profile)
        weights = profile.sample_weight[self.samples] * factor
        leaves = profile.sample_node[self.samples].tolist()
        process = pid if pid >= 0 else tid
        return {
            "processType": "default",
            "processStartupTime": 0,
            "processShutdownTime": None,
            "registerTime": 0,
            "unregisterTime": None,
            "pausedRanges": [],
            "name": f"{comm or '[no name]'}{of_event}",
            "processName": comm,
            "isMainThread": pid == tid,
            "pid": str(max(process, 0)),
            "tid": tid if tid >= 0 else self._at,
            "samples": {
                "stack": [place.get(leaf) for leaf in leaves],
                "time": [round(time, 6) for time in self._times.tolist()],
                "weight": [_number(weight) for weight in weights.tolist()],
                "weightType": unit,
                "length": len(leaves),
            },
            "markers": {
                "data": [],
                "name": [],
                "startTime": [],
                "endTime": [],
                "phase": [],
                "category": [],
                "length": 0,
            },
            **_tables(profile, nodes, place),
        }


def _tables(profile: Profile, nodes: NDArray[np.intp], place: Mapping[int, int]) -> dict[str, Any]:
    """Return the tables of `nodes`, numbered by `place`."""
    used, of_node = np.unique(profile.node_frame[nodes], return_inverse=True)
    frames = [profile.frames[frame] for frame in used.tolist()]
    strings: dict[str, int] = {}
    modules: dict[str, int] = {}
    names = [strings.setdefault(frame.name, len(strings)) for frame in frames]
    resources = [modules.setdefault(frame.module, len(modules)) if frame.module else -1 for frame in frames]
    module_names = [strings.setdefault(module, len(strings)) for module in modules]
    categories = [_CATEGORY_OF.get(frame.kind, 0) for frame in frames]
    count = len(frames)
    nothing = [None] * count
    return {
        "stackTable": {
            "frame": of_node.tolist(),
            "prefix": [place.get(parent) for parent in profile.node_parent[nodes].tolist()],
            "category": [categories[frame] for frame in of_node.tolist()],
            "subcategory": [0] * len(nodes),
            "length": len(nodes),
        },
        "frameTable": {
            "address": [-1] * count,
            "inlineDepth": [0] * count,
            "category": categories,
            "subcategory": [0] * count,
            "func": list(range(count)),
            "nativeSymbol": nothing,
            "innerWindowID": nothing,
            "line": nothing,
            "column": nothing,
            "length": count,
        },
        "funcTable": {
            "name": names,
            "isJS": [False] * count,
            "relevantForJS": [False] * count,
            "resource": resources,
            "fileName": nothing,
            "lineNumber": nothing,
            "columnNumber": nothing,
            "length": count,
        },
        "resourceTable": {
            "lib": [None] * len(modules),
            "name": module_names,
            "host": [None] * len(modules),
            "type": [1] * len(modules),
            "length": len(modules),
        },
        "nativeSymbols": {"libIndex": [], "address": [], "name": [], "functionSize": [], "length": 0},
        "stringArray": list(strings),
    }


def _weight_type(profile: Profile) -> tuple[str, float]:
    """Return the profiler's word for the unit, and what turns our weights into it."""
    if profile.unit in MILLISECONDS:
        return "tracing-ms", MILLISECONDS[profile.unit]
    if profile.unit.startswith("period:") and ("cpu-clock" in profile.unit or "task-clock" in profile.unit):
        return "tracing-ms", 1e-6
    return ("bytes", 1.0) if profile.unit == "bytes" else ("samples", 1.0)


def _number(value: float) -> float | int:
    return int(value) if value.is_integer() else round(value, 9)
