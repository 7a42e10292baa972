"""Judge items against a catalog: one finding per host, phase and signature.

A signature is decided for every candidate entity (a process and its cgroup); the best-supported one becomes
the finding. A veto excludes all evidence of its host when the host is known, else only its own evidence.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from signatures.faults import reported
from signatures.judging import applicability
from signatures.judging.causes import with_causes
from signatures.judging.decide import MATCH, RANK, SUSPECT, UNKNOWN, Decision, decide
from signatures.judging.entity_resolution import bindings
from signatures.judging.evaluation_context import EvaluationContext
from signatures.judging.extract import cgroup_version, extract
from signatures.judging.finding import SEVERITY, Finding, with_near_misses
from signatures.judging.joined import Joined
from signatures.judging.observation import State
from signatures.judging.observe import conditions_of
from signatures.judging.profile_index import Trees
from signatures.judging.scope import scopes_of
from signatures.judging.signature_index import index_of
from signatures.judging.states import ClauseState, outcome_of, ruled_out, state_of
from signatures.language.systems import misfit

if TYPE_CHECKING:
    from collections.abc import Hashable, Mapping, Sequence

    from signatures.judging.condition_plan import Plan
    from signatures.judging.entity_resolution import Binding
    from signatures.judging.observation import Observation
    from signatures.judging.observe import Cache, Observations
    from signatures.judging.scope import Item, Scope
    from signatures.judging.signature_index import Candidates, Parts, SignatureIndex
    from signatures.language.conditions import Test
    from signatures.language.model import Catalog, Signature


def judge(items: Sequence[Item], catalog: Catalog, *, cache: Cache | None = None) -> list[Finding]:
    """Judge every signature of the catalog in every scope; the most certain finding comes first."""
    findings: list[Finding] = []
    trees = Trees()
    index = index_of(catalog)
    for scope in scopes_of(items):
        contexts = _contexts(scope, trees, cache, index.plans)
        candidates = [index.candidates(context) for context in contexts]
        of_scope = [
            _evaluated(index, number, contexts, candidates) for number in range(len(index.signatures))
        ]
        findings.extend(with_near_misses(with_causes(_with_superseded(of_scope))))
    return sorted(findings, key=_order)


def candidates_of(items: Sequence[Item], catalog: Catalog) -> set[str]:
    """Return the ids of the signatures that are judged one by one; of the others evidence has no trace."""
    index, trees = index_of(catalog), Trees()
    return {
        index.signatures[number].id
        for scope in scopes_of(items)
        for context in _contexts(scope, trees, None, index.plans)
        for number in index.candidates(context).numbers
    }


def _order(finding: Finding) -> tuple[float, ...]:
    return (
        bool(finding.superseded_by),
        -RANK[finding.verdict],
        bool(finding.caused_by),
        -SEVERITY[finding.signature.severity],
        -(finding.decision.confidence or 0.0),
        -finding.decision.coverage,
    )


def _contexts(
    scope: Scope, trees: Trees, cache: Cache | None, plans: Mapping[int, Plan]
) -> list[EvaluationContext]:
    """Return one context per boot."""
    boots = sorted({item.boot for item in scope.items if item.boot})
    if len(boots) < 2:
        return [EvaluationContext(scope, trees, cache, plans)]
    return [
        EvaluationContext(
            replace(scope, items=tuple(item for item in scope.items if item.boot == boot)),
            trees,
            cache,
            plans,
        )
        for boot in boots
    ]


def _evaluated(
    index: SignatureIndex,
    number: int,
    contexts: Sequence[EvaluationContext],
    candidates: Sequence[Candidates],
) -> Finding:
    """Return the finding of a signature, of its best boot; one that raises is undecided and says so.

    Args:
        index: The signatures.
        number: The number of this one.
        contexts: The boots.
        candidates: What each boot may show.
    """
    signature, absent = index.signatures[number], index.absent[number]
    try:
        found = [
            _judge_boot(signature, index.parts[number], context)
            if number in of.numbers
            else absent.finding(context, of.outcomes)
            for context, of in zip(contexts, candidates, strict=True)
        ]
        return max(found, key=lambda finding: (RANK[finding.verdict], finding.decision.score))
    except Exception as error:  # noqa: BLE001 - evidence may not stop the other signatures
        fault = reported(signature.id, error)
        scope = contexts[0].scope
        decision = Decision(UNKNOWN, 0.0, None, 0.0, (), because=fault.words)
        unjudged = applicability.VersionVerdict("unknown", "")
        return Finding(signature, scope.host, scope.phase, decision, (), unjudged, "", (), fault=fault)


def _judge_boot(signature: Signature, parts: Parts, context: EvaluationContext) -> Finding:
    scope = context.scope
    facts = context.facts_with(signature.implies)
    observations = context.observations_of(parts.conditions, facts)
    affected = context.kernel_verdict(signature)
    begins = applicability.too_old(signature.affected, context.running)
    foreign = misfit(signature.system, context.system, context.running.kernel)
    best: tuple[tuple[float, ...], Binding, tuple[Decision, dict[str, ClauseState], bool]] | None = None
    by_entity = Joined(signature.bind, observations)
    equal: set[Hashable] = set()
    of_every_entity: dict[str, ClauseState] = {}
    for binding in bindings(signature, observations, facts):
        outcome = by_entity.outcome_of(binding)
        if outcome is not None and outcome in equal:
            continue
        equal.add(outcome)
        decided = _decide_for(
            signature,
            by_entity.with_entities(binding.entities),
            binding,
            parts,
            of_every_entity,
            host=scope.host,
            version=affected.verdict,
            begins=begins,
            foreign=foreign,
        )
        decision = decided[0]
        named = sum(bool(value) for value in binding.entities.values())
        key = (RANK[decision.verdict], decision.score, decision.coverage, named)
        if best is None or key > best[0]:
            best = (key, binding, decided)
    assert best is not None  # noqa: S101  # there is always the empty binding
    _, binding, (decision, states, is_divided) = best
    return Finding(
        signature=signature,
        host=scope.host,
        phase=scope.phase,
        decision=decision,
        clauses=tuple(states.values()),
        affected=affected,
        sentence=applicability.sentence(affected, is_firing=decision.verdict in (MATCH, SUSPECT)),
        entity=tuple(binding.entities.items()),
        is_divided=is_divided,
        cgroup_version=context.cgroup_version if facts is context.facts else cgroup_version(facts),
        extract=extract(signature.extract, binding.entities, facts, states, scope.items),
        rivals_open=tuple(
            state.clause.id
            for state in states.values()
            if state.clause.role == "rival" and state.state is State.UNKNOWN
        ),
    )


def _decide_for(
    signature: Signature,
    joined: Observations,
    binding: Binding,
    parts: Parts,
    of_every_entity: dict[str, ClauseState],
    *,
    host: str,
    version: str,
    begins: str,
    foreign: str,
) -> tuple[Decision, dict[str, ClauseState], bool]:
    """Return the decision for one binding, the states of the clauses, and whether evidence is set aside.

    `of_every_entity` are the states that do not depend on the binding, which the first one adds.
    """
    is_vetoed, vetoed = _excluded(parts.vetoes, joined, host, State.TRUE)
    is_excluded, excluded = _excluded(parts.applies, joined, host, State.FALSE)
    without = vetoed | excluded
    states: dict[str, ClauseState] = {}
    for clause in signature.clauses:
        if not without and clause.id in of_every_entity:
            states[clause.id] = of_every_entity[clause.id]
        elif clause.role == "rival" or not without:
            states[clause.id] = state_of(clause, lambda condition: joined[condition])
            if clause.id not in parts.bound:
                of_every_entity[clause.id] = states[clause.id]
        else:
            states[clause.id] = state_of(
                clause,
                lambda condition: [o for o in joined[condition] if not _is_set_aside(o, without)],
                lambda condition: joined[condition],
            )
    states = {
        name: _marked(state, joined, binding) if name in parts.bound else state
        for name, state in states.items()
    }
    states = {name: ruled_out(state, states) for name, state in states.items()}
    has_core = any(s.clause.role == "core" and s.state is State.TRUE for s in states.values())
    decision = decide(
        signature,
        states,
        is_vetoed=is_vetoed or (bool(vetoed) and not has_core),
        is_applicable=not (is_excluded or (bool(excluded) and not vetoed and not has_core)),
        misfit=foreign,
        version=version,
        begins=begins,
    )
    return decision, states, bool(without)


def _is_set_aside(observation: Observation, without: set[str]) -> bool:
    """Return whether a supporting observation is excluded; contrary ones remain."""
    return observation.match_result.state is State.TRUE and bool(without.intersection(observation.evidences))


def _excluded(tests: Sequence[Test], joined: Observations, host: str, state: State) -> tuple[bool, set[str]]:
    """Return whether a test has `state` for the whole scope, and its evidence of unknown host."""
    foreign: set[str] = set()
    for test in tests:
        units = {
            (o.evidences, o.host)
            for condition in conditions_of(test)
            for o in joined[condition]
            if o.evidences
        }
        of_host = {evidences for evidences, of in units if host and of == host}
        for group in [of_host, *({evidences} for evidences, of in units if evidences not in of_host)]:
            if not group:
                continue
            outcome = outcome_of(test, lambda c, g=group: [o for o in joined[c] if o.evidences in g])  # type: ignore[misc]
            if outcome.state is state:
                if group is of_host:
                    return True, foreign
                foreign.update(name for evidences in group for name in evidences)
    return False, foreign


def _marked(state: ClauseState, joined: Observations, binding: Binding) -> ClauseState:
    """Mark a TRUE clause as assumed when its evidence does not name the entity, or its cgroup is assumed."""
    if state.state is not State.TRUE:
        return state
    for condition in conditions_of(state.clause.test):
        variable = condition.at
        if variable and binding.entities.get(variable):
            for observation in joined[condition]:
                match_result = observation.match_result
                is_named = (
                    bool(match_result.process or match_result.cgroup) and variable not in binding.assumed
                )
                if match_result.state is State.TRUE and not is_named:
                    return replace(state, outcome=replace(state.outcome, assumed=True))
    return state


def _with_superseded(findings: list[Finding]) -> list[Finding]:
    by: dict[str, str] = {}
    for finding in findings:
        if finding.verdict == MATCH:
            by.update(dict.fromkeys(finding.signature.supersedes, finding.signature.id))
    return [
        replace(f, superseded_by=by.get(f.signature.id, "")) if f.signature.id in by else f for f in findings
    ]
