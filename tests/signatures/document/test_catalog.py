"""Files of the library: valid content and error messages."""

from __future__ import annotations

import os
import pickle
from dataclasses import replace
from pathlib import Path

import pytest

from signatures.document import compiled_catalog, compiled_library
from signatures.document.catalog import load_catalog, parsed_library
from signatures.document.files import CAPTURES, LIBRARY
from signatures.document.yaml_document import document_of, line_of
from signatures.judging.signature_index import SignatureIndex, index_of
from signatures.language.model import Catalog

TEXT = """schema: 1
id: mm/{name}
version: 1
title: t
severity: low
status: draft
{more}clauses:
  hot:
    title: t
    role: core
    weight: 4
    any:
      - stack: {{contains: [f]}}
        share: {{at_least: 0.3}}
      - stack: {{{key}: [f]}}
        seen: true
decide: {{require: {{any: [hot]}}, suspect: {{score: 2}}, match: {{score: 4}}}}
"""


@pytest.fixture
def library(tmp_path):
    def write(**files):
        for name, text in files.items():
            folder = tmp_path / "mm" / name
            folder.mkdir(parents=True)
            (folder / "signature.yaml").write_text(text)
        return load_catalog(tmp_path)

    return write


def signature(name="one", key="contains", more=""):
    return TEXT.format(name=name, key=key, more=more)


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        (signature(key="contain"), 15, "clauses.hot.any[1].stack.contain: unknown key"),
        (signature(more="colour: red\n"), 7, "colour: unknown key"),
        (signature(more="reported: [{on: x}, {no: y}]\n"), 7, "reported[1].no: unknown key"),
        (
            signature().replace("title: t\n    role", "title: t\n    title: u\n    role"),
            10,
            "duplicate key",
        ),
        (signature().replace("version: 1", "version: 2026-11-21"), 3, "is read as a date; put it in quotes"),
        (signature().replace("status: draft", "status: [draft"), 7, "is not YAML"),
        (signature().replace("severity: low\n", ""), 0, "severity: is missing"),
        ("- a\n", 1, "is not a mapping"),
    ],
)
def test_an_error_names_file_line_key_and_remedy(library, text, line, words):
    (problem,) = library(one=text).problems
    assert problem.line == line
    assert str(problem).startswith(f"mm/one/signature.yaml{f':{line}' if line else ''}: ")
    assert words in str(problem)
    assert problem.remedy


def test_on_is_a_text_not_a_boolean():
    assert document_of("{on: COS, is: true, undo: no}", "f") == {"on": "COS", "is": True, "undo": "no"}


def test_a_reported_row_has_its_system(catalog):
    assert {row["on"] for row in catalog.get("mm/shrink-lruvec-livelock").reported} >= {"COS 101"}


def test_a_missing_key_has_the_line_of_its_parent():
    assert line_of("a:\n  b: 1\nc: 2\n", "a.z") == 1
    assert line_of("a: [", "a") == 0


def test_a_clause_can_be_used_from_another_signature(library):
    more = signature("two").replace(
        "clauses:\n", "clauses:\n  lent: {use: mm/one.hot, role: context, weight: 1}\n"
    )
    catalog = library(one=signature("one"), two=more)
    assert catalog.problems == ()
    lent, original = catalog.get("mm/two").clause("lent"), catalog.get("mm/one").clause("hot")
    assert (lent.test, lent.title, lent.role, lent.weight) == (original.test, "t", "context", 1)


@pytest.mark.parametrize(("source", "words"), [("mm/none.hot", "is not a clause"), ("mm/one.cold", "is not")])
def test_a_missing_clause_cannot_be_used(library, source, words):
    more = signature("two").replace("clauses:\n", f"clauses:\n  lent: {{use: {source}}}\n")
    catalog = library(one=signature("one"), two=more)
    assert [found.id for found in catalog.signatures] == ["mm/one"]
    assert words in str(catalog.problems[0])


def test_a_capture_is_referenced_by_name(library):
    text = signature() + "next: {hot: kernel_stack}\n"
    assert "no capture named 'kernel_stack'" in str(library(one=text).problems[0])


def test_compiled_documents_apply_only_to_their_text(tmp_path, monkeypatch):
    monkeypatch.setattr(compiled_library, "COMPILED", tmp_path / "library.json")
    from_yaml = load_catalog(LIBRARY)
    paths = [CAPTURES, *LIBRARY.glob("*/*/signature.yaml")]
    assert compiled_library.write(paths) == len(paths)
    documents = compiled_library.load()
    assert load_catalog(LIBRARY).signatures == from_yaml.signatures
    content = paths[1].read_bytes()
    assert compiled_library.digest_of(content) in documents
    assert compiled_library.digest_of(content + b"\n") not in documents
    (tmp_path / "library.json").write_text("{torn")
    assert load_catalog(LIBRARY).signatures == from_yaml.signatures


def test_a_compiled_catalogue_is_what_its_sources_state(tmp_path):
    package = tmp_path / "signatures"
    package.mkdir()
    (package / "captures.yaml").write_text("one: 1\n")
    parsed = parsed_library()
    compiled_catalog.write(parsed, package)
    compiled = compiled_catalog.load(package)
    assert compiled.captures == parsed.captures
    for one, as_parsed in zip(compiled.signatures, parsed.signatures, strict=True):
        assert one == replace(as_parsed, folder=str(package / "library" / one.id))
    index = index_of(compiled)
    assert [id(plan.signature) for plan in index.plans] == [id(one) for one in index.signatures]
    assert {id(one) for one in index.signatures} <= {id(one) for one in compiled.signatures}
    made = SignatureIndex(compiled)
    assert [one.of_kernel for one in index.plans] == [one.of_kernel for one in made.plans]
    assert [one.unnamed.keys() for one in index.absent] == [one.unnamed.keys() for one in made.absent]
    (package / "captures.yaml").write_text("one: 2\n")
    assert compiled_catalog.load(package) is None


@pytest.mark.parametrize("content", [pickle.dumps(os.system), pickle.dumps(Path()), b"", b"\x80\x05torn"])
def test_a_compiled_catalogue_restores_no_other_class(content, tmp_path):
    package = tmp_path / "signatures"
    package.mkdir()
    compiled_catalog.write(Catalog((), ()), package)
    file = package / compiled_catalog.NAME
    file.write_bytes(file.read_bytes().partition(b"\n")[0] + b"\n" + content)
    assert compiled_catalog.load(package) is None
