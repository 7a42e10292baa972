"""Formats of lines that are rows of data."""

from __future__ import annotations

import math
from typing import Any

import pytest

from ingest.model.section import Text
from ingest.parsing.line_forms.shape import format_of
from ingest.parsing.line_forms.values import value
from tests.ingest.samples import leaf_first, rows, values

SIZE = {"number": "size", "units": {"K": 1024}}
FORM: dict[str, Any] = {
    "name": "waits",
    "title": "waits",
    "command": "waits",
    "example": "task a 5K\n",
    "begins": [["task"], ["banner", {"line": "task", "within": 3, "past": ["note"]}]],
    "rest": "no wait",
    "remark": "one look",
    "lines": [
        {"kind": "banner", "match": r"^== (?P<host>\w+)$", "keeps": True, "skip": "a banner"},
        {
            "kind": "task",
            "match": r"^task (?P<name>\w+) (?P<size>\d+K?)$",
            "row": "waits",
            "cells": {"name": "name", "host": "host", "lock": "lock?", "why": "why"},
            "facts": [{"fact": "wait.{name:slug}", "is": SIZE, "unit": "bytes", "most": 1}],
        },
        {"kind": "why", "match": r"^  why (?P<word>\w+)$", "completes": {"why": "word"}},
        {"kind": "frame", "match": r"^  at (?P<name>\S+)$", "below": True, "frame": {"name": "name"}},
        {"kind": "end", "match": r"^end$", "ends": True},
        {"kind": "note", "match": r"^note "},
    ],
    "totals": [{"fact": "waits.sum", "of": "waits", "unit": "count", "given": ["why"]}],
}  # fmt: skip

PASTED = [
    "  why before", "== db1", "task a 5K", "  why lock", "  at leaf", "  at root", "", "end", "  why after",
    "task a 7", "  why disk", "word",
]  # fmt: skip


def test_lines_below_complete_a_row_until_it_ends_and_others_are_counted():
    reading = format_of(FORM).read(Text(PASTED))
    assert rows(reading, "waits") == [
        {"name": "a", "host": "db1", "why": "lock"},
        {"name": "a", "host": "db1", "why": "disk"},
    ]
    assert {one.reason: one.count for one in reading.skipped} == {"no wait": 3, "a banner": 1}
    assert leaf_first(reading.profiles[0], 0) == ["leaf", "root"]


def test_facts_of_lines_are_bounded_and_rows_are_summed():
    reading = format_of(FORM).read(Text(PASTED))
    assert values(reading) == {"wait.a": 5120.0, "waits.sum": 2.0}
    (total,) = [one for one in reading.facts if one.name == "waits.sum"]
    assert (total.lines.first, total.lines.last) == (3, 11)


def test_a_text_begins_with_a_line_or_with_one_that_follows_known_ones():
    form = format_of(FORM)
    assert [form.begins(lines, 0) for lines in (["task a 1"], ["== x", "note 1", "task a 1"], ["== x"])] == [
        True,
        True,
        False,
    ]
    assert not form.begins(["== x", "prose", "task a 1"], 0)


def test_numbers_are_scaled_summed_and_capped():
    clock = value({"number": {"h": 3600, "m": 60}}).of
    assert clock({"h": "1", "m": "2"}) == 3720.0
    assert clock({"h": None, "m": None}) is None
    assert value({"number": "x", "most": 1.0, "factor": 0.01}).of({"x": "250"}) == 1.0
    assert value({"number": "x", "otherwise": 0.0}).of({"x": "5Z"}) == 0.0
    assert math.isinf(value({"number": "x"}).of({"x": "9" * 400}))


def test_a_misspelt_key_of_a_kind_is_an_error():
    wrong = {**FORM, "lines": [{"kind": "task", "match": "^x$", "rows": "waits"}]}
    with pytest.raises(ValueError, match="unknown keys: rows"):
        format_of(wrong)
