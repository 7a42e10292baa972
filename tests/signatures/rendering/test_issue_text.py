"""Text of issues acts on nothing, whatever names and lines say, and is whole in each markup."""

from __future__ import annotations

import re

import pytest
from markdown_it import MarkdownIt

from signatures.rendering.issue_markup import JIRA, MARKDOWN, MARKUPS
from signatures.rendering.issue_text import MAX_BODY, MAX_TITLE, issue

READER = MarkdownIt("commonmark").enable(["table", "strikethrough"])
HOSTILE = [
    "@all",
    "closes #7, see !12 ~bug %m1 $3 &4",
    "/close",
    "/label ~x\n/close",
    "{code}rm -rf /{code}",
    "{noformat} x {noformat} {panel:title=x}",
    "[~ada] [click|https://evil.example/] !https://evil.example/a.png!",
    "|a|b| ||c||",
    "*bold* _it_ -strike- +ins+ ^sup^ ~sub~ ??cite??",
    "h1. Title",
    "bq. quote",
    "# heading",
    "- item",
    "1. item",
    "![x](https://evil.example/a.png) [x](javascript:alert(1)) <img src=x onerror=alert(1)>",
    "`tick` ``two`` ```three",
    "a\\b \\\\",
    "https://evil.example/ www.evil.example",
    "&#64;all &lt;b&gt;",
    "\x1b[2J\u202egnp.exe\r\nx",
    "9" * 400,
]


def case_of(**values):
    return {
        "number": 12,
        "title": "t",
        "name": "t",
        "state": "open",
        "status": "investigating",
        "severity": "high",
        "assignee": None,
        "team": None,
        "tags": [],
        "created_at": "",
        "updated_at": "",
        "hosts": [],
        "evidence_count": 1,
        "unread_count": 0,
        "judged": True,
        "headline": None,
        "resolution": None,
        **values,
    }


def shown(markdown: str) -> str:
    """The text that a reader of rendered Markdown sees."""
    tokens = READER.parse(markdown)
    return "".join(
        child.content for token in tokens if token.type == "inline" for child in token.children or ()
    ).replace("\u200b", "")


@pytest.mark.parametrize("hostile", HOSTILE)
def test_a_text_reads_in_markdown_as_it_was_and_is_text_only(hostile):
    markup = MARKDOWN.text(hostile)
    tokens = READER.parse(markup)
    assert [token.type for token in tokens] == ["paragraph_open", "inline", "paragraph_close"]
    assert {child.type for child in tokens[1].children} <= {"text", "text_special"}
    if hostile.isprintable():
        assert shown(markup) == " ".join(hostile.split())
    rendered = "".join(child.content for child in tokens[1].children)
    assert not re.search(r"(?<!\w)[@#!~$%&][\w\"{]|https?://|\bwww\.", rendered)
    assert not markup.startswith("/")


@pytest.mark.parametrize("hostile", HOSTILE)
def test_a_text_opens_no_macro_link_or_format_in_jira(hostile):
    markup = JIRA.text(hostile)
    bare = re.sub(r"\\[{}\[\]|*_\-+^~?!#@():;]|&(?:amp|#92);", "", markup)
    assert not re.search(r"[{}\[\]|*_+^~?!\\]|https?://|\bwww\.|^h[1-6]\.|^bq\.|\n", bare), markup


@pytest.mark.parametrize("hostile", HOSTILE)
def test_code_holds_any_name_in_markdown(hostile):
    tokens = READER.parse(f"x {MARKDOWN.code(hostile)} y")[1].children
    (code,) = [one.content for one in tokens if one.type == "code_inline"]
    assert {one.type for one in tokens} <= {"text", "code_inline"}
    if hostile.isprintable():
        assert code.strip() == " ".join(hostile.split())


@pytest.mark.parametrize("command", ["echo {code} x", "echo {NOFORMAT:x=1}", "a\n{code:bash}\nb"])
def test_a_command_cannot_end_its_block_in_jira(command):
    block = JIRA.block(command)
    assert not re.search(r"(?<!\\)\{(?:code|noformat)", block, re.IGNORECASE)
    assert JIRA.block("cat a | wc -l && x=${Y}") == "{noformat}\ncat a | wc -l && x=${Y}\n{noformat}"


@pytest.mark.parametrize("command", ["echo '```'", "````\nx", "a\n~~~\n```sh\n/close"])
def test_a_command_cannot_end_its_block_in_markdown(command):
    (fence,) = READER.parse(MARKDOWN.block(command))
    assert (fence.type, fence.content) == ("fence", f"{command}\n")


def test_a_row_has_as_many_cells_as_the_header_whatever_they_hold():
    row = [MARKDOWN.text("a|b"), MARKDOWN.code("c|d"), ""]
    tokens = READER.parse(MARKDOWN.table(["x", "y", "z"], [row]))
    assert [one.type for one in tokens].count("td_open") == 3
    assert JIRA.table(["x", "y"], [[JIRA.text("a|b"), ""]]) == "||x||y||\n|a\\|b| |"


@pytest.mark.parametrize("tracker", MARKUPS)
def test_hostile_fields_add_no_line_to_an_issue(tracker):
    plain = issue(case_of(tags=["x"], hosts=["db7"]), [], "https://c/cases/12", tracker)
    for hostile in HOSTILE:
        headline = {"text": hostile, "signature": "", "alarm": "", "suspicion": ""}
        made = issue(
            case_of(headline=headline, hosts=[hostile], tags=[hostile]), [], "https://c/cases/12", tracker
        )
        assert made.body.count("\n") - plain.body.count("\n") in {0, -2}, hostile
        assert [one for one in made.body.splitlines() if one.startswith("/")][1:] == []
        assert (len(made.title) <= MAX_TITLE, "\n" in made.title) == (True, False)


def test_gitlab_is_told_severity_and_tags_as_labels_and_the_others_are_not():
    tagged = case_of(tags=["pay ments", 'a" /close', "~"])
    made = {name: issue(tagged, [], "https://c/cases/12", name) for name in MARKUPS}
    assert made["gitlab"].body.endswith(
        '\nhttps://c/cases/12\n\n/label ~"severity::high" ~"pay ments" ~"a /close"\n'
    )
    assert made["github"].labels == ["severity::high", "pay ments", "a /close"]
    assert not any("/label" in made[name].body for name in ("github", "jira"))
    assert "/label" not in issue(case_of(severity=None), [], "https://c/cases/12", "gitlab").body


def test_an_issue_fits_into_the_tracker_and_keeps_its_link():
    resolution = {"cause": "x" * 2000, "signature": "", "fix": "*" * 2000}
    made = issue(case_of(hosts=["h" * 4000] * 10, resolution=resolution), [], "https://c/cases/12", "jira")
    assert len(made.body) <= MAX_BODY
    assert made.body.endswith("https://c/cases/12\n")
    assert "More is at the link." in made.body
