"""The published evidence gets the verdicts that a person gives it; the committed table is current."""

from __future__ import annotations

import pytest

from benchmarks.published_evidence import DESERVED, PUBLISHED, deserved, rows, table
from tests.signatures.evidence import files_of


@pytest.fixture(scope="module")
def found():
    return list(rows(PUBLISHED))


def test_every_published_file_of_a_story_and_every_story_with_a_case_is_a_row():
    stories = [path for path in PUBLISHED.iterdir() if path.is_dir() and path.name != "hangs"]
    files = {path.relative_to(PUBLISHED).as_posix() for story in stories for path in files_of(story)}
    assert set(deserved()) - {path.name for path in stories} == files


def test_signatures_fire_where_they_should_and_nowhere_else(found):
    assert {one.name: one.fires for one in found} == {
        name: right["fires"] for name, right in deserved().items()
    }


def test_a_row_that_does_not_agree_says_why_and_one_that_agrees_does_not(found):
    assert [one.name for one in found if bool(one.differs) != bool(one.because)] == []


def test_the_table_is_current(found):
    assert DESERVED.with_name("PUBLISHED_EVIDENCE.md").read_text() == table(found)
