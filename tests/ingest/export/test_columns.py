"""Flame graph columns: a preorder tree whose totals are of the whole profile, whatever is pruned."""

from __future__ import annotations

import pytest

from ingest.export import columns
from ingest.native.views import View
from tests.ingest.export.profiles import ALL, database, memcg


def graph(profile, **options):
    return columns.graph(View(profile), **options)


def parents(rows):
    """Return the row of each row's parent, -1 for outermost."""
    way, found = [], []
    for row, depth in enumerate(rows["depth"]):
        del way[depth:]
        found.append(way[-1] if way else -1)
        way.append(row)
    return found


@pytest.mark.parametrize("profile", ALL, ids=lambda one: one.__name__)
@pytest.mark.parametrize("is_inverted", [False, True])
@pytest.mark.parametrize("order", ["left-heavy", "alpha", "time"])
def test_nothing_is_lost_without_pruning(profile, is_inverted, order):
    profile = profile()
    rows = graph(profile, min_share=0, order=order, is_inverted=is_inverted)
    has_stack = profile.sample_node >= 0
    outermost = sum(total for total, depth in zip(rows["total"], rows["depth"], strict=True) if depth == 0)
    assert outermost == pytest.approx(profile.sample_weight[has_stack].sum())
    assert sum(rows["self"]) == pytest.approx(outermost)
    assert rows["pruned_nodes"] == 0


@pytest.mark.parametrize("profile", ALL, ids=lambda one: one.__name__)
def test_a_parent_weighs_its_own_and_its_children(profile):
    rows = graph(profile(), min_share=0)
    below = [0.0] * len(rows["total"])
    for row, parent in enumerate(parents(rows)):
        if parent >= 0:
            below[parent] += rows["total"][row]
    for row, total in enumerate(rows["total"]):
        assert total == pytest.approx(rows["self"][row] + below[row])


def test_left_heavy_puts_the_heaviest_sibling_first_and_alpha_the_first_name():
    rows = graph(database(), min_share=0)
    last = {}
    for row, parent in enumerate(parents(rows)):
        assert rows["total"][row] <= last.get(parent, float("inf"))
        last[parent] = rows["total"][row]
    rows = graph(database(), min_share=0, order="alpha")
    names = {}
    for row, parent in enumerate(parents(rows)):
        name = rows["names"][rows["frame"][row]]
        assert names.get(parent, "") <= name
        names[parent] = name


def test_pruning_keeps_totals_and_counts_pruned_nodes():
    whole = graph(database(), min_share=0)
    some = graph(database(), min_share=0.02)
    totals = dict(zip(whole["node"], whole["total"], strict=True))
    assert 0 < len(some["node"]) < len(whole["node"])
    assert some["pruned_nodes"] == len(whole["node"]) - len(some["node"])
    assert [totals[node] for node in some["node"]] == some["total"]
    assert min(some["total"]) >= 0.02 * some["total_weight"]


def test_a_node_to_keep_stays_with_all_above_it():
    profile = database()
    whole = graph(profile, min_share=0)
    lightest = min(range(len(whole["node"])), key=lambda row: (whole["total"][row], -whole["depth"][row]))
    node = whole["node"][lightest]
    assert node not in graph(profile, min_share=0.02)["node"]
    nodes = set(graph(profile, min_share=0.02, keep=[node])["node"])
    while node >= 0:
        assert node in nodes
        node = int(profile.node_parent[node])


def test_a_subtree_begins_with_its_root_and_weighs_as_much_as_in_the_whole():
    profile = memcg()
    whole = graph(profile, min_share=0)
    row = next(at for at, depth in enumerate(whole["depth"]) if depth == 5)
    rows = graph(profile, min_share=0, root=whole["node"][row])
    assert rows["node"][0] == whole["node"][row]
    assert rows["total"][0] == whole["total"][row]
    assert rows["total_weight"] == whole["total_weight"]
