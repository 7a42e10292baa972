"""A reader that is taken away leaves its text to the general engines, and is there again afterwards."""

from __future__ import annotations

from benchmarks import reader_facts
from benchmarks.held_out import DATA, compare, statements, without


def test_a_reader_is_away_only_within():
    sample = DATA / "docker-stats/near-limit.txt"
    exact = [one.text for one in statements(sample)]
    with without("docker-stats"):
        general = [one.text for one in statements(sample)]
    assert general != exact
    assert any("limit" in text for text in general)
    assert [one.text for one in statements(sample)] == exact


def test_what_is_said_of_states_needs_no_reader():
    samples = sorted((DATA / "kubectl-describe").glob("*.txt"))
    found = compare("kubectl-describe", samples)
    assert (found.stated, found.question, found.silent) == (3, 3, 0)


def test_facts_that_only_a_reader_gives_are_named():
    (whole,) = reader_facts.rows(["biolatpcts"])
    (part,) = reader_facts.rows(["time-command"])
    assert whole[1] == whole[2] > 0
    assert not whole[3]
    assert part[1] == part[2] + sum(part[3].values())
    assert part[3]
    assert "pressure.<key>" in reader_facts.named_facts("pressure")
