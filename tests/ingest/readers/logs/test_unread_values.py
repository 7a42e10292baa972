"""Short text of no known format says which questions it states numbers about."""

from __future__ import annotations

import pytest

from ingest.evidence import read_bytes
from ingest.readers.logs.text.unread_values import MOST_LINES


def questions(text):
    (section,) = read_bytes(text.encode(), name="x").sections
    assert section.format == "text"
    return {
        fact.labels["question"]: (fact.value, fact.lines)
        for fact in section.reading.facts
        if fact.name == "text.unread_values"
    }


@pytest.mark.parametrize(
    ("text", "about"),
    [
        ("stall: 4121 ms\nstall: 3984 ms\n", {"scheduling": 2}),
        ("core 0 cpu 100% busy\n", {"cpu": 1}),
        ("$ zpool iostat 1\npool 904 267\n", {"io": 1}),
        ("memory and disk are at 98 %\n", {"memory": 1, "io": 1}),
        ("the disk is slow since Tuesday\n", {}),
        ("see /var/lib/memory-2/disk-9.txt\n", {}),
        ("clock 12 of 14\n", {}),
    ],
)
def test_a_line_is_about_the_questions_whose_words_stand_beside_a_number(text, about):
    assert {question: count for question, (count, _) in questions(text).items()} == about


def test_the_lines_are_cited():
    _, lines = questions("a\nstall: 1 ms\nb\nstall: 2 ms\n")["scheduling"]
    assert (lines.first, lines.last) == (2, 4)


def test_a_log_of_its_own_is_no_output_beside_others():
    assert not questions("stall: 1 ms\n" * (MOST_LINES + 1))
    assert questions("stall: 1 ms\n" * MOST_LINES)
