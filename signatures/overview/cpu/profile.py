"""Analyses of the CPU profile: CPU time, kernel entry points, lock spinning."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from signatures.language.number_format import cpu_words, value_words
from signatures.overview import recording
from signatures.overview.cpu import busy_profile, flat_tables, saturation, top_functions
from signatures.overview.cpu.function_topics import SOFTIRQ
from signatures.overview.cpu.spin_words import is_timer, is_unlock, spin_words
from signatures.overview.levels import ratio_of
from signatures.overview.model import Answer, Covers, Figure, Statement, ranked, shortened
from signatures.overview.stacks import distinct

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from signatures.overview.first_steps import Topic
    from signatures.overview.model import Place
    from signatures.overview.scope_evidence import ScopeEvidence
    from signatures.overview.stacks import Stacks

NO_PROFILE = Answer("No CPU profile with enough samples.", lacks=("perf record -a -g -F 99 -- sleep 30",))
KERNEL_SHARE = 0.7
ENTRY_SHARE = 0.6
BUSY_SHARE = 0.2
SPIN_SHARE = 0.15
LEAST_SPIN_SHARE = 0.01
SOFTIRQ_SHARE = 0.3
CONVOY_CPUS = 3
SHOWN = 8
USED_SHARE = 0.05
NAMED_COMMANDS, PLACES = 3, 3
UNNAMED_SHARE = 0.5
"""More than half of the busy samples without a name: the recording does not tell what runs."""

UNKNOWN_SHARE = 0.01
IDLE_SHARE = 0.9


def cpu_time(evidence: ScopeEvidence) -> Answer:
    """Split CPU time into idle, user and kernel, and rank the commands that used it."""
    stacks = evidence.main
    if stacks is None:
        return NO_PROFILE
    profile = stacks.profile
    leaf = stacks.leaf_weight
    total = stacks.total
    hidden_idle = stacks.hidden_idle_weight / total
    idle = float(leaf[stacks.idle].sum()) / total + hidden_idle
    kernel = float(leaf[stacks.is_kernel & ~stacks.idle].sum()) / total
    soft = stacks.share_below(stacks.frames_where(SOFTIRQ.__contains__))
    busy = max(0.0, 1.0 - idle)
    kernel = min(kernel, busy)
    stackless = float(stacks.weight[profile.sample_node < 0].sum()) / total
    unknown = min(max(0.0, stackless - hidden_idle), busy - kernel)
    user = busy - kernel - unknown
    whole = (stacks.whole,)
    is_kernel_bound = _times_kernel_bound(busy, kernel) > 1
    figures = [
        Figure("idle", round(idle, 4), "share", whole),
        Figure("user", round(user, 4), "share", whole),
        Figure(
            "kernel",
            round(kernel, 4),
            "share",
            whole,
            is_kernel_bound,
            _note(is_kernel_bound, kernel / busy if busy else 0),
        ),
        Figure("soft interrupts, within the kernel", round(soft, 4), "share", whole, soft > SOFTIRQ_SHARE),
    ]
    commands = busy_profile.commands(stacks)
    figures += commands
    sampled = ""
    if profile.sample_time is not None and profile.sample_cpu is not None and len(profile.sample_time) > 1:
        span = float(profile.sample_time.max() - profile.sample_time.min())
        cpus = busy_profile.sampled_cpus(stacks)
        sampled = f" in {value_words(span, 'seconds')} on {cpu_words(cpus)}"
    part = recording.recorded_part(evidence, stacks)
    split = f"{value_words(user, 'share')} user, {value_words(kernel, 'share')} kernel"
    split += f", {value_words(unknown, 'share')} without a stack" if unknown >= UNKNOWN_SHARE else ""
    used = [one for one in commands if isinstance(one.value, float) and one.value >= USED_SHARE]
    by = ", ".join(f"{one.label} {one.words}" for one in used[:NAMED_COMMANDS])
    split += f"; by command: {by}" if len(used) > 1 else ""
    words = f"{value_words(busy, 'share')} of {profile.samples:,.0f} samples{sampled} are busy: {split}"
    if part:
        words = f"{profile.samples:,.0f} samples{sampled} of {part} alone: {split}"
    is_said = not is_kernel_bound and saturation.of_profile(evidence) is not None
    of = replace(_busy(words, whole, busy, kernel), names=tuple(one.label for one in used[:NAMED_COMMANDS]))
    statements = [] if is_said else [of]
    hidden = float(leaf[stacks.unnamed].sum()) / total - hidden_idle
    is_hidden = busy > 0 and hidden > UNNAMED_SHARE * busy
    if is_hidden:
        text = f"{value_words(hidden / busy, 'share')} of the busy samples end in an address without a name"
        text += ": what runs is not known"
        statements.append(Statement("cpu", text, whole, "fact", "notable", recording.NAMES))
    elif idle >= IDLE_SHARE and not part:
        text = f"CPUs are idle in {value_words(idle, 'share')} of {profile.samples:,.0f} samples"
        statements.append(Statement("cpu", text, whole, "fact", "context"))
    is_short = profile.samples < top_functions.FEW_SAMPLES
    is_answered = not (part or is_hidden or is_short or recording.is_of_programs(profile.event))
    assesses = (Covers("cpu", whole),) if is_answered else ()
    return Answer(f"{words}.", tuple(figures), (), tuple(statements), assesses, is_undecided=not is_answered)


def _times_kernel_bound(busy: float, kernel: float) -> float:
    """Return how far CPUs are kernel-bound: both shares against their thresholds, the lower one."""
    return min(busy / BUSY_SHARE, kernel / busy / KERNEL_SHARE) if busy else 0.0


def _busy(words: str, whole: tuple[Place, ...], busy: float, kernel: float) -> Statement:
    """Return the statement about the shares of CPU time, an alarm where CPUs are kernel-bound."""
    ratio = _times_kernel_bound(busy, kernel)
    kind, level = ranked(is_alarm=ratio > 1, fact="context")
    return Statement("cpu", words, whole, kind, level, is_summary=True, ratio=ratio, subject="busy samples")


def _note(is_kernel_bound: bool, share: float) -> str:  # noqa: FBT001 - one word of the sentence
    return f"{value_words(share, 'share')} of busy time is kernel time" if is_kernel_bound else ""


def kernel_entries(evidence: ScopeEvidence) -> Answer:
    """Rank the system calls, faults, interrupts and kernel threads by kernel time."""
    stacks = evidence.main
    if stacks is None:
        return NO_PROFILE
    if recording.is_nameless(stacks):
        return Answer(
            "Addresses without names do not show how the kernel is entered.", lacks=(recording.NAMES,)
        )
    entries = stacks.entries
    if not (entries.frames >= 0).any():
        return Answer("No sample has a kernel stack.", lacks=("perf record -a -g, as root",))
    of_frame = entries.busy_weight
    kernel = float(of_frame.sum())
    figures = [
        _entry_figure(stacks, frame, float(of_frame[frame]), kernel)
        for frame in np.argsort(-of_frame)[:SHOWN].tolist()
        if of_frame[frame] > 0
    ]
    if not figures:
        return Answer("All kernel samples are idle.", (Figure("idle", 1.0, "share", (stacks.whole,)),))
    top = figures[0]
    words = f"{top.label} accounts for {top.words} of kernel time"
    places = tuple(place for one in figures if one.is_notable for place in one.places)[:PLACES]
    # An entry that is notable says more than that CPUs are kernel-bound.
    bound = _times_kernel_bound(1.0 - busy_profile.idle_share(stacks), busy_profile.kernel_share(stacks))
    ratio = ratio_of(bound * float(top.value), ENTRY_SHARE)
    subject = f"kernel time in {top.label}"
    statement = Statement("cpu", words, places, is_summary=True, ratio=ratio, subject=subject)
    return Answer(f"{words}.", tuple(figures), statements=(statement,) if places else ())


def _entry_figure(stacks: Stacks, frame: int, weight: float, kernel: float) -> Figure:
    """Return the figure of one entry point; notable when it dominates a busy kernel."""
    share = weight / kernel if kernel else 0.0
    is_notable = share > ENTRY_SHARE and kernel / stacks.total > KERNEL_SHARE
    return Figure(stacks.names[frame], round(share, 4), "share", stacks.places_of_frame(frame), is_notable)


def spinning(evidence: ScopeEvidence) -> Answer:
    """Attribute time that spins on locks to the calling function; what is counted at unlocks stands apart."""
    stacks = evidence.main
    if stacks is None:
        return flat_tables.spinning(evidence, SPIN_SHARE) or NO_PROFILE
    waiting = float(stacks.leaf_weight[stacks.spin].sum())
    if not waiting and recording.is_nameless(stacks):
        return Answer("Addresses without names do not show whether CPUs spin.", lacks=(recording.NAMES,))
    if not waiting:
        return Answer("No lock spinning.", (Figure("spinning", 0.0, "share", (stacks.whole,)),))
    unlocks = stacks.spin & stacks.frames_where(is_unlock)
    at_unlock = float(stacks.leaf_weight[unlocks].sum())
    parts = ((waiting - at_unlock, stacks.spin & ~unlocks, False), (at_unlock, unlocks, True))
    found = [
        _attributed(stacks, frames, at_unlock=is_at_unlock)
        for weight, frames, is_at_unlock in sorted(parts, key=lambda part: -part[0])
        if weight
    ]
    figures = [figure for figures, _ in found for figure in figures]
    statements = tuple(
        statement
        for of, statement in found
        if of[0].value >= LEAST_SPIN_SHARE  # type: ignore[operator]
    )
    return Answer(f"{found[0][1].text}.", shortened(figures, SHOWN), (), statements)


def _attributed(
    stacks: Stacks, spinning: NDArray[np.bool_], *, at_unlock: bool
) -> tuple[list[Figure], Statement]:
    """Return the share of the frames `spinning` (F), by what calls them, as figures and a statement."""
    profile = stacks.profile
    nodes = np.flatnonzero(spinning[profile.node_frame])
    share = float(stacks.leaf_weight[spinning].sum()) / stacks.total
    callers = _callers(stacks, nodes)
    frames = np.where(callers >= 0, profile.node_frame[np.maximum(callers, 0)], -1)
    called = frames >= 0
    of_frame = np.bincount(
        frames[called], weights=stacks.node_weight[nodes[called]], minlength=len(profile.frames)
    )
    label = "counted at an unlock" if at_unlock else "spinning, total"
    figures = [Figure(label, round(share, 4), "share", (stacks.whole,), share > SPIN_SHARE)]
    cpus_of = _cpus_by_frame(stacks, nodes, frames)
    for frame in np.argsort(-of_frame)[:SHOWN].tolist():
        if not of_frame[frame]:
            break
        cpus = cpus_of(frame)
        part = float(of_frame[frame]) / stacks.total
        is_convoy = not at_unlock and cpus >= CONVOY_CPUS and part > SPIN_SHARE
        note = f"on {cpus} CPUs at once: a convoy" if is_convoy else f"on {cpu_words(cpus)}" if cpus else ""
        places = stacks.places_of_nodes(nodes[frames == frame])
        figures.append(Figure(stacks.names[frame], round(part, 4), "share", places, is_convoy, note))
    text = spin_words(share, "samples", at_unlock=at_unlock, event=profile.event)
    qualifiers: tuple[str, ...] = ()
    spun_in = figures[1].label if len(figures) > 1 else ""
    if len(figures) > 1:
        text += f", {figures[1].words} in {figures[1].label}"
        text += f" {figures[1].note}" if figures[1].note else ""
    else:
        qualifiers += ("; the recording does not show which",)
    is_alarm = share > SPIN_SHARE
    places = figures[-1].places if len(figures) == 1 else figures[1].places
    kind, level = ranked(is_alarm=is_alarm, fact="context")
    ratio = ratio_of(share, SPIN_SHARE)
    topic: Topic = "interrupts off" if at_unlock and is_timer(profile.event) else "kernel lock"
    return figures, Statement(
        "locks",
        text,
        places,
        kind,
        level,
        topic=topic if is_alarm else "",
        ratio=ratio,
        qualifiers=qualifiers,
        subject=f"{label}: {spun_in}",
    )


def _callers(stacks: Stacks, nodes: NDArray[np.intp]) -> NDArray[np.intp]:
    """Return for each of `nodes` the nearest ancestor that does not spin itself; -1 where there is none."""
    parents, frames = stacks.profile.node_parent, stacks.profile.node_frame
    above = parents[nodes].astype(np.intp)
    for _ in range(8):
        is_still = (above >= 0) & stacks.spin[frames[np.maximum(above, 0)]]
        if not is_still.any():
            break
        above[is_still] = parents[above[is_still]]
    return above


def _cpus_by_frame(
    stacks: Stacks, nodes: NDArray[np.intp], frames: NDArray[np.int32]
) -> Callable[[int], int]:
    """Return what counts the CPUs whose samples end in the `nodes` of one of `frames`; 0 without CPUs."""
    profile = stacks.profile
    is_leaf = np.zeros(len(profile.frames) + 1, dtype=np.bool_)
    is_leaf[profile.node_frame[nodes]] = True
    ends = np.flatnonzero(is_leaf[stacks.sample_leaf])
    frame_of = np.full(len(profile.node_parent), -1, dtype=np.int32)
    frame_of[nodes] = frames
    sampled = frame_of[profile.sample_node[ends]]
    inside = ends[sampled >= 0]
    sampled = sampled[sampled >= 0]
    cpus = None if profile.sample_cpu is None else profile.sample_cpu[inside]
    return lambda frame: 0 if cpus is None else len(distinct(cpus[sampled == frame]))
