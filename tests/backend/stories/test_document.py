"""Story files: parsed exactly, written back unchanged, errors with line numbers."""

from __future__ import annotations

import pytest

from backend.stories.document import InvalidStoryError, from_markdown, to_markdown
from backend.stories.schemas import StoryText

WHOLE = """\
---
title: 'Ping: spikes every five seconds'
area: mm
symptoms:
- ping has spikes of 100 ms
- only on old nodes
signatures:
- mm/memcg-stat-show-stall
cases:
- 42
fix: cadvisor 0.45
---

It began on a *Tuesday*.

---

`memcg_stat_show` was on top.
"""


def test_front_matter_and_text_survive_a_round_trip():
    story = from_markdown(WHOLE)
    assert (story.title, story.area, story.fix) == ("Ping: spikes every five seconds", "mm", "cadvisor 0.45")
    assert story.symptoms == ["ping has spikes of 100 ms", "only on old nodes"]
    assert (story.signatures, story.cases) == (["mm/memcg-stat-show-stall"], [42])
    assert story.text.startswith("It began on a *Tuesday*.\n\n---\n")
    assert to_markdown(story, with_cases=True) == WHOLE
    assert "cases" not in to_markdown(story, with_cases=False)


def test_without_front_matter_the_title_is_the_heading_or_file_name():
    headed = from_markdown("\ufeff# A night with `memcg`  #\n\nIt began.\n")
    assert (headed.title, headed.text) == ("A night with `memcg`", "It began.\n")
    assert from_markdown("It began.\n", filename="stories/a-night.md").title == "a-night"
    assert from_markdown("# a\u202eb\n\nIt began.\n").title == "a\ufffdb"
    assert from_markdown("It began.\n", filename="a\u202eb\x00.md").title == "a\ufffdb\ufffd"


def test_a_single_symptom_need_not_be_a_list():
    assert from_markdown("---\ntitle: a\nsymptoms: ps hangs\n---\nx").symptoms == ["ps hangs"]


@pytest.mark.parametrize(
    ("front", "said"),
    [
        ("---\ntitle: a\n", "line 1: the front matter is not closed"),
        ("---\ntitle: a\narea: [\n---\nx", "line 4, column 1: not YAML"),
        ("---\n- a\n---\nx", "line 2: expected 'key: value'"),
        ("---\ntitle: a\nauthor: kim\n---\nx", "line 3: there is no key 'author'"),
        ("---\ntitle: a\ntitle: b\n---\nx", "line 3: title stands here a second time"),
        ("---\ntitle: [a]\n---\nx", "line 2: title is one text"),
        ("---\ntitle: report\u202efdp\n---\nx", "line 2: title must not contain U+202E"),
        ("---\ntitle: a\narea: My Area\n---\nx", "line 3: area 'My Area' is not"),
        ("---\ntitle: a\nsignatures:\n- mm/a\n- oom\n---\nx", "line 5: 'oom' is not the id of a signature"),
        ("---\ntitle: a\ncases: [1, x]\n---\nx", "line 3: 'x' is not the number of a case"),
        ("---\ntitle: a\nsymptoms: {a: b}\n---\nx", "line 3: symptoms is a list"),
        ("---\ntitle: a\n---\n\n", "no text below"),
        ("x\n", "line 1: the story has no title"),
        ("---\ntitle: &a [*a]\n---\nx", "line 2"),
    ],
)
def test_errors_are_reported_with_their_line(front, said):
    with pytest.raises(InvalidStoryError) as caught:
        from_markdown(front)
    assert said in str(caught.value)


def test_all_errors_are_reported_at_once():
    with pytest.raises(InvalidStoryError) as caught:
        from_markdown("---\nname: x\narea: UPPER\ncases: none\n---\nx")
    assert [part[:6] for part in str(caught.value).split("; ") if part.startswith("line")] == [
        "line 2",
        "line 3",
        "line 4",
    ]


@pytest.mark.parametrize("title", ["yes", "12", "- a", "a: b # c", "'", "null", "»\u00a0«"])
def test_a_title_that_looks_like_another_yaml_type_stays_text(title):
    story = StoryText(title=title, text="x\n")
    assert from_markdown(to_markdown(story, with_cases=True)).title == title
