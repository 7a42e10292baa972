"""Transcripts: prompts, interrupts and ellipses around the output."""

from __future__ import annotations

import pytest

from ingest.model.section import Text
from ingest.paste.transcript import MAX_LINE, option, transcript

PASTE = [
    "sre@node ~ $ sudo hping3 10.0.0.9 -i u10000 | egrep --line-buffered 'rtt=[0-9]{3}'",
    "len=46 ip=10.0.0.9 ttl=61 id=1 icmp_seq=1 rtt=140.9 ms",
    "...",
    "^C",
    "sre@node ~ $",
]


def test_the_prompt_gives_the_command_and_is_no_output():
    found = transcript(Text(PASTE, first_line=10))
    assert found.command.startswith("sudo hping3 10.0.0.9")
    assert [line.number for line in found.lines] == [11]


def test_filters_and_ellipses_are_marked_at_their_lines():
    found = transcript(Text(PASTE, first_line=10))
    assert [(remark.name, remark.line) for remark in found.quality] == [("filtered", 10), ("excerpt", 12)]
    assert found.is_filtered


def test_residue_is_counted():
    skipped = transcript(Text(PASTE)).skips.result()
    assert [(skip.reason, skip.count, skip.first_line) for skip in skipped] == [
        ("shell prompt", 2, 1),
        ("interrupt key", 1, 4),
    ]


def test_the_command_of_the_section_has_no_prompt():
    found = transcript(Text(PASTE[1:2], command="hping3 10.0.0.9 | tail -5"))
    assert [remark.name for remark in found.quality] == ["excerpt"]
    assert found.lines[0].command == "hping3 10.0.0.9 | tail -5"


def test_endless_lines_are_counted_not_searched():
    assert transcript(Text(["x" * (MAX_LINE + 1)])).lines == []


@pytest.mark.parametrize(
    ("command", "value"),
    [("ping -i 0.01 h", "0.01"), ("ping -i0.01 h", "0.01"), ("ping --interval=2 h", None), ("ping h", None)],
)
def test_options_are_found_in_both_spellings(command, value):
    assert option(command, "-i") == value
