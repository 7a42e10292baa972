"""Rules for every signature: no unused clause, no finding on healthy machines."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING

import pytest

from signatures.document.catalog import load_catalog
from signatures.judging.applicability import verdict_of
from signatures.judging.finding import MAX_NEAR_MISSES
from signatures.judging.judge import judge
from signatures.judging.observation import State
from signatures.judging.observe import conditions_of
from signatures.language.conditions import Group
from signatures.language.kernel_releases import numbers
from signatures.language.model import Catalog
from tests.signatures.evidence import fixtures, items_of_folder, library_findings

if TYPE_CHECKING:
    from signatures.judging.observe import Cache

CATALOG = load_catalog()
IDS = [signature.id for signature in CATALOG.signatures]
FIXTURES = {name: (folder, signature) for name, folder, _, signature in fixtures()}
OBSERVED: Cache = {}
"""What the fixtures show of each condition: a mutant of a signature changes one condition or a weight."""

HEALTHY = [name for name in FIXTURES if ":neg-healthy" in name or ":neg-idle" in name]


@cache
def items(name):
    """Return the readings of a fixture with digests, under which what they show is kept."""
    return [replace(one, digest=f"{name} {at}") for at, one in enumerate(items_of_folder(FIXTURES[name][0]))]


def findings(name):
    return library_findings(FIXTURES[name][0])


def own(signature_id):
    return [name for name, (_, of) in FIXTURES.items() if of == signature_id]


def fingerprint(finding):
    confidence = finding.decision.confidence
    states = tuple((state.clause.id, state.state) for state in finding.clauses)
    return (
        finding.verdict,
        None if confidence is None else round(confidence, 2),
        round(finding.decision.coverage, 4),
        states,
    )


def judged(signature, names):
    alone = Catalog((signature,), ())
    return [fingerprint(judge(items(name), alone, cache=OBSERVED)[0]) for name in names]


@pytest.mark.parametrize("name", HEALTHY)
def test_a_healthy_machine_has_no_findings(name):
    found = findings(name)
    assert [f.signature.id for f in found if f.is_listed] == []
    assert sum(f.is_near_miss for f in found) <= MAX_NEAR_MISSES


def test_a_whole_library_is_never_more_than_three_near_misses():
    assert {n for n in FIXTURES if sum(f.is_near_miss for f in findings(n)) > MAX_NEAR_MISSES} == set()


@pytest.mark.parametrize("signature_id", IDS)
def test_a_rule_that_could_never_fire_is_not_in_the_library(signature_id):
    """Every core clause is TRUE in some evidence, and every veto holds in some."""
    signature = CATALOG.get(signature_id)
    conditions_met = {
        state.clause.id
        for name in FIXTURES
        for finding in findings(name)
        if finding.signature.id == signature_id
        for state in finding.clauses
        if state.state is State.TRUE
    }
    wanted = {clause.id for clause in signature.clauses if clause.role == "core" or clause.is_veto}
    assert wanted - conditions_met == set()


def tightened(test, at):
    """Return the test with bound number `at` out of reach, None when it has no such bound."""
    bounded = [c for c in conditions_of(test) if hasattr(c, "bound") and c.bound.at_least is not None]
    if at >= len(bounded):
        return None
    target = bounded[at]
    low = target.bound.at_least
    bound = replace(target.bound, at_least=low._replace(value=low.value * 1e6 + 1e6), strong=None)

    def walk(part):
        if isinstance(part, Group):
            return replace(part, tests=tuple(walk(inner) for inner in part.tests))
        return replace(part, bound=bound) if part == target else part

    return walk(test)


@pytest.mark.parametrize("signature_id", IDS)
def test_every_clause_with_weight_changes_some_verdict_confidence_or_coverage(signature_id):
    signature = CATALOG.get(signature_id)
    names = own(signature_id)
    before = [(v, c, k) for v, c, k, _ in judged(signature, names)]
    idle = []
    for clause in signature.clauses:
        if not clause.weight:
            continue
        mutant = replace(
            signature,
            clauses=tuple(
                replace(c, weight=0.0, role="context", is_veto=False) if c is clause else c
                for c in signature.clauses
            ),
        )
        after = [(v, c, k) for v, c, k, _ in judged(mutant, names)]
        if after == before and clause.role != "rival":
            idle.append(clause.id)
    assert idle == []


@pytest.mark.parametrize("signature_id", IDS)
def test_every_met_threshold_matters(signature_id):
    """A threshold moved out of reach changes the state of its clause in evidence that met it."""
    signature = CATALOG.get(signature_id)
    names = own(signature_id)
    before = judged(signature, names)
    for clause in signature.clauses:
        is_met = any(dict(states).get(clause.id) is State.TRUE for *_, states in before)
        mutants = [tightened(clause.test, at) for at in range(8)]
        if not is_met or isinstance(clause.test, Group) or mutants[0] is None:
            continue
        mutant = replace(
            signature,
            clauses=tuple(replace(c, test=mutants[0]) if c is clause else c for c in signature.clauses),
        )
        assert judged(mutant, names) != before, clause.id


def boundaries():
    for signature in CATALOG.signatures:
        for row in signature.affected:
            if row.ecosystem == "kernel.org" and not row.branch:
                for event in ("introduced", "fixed"):
                    if getattr(row, event):
                        yield pytest.param(row, event, id=f"{signature.id}-{row.aspect or event}-{event}")


@pytest.mark.parametrize(("row", "event"), list(boundaries()))
def test_a_version_boundary_changes_the_verdict(row, event):
    at = numbers(getattr(row, event))
    before = (*at[:-1], at[-1] - 1) if at[-1] else (at[0] - 1, 99)
    verdicts = {
        name: verdict_of((row,), ".".join(map(str, release + (0,) * (3 - len(release))))).verdict
        for name, release in (("before", before), ("at", at))
    }
    # Of releases before 3.0 it is not on record which got a fix.
    first = "unknown" if row.fixes and at < (3,) else "affected"
    assert verdicts == (
        {"before": "not_affected", "at": first}
        if event == "introduced"
        else {"before": "affected", "at": "fixed"}
    )
