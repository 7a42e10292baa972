"""Fail-on policies: which findings an expression selects, and which never count."""

from __future__ import annotations

import pytest

from signatures.judging.applicability import VERDICTS
from signatures.judging.judge import judge
from signatures.reporting.fail_on import FailOnError, FailOnPolicy
from signatures.reporting.report import finding_document
from tests.signatures.build import fact, item, profile

RECLAIM = "u_main;handle_mm_fault;charge_memcg;try_to_free_mem_cgroup_pages;shrink_node;shrink_lruvec"


@pytest.fixture(scope="module")
def match(catalog):
    """A match of mm/memcg-limit-reclaim: stable, high, of an unknown kernel."""
    evidence = [
        item("perf.txt", profiles=[profile([(RECLAIM, 900, "app", 7), ("a;b", 100, "app", 7)])]),
        item("memory.stat", facts=[fact("memcg.stat.pgscan", 1e6, 37), fact("memcg.stat.pgsteal", 5e5, 38)]),
    ]
    (found,) = [one for one in judge(evidence, catalog) if one.verdict == "match"]
    return finding_document(found)


@pytest.mark.parametrize(
    "expression",
    [
        "severity>=high",
        "severity>medium and severity<critical",
        "severity=high",
        "severity != low",
        "verdict>=suspect",
        "signature=mm/memcg-limit-reclaim",
        "signature=mm/*",
        "signature!=net/* and severity >= medium",
        "confidence>=10%",
        "confidence > 0.1 and confidence <= 1",
        "status=stable and phase=during",
        "host=*",
    ],
)
def test_an_expression_matches(match, expression):
    assert FailOnPolicy.parse(expression).is_met_by(match)


@pytest.mark.parametrize(
    "expression",
    [
        "severity>high",
        "severity<=medium",
        "verdict=suspect",
        "signature=net/*",
        "severity>=high and signature!=mm/*",
        "confidence<50 %",
        "affected=fixed",
        "status=draft",
        "phase=before",
        "host=db7",
    ],
)
def test_an_expression_does_not_match(match, expression):
    assert not FailOnPolicy.parse(expression).is_met_by(match)


def test_a_condition_satisfies_no_comparison_of_the_kernel(match):
    defect = match | {"affected": {"verdict": "affected"}}
    for verdict in VERDICTS:
        policies = [FailOnPolicy.parse(f"affected{sign}{verdict}") for sign in ("=", "!=")]
        assert [policy.is_met_by(match) for policy in policies] == [False, False]
        assert sum(policy.is_met_by(defect) for policy in policies) == 1


def test_a_suspect_matches_only_when_selected(match):
    suspect = match | {"verdict": "suspect"}
    assert not FailOnPolicy.parse("severity>=low").is_met_by(suspect)
    assert FailOnPolicy.parse("verdict>=suspect and severity>=low").is_met_by(suspect)


def test_unknown_confidence_never_matches(match):
    assert not FailOnPolicy.parse("confidence>=0").is_met_by(match | {"confidence": None})


@pytest.mark.parametrize(
    "other", [{"is_provisional": True}, {"is_near_miss": True}, {"superseded_by": "mm/other"}]
)
def test_provisional_and_superseded_findings_never_match(match, other):
    assert not FailOnPolicy.parse("severity>=low").is_met_by(match | other)


@pytest.mark.parametrize(
    ("expression", "sentence"),
    [
        ("", "'' is not a comparison; write FIELD>=VALUE, such as severity>=high"),
        ("high", "'high' is not a comparison"),
        ("severity>=severe", "severity cannot be 'severe'; use low, medium, high or critical"),
        ("gravity>=high", "unknown field 'gravity'; use one of severity, verdict, confidence"),
        ("affected>fixed", "affected has no order; use = or !="),
        ("confidence>=80", "confidence must be 0..1 or 0%..100%, not '80'"),
        ("confidence>=80MiB", "not '80MiB'"),
        (
            "severity>=high or verdict=match",
            "is not a comparison; write FIELD>=VALUE, such as severity>=high, joined by 'and'",
        ),
        ("severity>=high and ", "'severity>=high and' is not a comparison"),
    ],
)
def test_an_invalid_expression_names_the_valid_syntax(expression, sentence):
    with pytest.raises(FailOnError) as refused:
        FailOnPolicy.parse(expression)
    assert sentence in str(refused.value)


def test_unknown_signatures_are_reported():
    assert FailOnPolicy.parse("signature=mm/memgc-*").strangers(["mm/memcg-limit-reclaim"]) == ["mm/memgc-*"]
    assert FailOnPolicy.parse("signature=mm/memcg-*").strangers(["mm/memcg-limit-reclaim"]) == []
