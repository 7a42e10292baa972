"""`stack` and `leaf`: share of weight, or presence, of frames in order.

A share is relative to a population (`all`, `busy`, `kernel_busy`: the innermost frame is in the kernel and
not idle). With `at` it is computed for each process (its samples ÷ its own population) and for all processes
together (`*`).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, ClassVar

from ingest.model.profile import UNKNOWN_CALLEES, UNKNOWN_CALLERS
from signatures.judging import stack_threads
from signatures.judging.capacity import LEAST, judged
from signatures.judging.condition_bases import TIMED, ReadingCondition
from signatures.judging.population import POPULATIONS, Population
from signatures.judging.stack_match import StackMatch, StackPattern
from signatures.judging.stack_presence import presence, shows_presence
from signatures.judging.stack_shares import ShareTest, shares
from signatures.language.condition_words import bound_words, names_words, path_words
from signatures.language.conditions import Bound, ConditionText, FrameSet, Trace
from signatures.language.keyword import Form, Keyword
from signatures.language.patterns import expand, frame_path, is_any
from signatures.language.schema_parts import (
    BOUND,
    BOUND_KEYS,
    CAP,
    COUNT,
    FRAMES,
    NUMBER,
    TEXT,
    TEXTS,
    Schema,
    object_of,
    one_of,
)
from signatures.language.strict_mapping import BOUNDS, Keys, bound_of, cap_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from ingest.model.reading import Reading
    from signatures.judging.condition_bases import Span
    from signatures.judging.fact_index import ScopeFacts
    from signatures.judging.observation import MatchResult, Observation
    from signatures.judging.profile_index import Tree, Trees
    from signatures.language.conditions import Population as PopulationName
    from signatures.language.conditions import Test

DEFAULT_MIN_SAMPLES = 200
"""Minimum samples of the population for a share: an idle machine has 18 kernel samples."""

UNLOCK = "_raw_spin_unlock_irqrestore"
"""Skid charges only locks taken with interrupts off to their unlock; other leaves are unaffected."""

_SPINNING = ("queued_spin_lock", "_raw_spin_")
_SEEN = (True, False, "at rest", "asleep")
_COMMON: dict[str, Schema] = {"not": TEXTS, "of": one_of(*POPULATIONS), "at": TEXT, "comm": TEXTS}
_STACK: dict[str, Schema] = {"contains": FRAMES, "under": FRAMES, **_COMMON}
_LEAF: dict[str, Schema] = {"any": TEXTS, "called_from": FRAMES, "within": COUNT, **_COMMON}
_DISTINCT: dict[str, Schema] = {"of": TEXT, **BOUND_KEYS}
_BESIDE = {
    "share": BOUND,
    "seen": one_of(*_SEEN),
    "distinct": object_of(_DISTINCT),
    "min_samples": NUMBER,
    "capacity": NUMBER,
    "cap": CAP,
}


@dataclass(frozen=True, slots=True)
class StackCondition(ReadingCondition):
    """Share or presence of stacks with frames in order.

    Attributes:
        path: Frame sets from leaf to root: `contains`, then `under`.
        leaf: The innermost frame, or () when any frame may complete the path.
        within: Maximum frames between leaf and path; 0 for any number.
        without: Frames that exclude a stack.
        of: Population of the share.
        is_seen: Tests presence, not a share.
        is_at_rest: Presence counts only in stacks not sampled by an event inside the function itself.
        share: The share of the same clause, which decides where there are weights; for presence alone.
        is_distinct: Tests the number of distinct threads, not a share; with `is_seen`, over all readings.
        comm: Only threads with one of these names are in the population; () for all.
        is_asleep: Presence counts only in stacks of threads that were waiting (`/proc/PID/stack`, off-CPU).
        capacity: Share of all CPU time that a share of busy time needs as well; 0 for none.
    """

    PARTS: ClassVar[tuple[str, ...]] = ("profiles",)

    path: tuple[FrameSet, ...]
    leaf: FrameSet
    within: int
    without: FrameSet
    of: PopulationName
    bound: Bound
    is_seen: bool
    is_at_rest: bool
    share: StackCondition | None
    is_distinct: bool
    min_samples: float
    comm: FrameSet = ()
    is_asleep: bool = False
    capacity: float = LEAST

    @property
    def parts(self) -> tuple[str, ...]:
        """Any profile for presence, those of time for a share or a number of threads."""
        return self.PARTS if self.is_seen else (TIMED,)

    @property
    def traces(self) -> tuple[Trace, ...]:
        """The innermost functions, or omitted ones, which may be these."""
        innermost = self.leaf or (self.path[0] if self.path else ("*",))
        return tuple(Trace("function", name) for name in (*innermost, UNKNOWN_CALLERS, UNKNOWN_CALLEES))

    @property
    def unnamed(self) -> StackCondition:
        """The condition without the names of its functions."""
        return replace(
            self,
            path=((),) * len(self.path),
            leaf=(UNLOCK if is_any(UNLOCK, self.leaf) else "",) if self.leaf else (),
            within=0,
            without=("",) if self.without else (),
            share=self.share and self.share.unnamed,
        )

    @property
    def stands_for_share(self) -> bool:
        """Whether presence stands for the share beside it, so that one stack is too few."""
        return self.is_seen and self.share is not None and not self.is_distinct

    @property
    def is_share(self) -> bool:
        """Whether it tests a share."""
        return not self.is_seen and not self.is_distinct

    @property
    def functions(self) -> tuple[str, ...]:
        """The leaf and the path."""
        return (*self.leaf, *(name for names in self.path for name in names))

    @property
    def capping_qualities(self) -> frozenset[str]:
        """What could make a share wrong; truncated stacks may lack callers it requires or excludes."""
        found = {"user_only", "lost_events", "no_weights"}
        if self.is_share:
            found |= {"excerpt", "filtered", "few_samples", "unknown_frames", "too_short"}
            if self.without or len(self.path) > (0 if self.leaf else 1):
                found.add("truncated_stacks")
            if is_any(UNLOCK, self.leaf):
                found.add("skid")
        return frozenset(found)

    def in_group(self, tests: Sequence[Test]) -> StackCondition:
        """Mark presence with a sibling share, which decides where there are weights."""
        if not self.is_seen:
            return self
        shares = [test for test in tests if isinstance(test, StackCondition) and test.is_share]
        return replace(self, share=shares[0] if shares else None)

    def complaints(self) -> tuple[str, ...]:
        """Complain of a share of spinning without its caller."""
        is_spin = any(name.lstrip("*").startswith(_SPINNING) for name in self.leaf)
        if is_spin and not self.path and not self.is_seen:
            return ("a spin share without caller; add called_from (pgbench shows 13 %)",)
        return ()

    def observe(self, reading: Reading, trees: Trees, span: Span | None) -> Iterator[MatchResult]:
        """Yield the results for each profile."""
        del span
        for index, tree in enumerate(trees.of(reading)):
            yield from _observe(self, tree, index)

    def pooled(
        self, observations: tuple[Observation, ...], facts: ScopeFacts | None = None
    ) -> tuple[Observation, ...]:
        """Pool the threads of all readings; compare shares with what the host could use."""
        if self.is_seen and self.is_distinct:
            return stack_threads.pooled(self.bound, observations)
        share = self.share if self.stands_for_share else self if self.is_share else None
        if facts is None or share is None or not share.capacity:
            return observations
        return tuple(judged(one, share.capacity, facts) for one in observations)

    def describe(self) -> ConditionText:
        """Return the frames, and the share, presence or number of threads."""
        where = path_words(self.path)
        if self.leaf:
            near = f" within {self.within} frames of" if self.within else " called from"
            where = f"innermost {names_words(self.leaf)}" + (f"{near} {where}" if where else "")
        if self.without:
            where += f", without {names_words(self.without)}"
        if self.comm:
            where += f", in threads named {names_words(self.comm)}"
        return ConditionText("stacks", f"{where}, {self._measure_words()}")

    def _measure_words(self) -> str:
        count = bound_words(self.bound, "count")
        if self.is_seen and self.is_distinct:
            return f"in {count} threads{' that are waiting' if self.is_asleep else ''}"
        if self.stands_for_share:
            return "in several stacks without weight"
        if self.is_seen:
            return "in a waiting thread" if self.is_asleep else "in at least one stack"
        if self.is_distinct:
            return f"{count} threads"
        return f"{bound_words(self.bound, 'share')} of {POPULATIONS[self.of]}"


def _observe(condition: StackCondition, tree: Tree, index: int) -> Iterator[MatchResult]:
    profile = tree.profile
    population = Population(tree, condition.of, condition.comm)
    pattern = StackPattern(condition.path, condition.leaf, condition.within, condition.without)
    can_weigh = tree.is_timed
    if condition.is_seen:
        if not shows_presence(condition, profile.what):
            return
        is_enough = can_weigh and population.samples >= condition.min_samples
        match = StackMatch(tree, index, pattern, tree.of_threads(condition.comm))
        yield from presence(condition, match, is_enough=is_enough)
        return
    if not can_weigh:
        return
    if condition.is_distinct:
        match = StackMatch(tree, index, pattern, tree.of_threads(condition.comm))
        yield stack_threads.distinct_result(condition.bound, match)
        return
    is_busy = condition.of != "all"
    test = ShareTest(condition.bound, condition.of.replace("_", "-"), condition.min_samples, is_busy=is_busy)
    match = StackMatch(tree, index, pattern, population.selection)
    yield from shares(match, population, test, by_process=bool(condition.at))


def _parse(file: str, path: str, document: Mapping[str, Any]) -> StackCondition:
    is_leaf = "leaf" in document
    name = "leaf" if is_leaf else "stack"
    Keys(file, path, document, [name, *_BESIDE])
    keys = Keys(file, f"{path}.{name}", document[name], _LEAF if is_leaf else _STACK)
    share = Keys(file, f"{path}.share", document.get("share", {}), BOUNDS)
    distinct = Keys(file, f"{path}.distinct", document.get("distinct", {}), _DISTINCT)
    seen = Keys(file, path, document, None).one_of("seen", _SEEN, default=False)
    is_seen = bool(seen)
    is_one = (not share.items_) + (not distinct.items_) + (not is_seen) == 2
    if not is_one and not (is_seen and distinct.items_ and not share.items_):
        raise keys.error(
            name,
            "needs exactly one of share, distinct, seen (seen may be combined with distinct)",
            "add `share: {at_least: 0.30}`",
        )
    lower = frame_path(keys.value("called_from", [])) if is_leaf else frame_path(keys.value("contains"))
    upper = () if is_leaf else frame_path(keys.value("under", []))
    return StackCondition(
        path=lower + upper,
        leaf=expand(keys.texts("any")) if is_leaf else (),
        within=int(keys.value("within", 0)),
        without=expand(keys.texts("not")),
        of=keys.one_of("of", tuple(POPULATIONS), default="kernel_busy"),
        at=keys.text("at").lstrip("$"),
        bound=bound_of(distinct if distinct.items_ else share),
        is_seen=is_seen,
        is_at_rest=seen == "at rest",
        share=None,
        is_distinct=bool(distinct.items_),
        min_samples=float(document.get("min_samples", DEFAULT_MIN_SAMPLES)),
        comm=keys.texts("comm"),
        is_asleep=seen == "asleep",
        cap=cap_of(file, path, document),
        capacity=float(document.get("capacity", LEAST)),
    )


KEYWORDS = {
    "stack": Keyword(_parse, (Form(object_of(_STACK, ["contains"]), _BESIDE),)),
    "leaf": Keyword(_parse, (Form(object_of(_LEAF, ["any"]), _BESIDE),)),
}
