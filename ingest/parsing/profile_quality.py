"""Quality of a recording: too short, mostly idle, uneven weights."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ingest.frames.idle import is_idle_leaf
from ingest.model.reading import Quality

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ingest.model.profile import Profile

SHORT_SECONDS = 1.0
"""A shorter recording is a moment: what comes once a second may be missing from it."""

IDLE_SHARE = 0.9
MANY_SAMPLES = 200

COUNTED_EVENTS = ("cycles", "instructions", "ref-cycles", "branches", "branch-misses", "cache-misses")
"""Hardware counters: with -F the kernel changes their period while it records."""


def course(profile: Profile) -> Iterator[Quality]:
    """Yield remarks on a profile of CPU time with S samples."""
    samples = len(profile.sample_node)
    if not samples:
        return
    first_line = int(profile.sample_line[0])
    name = profile.event or "the event"
    if profile.sample_time is not None and samples >= MANY_SAMPLES:
        seconds = float(profile.sample_time.max() - profile.sample_time.min())
        if 0 < seconds < SHORT_SECONDS:
            detail = f"{seconds:.2f} seconds recorded: a moment, not a course"
            yield Quality("too_short", detail, first_line)
    idle = idle_share(profile)
    if idle > IDLE_SHARE:
        detail = f"{idle:.0%} of the samples of {name} are of idle CPUs: little is left to speak about work"
        yield Quality("mostly_idle", detail, first_line)
    if profile.unit == "samples" and profile.event.split(":")[0].strip("/") in COUNTED_EVENTS:
        detail = f"no period is printed for {name}: recorded with -F, samples stand for unequal counts"
        yield Quality("frequency_mode", detail, first_line)


def idle_share(profile: Profile) -> float:
    """Return the share (0..1) of samples whose innermost frame is an idle CPU's."""
    nodes = profile.sample_node[profile.sample_node >= 0]
    if not len(nodes):
        return 0.0
    is_idle = np.array([is_idle_leaf(frame.name) for frame in profile.frames], dtype=bool)
    return float(is_idle[profile.node_frame[nodes]].sum()) / len(profile.sample_node)
