"""A reader that is taken away leaves its text to the general engines, and is there again afterwards."""

from __future__ import annotations

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
