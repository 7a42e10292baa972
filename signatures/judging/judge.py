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
from signatures.judging.decide import MATCH, RANK, SUSPECT, UNKNOWN, Decision
from signatures.judging.entity_decision import best_decision
from signatures.judging.evaluation_context import EvaluationContext
from signatures.judging.extract import cgroup_version, extract
from signatures.judging.finding import SEVERITY, Finding, with_near_misses
from signatures.judging.observation import State
from signatures.judging.profile_index import Trees
from signatures.judging.scope import scopes_of
from signatures.judging.signature_index import index_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from signatures.judging.observe import Cache
    from signatures.judging.scope import Item, Scope
    from signatures.judging.signature_index import Candidates, SignatureIndex
    from signatures.judging.signature_plan import SignaturePlan
    from signatures.language.model import Catalog


def judge(items: Sequence[Item], catalog: Catalog, *, cache: Cache | None = None) -> list[Finding]:
    """Judge every signature of the catalog in every scope; the most certain finding comes first."""
    findings: list[Finding] = []
    trees = Trees()
    index = index_of(catalog)
    for scope in scopes_of(items):
        contexts = _contexts(scope, trees, cache)
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
        for context in _contexts(scope, trees, None)
        for number in index.candidates(context).numbers
    }


def _order(finding: Finding) -> tuple[float, ...]:
    decision = finding.decision
    return (
        bool(finding.superseded_by),
        -RANK[decision.verdict],
        bool(finding.caused_by),
        -SEVERITY[finding.signature.severity],
        -(decision.confidence or 0.0),
        -decision.coverage,
    )


def _contexts(scope: Scope, trees: Trees, cache: Cache | None) -> list[EvaluationContext]:
    """Return one context per boot."""
    boots = sorted({item.boot for item in scope.items if item.boot})
    if len(boots) < 2:
        return [EvaluationContext(scope, trees, cache)]
    return [
        EvaluationContext(
            replace(scope, items=tuple(item for item in scope.items if item.boot == boot)), trees, cache
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
            _judge_boot(index.plans[number], context)
            if number in of.numbers
            else absent.finding(context, of.outcomes)
            for context, of in zip(contexts, candidates, strict=True)
        ]
        if len(found) == 1:
            return found[0]
        return max(found, key=lambda finding: (RANK[finding.verdict], finding.decision.score))
    except Exception as error:  # noqa: BLE001 - evidence may not stop the other signatures
        fault = reported(signature.id, error)
        scope = contexts[0].scope
        decision = Decision(UNKNOWN, 0.0, None, 0.0, (), because=fault.words)
        unjudged = applicability.VersionVerdict("unknown", "")
        return Finding(signature, scope.host, scope.phase, decision, (), unjudged, "", (), fault=fault)


def _judge_boot(plan: SignaturePlan, context: EvaluationContext) -> Finding:
    signature, scope = plan.signature, context.scope
    observed = context.observations_with(signature.implies)
    kernel = context.kernel_verdict(plan)
    binding, (decision, states, is_divided) = best_decision(plan, observed, scope.host, kernel)
    is_firing = decision.verdict in (MATCH, SUSPECT)
    return Finding(
        signature=signature,
        host=scope.host,
        phase=scope.phase,
        decision=decision,
        clauses=tuple(states.values()),
        affected=kernel.affected,
        sentence=applicability.sentence(kernel.affected, is_firing=True) if is_firing else kernel.unseen,
        entity=tuple(binding.entities.items()),
        is_divided=is_divided,
        cgroup_version=context.cgroup_version
        if observed is context.observations
        else cgroup_version(observed.facts),
        extract=extract(signature.extract, binding.entities, observed.facts, states, scope.items),
        rivals_open=tuple(
            state.clause.id
            for state in states.values()
            if state.clause.role == "rival" and state.outcome.state is State.UNKNOWN
        ),
    )


def _with_superseded(findings: list[Finding]) -> list[Finding]:
    by: dict[str, str] = {}
    for finding in findings:
        if finding.verdict == MATCH:
            by.update(dict.fromkeys(finding.signature.supersedes, finding.signature.id))
    return [
        f._replace(superseded_by=by.get(f.signature.id, "")) if f.signature.id in by else f for f in findings
    ]
