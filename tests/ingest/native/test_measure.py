"""Weights of nodes: the fast sums are those made by hand."""

from __future__ import annotations

import pytest

from ingest.native import totals, weight_by_node
from tests.ingest.export.profiles import database, memcg


@pytest.mark.parametrize("profile", [memcg, database], ids=lambda one: one.__name__)
def test_totals_are_sums_over_everything_below(profile):
    profile = profile()
    own = weight_by_node(profile)
    slow = own.copy()
    for node in range(len(own) - 1, -1, -1):
        if profile.node_parent[node] >= 0:
            slow[profile.node_parent[node]] += slow[node]
    assert totals(profile, own) == pytest.approx(slow)
    assert own.sum() == pytest.approx(profile.sample_weight[profile.sample_node >= 0].sum())
