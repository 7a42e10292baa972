"""What fails a build: which findings an expression asks for, and which never count."""

from __future__ import annotations

import pytest

from signatures.judging.judge import judge
from signatures.reporting.fail_on import Gate, GateError
from signatures.reporting.report import finding_document
from tests.signatures.build import fact, item, profile

RECLAIM = "u_main;handle_mm_fault;charge_memcg;try_to_free_mem_cgroup_pages;shrink_node;shrink_lruvec"


@pytest.fixture(scope="module")
def match(catalog):
    """A match of mm/memcg-limit-reclaim: stable, high, of a kernel that nobody told."""
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
        "affected!=fixed",
        "status=stable and phase=during",
        "host=*",
    ],
)
def test_it_is_met(match, expression):
    assert Gate.parse(expression).is_met_by(match)


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
def test_it_is_not_met(match, expression):
    assert not Gate.parse(expression).is_met_by(match)


def test_a_suspect_counts_only_when_it_is_asked_for(match):
    suspect = match | {"verdict": "suspect"}
    assert not Gate.parse("severity>=low").is_met_by(suspect)
    assert Gate.parse("verdict>=suspect and severity>=low").is_met_by(suspect)


def test_what_is_unknown_is_no_confidence(match):
    assert not Gate.parse("confidence>=0").is_met_by(match | {"confidence": None})


@pytest.mark.parametrize(
    "other", [{"is_provisional": True}, {"is_near_miss": True}, {"superseded_by": "mm/other"}]
)
def test_what_is_not_sure_to_stay_never_counts(match, other):
    assert not Gate.parse("severity>=low").is_met_by(match | other)


@pytest.mark.parametrize(
    ("expression", "sentence"),
    [
        ("", "'' is no condition; write FIELD>=VALUE, such as severity>=high"),
        ("high", "'high' is no condition"),
        ("severity>=severe", "severity is never 'severe'; it is low, medium, high or critical"),
        ("gravity>=high", "findings have no 'gravity'; they have severity, verdict, confidence"),
        ("affected>fixed", "affected has no order; compare it with = or !="),
        ("confidence>=80", "confidence is between 0 and 1, or 0% and 100%; '80' is not"),
        ("confidence>=80MiB", "'80MiB' is not"),
        (
            "severity>=high or verdict=match",
            "is no condition; write FIELD>=VALUE, such as severity>=high, joined by 'and'",
        ),
        ("severity>=high and ", "'severity>=high and' is no condition"),
    ],
)
def test_a_wrong_expression_is_answered_with_what_to_write(expression, sentence):
    with pytest.raises(GateError) as refused:
        Gate.parse(expression)
    assert sentence in str(refused.value)


def test_a_signature_that_is_none_is_a_stranger():
    assert Gate.parse("signature=mm/memgc-*").strangers(["mm/memcg-limit-reclaim"]) == ["mm/memgc-*"]
    assert Gate.parse("signature=mm/memcg-*").strangers(["mm/memcg-limit-reclaim"]) == []
