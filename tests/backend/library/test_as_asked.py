"""Questions in everyday words find the signature that was meant, and its story."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from backend.findings import library
from backend.library import documents, index
from backend.library.results import lead, reading_minutes
from backend.library.schemas import SearchQuery
from backend.library.search import search

QUESTIONS = Path("tests/data/library")
FIRST_SHARE = 0.9
"""Share of the questions whose answer is first."""


@pytest.fixture
def ask(session, app_settings):
    index.fill_session(session)
    return lambda text: search(session, app_settings, SearchQuery(text=text))


@pytest.mark.parametrize(("asked", "least"), [("as_asked", 50), ("on_call", 40)])
def test_most_questions_have_the_answer_first(ask, asked, least):
    rows = yaml.safe_load((QUESTIONS / f"{asked}.yaml").read_text())
    answerable = [row for row in rows if row["right"]]
    assert len(answerable) >= least
    wrong = {}
    for row in answerable:
        found = [one.key for one in ask(row["asks"]).items if one.kind == "signature"]
        if found[:1] == [] or found[0] not in row["right"]:
            wrong[row["asks"]] = found[:3]
    assert len(wrong) <= (1 - FIRST_SHARE) * len(answerable), wrong


def test_words_that_people_use_are_of_signatures_that_exist():
    assert documents.asked().keys() <= {one.id for one in library.catalog().signatures}


def test_a_result_names_its_story_with_its_beginning_and_reading_time(ask):
    best = ask("ps hangs").items[0]
    assert best.headline == "Why ps hangs"
    assert best.lead
    assert len(best.lead) <= 210
    assert best.reading_minutes >= 2


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("", ""),
        ("Title\n\nOne sentence.", "One sentence."),
        ("Title\n\n" + "Short one. " + "x" * 300, "Short one."),
        ("Title\n\n" + "word " * 100, "word " * 39 + "word …"),
    ],
    ids=["empty", "short", "long second sentence", "no sentence"],
)
def test_a_lead_ends_with_a_sentence_or_a_word(body, expected):
    assert lead(body) == expected
    assert reading_minutes(body) == 1
