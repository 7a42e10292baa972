"""Every fixture of the library against every signature, against a committed matrix."""

from __future__ import annotations

from dataclasses import replace

import pytest
import yaml

from signatures.document.files import LIBRARY
from signatures.judging.judge import judge
from signatures.judging.observation import State
from signatures.judging.observe import conditions_of
from signatures.language.model import Catalog
from tests.signatures.evidence import fixtures, items_of_folder, library_findings
from tests.signatures.golden import MATRIX, matrix_of, text_of
from tests.signatures.stripping import branches, is_about_absence, outcome_without, own_path

FIXTURES = {name: (folder, document, signature) for name, folder, document, signature in fixtures()}


@pytest.mark.parametrize("name", FIXTURES)
def test_a_fixture_gets_its_expected_verdict(name):
    folder, expected, signature = FIXTURES[name]
    found = {finding.signature.id: finding for finding in library_findings(folder)}
    own = found[signature]
    assert own.verdict == expected["verdict"]
    states = {state.clause.id: state.state.value for state in own.clauses}
    clauses = expected.get("clauses", {})
    assert {clause: states[clause] for clause in clauses} == clauses
    if "affected" in expected:
        assert own.affected.verdict == expected["affected"]
    firing = {
        n: f.verdict for n, f in found.items() if f.verdict in ("match", "suspect") and not f.superseded_by
    }
    wanted = expected.get("also", {}) | (
        {signature: own.verdict} if own.verdict in ("match", "suspect") else {}
    )
    assert firing == wanted


def test_the_committed_matrix_is_current():
    matrix = matrix_of()
    assert yaml.safe_load(MATRIX.read_text()) == matrix
    assert MATRIX.read_text() == text_of(matrix), "run `make generate-signatures`"


NO_LOCK = "locking/spin-contention"
"""The answer for a lock that nothing names: its path is the spinning itself."""


def test_no_condition_is_met_without_functions_of_its_own_path():
    """A lock's slow path, calls to other CPUs and the absence of other rows show no particular path."""
    met = []
    for name, (folder, _, _) in FIXTURES.items():
        for finding in library_findings(folder):
            for state in finding.clauses:
                if state.state is not State.TRUE or finding.signature.id == NO_LOCK:
                    continue
                for branch in branches(state.clause.test):
                    if is_about_absence(branch) or not any(one.functions for one in conditions_of(branch)):
                        continue
                    outcome = outcome_without(branch, items_of_folder(folder), own_path(branch))
                    if outcome.state is State.TRUE:
                        met.append((name, finding.signature.id, state.clause.id))
    assert met == []


def test_every_signature_has_positive_negative_and_unknown_evidence(catalog):
    for signature in catalog.signatures:
        kinds = [path.name.split("-")[0] for path in (LIBRARY / signature.id / "evidence").iterdir()]
        assert kinds.count("pos") >= 1, signature.id
        assert kinds.count("neg") >= 2, signature.id
        assert kinds.count("unk") >= 1, signature.id
        if any(row.fixed for row in signature.affected):
            assert kinds.count("ver") >= 1, signature.id


def test_all_evidence_has_provenance():
    for expect in LIBRARY.glob("*/*/evidence/*/expect.yaml"):
        if "same_as" not in yaml.safe_load(expect.read_text()):
            assert expect.with_name("PROVENANCE.md").read_text().startswith("Kind: ")


def fingerprint(finding):
    confidence = finding.decision.confidence
    return (
        finding.verdict,
        None if confidence is None else round(confidence, 2),
        round(finding.decision.coverage, 4),
    )


@pytest.mark.parametrize("signature_id", sorted({signature for _, _, signature in FIXTURES.values()}))
def test_dropping_a_core_clause_changes_some_fixture(signature_id, catalog):
    signature = catalog.get(signature_id)
    own = [folder for folder, _, of in FIXTURES.values() if of == signature_id]
    items = [items_of_folder(folder) for folder in own]
    before = [fingerprint(judge(each, Catalog((signature,), ()))[0]) for each in items]
    for clause in signature.clauses:
        if clause.role == "core" and clause.weight:
            mutant = replace(
                signature,
                clauses=tuple(
                    c if c is not clause else replace(c, weight=0.0, role="context")
                    for c in signature.clauses
                ),
            )
            after = [fingerprint(judge(each, Catalog((mutant,), ()))[0]) for each in items]
            assert after != before, clause.id


def test_cached_observations_give_the_same_findings(catalog):
    items = items_of_folder(FIXTURES["mm/memcg-limit-reclaim:pos-cgroup-v2-mglru"][0])
    keyed = [replace(item, digest=f"{item.evidence}:{item.section}") for item in items]
    cache = {}
    first = judge(keyed, catalog, cache=cache)
    assert cache
    again = judge(keyed, catalog, cache=cache)
    assert (
        [fingerprint(f) for f in again]
        == [fingerprint(f) for f in first]
        == [fingerprint(f) for f in judge(items, catalog)]
    )


def test_every_story_has_diagram_fix_and_captures(catalog):
    for signature in catalog.signatures:
        headings = {line for line in signature.story.splitlines() if line.startswith("## ")}
        assert "```mermaid" in signature.story, signature.id
        assert {
            "## What happens",
            "## How to tell",
            "## What helps",
            "## Next time",
            "## How to know it worked",
            "## Wrong turns",
        } <= headings, signature.id


def test_a_published_story_lists_misconceptions(catalog):
    retold = [s for s in catalog.signatures if "article" in {row["kind"] for row in s.references}]
    assert len(retold) == 10
    silent = [s.id for s in retold if "## Wrong explanations elsewhere\n" not in s.story]
    assert silent == []
