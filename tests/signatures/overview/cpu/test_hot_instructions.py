"""The hottest instruction of an annotated function is stated with what its share is of."""

from __future__ import annotations

from pathlib import Path

from ingest.evidence import read_bytes
from signatures.judging.scope import items_of
from signatures.overview import run

LISTING = (Path(__file__).parents[3] / "data/perf-annotate/hash.txt").read_text()


def panel_of(text):
    panels = run(items_of([read_bytes(text.encode(), name="x")]))
    return next(panel for panel in panels if panel.name == "hot-instructions")


def test_the_hottest_instruction_is_of_the_function_with_most_samples():
    (statement,) = panel_of(LISTING).statements
    assert statement.text == (
        "89.2 % of cpu-clock in probe (157 samples) is at `cmp %edx,%ecx`: "
        "hash.c:15 while (table[h] && table[h] != keys[i])"
    )
    assert statement.kind == "fact"
    assert [place.first_line for place in statement.places] == [52]


def test_the_instruction_before_it_is_named_where_the_event_is_not_precise():
    assert "before it `mov (%rsi,%rdx,4),%edx`" in panel_of(LISTING).figures[0].note
    assert "before it" not in panel_of(LISTING.replace("cpu-clock", "cycles:pp")).figures[0].note


def test_few_samples_are_figures_and_no_sentence():
    few = panel_of(LISTING.replace("(157 samples", "(9 samples"))
    assert (few.statements, bool(few.figures)) == ((), True)
