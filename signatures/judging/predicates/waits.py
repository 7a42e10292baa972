"""`waits`: tasks that wait behind one blocker, from the wait graph of a scope.

The value is the largest number of tasks behind a blocker that passes. A blocker counts only when it is more
than a moment of a busy host (`signatures.waits.sentences.is_notable`). Counts of evidence that shows blocked
tasks only are lower bounds, so it never refutes.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from ingest.frames.wait_points import GENERIC, kinds, title_of
from signatures.judging.condition_bases import WaitGraphCondition
from signatures.judging.observation import (
    MAX_EXEMPLARS,
    Cited,
    MatchResult,
    Observation,
    Reason,
    State,
    number_result,
    unknown,
)
from signatures.language.condition_words import bound_words, names_words
from signatures.language.conditions import Bound, ConditionText, FrameSet, Trace
from signatures.language.keyword import Form, Keyword
from signatures.language.patterns import is_any
from signatures.language.schema_parts import BOUND, CAP, TEXTS, Schema, object_of
from signatures.language.strict_mapping import BOUNDS, Keys, bound_of, cap_of
from signatures.waits.sentences import DEADLOCK, is_notable, ring_sentence, root_sentence

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator, Mapping

    from signatures.waits.model import Root, WaitGraph
    from signatures.waits.observed import Lines

_Place: TypeAlias = "tuple[str, int, Cited]"

_KEYS: dict[str, Schema] = {"on": TEXTS, "blocked_by": TEXTS, "tasks": BOUND}
_BESIDE = {"cap": CAP}


@dataclass(frozen=True, slots=True)
class WaitsCondition(WaitGraphCondition):
    """How many tasks wait behind one blocker.

    Attributes:
        on: Kinds of resources; the blocker holds one of them or waits for one. () for any.
        blocked_by: Names of the blocking task; `deadlock` for a ring. () also for a holder that no evidence
            names.
    """

    on: tuple[str, ...]
    blocked_by: FrameSet
    bound: Bound

    @property
    def traces(self) -> tuple[Trace, ...]:
        """What tasks wait for, else who blocks them."""
        return tuple(Trace("waits", name) for name in self.on or self.blocked_by or ("*",))

    @property
    def unnamed(self) -> Hashable:
        """Its limits: of every other blocker the graph states the same."""
        return type(self), self.bound, self.cap

    def observe(self, graph: WaitGraph) -> Iterator[Observation]:
        """Yield the largest number of tasks behind a blocker that passes."""
        match_result, places = _observe(self, graph)
        yield Observation(
            match_result, tuple(dict.fromkeys(evidence for evidence, _, _ in places)), citations=places
        )

    def describe(self) -> ConditionText:
        """Return the resources, the blocker and the bound."""
        on = f" on {names_words(tuple(title_of(kind) for kind in self.on))}" if self.on else ""
        by = f" behind {names_words(self.blocked_by)}" if self.blocked_by else " behind one blocker"
        return ConditionText("wait graph", f"tasks that wait{on}{by}: {bound_words(self.bound, 'count')}")


def _observe(condition: WaitsCondition, graph: WaitGraph) -> tuple[MatchResult, tuple[_Place, ...]]:
    found = [_of_root(graph, root) for root in graph.roots if _is_chosen(condition, graph, root)]
    if not condition.on and (not condition.blocked_by or is_any(DEADLOCK, condition.blocked_by)):
        found += [_of_ring(graph, ring) for ring in graph.cycles]
    most = max(found, key=lambda one: one.tasks, default=_Blocker(0.0, (), "no such blocker"))
    best = number_result(most.tasks, condition.bound, "count", note=most.note)
    if best.state is State.FALSE and graph.is_partial:
        detail = "the evidence shows blocked tasks only, others may wait"
        best = unknown(Reason.EXCERPT, detail, observed=best.observed, threshold=best.threshold, unit="count")
    return best, tuple((one.evidence, one.section, _cited(one)) for one in most.lines)


class _Blocker(NamedTuple):
    tasks: float
    lines: tuple[Lines, ...]
    note: str


def _is_chosen(condition: WaitsCondition, graph: WaitGraph, root: Root) -> bool:
    if not is_notable(graph, root):
        return False
    resources = {graph.resources[at].kind for at in (root.resource, root.waits_for) if at >= 0}
    if condition.on and resources.isdisjoint(condition.on):
        return False
    name = graph.tasks[root.task].comm if root.task >= 0 else ""
    return not condition.blocked_by or (bool(name) and is_any(name, condition.blocked_by))


def _of_root(graph: WaitGraph, root: Root) -> _Blocker:
    """Return the number of tasks behind a root, cited by the root and the edges to what it holds."""
    own = () if root.task < 0 else (graph.tasks[root.task].lines,)
    waiting = (edge.lines for edge in graph.waits if edge.resource == root.resource)
    lines = tuple(dict.fromkeys((*own, *waiting)))[:MAX_EXEMPLARS]
    return _Blocker(float(root.behind), lines, root_sentence(graph, root))


def _of_ring(graph: WaitGraph, ring: tuple[int, ...]) -> _Blocker:
    lines = tuple(graph.tasks[task].lines for task in ring[:MAX_EXEMPLARS])
    return _Blocker(float(len(ring)), lines, ring_sentence(graph, ring))


def _cited(lines: Lines) -> Cited:
    return Cited(lines.first_line, lines.last_line)


def _parse(file: str, path: str, document: Mapping[str, Any]) -> WaitsCondition:
    Keys(file, path, document, ["waits", *_BESIDE])
    keys = Keys(file, f"{path}.waits", document["waits"], _KEYS)
    on = keys.texts("on")
    for kind in on:
        if kind not in kinds() and kind not in GENERIC:
            raise keys.error("on", f"{kind!r} is no kind of resource", "see ingest/frames/wait_points.yaml")
    tasks = Keys(file, f"{path}.waits.tasks", keys.mapping("tasks"), BOUNDS)
    return WaitsCondition(on, keys.texts("blocked_by"), bound_of(tasks), cap=cap_of(file, path, document))


KEYWORDS = {"waits": Keyword(_parse, (Form(object_of(_KEYS, ["tasks"]), _BESIDE),))}
