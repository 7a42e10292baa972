"""The signature library over the API."""

from __future__ import annotations

import jsonschema

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
