"""Functions in which CPU time is spent: by self time, by total time, by process; of profiles and flat tables.

The function with the most self time is a statement; one of the kernel that takes a quarter of all time or
more is an alarm, except functions that every busy machine shows.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from ingest.frames import is_spin
from signatures.language.number_format import value_words
from signatures.overview import recording
from signatures.overview.cpu.function_shares import (
    SHOWN,
    SKID,
    Timed,
    largest_table,
    module_name,
    of_profile,
    of_tables,
    summed,
    totals_of_profile,
    totals_of_tables,
)
from signatures.overview.cpu.function_topics import topic_of_function
from signatures.overview.cpu.guest_time import COUNTED, is_guest
from signatures.overview.cpu.kernel_areas import Part, area_statement
from signatures.overview.cpu.lone_stacks import CALLERS, lone_stack
from signatures.overview.cpu.program_areas import program_area
from signatures.overview.cpu.spin_words import is_unlock, spin_words
from signatures.overview.levels import ratio_of
from signatures.overview.model import Answer, Figure, Statement, ranked
from signatures.overview.recording import NAMES
from signatures.overview.stacks import is_unnamed

if TYPE_CHECKING:
    from signatures.overview.scope_evidence import ScopeEvidence
    from signatures.overview.stacks import Stacks

ALARM_SHARE = 0.25
TELLING_SHARE = 0.2
"""A function of as much of the time is worth the headline."""

FEW_SAMPLES = 100
"""Below this one sample is more than a percent: shares are not stated."""

PART_SHARE = 0.001
COPYING = (
    "copy_",
    "rep_movs",
    "_copy_",
    "csum_",
    "memcpy",
    "__memcpy",
    "memset",
    "aes",
    "_aes",
    "sha",
    "crc",
)
"""Work that a program asks for: moving and transforming its bytes."""

HALF = 0.5
LOCKDEP = ("lock_acquire", "__lock_acquire")
"""A kernel that checks its locks spends the time in the checks, not in waiting."""

SPIN_SHARE = 0.2
TAKERS = 2
LOCKING = ("__down", "__mutex", "__rwsem", "_raw_", "down_", "lock_", "mutex_", "queued_", "rwsem_")
"""Functions that take a lock for the one that calls them."""

SEVERAL = 2
ROOTS = frozenset({
    "__clone", "__libc_start_main", "_start", "clone", "clone3", "kthread", "main", "process_one_work",
    "ret_from_fork", "ret_from_fork_asm", "start_thread", "worker_thread",
})  # fmt: skip
"""What every thread of a kind begins with: it says nothing about the time."""

NEARLY = 0.9
"""Of functions that call one another, with nearly the same time, the innermost is named."""


def top_functions(evidence: ScopeEvidence) -> Answer:
    """Rank functions by self time, and of profiles by total time and process."""
    stacks = evidence.main
    below: list[Timed] = []
    if stacks is not None:
        tops = of_profile(stacks)
        totals = totals_of_profile(stacks)
        source = "samples"
    else:
        tops, totals, source = of_tables(evidence), [], "time"
        called = totals_of_tables(evidence)
        below = [one for one in called if not one.is_row]
        called.sort(key=lambda one: -one.share)
        if spins := _spinning(below, tops):
            return spins
        if below and len(tops) < SEVERAL and _highest(below) >= _highest(tops):
            return _called(below, is_tree=True)
        if called and not tops:
            return _called(called)
    if not tops and (single := lone_stack(evidence)):
        return single
    if not tops:
        return Answer("No profile or table of functions.", lacks=(CALLERS,))
    figures = [
        Figure(one.name, round(one.share, 4), "share", one.places, note=f"in {one.comm}" if one.comm else "")
        for one in tops
    ]
    figures += [
        Figure(f"{one.name}, with what it calls", round(one.share, 4), "share", one.places) for one in totals
    ]
    first = next((one for one in tops if not is_unnamed(one.name)), None)
    if first is None:
        return _nameless(tops, figures, has_profile=stacks is not None)
    are = "are" if source == "samples" else "is"
    words = f"{value_words(first.share, 'share')} of the {source} {are} in {first.name}"
    words += " and what it calls, where the call tree ends" if first.is_open else ""
    words += f", most of it in {first.comm}" if first.comm else ""
    nearest = _nearest(below)
    words += f"; {value_words(nearest.share, 'share')} in what {nearest.name} calls" if nearest else ""
    has_callers = stacks is not None or nearest is not None
    if stacks is not None and stacks.profile.samples < FEW_SAMPLES:
        return _of_few(stacks, first, figures)
    closed = evidence.highest("perf.closed_rows") if stacks is None else None
    statements = (
        _statement(first, words, has_callers=has_callers, is_closed=closed is not None, stacks=stacks),
        *_area(evidence, stacks, is_closed=closed is not None),
    )
    return Answer(f"{words}.", tuple(figures), statements=statements, is_undecided=stacks is None)


def _of_few(stacks: Stacks, first: Timed, figures: list[Figure]) -> Answer:
    """Say that the recording is too short for shares, and where its few samples are."""
    profile = stacks.profile
    count = round(first.share * profile.samples)
    span = ""
    if profile.sample_time is not None and len(profile.sample_time) > 1:
        seconds = float(profile.sample_time.max() - profile.sample_time.min())
        span = f" in {value_words(seconds, 'seconds')}"
    mode = ", of programs alone (the kernel is left out)" if recording.is_of_programs(profile.event) else ""
    words = f"The recording is short: {profile.samples:,.0f} samples{span}{mode}; too few for shares"
    most = (
        f"most end in {first.name}"
        if count * 2 > profile.samples
        else f"no function leads ({first.name}: {count})"
    )
    statement = Statement("cpu", f"{words}; {most}", (stacks.whole,), "fact", "context", CALLERS)
    return Answer(f"{words}.", tuple(figures), statements=(statement,), is_undecided=True)


def _nearest(above: list[Timed]) -> Timed | None:
    """Return the innermost of the functions that call nearly all that is called; None without a tree."""
    telling = [one for one in above if one.name not in ROOTS and not one.name.startswith(LOCKING)]
    least = NEARLY * _highest(telling)
    return next((one for one in reversed(telling) if one.share >= least), None)


def _highest(tops: list[Timed]) -> float:
    return max((one.share for one in tops), default=0.0)


def _nameless(tops: list[Timed], figures: list[Figure], *, has_profile: bool) -> Answer:
    """Say that the functions at the top are addresses; of a profile `cpu_time` says how many are."""
    words = "The functions at the top are addresses without names: what runs is not known"
    statement = Statement("cpu", words, tops[0].places, "fact", "notable", NAMES)
    statements = () if has_profile else (statement,)
    return Answer(f"{words}.", tuple(figures), (NAMES,), statements, is_undecided=True)


def _called(tops: list[Timed], *, is_tree: bool = False) -> Answer:
    """Return the functions of tables that state only what is in a function and in what it calls."""
    figures = tuple(
        Figure(f"{one.name}, with what it calls", round(one.share, 4), "share", one.places)
        for one in sorted(tops, key=lambda one: -one.share)[:SHOWN]
    )
    most = [one for one in tops if one.share >= NEARLY * _highest(tops)]
    first = most[-1]
    words = f"{value_words(first.share, 'share')} of the time is in {first.name} and what it calls"
    words += f", in {first.comm}" if is_tree and first.comm else ""
    return Answer(f"{words}.", figures, statements=(_statement(first, words, has_callers=is_tree),))


def _spinning(above: list[Timed], rows: list[Timed]) -> Answer | None:
    """Return the lock on which a call tree spins, by who takes it; None when it spins little.

    Args:
        above: The functions of the tree, callers before what they call.
        rows: The functions of the table: its first may be the lock itself, which is not in its own tree then.
    """
    if any(one.name.startswith(LOCKDEP) for one in (*above, *rows)):
        return None
    among = [*above, *rows[:1]] if above else []
    spins = max((one for one in among if is_spin(one.name)), key=lambda one: one.share, default=None)
    if spins is None or spins.share < SPIN_SHARE:
        return None
    takers = [
        one
        for one in reversed(above)
        if one.share >= HALF * spins.share and not is_spin(one.name) and not one.name.startswith(LOCKING)
    ][:TAKERS]
    at_unlock = is_unlock(spins.name)
    words = spin_words(spins.share, "the time", function=spins.name, at_unlock=at_unlock)
    least = min((one.share for one in takers), default=0.0)
    part = f"{value_words(least, 'share')} " if least < NEARLY * spins.share else ""
    words += f", {part}taken in {' ← '.join(one.name for one in takers)}" if takers else ""
    places = (*spins.places, *(takers[0].places if takers else ()))
    figure = Figure(spins.name, round(spins.share, 4), "share", spins.places, is_notable=True)
    ratio = ratio_of(spins.share, SPIN_SHARE)
    statement = Statement(
        "locks",
        words,
        places,
        "alarm",
        "saturation",
        CALLERS,
        topic="kernel lock",
        ratio=ratio,
        subject=f"spinning in {spins.name}, taken in {' ← '.join(one.name for one in takers)}",
    )
    return Answer(f"{words}.", (figure,), statements=(statement,))


def _statement(
    top: Timed, words: str, *, has_callers: bool, is_closed: bool = False, stacks: Stacks | None = None
) -> Statement:
    if is_guest(top.name):
        return Statement(
            "cpu",
            f"{words}: {COUNTED}",
            top.places,
            "fact",
            "notable" if top.share >= TELLING_SHARE else "context",
            ratio=ratio_of(top.share, ALARM_SHARE),
            subject=f"{top.name} of {top.comm}",
        )
    is_work = top.name.startswith((*COPYING, *SKID)) or is_spin(top.name)
    is_alarm = top.is_kernel and top.share >= ALARM_SHARE and not is_work
    who = (
        "; its callers are recorded, behind the `+` of the rows"
        if is_closed
        else "; the table does not show who calls it"
    )
    kind, level = ranked(is_alarm=is_alarm, fact="notable" if top.share >= TELLING_SHARE else "context")
    capture = "" if has_callers else recording.OPENED if is_closed else CALLERS
    topic = topic_of_function(top, stacks) if top.share >= ALARM_SHARE else ""
    return Statement(
        "cpu",
        words,
        top.places,
        kind,
        level,
        capture,
        asks=recording.OPENED_ASKS if is_closed else "",
        topic=topic,
        ratio=ratio_of(top.share, ALARM_SHARE) if is_alarm else None,
        qualifiers=() if has_callers else (who,),
        subject=f"{top.name} of {top.comm}",
    )


def _area(
    evidence: ScopeEvidence, stacks: Stacks | None, *, is_closed: bool = False
) -> tuple[Statement, ...]:
    """Return the part of the kernel that takes most of the time, when several of its functions do."""
    named, of_programs = 1.0, None
    if stacks is not None:
        weights = np.where(stacks.idle | ~stacks.is_kernel, 0.0, stacks.leaf_weight)
        frames = stacks.profile.frames
        heavy = np.flatnonzero(weights > PART_SHARE * stacks.total).tolist()
        parts = [
            Part(
                stacks.names[frame],
                float(weights[frame]) / stacks.total,
                module_name(frames[frame].module, frames[frame].kind),
                stacks.places_of_frame(frame),
            )
            for frame in heavy
        ]
    else:
        largest = largest_table(evidence)
        rows = summed(*largest) if largest else []
        of_programs = program_area(rows)
        parts = [Part(one.name, one.share, one.module, one.places) for one in rows if one.is_kernel]
        if largest and not largest[0].has_header:
            named = sum(one.share for one in rows)
    unit = "samples" if stacks else "time"
    found = area_statement(
        (one for one in parts if not is_spin(one.name) and not is_guest(one.name)), unit, named=named
    )
    if found and is_closed:
        asks = f"{recording.OPENED_ASKS}{', and what the calls return' if found.capture else ''}"
        capture = "; ".join(filter(None, (recording.OPENED, found.capture)))
        found = replace(found, capture=capture, asks=asks)
    return tuple(one for one in (found, of_programs) if one is not None)
