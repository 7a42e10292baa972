"""Slow and obvious answers about profiles, to hold the core to: stacks as tuples, weights in dictionaries.

A sample is (stack of frames outermost first, weight, time, cpu, thread, position); frames are (name, module).
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from typing import NamedTuple

import numpy as np
from hypothesis import strategies as st

from ingest.frames.idle import is_idle_leaf
from ingest.model.profile import Frame, Profile, Thread

NAMES = ["a", "b", "c", "c.isra.0", "native_safe_halt", "[unknown]"]
FRAMES = [(name, module) for name in NAMES for module in ("", "[x]")]
THREADS = [Thread("db", 7, 7), Thread("db", 7, 8), Thread("ksoftirqd/1", 2, 2)]


class Sample(NamedTuple):
    stack: tuple[tuple[str, str], ...]
    weight: float
    time: float
    cpu: int
    thread: int
    position: int

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(name for name, _ in self.stack)


@st.composite
def samples(draw, max_size=30):
    rows = draw(
        st.lists(
            st.tuples(
                st.lists(st.sampled_from(FRAMES), max_size=5).map(tuple),
                st.integers(1, 9).map(float),
                st.sampled_from([0.1, 0.5, 1.0, 7.0]),
                st.integers(0, 2),
                st.integers(0, len(THREADS) - 1),
            ),
            min_size=1,
            max_size=max_size,
        )
    )
    drawn, time = [], 100.0
    for position, (stack, weight, later, cpu, thread) in enumerate(rows):
        time += later
        drawn.append(Sample(stack, weight, time, cpu, thread, position))
    return drawn


def profile(samples: list[Sample], *, has_clock: bool = True) -> Profile:
    """Build the columns of a profile the plain way."""
    frames: dict[tuple[str, str], int] = {}
    nodes: dict[tuple[tuple[str, str], ...], int] = {}
    parents, node_frames = [], []
    ends = []
    for sample in samples:
        node = -1
        for depth in range(1, len(sample.stack) + 1):
            path = sample.stack[:depth]
            if path not in nodes:
                nodes[path] = len(nodes)
                parents.append(node)
                node_frames.append(frames.setdefault(path[-1], len(frames)))
            node = nodes[path]
        ends.append(node)
    i4, f8 = np.int32, np.float64
    return Profile(
        event="cycles",
        unit="period:cycles",
        frames=tuple(Frame(name, module, "kernel") for name, module in frames),
        node_parent=np.array(parents, dtype=i4),
        node_frame=np.array(node_frames, dtype=i4),
        node_line=np.arange(len(parents), dtype=i4) + 1,
        sample_node=np.array(ends, dtype=i4),
        sample_weight=np.array([one.weight for one in samples], dtype=f8),
        sample_count=np.ones(len(samples), dtype=f8),
        sample_time=np.array([one.time for one in samples], dtype=f8) if has_clock else None,
        sample_cpu=np.array([one.cpu for one in samples], dtype=i4),
        sample_thread=np.array([one.thread for one in samples], dtype=i4),
        sample_line=np.arange(len(samples), dtype=i4) + 1,
        threads=tuple(THREADS),
        is_ordered=True,
        has_weights=True,
    )


def is_found(pattern: str, name: str) -> bool:
    if pattern.startswith("/"):
        return re.search(pattern[1:-1], name) is not None
    return pattern == name


def selected(samples: list[Sample], selection) -> list[Sample]:
    """Take samples one by one, then rewrite their stacks."""
    origin = min(one.time for one in samples)
    selection_of = []
    for one in samples:
        thread = THREADS[one.thread]
        since = one.time - origin
        leaf = one.names[-1] if one.names else ""
        demands = [
            # The clock is added to, as in the core: the difference may round to the other side of a bound.
            selection.t0 is None or one.time >= origin + selection.t0,
            selection.t1 is None or one.time < origin + selection.t1,
            selection.from_sample is None or one.position >= selection.from_sample,
            selection.to_sample is None or one.position < selection.to_sample,
            not selection.cpus or one.cpu in selection.cpus,
            not selection.pids or thread.pid in selection.pids,
            not selection.tids or thread.tid in selection.tids,
            not selection.comms or thread.comm in selection.comms,
            selection.has_idle or not is_idle_leaf(leaf),
            not selection.focus or any(is_found(p, n) for p in selection.focus for n in one.names),
            not any(is_found(p, n) for p in selection.hide for n in one.names),
            since >= 0,
        ]
        if all(demands):
            weight = 1.0 if selection.weight == "samples" else one.weight
            selection_of.append(one._replace(stack=shaped(one.stack, selection), weight=weight))
    return selection_of


def shaped(stack, selection):
    nodes = []
    for frame in stack:
        if any(is_found(pattern, frame[0]) for pattern in selection.merge):
            continue
        if selection.collapse_recursion and nodes and nodes[-1][0] == frame[0]:
            continue
        nodes.append(frame)
    return tuple(nodes)


def tree(samples: list[Sample]) -> tuple[Counter, Counter]:
    """Return own and total weight of every path of names and modules."""
    own, total = Counter(), Counter()
    for one in samples:
        if one.stack:
            own[one.stack] += one.weight
        for depth in range(1, len(one.stack) + 1):
            total[one.stack[:depth]] += one.weight
    return own, total


def inverted(samples: list[Sample]) -> Counter:
    total = Counter()
    for one in samples:
        way = one.stack[::-1]
        for depth in range(1, len(way) + 1):
            total[way[:depth]] += one.weight
    return total


def by_name(samples: list[Sample]) -> tuple[Counter, Counter]:
    own, total = Counter(), Counter()
    for one in samples:
        if one.names:
            own[one.names[-1]] += one.weight
        for name in set(one.names):
            total[name] += one.weight
    return own, total


def around(samples: list[Sample], name: str) -> tuple[Counter, Counter]:
    """Return the text outside (from the call outwards) and inside of the outermost call of `name`."""
    outside, inside = Counter(), Counter()
    for one in samples:
        if name not in one.names:
            continue
        at = one.names.index(name)
        way = one.stack[:at][::-1]
        for depth in range(len(way) + 1):
            outside[way[:depth]] += one.weight
        for depth in range(at, len(one.stack)):
            inside[one.stack[at + 1 : depth + 1]] += one.weight
    return outside, inside


def stays(samples: list[Sample]) -> list[tuple]:
    """Return (depth, frame, start, weight, first, last) of every uninterrupted stay."""
    open_, rows, passed = [], [], 0.0
    for one in [*samples, None]:
        stack = one.stack if one else ()
        common = 0
        while common < min(len(open_), len(stack)) and open_[common][1] == stack[common]:
            common += 1
        while len(open_) > common:
            rows.append(tuple(open_.pop()))
        if one is None:
            break
        open_ += [
            [depth, stack[depth], passed, 0.0, one.position, one.position]
            for depth in range(common, len(stack))
        ]
        for row in open_:
            row[3] += one.weight
            row[5] = one.position
        passed += one.weight
    return sorted(rows)


def runs(samples: list[Sample], key, at, gap: float) -> list[tuple]:
    """Return (lane, start, samples, thread, names all have in common) of every run."""
    lanes = defaultdict(list)
    for one in samples:
        lanes[key(one)].append(one)
    rows = []
    for lane, members in lanes.items():
        run = []
        for one in [*members, None]:
            if run and (one is None or one.thread != run[-1].thread or at(one) - at(run[-1]) > gap):
                common = []
                for column in zip(*(member.stack for member in run), strict=False):
                    if len(set(column)) > 1:
                        break
                    common.append(column[0])
                rows.append((lane, at(run[0]), len(run), run[0].thread, tuple(common)))
                run = []
            if one is not None:
                run.append(one)
    return sorted(rows)


def of(recorded: Profile) -> list[Sample]:
    """Return the samples of a profile one by one."""
    found = []
    for position, end in enumerate(recorded.sample_node.tolist()):
        stack, at = [], end
        while at >= 0:
            frame = recorded.frames[recorded.node_frame[at]]
            stack.append((frame.name, f"{frame.module} {frame.kind}"))
            at = int(recorded.node_parent[at])
        found.append(
            Sample(
                tuple(reversed(stack)),
                float(recorded.sample_weight[position]),
                float(position if recorded.sample_time is None else recorded.sample_time[position]),
                -1 if recorded.sample_cpu is None else int(recorded.sample_cpu[position]),
                int(recorded.sample_thread[position]),
                position,
            )
        )
    return found
