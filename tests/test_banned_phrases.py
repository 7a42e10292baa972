"""The check for banned phrases reads prose, not code, and reports place and replacement."""

from __future__ import annotations

import pytest

from tools.banned_phrases import BANNED, EXCEPTIONS, Text, hits, prose, python_texts, schema_texts


def phrases(content: str, path: str = "docs/page.md") -> list[str]:
    return [hit.phrase for hit in hits(Text(path, 1, content))]


@pytest.mark.parametrize(
    "sentence",
    [
        "The worker is told so.",
        "Who may come in",
        "Each floor imports those below.",
        "Four doors",
        "The Walls hold: the walls",
    ],
)
def test_an_old_phrase_is_found(sentence: str):
    assert phrases(sentence)


@pytest.mark.parametrize(
    "sentence",
    [
        "const row = Math.floor(y / height)",
        "Wall-clock time",
        "The lock is released.",
        "outdoors",
        "floor-plan",
    ],
)
def test_standard_text_passes(sentence: str):
    assert phrases(sentence) == []


def test_a_hit_has_its_line_and_the_replacement():
    (hit,) = hits(Text("docs/page.md", 10, "First line.\nIt is told once."))
    assert (hit.line, hit.phrase, hit.instead) == (11, "told", BANNED["told"])


def test_docstrings_and_comments_are_read_and_strings_are_not():
    source = '"""Module."""\ntold = "told"  # comment\n\ndef f():\n    """Doc."""\n'
    assert [(text.line, text.content) for text in python_texts("a.py", source)] == [
        (1, "Module."),
        (5, "Doc."),
        (2, "# comment"),
    ]


def test_code_blocks_of_markdown_are_skipped_and_lines_are_kept():
    page = "# Title\n```sh\necho told\n```\ntold\n"
    (hit,) = hits(Text("docs/page.md", 1, prose(page)))
    assert hit.line == 5


def test_descriptions_of_the_schema_are_read_and_examples_are_not():
    document = {
        "info": {"title": "A"},
        "paths": {"/x": {"get": {"description": "B"}}},
        "examples": [{"title": "C"}],
    }
    assert [text.content for text in schema_texts("openapi.json", document)] == ["A", "B"]


def test_every_exception_has_a_reason():
    assert [one for one in EXCEPTIONS if not one.reason] == []
