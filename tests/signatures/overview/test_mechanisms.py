"""A row of mechanisms says what its sample shows, and nothing of a healthy look-alike."""

from __future__ import annotations

import pytest

from ingest.evidence import read_bytes
from signatures.documents.levels import LEVELS
from signatures.judging.scope import items_of, scopes_of
from signatures.overview import ANALYSES
from signatures.overview.harmful_steps import harms, subjects_of
from signatures.overview.headline_words import is_short, repeats
from signatures.overview.mechanisms.evaluation import mechanisms
from signatures.overview.mechanisms.rows import rows
from signatures.overview.scope_evidence import ScopeEvidence

ROWS = {one.name: one for one in rows()}


def _said(text):
    scope = scopes_of(items_of([read_bytes(text.encode(), name="x")]))[0]
    return mechanisms(ScopeEvidence(scope)).statements


def test_no_row_is_there_twice():
    assert len(ROWS) == len(rows())


@pytest.mark.parametrize("name", sorted(ROWS))
def test_a_row_says_its_mechanism_of_its_sample_and_not_of_a_healthy_look_alike(name):
    row = ROWS[name]
    said = _said(row.sample)
    assert said, "its sample does not meet it"
    own = said[0]
    assert is_short(own.words)
    assert not repeats(own.words)
    assert "{" not in own.text + own.first_step
    assert "  " not in own.text
    assert own.words.startswith("May be: ") == row.may
    assert own.explains_calm == row.is_calm
    assert not harms(own.first_step, subjects_of())
    assert row.level in LEVELS
    alarming = [one.words for one in _said(row.look_alike) if one.kind == "alarm"]
    assert not alarming
    assert own.words not in [one.words for one in _said(row.look_alike)]


def test_the_analysis_is_one_of_all():
    assert "mechanisms" in {one.name for one in ANALYSES}
