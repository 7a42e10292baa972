"""Merged stacks of runs keep every sample, whatever is pruned, and documents that are no tree are refused."""

from __future__ import annotations

import json

import pytest

from cli.comparison.runs import read_runs
from ingest.comparison.costs_document import CostsDocumentError
from ingest.comparison.stacks_document import PRUNED, from_document, to_document
from ingest.export.difference import difference
from ingest.model.selection import Selection
from ingest.native.views import View
from tests.cli.builds import BASE, SLOWER, WORK


def runs_of(paths):
    return [one.run for one in read_runs(paths, None, Selection(has_idle=False), WORK)]


@pytest.fixture(scope="module")
def base():
    return runs_of(BASE[:2])


def test_a_merged_row_has_the_mean_of_the_runs_per_unit_of_work(base):
    profile = from_document(json.loads(json.dumps(to_document(base))))
    per_unit = [run.costs.weight / run.work for run in base]
    assert profile.weight == pytest.approx(sum(per_unit) / len(per_unit), rel=1e-4)
    assert profile.samples == pytest.approx(sum(run.costs.samples for run in base))


def test_pruning_keeps_the_weight_and_names_what_it_left_out(base):
    whole, pruned = to_document(base), to_document(base, max_rows=40)
    assert len(pruned["depth"]) <= 80 < len(whole["depth"])
    assert PRUNED.partition(".")[2] in pruned["names"]
    assert sum(pruned["self"]) == pytest.approx(sum(whole["self"]), rel=1e-3)
    assert from_document(pruned).weight == pytest.approx(sum(whole["self"]), rel=1e-3)


def test_the_difference_of_two_builds_names_what_grew(base):
    before, after = (View(from_document(to_document(runs))) for runs in (base, runs_of(SLOWER[:2])))
    found = difference(before, after)
    assert found["total_b"] / found["total_a"] == pytest.approx(1.5, abs=0.15)
    assert "parse_rows" in found["names"]


@pytest.mark.parametrize(
    "change",
    [
        {"depth": [0, 2]},
        {"depth": [1, 1]},
        {"depth": [0]},
        {"depth": []},
        {"depth": "no"},
        {"frame": [0, 7]},
        {"frame": [0, 1 << 40]},
        {"self": [1.0, -1.0]},
        {"self": [0.0, 0.0]},
        {"self": [1.0, float("inf")]},
        {"kinds": ["user", "god"]},
        {"names": ["a", 5]},
        {"samples": 0},
        {"unit": None},
        {"names": 5},
        {"names": "ab"},
        {"names": ["a", "b\0"]},
        {"names": ["a", "b" * 10_001]},
        {"kinds": None},
        {"depth": [0, 1.5]},
        {"depth": ["0", "1"]},
        {"self": ["1", "2"]},
        {"samples": True},
        {"event": "e" * 501},
        {"event": "e\0"},
    ],
)
def test_a_document_that_is_no_call_tree_is_refused(change):
    tree = {"event": "e", "unit": "ns", "samples": 3, "names": ["a", "b"], "kinds": ["user", "user"]}
    tree |= {"depth": [0, 1], "frame": [0, 1], "self": [1.0, 2.0]}
    assert from_document(tree).weight == 3
    with pytest.raises(CostsDocumentError):
        from_document(tree | change)
