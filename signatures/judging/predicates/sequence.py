"""`sequence`: a run of A in a lane, followed by B.

A lane is a CPU where samples have one, else the whole text; a kernel thread names its CPU itself
(`ksoftirqd/11`). Order alone is sufficient: published evidence has neither times nor CPUs.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from ingest.model.profile import NO_CPU
from signatures.judging.condition_bases import ReadingCondition
from signatures.judging.lane_runs import Length, find_pairs, lanes, marks_of
from signatures.judging.observation import MAX_EXEMPLARS, Cited, MatchResult, Reason, State, unknown
from signatures.language import units
from signatures.language.condition_words import names_words, path_words
from signatures.language.conditions import ConditionText, FrameSet, Trace
from signatures.language.keyword import Form, Keyword
from signatures.language.patterns import frame_path, is_any
from signatures.language.schema_parts import CAP, COUNT, FRAMES, QUANTITY, TEXT, TEXTS, Schema, object_of
from signatures.language.strict_mapping import Keys, cap_of

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator, Mapping

    from numpy.typing import NDArray

    from ingest.model.profile import Profile
    from ingest.model.reading import Reading, RowSet
    from signatures.judging.condition_bases import Span
    from signatures.judging.profile_index import Tree, Trees

NO_TIMES = "no times: only the order was tested"
ONE_LANE = "not every line has a CPU: one lane is assumed"
_STEP_KEYS: dict[str, Schema] = {"comm": TEXTS, "contains": FRAMES, "run": QUANTITY}
_STEP = object_of(_STEP_KEYS)
_KEYS: dict[str, Schema] = {
    "rows": TEXT,
    "column": TEXT,
    "first": _STEP,
    "then": _STEP,
    "within": QUANTITY,
    "at_least": COUNT,
}
_BESIDE = {"cap": CAP}


@dataclass(frozen=True, slots=True)
class Step:
    """One side of a sequence: which samples or rows belong to it, how many in a row, and for how long.

    Attributes:
        run_seconds: Minimum duration of the run where samples have times; 0 for any.
    """

    comm: FrameSet
    path: tuple[FrameSet, ...]
    run: int
    run_seconds: float = 0.0

    def describe(self) -> str:
        """Return the frames and the names of threads."""
        parts = [path_words(self.path)] if self.path else []
        parts += [f"threads named {names_words(self.comm)}"] if self.comm else []
        return " in ".join(parts)


@dataclass(frozen=True, slots=True)
class SequenceCondition(ReadingCondition):
    """`first`, then `then`, in one lane (CPU) of ordered samples or of a row set.

    Attributes:
        within: Maximum distance in samples or rows, 1 for directly after; 0 when only the time counts.
        within_seconds: Maximum distance in time where samples have times; else directly after.
    """

    PARTS: ClassVar[tuple[str, ...]] = ("profiles", "row_sets")

    rows: str
    column: str
    first: Step
    then: Step
    at_least: int
    within: int = 1
    within_seconds: float = 0.0

    @property
    def functions(self) -> tuple[str, ...]:
        """The frames of both steps."""
        return tuple(name for step in (self.first, self.then) for names in step.path for name in names)

    @property
    def traces(self) -> tuple[Trace, ...]:
        """The row set; or the innermost functions of a step, or a profile where steps are threads alone."""
        if self.rows:
            return (Trace("rows", self.rows),)
        path = self.first.path or self.then.path
        return tuple(Trace("function", name) for name in path[0]) if path else (Trace("part", "profiles"),)

    @property
    def unnamed(self) -> Hashable | None:
        """How many pairs it needs: samples without a step have none."""
        return None if self.rows else (type(self), self.at_least, self.cap)

    @property
    def capping_qualities(self) -> frozenset[str]:
        """What could hide samples, or the course of time."""
        return frozenset({"user_only", "lost_events", "no_weights", "too_short"})

    def observe(self, reading: Reading, trees: Trees, span: Span | None) -> Iterator[MatchResult]:
        """Yield the results for each row set, or for each profile with ordered samples."""
        del span
        if self.rows:
            for row_set in reading.row_sets:
                yield from _observe_rows(self, row_set)
        else:
            for index, tree in enumerate(trees.of(reading)):
                yield from _observe_profile(self, tree, index)

    def describe(self) -> ConditionText:
        """Return both steps and the number of pairs."""
        text = f"{self.first.describe()}, then {self.then.describe()}, at least {self.at_least} times"
        return ConditionText("order", text)


def _observe_profile(condition: SequenceCondition, tree: Tree, index: int) -> Iterator[MatchResult]:
    """Yield the result for ordered samples."""
    profile = tree.profile
    if not profile.is_ordered or not len(profile.sample_node):
        return
    pairs = _pairs(condition, tree)
    lines = profile.sample_line
    citations = tuple(Cited(int(lines[a]), int(lines[b]), index) for a, b in pairs[:MAX_EXEMPLARS])
    if citations:
        nodes = {
            int(profile.sample_node[at]) for a, b in pairs for at in (a, b) if profile.sample_node[at] >= 0
        }
        citations = (citations[0]._replace(nodes=tuple(sorted(nodes))), *citations[1:])
    notes = "; ".join(_notes(condition, profile)) if pairs else ""
    yield _result(condition, len(pairs), len(profile.sample_node), citations, notes)


def _notes(condition: SequenceCondition, profile: Profile) -> Iterator[str]:
    """Yield what is assumed of ordered samples."""
    cpus = profile.sample_cpu
    if cpus is None or bool((cpus == NO_CPU).any()):
        yield ONE_LANE
    tests_time = condition.within_seconds or condition.first.run_seconds or condition.then.run_seconds
    if tests_time and profile.sample_time is None:
        yield NO_TIMES


def _pairs(condition: SequenceCondition, tree: Tree) -> list[tuple[int, int]]:
    """Return (first sample of A, last of B) of every lane, in the order of the file."""
    profile = tree.profile
    marks = _marks_of(condition, tree)
    if marks is None:
        return []
    pairs: set[tuple[int, int]] = set()
    for lane in lanes(profile.sample_cpu, marks):
        times = None if profile.sample_time is None else profile.sample_time[lane]
        found = _find(condition, marks[lane], times)
        pairs.update((int(lane[start]), int(lane[end])) for start, end in found)
    return sorted(pairs)


def _find(
    condition: SequenceCondition, marks: NDArray[np.int8], times: NDArray[np.float64] | None = None
) -> list[tuple[int, int]]:
    """Return the pairs of runs of one lane."""
    first, then = condition.first, condition.then
    return find_pairs(
        marks,
        Length(first.run, first.run_seconds),
        Length(then.run, then.run_seconds),
        Length(condition.within, condition.within_seconds),
        times,
    )


def _observe_rows(condition: SequenceCondition, rows: RowSet) -> Iterator[MatchResult]:
    """Yield the result for a row set."""
    if rows.name != condition.rows or condition.column not in rows.columns:
        return
    cells = [str(cell or "") for cell in rows.cells[rows.columns.index(condition.column)]]
    marks = marks_of(
        np.array([is_any(cell, condition.first.comm) for cell in cells], dtype=np.bool_),
        np.array([is_any(cell, condition.then.comm) for cell in cells], dtype=np.bool_),
    )
    pairs = _find(condition, marks)
    citations = tuple(Cited(rows.row_lines[a], rows.row_lines[b]) for a, b in pairs[:MAX_EXEMPLARS])
    yield _result(condition, len(pairs), len(rows), citations, ONE_LANE)


def _result(
    condition: SequenceCondition, pairs: int, size: int, citations: tuple[Cited, ...], note: str
) -> MatchResult:
    goal = condition.at_least
    if pairs >= goal:
        caps = () if size >= 200 or condition.rows else ("short excerpt: frequency unknown",)
        return MatchResult(
            State.TRUE,
            observed=float(pairs),
            threshold=float(goal),
            distance=0.0,
            strength=1.0,
            note=note,
            caps=caps,
            citations=citations,
        )
    if size < 200 and not condition.rows:
        return unknown(Reason.TOO_FEW, f"{size} samples", observed=float(pairs), threshold=float(goal))
    return MatchResult(
        State.FALSE,
        observed=float(pairs),
        threshold=float(goal),
        distance=(goal - pairs) / goal,
        citations=citations,
    )


def _belongs(step: Step, tree: Tree) -> NDArray[np.bool_]:
    """S: the sample belongs to the step."""
    size = len(tree.profile.sample_node)
    belongs = tree.has_path(step.path) if step.path else np.ones(size, dtype=np.bool_)
    if step.comm:
        is_comm = tree.is_comm(step.comm)
        if not is_comm.any():
            # A folded stack may carry the command as its outermost frame.
            is_comm = tree.has_path((step.comm,))
        belongs = belongs & is_comm  # not in place: other conditions ask for the same path
    return belongs


def _marks_of(condition: SequenceCondition, tree: Tree) -> NDArray[np.int8] | None:
    """Mark the samples of both steps; None when one step has none."""
    first = _belongs(condition.first, tree)
    if not first.any():
        return None
    then = _belongs(condition.then, tree)
    return marks_of(first, then) if then.any() else None


def _step(file: str, path: str, document: Mapping[str, Any]) -> Step:
    keys = Keys(file, path, document, _STEP_KEYS)
    run = units.parse(keys.value("run", 1))
    is_time = run.unit == "seconds"
    return Step(
        comm=keys.texts("comm"),
        path=frame_path(keys.value("contains", [])),
        run=1 if is_time else int(run.value),
        run_seconds=run.value if is_time else 0.0,
    )


def _parse(file: str, path: str, document: Mapping[str, Any]) -> SequenceCondition:
    Keys(file, path, document, ["sequence", *_BESIDE])
    keys = Keys(file, f"{path}.sequence", document["sequence"], _KEYS)
    within = units.parse(keys.value("within", 1))
    is_time = within.unit == "seconds"
    return SequenceCondition(
        rows=keys.text("rows"),
        column=keys.text("column"),
        first=_step(file, f"{path}.sequence.first", keys.mapping("first")),
        then=_step(file, f"{path}.sequence.then", keys.mapping("then")),
        within=0 if is_time else int(within.value),
        within_seconds=within.value if is_time else 0.0,
        at_least=int(keys.value("at_least", 1)),
        cap=cap_of(file, path, document),
    )


KEYWORDS = {"sequence": Keyword(_parse, (Form(object_of(_KEYS, ["first", "then"]), _BESIDE),))}
