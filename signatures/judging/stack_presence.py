"""Presence of stacks: that frames were seen, where no share of time can be taken.

A stack that stands for time on a CPU is none of a thread that sleeps: off-CPU profiles show waits, and so do
stacks that end in the scheduler or in a sleeping lock.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from signatures.judging import stack_threads
from signatures.judging.capacity import cpu_share
from signatures.judging.observation import MatchResult, Reason, State, unknown
from signatures.judging.population import POPULATIONS, Population
from signatures.judging.quality_caps import NO_WEIGHTS
from signatures.judging.stack_match import StackMatch
from signatures.judging.stack_shares import ShareTest, too_little

if TYPE_CHECKING:
    from collections.abc import Iterator

    from signatures.language.conditions import Bound, FrameSet
    from signatures.language.conditions import Population as PopulationName

RARE = 0.01
"""Minimum share of presence in a large number of stacks: some task always forks or exits."""

ASLEEP = ("bare", "offcpu")
"""Kinds of profiles that show waiting threads; CPU samples never do."""


class PresenceTest(Protocol):
    """What is asked of presence; `predicates.stack.StackCondition` describes the attributes."""

    @property
    def at(self) -> str: ...  # noqa: D102
    @property
    def of(self) -> PopulationName: ...  # noqa: D102
    @property
    def comm(self) -> FrameSet: ...  # noqa: D102
    @property
    def bound(self) -> Bound: ...  # noqa: D102
    @property
    def min_samples(self) -> float: ...  # noqa: D102
    @property
    def is_asleep(self) -> bool: ...  # noqa: D102
    @property
    def is_at_rest(self) -> bool: ...  # noqa: D102
    @property
    def is_distinct(self) -> bool: ...  # noqa: D102
    @property
    def share(self) -> PresenceTest | None: ...  # noqa: D102


def shows_presence(condition: PresenceTest, what: str) -> bool:
    """Return whether a profile of this kind (`cpu`, `offcpu`, `event`, `bare`) can show it."""
    if condition.is_asleep:
        return what in ASLEEP
    if _stands_for_busy(condition) and what == "offcpu":
        return False
    return not (condition.is_at_rest and what == "event")


def _stands_for_busy(condition: PresenceTest) -> bool:
    """Return whether it stands for a share of the time that CPUs are busy."""
    return not condition.is_asleep and condition.share is not None and condition.share.of != "all"


def presence(condition: PresenceTest, match: StackMatch, *, is_enough: bool) -> Iterator[MatchResult]:
    """Yield what the stacks of one profile show.

    Args:
        condition: Tests presence.
        match: The stacks that match it.
        is_enough: The profile is one of time, with enough samples for a share.
    """
    tree, profile = match.tree, match.tree.profile
    if is_enough and condition.share is not None:
        return
    if _stands_for_busy(condition) and not match.is_nowhere:
        match = StackMatch(tree, match.index, match.pattern, tree.awake(match.of))
    if condition.share is not None and tree.is_timed:
        share = condition.share
        of = Population(tree, share.of, share.comm)
        if found := too_little(match, of, ShareTest(share.bound, POPULATIONS[share.of], share.min_samples)):
            yield found
            return
    total = Population(tree, "all").samples
    part = match.count
    is_counted = profile.has_weights and total >= condition.min_samples and not is_enough
    if is_counted and 0 < part < RARE * total:
        yield unknown(
            Reason.ABSENT, f"in {part:.0f} of {total:.0f} stacks", observed="seen", threshold="seen"
        )
    elif part and condition.is_distinct:
        yield stack_threads.threads_result(condition.bound, match.threads(), match.cite())
    elif part:
        process, caps = "", () if is_enough else (NO_WEIGHTS,)
        if condition.at:
            own = match.measured.places
            process = str(tree.processes[min(own)]) if len(own) == 1 else ""
        is_load = _stands_for_busy(condition) and tree.is_timed
        yield MatchResult(
            State.TRUE,
            observed="seen",
            threshold="seen",
            distance=0.0,
            strength=1.0,
            is_seen=True,
            process=process,
            caps=caps,
            threads=() if profile.has_weights else match.threads(),
            stacks=part if profile.has_weights else match.count_of_threads(),
            citations=match.cite(),
            cpu_share=cpu_share(tree, match.weight, lambda: match.samples) if is_load else None,
            cpus=tree.cpus if is_load else 0,
        )
    elif match.weight_of(match.hidden(tree.population("all"))):
        yield unknown(Reason.LOW_QUALITY, "callers are omitted", observed="not seen", threshold="seen")
    elif is_enough:
        yield MatchResult(
            State.FALSE, "not in any sample", observed="not seen", threshold="seen", distance=1.0
        )
    elif profile.node_parent.size:
        yield unknown(Reason.ABSENT, "not in the few stacks available", observed="not seen", threshold="seen")
