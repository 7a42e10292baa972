"""Rows of rules name what exists, and say what they measure."""

from __future__ import annotations

from math import inf
from pathlib import Path
from string import Formatter
from typing import get_args

import pytest

from ingest.tables import table
from signatures.document.known_names import is_fact
from signatures.documents.levels import LEVELS
from signatures.documents.overview import QuestionName
from signatures.overview.first_steps import STEPS
from signatures.overview.rules import rule as rule_module
from signatures.overview.rules.rule import PANELS, panel_of, rule_of
from signatures.overview.rules.templates import filled, first_filled

FILES = sorted(Path(rule_module.__file__).parent.glob("*.yaml"))
RULES = [(path.stem, rule) for path in FILES for rule in panel_of(path.stem).rules]
ALWAYS = {
    "number",
    "value",
    "entries",
    "counter",
    "figure",
    "first",
    "of",
    "text",
    "times",
    "base",
    "rest",
    "parts",
}


def test_every_file_is_a_panel_of_questions_and_names_its_sources():
    assert [path.name for path in FILES] == sorted(PANELS)
    for path in FILES:
        assert "# Sources: " in path.read_text(encoding="utf-8"), path.name
        assert table(path)["rules"].keys() <= set(get_args(QuestionName))


@pytest.mark.parametrize(
    ("panel", "rule"), RULES, ids=[f"{panel}-{at}-{rule.fact}" for at, (panel, rule) in enumerate(RULES)]
)
def test_a_row_names_facts_that_something_yields_and_fields_that_it_has(panel, rule):
    sources = [source for _, source in rule.beside] + ([rule.base] if rule.base else [])
    for fact in (
        rule.fact,
        dict(rule.unless).get("fact", ""),
        *(one for source in sources for one in source.facts),
    ):
        assert not fact or is_fact(fact), fact
    assert bool(rule.fact) != bool(rule.matching)
    assert rule.figure or rule.is_sign, "a value without a label"
    for one in rule.thresholds:
        assert one.above < one.below
        assert one.level in LEVELS
        assert not one.topic or one.topic in STEPS
        is_bound = one.above > -inf or one.below < inf or one.least or one.most or rule.needs
        assert is_bound or rule.values or rule.excludes or not one.is_alarm or panel == "outcomes", one
        names = {name for name, _ in (*one.least, *one.most)} | {
            name
            for _, text, _, _ in Formatter().parse(one.words.replace("[", "").replace("]", ""))
            if text
            for name in text.split("|")
        }
        known = ALWAYS | {name for name, _ in rule.beside} | {name for name, _ in rule.quotients}
        assert names - known <= LABELS, names - known


LABELS = {
    "access", "array", "attribute", "caller", "cgroup", "comm", "device", "domain", "file", "function",
    "iface", "interface", "map", "mount", "operation", "peer", "status", "target", "type",
}  # fmt: skip


@pytest.mark.parametrize(
    "row", [{"fact": "cpu.steal_share", "lest": 1}, {"fact": "x", "words": "x", "abov": 1}]
)
def test_an_unknown_key_of_a_row_is_an_error(row):
    with pytest.raises(ValueError, match="unknown key"):
        rule_of({"question": "cpu", **row})


@pytest.mark.parametrize(
    ("template", "words"),
    [
        ("{disk} is degraded[, a rebuild is at {progress:share}]", "md0 is degraded, a rebuild is at 12.6 %"),
        ("{disk} is degraded[, {missing} of {number}]", "md0 is degraded"),
        ("{missing|disk} has {number} errors", "md0 has 1,234 errors"),
        ("{number:OOM kill/OOM kills}, {one:OOM kill/OOM kills}", "1,234 OOM kills, 1 OOM kill"),
        ("{size:bytes} and {size:small bytes}", "2 MiB and 2 MiB"),
        ("no field: {missing}.", "no field: ."),
    ],
)
def test_a_template_leaves_out_what_is_not_known(template, words):
    fields = {"disk": "md0", "progress": 0.126, "number": 1234.0, "one": 1.0, "size": 2.0 * 2**20}
    assert filled(template, fields) == words


def test_the_first_template_whose_fields_are_there_counts():
    templates = ("{device} ({model})", "{device|model}", "The disk")
    assert first_filled(templates, {"device": "sda", "model": "X"}) == "sda (X)"
    assert first_filled(templates, {"model": "X"}) == "X"
    assert first_filled(templates, {}) == "The disk"
