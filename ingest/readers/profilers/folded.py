"""Folded stacks: `comm;outermost;…;innermost weight`, one line per distinct stack or, ordered, per sample.

Examples:
    java;start_thread;JavaThread::run;Interpreter_[j];sys_read_[k] 42

    ksoftirqd/11;ret_from_fork;kthread;run_ksoftirqd;__do_softirq;net_rx_action
    ksoftirqd/11;ret_from_fork;kthread;run_ksoftirqd;__do_softirq;net_rx_action

Without weights, or when equal neighbours are not merged, every line is one sample in the order in which it
happened. The first word is a frame like any other and also names the thread. Names alone are printed: what is
called from a kernel entry function is kernel, the rest unknown. Stacks of `offcputime -f` look like those of
a CPU profile; they nearly all end where tasks leave the CPU.

Source: https://github.com/brendangregg/FlameGraph#2-fold-stacks
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from ingest.frames import normalise
from ingest.frames.wait_points import is_scheduler
from ingest.model.profile import NO_CPU
from ingest.model.reading import Quality, Reading
from ingest.native import FoldedText
from ingest.native.foreign_lines import foreign_to_folded

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ingest.model.profile import Profile
    from ingest.model.section import Text
    from ingest.native.parsers import FoldedParts

NAME = "folded"
VERSION = 2
PRIORITY = 90
TITLE = "Folded stacks"
COMMAND = "cat ./stacks.folded"
EXAMPLE = "java;start_thread;JavaThread::run;Interpreter;entry_SYSCALL_64_after_hwframe;ksys_read 42"

FEW_SAMPLES = 200

OFF_CPU_SHARE = 0.9
"""Share of the weight in stacks that end in the scheduler from which on all are of waits."""

_BATCH_LINES = 65_536
_LOOK_AHEAD = 24

_WEIGHTED = re.compile(r"^(?!.*;[ \t])[^\s;][^;]*(?:;[^;]+)+ \d+(?:\.\d*)?\s*$")
_TWO_WEIGHTS = re.compile(r" \d+(?:\.\d*)? \d+(?:\.\d*)?\s*$")
_FRAME = r"(?:[\w.~$@<>:*&+/-]|\[[^\];]*\]|\([^);]*\))+…?"
_BARE = re.compile(rf"^(?!.*(?:^|;)[\d.,]+(?:;|$)){_FRAME}(?:;{_FRAME}){{3,}}$")
# Threads that never leave their CPU: kernel/smpboot.c, kernel/sched/idle.c.
_BOUND = re.compile(r"^(?:ksoftirqd|swapper|migration|cpuhp|watchdog|rcuc|idle_inject)/(\d{1,5})$")


STARTS = (
    r"[^\s;][^;]*;.*\s\d+(?:\.\d*)?\s*$",
    rf"{_FRAME}(?:;{_FRAME}){{3,}}$",
)


def begins(lines: Sequence[str], at: int) -> bool:
    """Return whether folded stacks start at `lines[at]`; a line of one word and a number is not enough."""
    line = lines[at]
    if _WEIGHTED.match(line):
        stacks = [other for other in lines[at : at + _LOOK_AHEAD] if ";" in other]
        return not all(_TWO_WEIGHTS.search(other) for other in stacks)
    return bool(_BARE.match(line))


def continues(line: str) -> bool:
    """Return whether `line` can occur inside: a stack, or one frame and its weight."""
    return bool(_WEIGHTED.match(line) or _BARE.match(line) or re.match(r"^\S.* \d+$", line))


def read(text: Text) -> Reading:
    """Read one section."""
    section = stream(text.first_line)
    for start in range(0, len(text.lines), _BATCH_LINES):
        batch = "\n".join(text.lines[start : start + _BATCH_LINES])
        section.feed(batch.encode("utf-8", "replace"))
        section.feed(b"\n")
    return section.finish()


class Stream:
    """A section that is read piece by piece."""

    def __init__(self, first_line: int) -> None:
        """Begin at line `first_line`."""
        self._parser = FoldedText(first_line=first_line)

    def feed(self, text: bytes) -> None:
        """Read more text."""
        self._parser.feed(text)

    def finish(self) -> Reading:
        """Return everything read."""
        return _reading(self._parser.finish())


def stream(first_line: int) -> Stream:
    """Begin a section at line `first_line`."""
    return Stream(first_line)


foreign = foreign_to_folded


def _reading(parts: FoldedParts) -> Reading:
    profile = parts.profile
    if not len(profile.sample_node):
        return Reading(skipped=parts.skipped)
    if profile.is_ordered:
        profile = _with_cpus(profile)
    if _is_off_cpu(profile):
        profile = replace(profile, what="offcpu")
    return Reading(
        profiles=(profile,), skipped=parts.skipped, quality=tuple(_quality(profile, parts.cut_line))
    )


def _is_off_cpu(profile: Profile) -> bool:
    """Return whether nearly all of the weight is in stacks that end where tasks leave the CPU."""
    leaves = np.fromiter((is_scheduler(normalise(frame.name)) for frame in profile.frames), dtype=np.bool_)
    if not leaves.any():
        return False
    has_stack = profile.sample_node >= 0
    ends = has_stack & leaves[profile.node_frame[np.maximum(profile.sample_node, 0)]]
    return bool(profile.sample_weight[ends].sum() > OFF_CPU_SHARE * profile.weight)


def _with_cpus(profile: Profile) -> Profile:
    """Fill in the CPU of threads that are named after the one they are bound to."""
    bound = [_BOUND.match(thread.comm) for thread in profile.threads]
    if not any(bound):
        return profile
    of_thread = np.array([int(found[1]) if found else NO_CPU for found in bound], dtype=np.int32)
    return replace(profile, sample_cpu=of_thread[profile.sample_thread])


def _quality(profile: Profile, cut_line: int) -> Iterator[Quality]:
    first_line = int(profile.sample_line[0])
    if profile.samples < FEW_SAMPLES:
        yield Quality("few_samples", f"{profile.samples:,.0f} samples: shares are coarse", first_line)
    if cut_line:
        yield Quality("cut_off", "frames at the end of a line are cut off; they are left out", cut_line)
