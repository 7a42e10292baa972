"""Narrative detection: war stories, and pastes with a few words above them."""

from __future__ import annotations

from pathlib import Path

import pytest

from ingest.evidence import read_file
from ingest.paste.narrative import detect_narrative
from tests.ingest.golden import SAMPLES

FRONT = """---
title: "Ping spikes every five seconds"
symptoms:
- ping has spikes of 100 ms
---

It began on a Tuesday.
"""
PROSE = "\n".join(["It began on a Tuesday and nobody knew why the service had stopped to answer."] * 6)


def fact_of(text):
    lines = text.splitlines()
    return detect_narrative(lines, lines)


def read(tmp_path, text, name="story.md"):
    path = tmp_path / name
    path.write_text(text)
    return read_file(path)


def titles(evidence):
    return [
        (fact.value, fact.lines.first)
        for section in evidence.sections
        for fact in section.reading.facts
        if fact.name == "human.war_story"
    ]


def test_front_matter_of_a_story_is_narrative():
    assert fact_of(FRONT) == ("Ping spikes every five seconds", 2)
    assert fact_of("---\nsymptoms: [a]\nfix: b\n...\nIt was the kernel.\n") == ("", 1)


def test_a_heading_above_sentences_is_narrative():
    assert fact_of(f"\n# The wrong kernel #\n\n{PROSE}\n") == ("The wrong kernel", 2)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "---\ntitle: x\n---\none key may be anybody's\n",
        "---\ntitle: never closed\nfix: y\n",
        "# A heading\n\nand a few words\n",
        f"# A heading\nwithout a line between\n{PROSE}\n",
        f"## A smaller heading\n\n{PROSE}\n",
        f"# perf record -a sleep 1\n\n{PROSE}\n",
        PROSE,
        "# ========\n\n" + PROSE,
    ],
)
def test_look_alikes_are_no_narrative(text):
    assert fact_of(text) is None


def test_no_tool_output_is_narrative():
    assert len(SAMPLES) > 100
    texts = [path for path in SAMPLES if path.stat().st_size < 50_000 and path.suffix in {".txt", ".md"}]
    found = [path for path in texts if titles(read_file(path))]
    assert found == []


def test_its_code_blocks_are_read_each_by_itself(tmp_path):
    text = f"""{FRONT}
```
$ perf top --stdio | head
    64.28%  [kernel]       [k] shrink_lruvec
     3.28%  [kernel]       [k] shrink_node
```

Then the stacks:

~~~text
java;start_thread;entry_SYSCALL_64_after_hwframe;ksys_read 42
java;start_thread;entry_SYSCALL_64_after_hwframe;ksys_write 12
~~~
Nothing helped.
"""
    evidence = read(tmp_path, text)
    assert [(section.format, section.first_line, section.command) for section in evidence.sections] == [
        ("text", 1, ""),
        ("perf-table", 10, "perf top --stdio | head"),
        ("text", 14, ""),
        ("folded", 18, ""),
        ("text", 21, ""),
    ]
    folded = evidence.sections[3].reading
    assert "excerpt" not in folded.quality_names
    assert folded.skipped == ()
    assert titles(evidence) == [("Ping spikes every five seconds", 2)]


def test_an_unrecognised_code_block_joins_the_prose_around_it(tmp_path):
    evidence = read(tmp_path, f"{FRONT}\n```\nmake menuconfig\n```\n\nThen it stopped.\n")
    assert [(section.format, section.first_line, section.last_line) for section in evidence.sections] == [
        ("text", 1, 13)
    ]


def test_a_file_inside_a_captured_folder_is_no_story_of_its_sender(tmp_path):
    path = tmp_path / "README.md"
    path.write_text(FRONT)
    assert titles(read_file(path, captured_path="host7/README.md")) == []
    assert titles(read_file(Path(path))) == [("Ping spikes every five seconds", 2)]
