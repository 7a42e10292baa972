"""Fail-on policies: which findings an expression selects, and which never count."""

from __future__ import annotations

from dataclasses import replace

import pytest

from signatures.documents.finding import Affected
from signatures.judging.applicability import VERDICTS
from signatures.judging.judge import judge
from signatures.overview.alarm_findings import alarm_names
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


def is_met(expression, finding):
    return FailOnPolicy.parse(expression).met_by([finding]) == [finding]


@pytest.mark.parametrize(
    "expression",
    [
        "default",
        "level>=failure",
        "level=failure and kind=signature",
        "alarm!=io",
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
    assert is_met(expression, match)


@pytest.mark.parametrize(
    "expression",
    [
        "level>failure",
        "derived>=context",
        "alarm=*",
        "kind=alarm",
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
    assert not is_met(expression, match)


def test_a_condition_satisfies_no_comparison_of_the_kernel(match):
    defect = replace(match, affected=Affected(verdict="affected"))
    for verdict in VERDICTS:
        expressions = [f"affected{sign}{verdict}" for sign in ("=", "!=")]
        assert [is_met(one, match) for one in expressions] == [False, False]
        assert sum(is_met(one, defect) for one in expressions) == 1


def test_a_suspect_matches_only_when_selected(match):
    suspect = replace(match, verdict="suspect")
    assert not is_met("severity>=low", suspect)
    assert is_met("verdict>=suspect and severity>=low", suspect)


def test_unknown_confidence_never_matches(match):
    assert not is_met("confidence>=0", replace(match, confidence=None))


@pytest.mark.parametrize(
    "other", [{"is_provisional": True}, {"is_near_miss": True}, {"superseded_by": "mm/other"}]
)
def test_provisional_and_superseded_findings_never_match(match, other):
    assert not is_met("severity>=low", replace(match, **other))


@pytest.mark.parametrize(
    ("expression", "sentence"),
    [
        ("", "'' is not a comparison; write FIELD>=VALUE, such as severity>=high"),
        ("high", "'high' is not a comparison"),
        ("severity>=severe", "severity cannot be 'severe'; use low, medium, high or critical"),
        (
            "gravity>=high",
            "unknown field 'gravity'; use one of severity, level, derived, verdict, confidence",
        ),
        ("affected>fixed", "affected has no order; use = or !="),
        ("confidence>=80", "confidence must be 0..1 or 0%..100%, not '80'"),
        ("confidence>=80MiB", "not '80MiB'"),
        (
            "severity>=high or verdict=match",
            "is not a comparison; write FIELD>=VALUE, such as severity>=high, joined by 'and'",
        ),
        (
            "level>=bad",
            "level cannot be 'bad'; use context, since boot, notable, degraded, saturation, failure",
        ),
        ("kind>alarm", "kind has no order; use = or !="),
        ("severity>=high and ", "'severity>=high and' is not a comparison"),
    ],
)
def test_an_invalid_expression_names_the_valid_syntax(expression, sentence):
    with pytest.raises(FailOnError) as refused:
        FailOnPolicy.parse(expression)
    assert sentence in str(refused.value)


@pytest.mark.parametrize(
    ("expression", "strangers"),
    [
        ("signature=mm/memgc-*", ["signature 'mm/memgc-*'"]),
        ("signature=mm/memcg-* and alarm=ext4_*", []),
        ("alarm=io", []),
        ("alarm=disk", ["alarm 'disk'"]),
        ("alarm=ext5_error and signature=a", ["alarm 'ext5_error'", "signature 'a'"]),
        ("alarm=link_up", ["alarm 'link_up'"]),
    ],
)
def test_names_that_no_finding_can_have_are_reported(expression, strangers):
    assert FailOnPolicy.parse(expression).strangers(["mm/memcg-limit-reclaim"], alarm_names()) == strangers
