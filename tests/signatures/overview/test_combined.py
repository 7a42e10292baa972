"""What an expert reads together is one statement above its parts, and a look-alike is none."""

from __future__ import annotations

import pytest

from ingest.evidence import read_bytes
from signatures.judging.scope import items_of
from signatures.overview import run
from signatures.overview.combined import fired_rows, rows, with_combined
from signatures.overview.first_screen import overview_of
from signatures.overview.headline_words import is_short, repeats
from signatures.overview.statement_order import in_order

ROWS = {str(one["name"]): one for one in rows()}
FEWEST_ROWS = 30


def _panels(text):
    return run(items_of([read_bytes(text.encode(), name="x")]))


def _combined(text):
    stated = list(in_order(_panels(text)))
    return [one for one in with_combined(stated) if one not in stated], stated


def test_there_are_enough_rows_and_none_twice():
    assert len(ROWS) >= FEWEST_ROWS
    assert len(ROWS) == len(rows())


@pytest.mark.parametrize("name", sorted(ROWS))
def test_a_row_says_in_short_what_its_statements_say_together(name):
    row = ROWS[name]
    found, stated = _combined(row["sample"])
    assert name in fired_rows(stated)
    statement = found[0].statement
    assert is_short(statement.words)
    assert not repeats(statement.words)
    assert "{" not in statement.text
    parts = [one.statement for one in stated]
    stated_lines = {place for one in parts for place in (*one.places, *(link.place for link in one.chain))}
    assert stated_lines.issuperset(statement.places)
    assert name not in fired_rows(_combined(row["look_alike"])[1])


def test_a_combined_statement_leads_and_its_parts_stay_below():
    panels = _panels(ROWS["reclaim-and-io-wait"]["sample"])
    found = overview_of(panels, (), (), {"top"})
    assert found.short.text == "Memory is short: kswapd reclaims while the CPUs wait for IO"
    assert "72 %" in [one.text for one in found.short.chips]
    below = [one.statement.text for one in found.statements[1:4]]
    assert any("reclaims memory" in text for text in below)
    assert any("waiting for IO" in text for text in below)


def test_statements_of_two_hosts_are_never_combined():
    _, stated = _combined(ROWS["conntrack-full-now"]["sample"])
    two = [one._replace(host=f"web-{number}") for number, one in enumerate(stated)]
    assert len(two) > 1
    assert with_combined(two) == two
