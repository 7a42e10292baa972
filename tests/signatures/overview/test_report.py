"""Formatting of figures, and panels as JSON."""

from __future__ import annotations

import pytest

from signatures.documents.codec import to_document
from signatures.overview.model import Figure, Panel, Place
from signatures.overview.report import panel_document


@pytest.mark.parametrize(
    ("value", "unit", "words"),
    [
        (0.2685, "share", "26.9 %"),
        (1234567.0, "count", "1,234,567"),
        (0.0402, "seconds", "40.2 ms"),
        (12.5, "per_second", "12.5 /s"),
        (float("inf"), "count", "inf"),
        ("6.12", "", "6.12"),
    ],
)
def test_figures_are_formatted_with_units(value, unit, words):
    assert Figure("x", value, unit, ()).words == words


def test_infinity_is_a_text_in_json():
    figure = Figure("quota", float("inf"), "count", (Place("cpu.max", 0, 1, 1),))
    document = to_document(panel_document(Panel("x", "X?", "", "during", "calm", "s", (figure,))))
    assert document["figures"][0]["value"] == "inf"
    assert document["figures"][0]["citations"] == [
        {"evidence": "cpu.max", "section": 0, "first_line": 1, "last_line": 1}
    ]
