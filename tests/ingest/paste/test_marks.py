"""Marks are found wherever they stand, and not where only their parts do."""

from __future__ import annotations

import pytest

from ingest.paste.marks import AT_ONCE, has_mark


@pytest.mark.parametrize("at", [0, 1, AT_ONCE - 1, AT_ONCE, 2 * AT_ONCE])
def test_a_mark_is_found_in_every_line(at):
    lines = ["plain"] * (2 * AT_ONCE + 1)
    assert not has_mark(lines, ("```", "=\n"))
    lines[at] = "ends in ="
    assert has_mark(lines, ("```", "=\n"))
    lines[at] = "= and more"
    assert not has_mark(lines, ("```", "=\n"))
    lines[at] = "x ``` y"
    assert has_mark(lines, ("```", "=\n"))


def test_no_mark_spans_two_lines():
    assert not has_mark(["a`", "``b"], ("```",))
    assert not has_mark([], ("```",))
