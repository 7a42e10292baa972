"""Every line about the security standard names evidence, and what it names is there."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "docs/asvs.md").read_text()
LINES = [
    [cell.strip() for cell in line.strip("|").split("|")]
    for line in PAGE.splitlines()
    if line.startswith("| V")
]
CHAPTERS = {f"V{number}" for number in range(1, 18)}


def test_every_chapter_has_a_line_or_does_not_apply():
    excluded = set(re.findall(r"V\d+\b(?!\.)", PAGE.partition("What does not apply")[2]))
    named = {line[0].partition(".")[0] for line in LINES}
    assert named | excluded == CHAPTERS
    assert not named & excluded


def test_no_section_is_answered_twice():
    sections = [line[0].split()[0] for line in LINES]
    assert len(sections) == len(set(sections))


@pytest.mark.parametrize("line", LINES, ids=lambda line: line[0])
def test_a_line_names_evidence_that_exists_and_says_what_is_missing(line: list[str]):
    _, state, how, evidence = line
    named = [name for name in re.findall(r"`([^`]+)`", evidence) if not name.startswith("make ")]
    assert named
    assert [name for name in named if not (ROOT / name).exists()] == []
    assert state in {"met", "partly"}
    assert (state == "partly") == ("missing: " in how)
