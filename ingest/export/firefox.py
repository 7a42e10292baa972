"""Profiles in the Firefox Profiler's own format: opens in profiler.firefox.com.

Example:
    {"meta": {"preprocessedProfileVersion": 54, "interval": 0.2, …}, "libs": [], "threads": [
     {"name": "mysqld", "samples": {"stack": [2, null], "time": [0, 0.2], "weight": null, …}, …}], …}

Every thread has tables of its own. Times are milliseconds from the first sample; without a clock a sample is
one millisecond, to preserve the order. Weights are milliseconds where the unit is a time, bytes where it is
that, else the count of each sample. The heaviest threads are separate, all others are one.

Sources: firefox-devtools/profiler, docs-developer/processed-profile-format.md, CHANGELOG-formats.md and
src/types/profile.ts; older versions are brought up to date when they are opened.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ingest.export.speedscope import unit_of
from ingest.model.profile import Thread
from ingest.native.views import first_time

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ingest.model.profile import Profile

VERSION = 54
MAX_THREADS = 100
CATEGORIES = (
    ("Other", "grey"),
    ("Kernel", "orange"),
    ("Kernel module", "yellow"),
    ("User", "blue"),
    ("JIT", "green"),
)
_CATEGORY_OF_KIND = {"kernel": 1, "module": 2, "user": 3, "jit": 4}
_MILLISECONDS = {"nanoseconds": 1e-6, "microseconds": 1e-3, "milliseconds": 1.0, "seconds": 1e3}


def document(profile: Profile, *, name: str) -> dict[str, Any]:
    """Return `profile`, recorded in what is called `name`, ready for JSON."""
    times = _times(profile)
    return {
        "meta": _meta(profile, name, times),
        "libs": [],
        "threads": [
            _thread(profile, thread, samples[np.argsort(times[samples], kind="stable")], times)
            for thread, samples in _threads(profile)
        ],
        "pages": [],
        "profilerOverhead": [],
        "counters": [],
    }


def _times(profile: Profile) -> NDArray[np.float64]:
    """Return milliseconds since the first sample; a sample without a time repeats the previous one."""
    origin = first_time(profile)
    if origin is None or profile.sample_time is None:
        return np.arange(len(profile.sample_node), dtype=np.float64)
    since = (profile.sample_time - origin) * 1e3
    positions = np.where(np.isnan(since), 0, np.arange(len(since)))
    return np.nan_to_num(since[np.maximum.accumulate(positions)]).astype(np.float64)


def _meta(profile: Profile, name: str, times: NDArray[np.float64]) -> dict[str, Any]:
    apart = np.diff(np.unique(times))
    return {
        "categories": [
            {"name": title, "color": colour, "subcategories": ["Other"]} for title, colour in CATEGORIES
        ],
        "debug": False,
        "extensions": {"length": 0, "baseURL": [], "id": [], "name": []},
        "interval": float(np.median(apart)) if len(apart) else 1.0,
        "preprocessedProfileVersion": VERSION,
        "processType": 0,
        "product": f"{name} ({profile.event})" if profile.event else name,
        "importedFrom": "Casebook",
        "sampleUnits": {"time": "ms", "eventDelay": "ms", "threadCPUDelta": "µs"},
        "startTime": 0,
        "symbolicated": True,
        "pausedRanges": [],
        "version": 24,
        "usesOnlyOneStackType": True,
        "sourceCodeIsNotOnSearchfox": True,
        "markerSchema": [],
    }


def _threads(profile: Profile) -> list[tuple[Thread, NDArray[np.intp]]]:
    """Return the heaviest threads with their samples, and the rest as one."""
    count = len(profile.threads)
    weight = np.bincount(profile.sample_thread, weights=profile.sample_weight, minlength=count)
    heaviest = np.argsort(-weight, kind="stable")[:MAX_THREADS]
    order = np.argsort(profile.sample_thread, kind="stable")
    starts = np.searchsorted(profile.sample_thread[order], np.arange(count + 1))
    groups = [(profile.threads[at], order[starts[at] : starts[at + 1]]) for at in heaviest.tolist()]
    rest = np.ones(count, dtype=np.bool_)
    rest[heaviest] = False
    if rest.any():
        others = np.flatnonzero(rest[profile.sample_thread])
        groups.append((Thread(f"{int(rest.sum()):,} other threads", -1, -1), others))
    return [entry for entry in groups if len(entry[1])]


def _thread(
    profile: Profile, thread: Thread, samples: NDArray[np.intp], times: NDArray[np.float64]
) -> dict[str, Any]:
    """Return one thread with its own tables: only the stacks and functions it uses."""
    nodes, number = _nodes(profile, profile.sample_node[samples])
    used, func = np.unique(profile.node_frame[nodes], return_inverse=True)
    frames = [profile.frames[at] for at in used.tolist()]
    strings: dict[str, int] = {}
    names = [strings.setdefault(frame.name, len(strings)) for frame in frames]
    modules = list(dict.fromkeys(frame.module for frame in frames if frame.module))
    resources = {module: at for at, module in enumerate(modules)}
    resource_names = [strings.setdefault(module, len(strings)) for module in modules]
    size = len(frames)
    nothing, zeros = [None] * size, [0] * size
    title = thread.comm or "[no name]"
    pid = thread.pid if thread.pid >= 0 else thread.tid
    return {
        "name": title,
        "processName": title,
        "isMainThread": thread.pid == thread.tid,
        "pid": str(pid) if pid >= 0 else title,
        "tid": thread.tid if thread.tid >= 0 else title,
        "processType": "default",
        "processStartupTime": 0,
        "processShutdownTime": None,
        "registerTime": 0,
        "unregisterTime": None,
        "pausedRanges": [],
        "samples": _samples(profile, samples, number, times),
        "stackTable": {
            "length": len(nodes),
            "frame": func.tolist(),
            "prefix": [None if above < 0 else number[above] for above in profile.node_parent[nodes].tolist()],
        },
        "frameTable": {
            "length": size,
            "address": [-1] * size,
            "inlineDepth": zeros,
            "category": [_CATEGORY_OF_KIND.get(frame.kind, 0) for frame in frames],
            "subcategory": zeros,
            "func": list(range(size)),
            "nativeSymbol": nothing,
            "innerWindowID": zeros,
            "line": nothing,
            "column": nothing,
        },
        "funcTable": {
            "length": size,
            "name": names,
            "isJS": [False] * size,
            "relevantForJS": [False] * size,
            "resource": [resources.get(frame.module, -1) for frame in frames],
            "fileName": nothing,
            "lineNumber": nothing,
            "columnNumber": nothing,
        },
        "resourceTable": {
            "length": len(modules),
            "lib": [None] * len(modules),
            "name": resource_names,
            "host": [None] * len(modules),
            "type": [0] * len(modules),
        },
        "nativeSymbols": {"length": 0, "address": [], "functionSize": [], "libIndex": [], "name": []},
        "markers": {
            "length": 0,
            "category": [],
            "data": [],
            "endTime": [],
            "name": [],
            "phase": [],
            "startTime": [],
        },
        "stringArray": list(strings),
    }


def _nodes(profile: Profile, ends: NDArray[np.int32]) -> tuple[NDArray[np.int32], dict[int, int]]:
    """Return the nodes of all stacks that end in `ends`, parents first, and the number of each among them."""
    parents = profile.node_parent
    found: set[int] = set()
    for end in np.unique(ends).tolist():
        node = end
        while node >= 0 and node not in found:
            found.add(node)
            node = int(parents[node])
    nodes = np.array(sorted(found), dtype=np.int32)
    return nodes, {node: at for at, node in enumerate(nodes.tolist())}


def _samples(
    profile: Profile, samples: NDArray[np.intp], number: dict[int, int], times: NDArray[np.float64]
) -> dict[str, Any]:
    unit = unit_of(profile)
    weight, kind = profile.sample_count[samples], "samples"
    if unit in _MILLISECONDS:
        weight, kind = profile.sample_weight[samples] * _MILLISECONDS[unit], "tracing-ms"
    elif unit == "bytes":
        weight, kind = profile.sample_weight[samples], "bytes"
    is_plain = kind == "samples" and bool(np.all(weight == 1))
    return {
        "length": len(samples),
        "stack": [None if node < 0 else number[node] for node in profile.sample_node[samples].tolist()],
        "time": np.round(times[samples], 6).tolist(),
        "weight": None if is_plain else weight.tolist(),
        "weightType": kind,
    }
