"""The JSON Schema accepts and rejects the same documents as the parser."""

from __future__ import annotations

import copy
import json

import jsonschema
import pytest

from signatures.authoring.reference import written
from signatures.document import schema
from signatures.document.files import LIBRARY, SCHEMA
from signatures.document.parse import signature_of
from signatures.document.yaml_document import document_of
from signatures.language.errors import SignatureError
from tests.signatures.golden import PAGE

FILES = {"/".join(path.parts[-3:-1]): path for path in sorted(LIBRARY.glob("*/*/signature.yaml"))}


@pytest.fixture(scope="module")
def validator():
    found = jsonschema.Draft202012Validator(json.loads(SCHEMA.read_text()))
    found.check_schema(found.schema)
    return found


def test_the_committed_schema_is_current():
    assert SCHEMA.read_text() == schema.text(), "run `make generate-signatures`"


def test_generated_tables_of_the_language_page_are_current(catalog):
    assert PAGE.read_text() == written(PAGE.read_text(), catalog), "run `make generate-signatures`"


@pytest.mark.parametrize("name", FILES)
def test_every_signature_is_valid_and_refers_to_the_schema(name, validator):
    text = FILES[name].read_text()
    assert text.startswith("# yaml-language-server: $schema=../../../signature.schema.json\n")
    assert [error.message for error in validator.iter_errors(document_of(text, name))] == []


def mappings(found, path=()):
    if isinstance(found, dict):
        yield path
        for key, value in found.items():
            yield from mappings(value, (*path, key))
    elif isinstance(found, list):
        for at, value in enumerate(found):
            yield from mappings(value, (*path, at))


FREE = {"clauses", "next", "extract", "bind", "where", "min", "fields"}
"""Mappings whose keys the author chooses."""


def test_parser_and_schema_reject_unknown_keys(catalog, validator):
    document = document_of(FILES["mm/shrink-lruvec-livelock"].read_text(), "f")
    captures = {capture.name: capture for capture in catalog.captures}
    places = [path for path in mappings(document) if not (path and path[-1] in FREE)]
    assert len(places) > 60
    for path in places:
        mutant = copy.deepcopy(document)
        target = mutant
        for key in path:
            target = target[key]
        target["colour"] = "red"
        assert not validator.is_valid(mutant), path
        with pytest.raises(SignatureError):
            signature_of(mutant, "f", captures=captures)
