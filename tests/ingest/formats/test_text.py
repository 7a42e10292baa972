"""What is made of text that no format knows."""

from __future__ import annotations

from pathlib import Path

import pytest

from ingest.formats import text
from ingest.reading import Reading
from ingest.registry import Text

DATA = Path(__file__).parents[2] / "data" / "text"


def test_a_log_line_of_an_application_is_kept_and_not_interpreted():
    lines = (DATA / "app-log.memcached.txt").read_text().splitlines()
    assert text.continues(lines[0])
    assert text.read(Text(lines)) == Reading()


@pytest.mark.parametrize(
    ("sentence", "tools"),
    [
        ("ps aux hangs", ["ps"]),
        ("Since ten, `ps aux` hangs and perf top is stuck.", ["ps", "perf"]),
        ("pgrep -f java never returns, load 400", ["pgrep"]),
        ("ps hangs on db-07, can somebody look?", ["ps"]),
        ("ps can hang there", []),
        ("ps does not hang", []),
        ("ps no longer hangs", []),
        ("if ps hangs, collect stacks", []),
        ("ps hung yesterday", []),
        ("the deploy hangs", []),
        ('operation="set" maps hangs', []),
        ("ps " + "x" * 400 + " hangs", []),
    ],
)
def test_a_person_may_say_which_tool_hangs(sentence, tools):
    facts = text.read(Text([sentence])).facts
    assert [fact.labels["tool"] for fact in facts] == tools
    assert {fact.name for fact in facts} <= {"human.hung_tool"}
