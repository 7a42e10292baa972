"""Rows of rules name what exists, and say what they measure."""

from __future__ import annotations

from pathlib import Path
from typing import get_args

import pytest

from ingest.tables import table
from signatures.document.known_names import is_fact
from signatures.documents.overview import QuestionName
from signatures.overview.rules import rule as rule_module
from signatures.overview.rules.rule import rules

FILES = sorted(Path(rule_module.__file__).parent.glob("*.yaml"))


def test_each_file_is_of_a_question():
    assert FILES
    assert {path.stem for path in FILES} <= set(get_args(QuestionName))


@pytest.mark.parametrize("rule", rules(), ids=lambda one: f"{one.question}-{one.fact}-{one.above}")
def test_a_row_names_facts_that_something_yields_and_words_for_them(rule):
    for fact in (rule.fact, rule.base, rule.unless[0]):
        assert not fact or is_fact(fact), fact
    assert rule.above < rule.below
    assert "{value}" in rule.words or rule.above == 1
    assert ("{of}" in rule.words) == bool(rule.subject)


def test_each_file_names_its_sources():
    for path in FILES:
        assert path.read_text(encoding="utf-8").startswith("# Sources: "), path.name
        assert table(path)


def test_an_unknown_key_of_a_row_is_an_error():
    with pytest.raises(ValueError, match="unknown key least"):
        rule_module._rule("cpu", {"fact": "cpu.steal_share", "least": 1, "above": 1, "words": "{value}"})
