"""Headline and certainty say what the evidence supports, and no more."""

from __future__ import annotations

from dataclasses import replace

import pytest

from signatures.judging.judge import judge
from signatures.language.model import Catalog
from signatures.reporting.report import finding_document
from signatures.reporting.verdict_text import certainty, headline
from tests.signatures.build import fact, item, profile
from tests.signatures.evidence import PUBLISHED, judge_file

TEXT = """
fixes: [{kind: workaround, title: Restart it, scope: runtime}]
clauses:
  hot: {title: f is hot, role: core, stack: {contains: [f]}, share: {at_least: 0.3}, weight: 4}
  full: {title: the group is full, role: core, fact: {name: memcg.usage_share, at_least: 0.98}, weight: 4}
  other: {title: g takes it, role: rival, fact: {name: memcg.failcnt, at_least: 10}, weight: 4}
decide: {require: {any: [hot, full]}, suspect: {score: 3}, match: {score: 8, all: [hot, full]}}
"""
HOT = item("e", profiles=[profile([("a;f", 300), ("a;b", 300)])])
FULL = item("f", facts=[fact("memcg.usage_bytes", 100.0), fact("memcg.limit_bytes", 100.0)])
CALM = item("g", facts=[fact("memcg.failcnt", 0.0)])


def one(catalog, *items):
    (finding,) = judge(items, catalog)
    return finding


@pytest.mark.parametrize(
    ("items", "words"),
    [
        ((HOT, FULL, CALM), "Match: A test"),
        ((HOT, FULL), "Consistent with: A test; not ruled out: g takes it"),
        ((HOT, CALM), "Consistent with: A test; not shown: the group is full"),
    ],
)
def test_the_headline_names_what_is_open(catalog_of, items, words):
    assert headline(one(catalog_of(TEXT), *items)) == words


def test_the_certainty_is_one_sentence_without_numbers(catalog_of):
    found = one(catalog_of(TEXT), HOT, FULL, CALM)
    words = "Very likely: every distinguishing condition is met, and no alternative is open."
    assert certainty(found) == words
    open_ = one(catalog_of(TEXT), HOT, FULL)
    assert certainty(open_) == "Possible: an alternative is not ruled out."


def test_a_draft_says_that_it_is_one(catalog_of):
    (signature,) = catalog_of(TEXT).signatures
    draft = Catalog((replace(signature, status="draft"),), ())
    assert headline(one(draft, HOT, FULL, CALM)) == "Match (draft signature): A test"


def test_a_capped_suspect_shows_no_fix(catalog):
    found = judge_file(PUBLISHED / "vanishing-cpu" / "perf-top.mglru.txt", catalog)[
        "mm/mglru-evict-folios-lru-lock"
    ]
    document = finding_document(found)
    assert (document["verdict"], document["fixes"]) == ("suspect", [])
    assert document["next"]
    assert "rests on weak readings alone" in document["certainty"]


def test_an_uncapped_suspect_shows_its_fixes(catalog_of):
    assert [fix["title"] for fix in finding_document(one(catalog_of(TEXT), HOT, CALM))["fixes"]] == [
        "Restart it"
    ]
