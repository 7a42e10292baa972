"""Questions to the tree: the fast answer is what walking up every stack by hand gives."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ingest.native import match_leaf, match_path, parse_folded, totals, weight_by_node
from tests.ingest.export.profiles import database, memcg

STACKS = st.lists(
    st.tuples(st.lists(st.sampled_from("abcd"), min_size=2, max_size=7), st.integers(1, 9)),
    min_size=1,
    max_size=12,
)


def profile_of(stacks):
    text = "".join(f"{';'.join(stack)} {weight}\n" for stack, weight in stacks)
    return parse_folded([text.encode()]).profile


def mask(profile, name):
    return np.array([frame.name == name for frame in profile.frames], dtype=np.bool_)


def ways(profile):
    """Return the names from the root to every node."""
    told = []
    for node, parent in enumerate(profile.node_parent.tolist()):
        name = profile.frames[profile.node_frame[node]].name
        told.append([*(told[parent] if parent >= 0 else []), name])
    return told


def holds(way, names):
    rest = iter(way)
    return all(any(one == name for one in rest) for name in names)


@settings(max_examples=150, deadline=None)
@given(STACKS, st.lists(st.sampled_from("abcd"), min_size=1, max_size=3))
def test_a_path_is_frames_in_this_order_with_others_between(stacks, names):
    profile = profile_of(stacks)
    classes = [mask(profile, name) for name in names]
    assert match_path(profile, classes).tolist() == [holds(way, names) for way in ways(profile)]
    first = match_path(profile, classes, first=True)
    assert first.tolist() == [holds(way, names) and not holds(way[:-1], names) for way in ways(profile)]


@settings(max_examples=150, deadline=None)
@given(STACKS, st.sampled_from("abcd"), st.sampled_from("abcd"), st.sampled_from([1, 2, None]))
def test_a_leaf_has_its_caller_within_so_many_frames(stacks, leaf, caller, within):
    profile = profile_of(stacks)
    found = match_leaf(profile, mask(profile, leaf), [mask(profile, caller)], within)
    expected = [
        way[-1] == leaf and caller in (way[:-1] if within is None else way[:-1][-within:])
        for way in ways(profile)
    ]
    assert found.tolist() == expected


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
