"""The stack index returns the same as walking every stack."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from ingest.native import StackIndex, parse_folded

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
    orders = []
    for node, parent in enumerate(profile.node_parent.tolist()):
        name = profile.frames[profile.node_frame[node]].name
        orders.append([*(orders[parent] if parent >= 0 else []), name])
    return orders


def holds(way, names):
    rest = iter(way)
    return all(any(one == name for one in rest) for name in names)


def as_lists(nodes):
    return sorted(nodes.tolist())


@settings(max_examples=150, deadline=None)
@given(STACKS, st.lists(st.sampled_from("abcd"), min_size=1, max_size=3))
def test_a_path_completes_where_its_frames_first_occur_in_order(stacks, names):
    profile = profile_of(stacks)
    innermost, *callers = (mask(profile, name) for name in reversed(names))
    expected = [holds(way, names) and not holds(way[:-1], names) for way in ways(profile)]
    assert as_lists(StackIndex(profile).completes(innermost, callers)) == np.flatnonzero(expected).tolist()


@settings(max_examples=150, deadline=None)
@given(STACKS, st.sampled_from("abcd"), st.sampled_from("abcd"), st.sampled_from([1, 2, None]))
def test_a_leaf_has_its_caller_within_so_many_frames(stacks, leaf, caller, within):
    profile = profile_of(stacks)
    expected = [
        way[-1] == leaf and caller in (way[:-1] if within is None else way[:-1][-within:])
        for way in ways(profile)
    ]
    found = StackIndex(profile).leaves(mask(profile, leaf), [mask(profile, caller)], within)
    assert as_lists(found) == np.flatnonzero(expected).tolist()


@settings(max_examples=150, deadline=None)
@given(STACKS, st.sampled_from("abcd"))
def test_samples_below_a_frame_are_those_that_hold_it_and_outside_are_the_others(stacks, name):
    profile = profile_of(stacks)
    index = StackIndex(profile)
    of_nodes = ways(profile)
    nodes = index.completes(mask(profile, name))
    samples = [at for at, node in enumerate(profile.sample_node.tolist()) if name in of_nodes[node]]
    assert as_lists(index.samples_below(nodes)) == samples
    every = np.arange(len(of_nodes), dtype=np.int32)
    outside = [node for node, way in enumerate(of_nodes) if name not in way]
    assert as_lists(index.outside(every, mask(profile, name))) == outside


@settings(max_examples=50, deadline=None)
@given(STACKS)
def test_samples_of_one_node_come_together_in_the_order_of_the_file(stacks):
    profile = profile_of([*stacks, *stacks])
    every = np.arange(len(profile.node_parent), dtype=np.int32)
    samples = StackIndex(profile).samples_at(every)
    by_hand = [np.flatnonzero(profile.sample_node == node).tolist() for node in every]
    assert samples.tolist() == [sample for of_node in by_hand for sample in of_node]
