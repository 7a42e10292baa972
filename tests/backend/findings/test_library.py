"""The signature library over the API."""

from __future__ import annotations

import jsonschema
import pytest

from backend.findings import library


def test_a_signature_comes_with_the_evidence_that_proves_it():
    found = library.detail("mm/memcg-oom")
    by_name = {proof.name: proof for proof in found.evidence}
    assert by_name["pos-two-victims"].kind == "pos"
    assert by_name["pos-two-victims"].verdict == "match"
    assert by_name["pos-two-victims"].provenance.startswith("Kind: recorded")
    assert by_name["neg-healthy-database"].same_as.endswith("neg-healthy-database")
    assert by_name["neg-healthy-database"].provenance


def test_every_signature_can_be_shown():
    for summary in library.summaries():
        assert library.detail(summary.id).story


def test_the_schema_of_signatures_is_a_valid_schema():
    of_schemas = jsonschema.Draft202012Validator(jsonschema.Draft202012Validator.META_SCHEMA)
    assert [error.message for error in of_schemas.iter_errors(library.schema())] == []


@pytest.mark.parametrize(
    ("export", "begins"),
    [
        ("probe", "#!/bin/sh"),
        ("prometheus", "# net/listen-overflow"),
        ("node-problem-detector", "# net/listen-overflow"),
    ],
)
def test_a_signature_is_served_as_detection(web, export, begins):
    offered = web.get("/signatures/net/listen-overflow").json()["detections"]
    (row,) = [one for one in offered if one["name"] == export]
    answer = web.get(f"/signatures/net/listen-overflow/detection/{export}")
    assert answer.text.startswith(begins)
    assert row["filename"] in answer.headers["content-disposition"]


def test_a_signature_without_an_export_says_why(web):
    assert web.get("/signatures/mm/percpu-rss-drift").json()["detections"] == []
    answer = web.get("/signatures/mm/percpu-rss-drift/detection/probe")
    assert answer.status_code == 404
    assert "can be read from files" in answer.json()["detail"]
