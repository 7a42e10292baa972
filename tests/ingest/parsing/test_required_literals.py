"""Of a short text the expressions that are not compiled are those that match nothing in it."""

from __future__ import annotations

from typing import Any

import pytest

from ingest.native.line_classes import required_literals as literals_of
from ingest.native.line_starts import LineStarts
from ingest.parsing import class_finder, required_literals
from ingest.readers import DOCUMENTS, FILES, FORMATS
from ingest.sections import recognise


@pytest.mark.parametrize(
    ("expression", "literals"),
    [
        (r"^\s*\d+ kB (?P<name>\w+):\s*$", [" kB "]),
        (r"(?:^PID \d+ - )|(?:^TID (?:\d+):)", ["PID ", "TID "]),
        (r"(?i)thread \d", []),
        (r"state: \w+\Z", ["state: "]),
        (r"(?x) ^ \# \s* Overhead # a comment", ["Overhead"]),
        (r"(?:abc)?\d", []),
        ("a(", []),
    ],
)
def test_a_literal_is_in_all_that_an_expression_matches(expression, literals):
    assert literals_of(expression) == literals


def test_examples_begin_the_same_formats_with_and_without_literals():
    conditions = recognise._conditions()
    literals = iter(map(literals_of, recognise.expressions()))
    required = [[next(literals) for _ in every] for _, every, _, _ in conditions]
    plain = LineStarts(conditions)
    every: list[Any] = [*FORMATS, *FILES, *DOCUMENTS]
    examples = [one.EXAMPLE.splitlines()[:40] for one in every]
    for lines in [*examples[::5], ["Älter: 5 kB", *examples[1]]]:
        assert LineStarts(conditions, required).scan(lines) == plain.scan(lines)


def test_an_expression_that_was_not_compiled_has_no_literals(tmp_path, monkeypatch):
    required_literals.write(tmp_path, ["abc", r"\d"])
    monkeypatch.setattr(required_literals, "PACKAGE", tmp_path)
    required_literals._kept.cache_clear()
    assert required_literals.known(["abc", "abcd", r"\d"]) == [["abc"], [], []]
    monkeypatch.undo()
    required_literals._kept.cache_clear()


@pytest.mark.parametrize("expressions", [class_finder.PATTERNS, recognise.expressions()])
def test_the_build_has_the_literals_of_what_is_searched(expressions):
    assert required_literals.known(expressions) == list(map(literals_of, expressions))
