"""A profile as folded stacks: sorted `comm;outermost;…;innermost weight` lines.

Example:
    arrow-read-23;start_thread;walk_file_pages;asm_exc_page_fault;exc_page_fault 3

Read again by `ingest.readers.profilers.folded` this gives the same stacks and weights.

`compat="inferno"` names frames as inferno-collapse-perf 0.12 does (argument lists cut off, `[libc.so]` for
unnamed functions, blanks of a comm as `_`, weighed by period, samples without frames left out), and gives
the same bytes for regular text. It differs where inferno loses frames (that begin with `(`, whose module
holds blanks or is missing), splits Java's `a->b`, or demangles what perf left mangled.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import numpy as np

from ingest.export.folded_names import unbroken
from ingest.native import _core

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ingest.model.profile import Profile, Thread

Weight = Literal["samples", "period"]


def text(profile: Profile, weight: Weight = "samples", *, compat: Literal["", "inferno"] = "") -> str:
    """Return the profile folded, one line per distinct stack.

    Args:
        profile: The stacks.
        weight: Count samples, or sum what `sample_weight` counts.
        compat: `inferno` for the same bytes as inferno-collapse-perf.
    """
    return fold(profile, weight, compat=compat).decode("utf-8", "replace")


def fold(profile: Profile, weight: Weight = "samples", *, compat: Literal["", "inferno"] = "") -> bytes:
    """Return the profile folded, as UTF-8; see `text`."""
    is_inferno = compat == "inferno"
    weights = profile.sample_weight if weight == "period" or is_inferno else profile.sample_count
    nodes, threads = profile.sample_node, profile.sample_thread
    if is_inferno:
        has_stack = nodes >= 0
        nodes, threads, weights = nodes[has_stack], threads[has_stack], weights[has_stack]
    names = [
        _core.inferno_name(frame.name, frame.module) if is_inferno else unbroken(frame.name)
        for frame in profile.frames
    ]
    comms, of_thread = _comms(profile.threads, is_inferno=is_inferno)
    ran = of_thread[threads] if len(threads) else np.empty(0, dtype=np.int32)
    if not is_inferno:
        ran = _without_repeats(profile, nodes, threads, ran)
    return _core.fold(
        profile.node_parent.astype("<i4").tobytes(),
        profile.node_frame.astype("<i4").tobytes(),
        names,
        comms,
        nodes.astype("<i4").tobytes(),
        ran.astype("<i4").tobytes(),
        weights.astype("<f8").tobytes(),
    )


def _comms(threads: tuple[Thread, ...], *, is_inferno: bool) -> tuple[list[str], NDArray[np.int32]]:
    """Return distinct comms, and for each thread which one; -1 where none is printed."""
    numbers: dict[str, int] = {}
    of_thread = []
    for thread in threads:
        comm = thread.comm.replace(" ", "_") if is_inferno else unbroken(thread.comm)
        of_thread.append(numbers.setdefault(comm, len(numbers)) if comm or is_inferno else -1)
    return list(numbers), np.array(of_thread, dtype=np.int32)


def _without_repeats(
    profile: Profile, nodes: NDArray[np.int32], threads: NDArray[np.int32], ran: NDArray[np.int32]
) -> NDArray[np.int32]:
    """Leave the comm out where the outermost frame is it already, as in stacks that were read folded."""
    if not len(nodes) or not len(profile.node_parent):
        return ran
    is_folded = np.array([thread.comm != "" and thread.tid < 0 for thread in profile.threads])
    if not is_folded.any():
        return ran
    outermost = np.empty(len(profile.node_parent), dtype=np.int32)
    for node, parent in enumerate(profile.node_parent.tolist()):
        outermost[node] = node if parent < 0 else outermost[parent]
    root_names = np.array([frame.name for frame in profile.frames], dtype=object)
    comms = np.array([thread.comm for thread in profile.threads], dtype=object)
    roots = root_names[profile.node_frame[outermost[np.maximum(nodes, 0)]]]
    is_repeat = is_folded[threads] & (nodes >= 0) & (roots == comms[threads])
    return np.where(is_repeat, -1, ran).astype(np.int32)
