"""The JSON Schema accepts and rejects the same documents as the parser."""

from __future__ import annotations

import json
from functools import reduce
from operator import getitem

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


def part_of(document, path, required):
    """Return the smallest document with the part that a path leads to: what it holds is not copied.

    The schema takes as long as a document is large, and finds the same in each part.
    """
    part = {key: document[key] for key in required} | {"clauses": dict([*document["clauses"].items()][:1])}
    if len(path) > 1:
        key, inside = path[:2]
        part[key] = document[key]
        if key in FREE:
            part[key] = {inside: document[key][inside]}
        elif isinstance(document[key], list):
            part[key] = [document[key][inside]]
    elif path:
        part[path[0]] = document[path[0]]
    return part


def test_parser_and_schema_reject_unknown_keys(catalog, validator):
    document = document_of(FILES["mm/shrink-lruvec-livelock"].read_text(), "f")
    captures = {capture.name: capture for capture in catalog.captures}
    places = [path for path in mappings(document) if not (path and path[-1] in FREE)]
    assert len(places) > 60
    assert validator.is_valid(document)
    for path in places:
        part = part_of(document, path, validator.schema["required"])
        targets = [document, part] if not path else [reduce(getitem, path, document)]
        assert validator.is_valid(part), path
        for target in targets:
            target["colour"] = "red"
        assert not validator.is_valid(part), path
        with pytest.raises(SignatureError, match="colour"):
            signature_of(document, "f", captures=captures)
        for target in targets:
            del target["colour"]
