"""Index of signatures by what evidence must have for them: the others are not looked at one by one.

A library grows by signatures of other subsystems, and a paste has a few classes of messages, facts and
functions. The traces of the conditions of a signature (`language.conditions.Trace`) are inverted: what a
scope has names its candidates. What is undecided without any trace is the same for all other signatures
(`judging.absent`); a profile that decides even functions it does not have makes candidates of the signatures
that name functions.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Final, Literal, NamedTuple
from weakref import WeakKeyDictionary

from signatures.judging.absent import AbsentSignature
from signatures.judging.condition_plan import Plans, is_pattern
from signatures.judging.observation import WHOLE, State
from signatures.judging.observe import observed_conditions
from signatures.judging.signature_plan import signature_plan
from signatures.judging.states import NOTHING, Outcome, outcome_of
from signatures.language.conditions import ANYTHING, Trace

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from signatures.judging.condition_plan import Plan
    from signatures.judging.evaluation_context import EvaluationContext
    from signatures.judging.signature_plan import Shapes
    from signatures.language.model import Catalog, Implication, Signature

_KIND_OF_IMPLICATION: Final[dict[str, Literal["rows", "class", "fact", "function"]]] = {
    "rows": "rows",
    "log": "class",
    "has_fact": "fact",
    "frame": "function",
}


class Candidates(NamedTuple):
    """What of a catalogue a scope may show.

    Attributes:
        numbers: The signatures that are judged.
        outcomes: Outcomes of the conditions of the others, by the number of their `Condition.unnamed`; absent
            ones have none.
    """

    numbers: set[int]
    outcomes: Mapping[int, Outcome]


class SignatureIndex:
    """The signatures of a catalogue that are judged, by their traces.

    Attributes:
        signatures: Those that are not retired, in their order.
        absent: What their findings are where evidence has none of their traces.
        plans: What their judgement begins with.
    """

    def __init__(self, catalog: Catalog) -> None:
        """Invert the traces of all signatures."""
        self.signatures = tuple(one for one in catalog.signatures if one.status != "retired")
        conditions = Plans()
        shapes: Shapes = {}
        self.plans = tuple(signature_plan(one, conditions, shapes) for one in self.signatures)
        self.absent = tuple(map(AbsentSignature, self.plans))
        self._by_trace: defaultdict[Trace, set[int]] = defaultdict(set)
        self._unnamed: defaultdict[int, dict[int, Plan]] = defaultdict(dict)
        for number, signature in enumerate(self.signatures):
            for trace in _traces(signature):
                self._by_trace[trace].add(number)
            for key, plan in self.absent[number].unnamed.items():
                self._unnamed[key][number] = plan
        self._plans_of = conditions.by_trace
        self._always: set[int] = self._by_trace.pop(ANYTHING, set())
        self._patterns = [one for one in self._by_trace.keys() | self._plans_of.keys() if is_pattern(one)]

    def candidates(self, context: EvaluationContext) -> Candidates:
        """Return the signatures of which a scope may show anything, and the outcomes of all others."""
        found, shown = set(self._always), set[int]()
        by_trace, plans_of, nothing = self._by_trace, self._plans_of, set[int]()
        traces = context.traces
        for trace in (
            *(by_trace.keys() & traces),
            *(plans_of.keys() & traces - by_trace.keys()),
            *filter(context.has_trace, self._patterns),
        ):
            found |= by_trace.get(trace, nothing)
            shown |= plans_of.get(trace, nothing)
        context.shown = shown
        outcomes: dict[int, Outcome] = {}
        for key, plans in self._unnamed.items():
            # One whose own names the evidence has would tell of these.
            plan = next((one for number, one in plans.items() if number not in found), None)
            if plan is None or not context.has_part_of(plan.condition):
                continue
            outcome = _undecided(plan, context)
            if outcome is None:
                found |= plans.keys()
            elif outcome is not NOTHING:
                outcomes[key] = outcome
        return Candidates(found, outcomes)


def _undecided(plan: Plan, context: EvaluationContext) -> Outcome | None:
    """Return the outcome of a condition without a trace; None when it is decided, or for some entity."""
    observed = context.observations.of(plan)
    results = [one.match_result for one in observed]
    if any(one.state is not State.UNKNOWN or one.cgroup or one.process not in ("", WHOLE) for one in results):
        return None
    return outcome_of(plan.condition, lambda _: observed)


def _traces(signature: Signature) -> set[Trace]:
    """Return the traces of a signature; one with a fault is judged, which reports the fault."""
    try:
        return set(traces_of(signature))
    except Exception:  # noqa: BLE001 - a broken signature may not stop the others
        return {ANYTHING}


def traces_of(signature: Signature) -> Iterator[Trace]:
    """Yield the traces of the conditions of a signature, and of what its implications are proved by."""
    for condition in observed_conditions(signature):
        yield from condition.traces
    for implication in signature.implies:
        yield from _proofs(implication)


def _proofs(implication: Implication) -> Iterator[Trace]:
    if implication.kind == "tracepoint":
        yield Trace("fact", "feature.tracepoint")
        return
    names = implication.frames if implication.kind == "frame" else implication.names
    yield from (Trace(_KIND_OF_IMPLICATION[implication.kind], name) for name in names)


def keep(catalog: Catalog, index: SignatureIndex) -> None:
    """Take the index that was compiled with a catalogue."""
    _INDICES[catalog] = index


_INDICES: WeakKeyDictionary[Catalog, SignatureIndex] = WeakKeyDictionary()


def index_of(catalog: Catalog) -> SignatureIndex:
    """Return the index of a catalogue, which is made once."""
    found = _INDICES.get(catalog)
    if found is None:
        found = _INDICES[catalog] = SignatureIndex(catalog)
    return found
