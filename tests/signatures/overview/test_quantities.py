"""What tables, keys and status lines of tools without a reader say on the first screen."""

from __future__ import annotations

from pathlib import Path

import pytest

from signatures.engines import Engines
from tests.signatures.overview.test_first_screen import overview, states

SHOWN = Path(__file__).parents[3] / "benchmarks/pool/shown"


@pytest.mark.parametrize(
    ("name", "words", "line"),
    [
        ("series/001.txt", ("pool T", "stop", "4 rows"), 11),
        ("series/005.txt", ("ARC", "05:00:02", "97.8 GiB"), 4),
        ("series/006.txt", ("transfer test", "0 in all 18 rows"), 1),
        ("series/008.txt", ("written", "bursts", "48.51 MiB/s"), 1),
        ("series/011.txt", ("vailable memory", "1501 MiB", "551 MiB"), 1),
        ("tables/005.txt", ("RTT", "Power save enabled", "Power save disabled"), 4),
        ("tables/008.txt", ("0x50005", "under-voltage is detected now"), 8),
        ("tables/016.txt", ("Remaining_Lifetime_Perc", "worn out"), 7),
        ("tables/019.txt", ("guest.mem.ballooned", "15.9 GiB"), 15),
        ("tables/028.txt", ("Wear_Leveling_Count", "is 2"), 6),
        ("tables/029.txt", ("dmirror1", "hecksum errors", "raidz1-1 18"), 2),
    ],
)
def test_mechanism_and_subject_lead_with_their_lines(name, words, line):
    found = overview((SHOWN / name).read_text())
    assert all(one in found.headline.text for one in words), found.headline.text
    lead = found.lead.whole
    assert lead is not None
    assert lead.engine == "quantities"
    assert lead.places[0].first_line == line


@pytest.mark.parametrize("name", ["series/004.txt", "series/007.txt", "tables/003.txt", "tables/014.txt"])
def test_benign_numbers_are_no_alarm(name):
    found = overview((SHOWN / name).read_text())
    assert not {"alarm", "notable"} & set(states(found).values())


ROWS = "queue  used  max\nq1     {}   100\nq2     4     100\nq3     7     100\n"


@pytest.mark.parametrize(("used", "kind"), [("100", "alarm"), ("95 ", "fact")])
def test_a_limit_that_the_table_states_is_an_alarm_when_it_is_reached(used, kind):
    first = overview(ROWS.format(used)).statements[0].statement
    assert (first.kind, "100" in first.text, first.places[0].first_line) == (kind, True, 2)


def test_numbers_without_a_meaning_make_no_alarm():
    found = overview(ROWS.replace("max", "foo").format("100"))
    assert not any(one.statement.kind == "alarm" for one in found.statements)


@pytest.mark.parametrize("state", ["off", "shadow"])
def test_the_engine_can_be_switched_off(state, monkeypatch):
    monkeypatch.setattr("signatures.overview.configured", lambda: Engines.parse(f"quantities={state}"))
    found = overview((SHOWN / "tables/008.txt").read_text())
    assert "0x50005" not in found.headline.text
