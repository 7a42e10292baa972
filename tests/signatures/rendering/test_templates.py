"""Templates escape what evidence and people wrote, and mark commands as code."""

from __future__ import annotations

import pytest
from jinja2 import UndefinedError

from signatures.rendering.templates import html_commands, html_template, markdown_commands, plain

HOSTILE = "<img src=x> *bold* [link](x)\n# heading"


def test_values_are_text_in_markdown_whatever_they_hold():
    assert plain(HOSTILE) == r"\<img src=x\> \*bold\* \[link\](x) \# heading"


def test_commands_are_code_in_markdown_and_html_and_the_text_around_them_is_escaped():
    text = "run `cat /proc/<pid>/stack` as *root*"
    assert markdown_commands(text) == r"run `cat /proc/<pid>/stack` as \*root\*"
    assert html_commands(text) == "run <code>cat /proc/&lt;pid&gt;/stack</code> as *root*"


def test_a_value_that_is_not_given_is_an_error_and_no_blank():
    with pytest.raises(UndefinedError):
        html_template("case.html.j2").render()
