"""The stack index returns the same as walking every stack."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from ingest.native import Paths, StackIndex, WeighedSamples, parse_folded, weight_by_node
from ingest.native.index import Pattern

STACKS = st.lists(
    st.tuples(st.lists(st.sampled_from("abcd"), min_size=2, max_size=7), st.integers(1, 9)),
    min_size=1,
    max_size=12,
)


def profile_of(stacks):
    text = "".join(f"{';'.join(stack)} {weight}\n" for stack, weight in stacks)
    return parse_folded([text.encode()]).profile


def mask_of_name(profile, name):
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
    innermost, *callers = (mask_of_name(profile, name) for name in reversed(names))
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
    found = StackIndex(profile).leaves(mask_of_name(profile, leaf), [mask_of_name(profile, caller)], within)
    assert as_lists(found) == np.flatnonzero(expected).tolist()


@settings(max_examples=150, deadline=None)
@given(STACKS, st.sampled_from("abcd"))
def test_samples_below_a_frame_are_those_that_hold_it_and_outside_are_the_others(stacks, name):
    profile = profile_of(stacks)
    index = StackIndex(profile)
    of_nodes = ways(profile)
    nodes = index.completes(mask_of_name(profile, name))
    samples = [at for at, node in enumerate(profile.sample_node.tolist()) if name in of_nodes[node]]
    assert as_lists(index.samples_below(nodes)) == samples
    every = np.arange(len(of_nodes), dtype=np.int32)
    outside = [node for node, way in enumerate(of_nodes) if name not in way]
    assert as_lists(index.outside(every, mask_of_name(profile, name))) == outside


@settings(max_examples=50, deadline=None)
@given(STACKS)
def test_samples_of_one_node_come_together_in_the_order_of_the_file(stacks):
    profile = profile_of([*stacks, *stacks])
    every = np.arange(len(profile.node_parent), dtype=np.int32)
    samples = StackIndex(profile).samples_at(every)
    by_hand = [np.flatnonzero(profile.sample_node == node).tolist() for node in every]
    assert samples.tolist() == [sample for of_node in by_hand for sample in of_node]


@settings(max_examples=100, deadline=None)
@given(STACKS, st.sampled_from("abcd"), st.sampled_from("abcd"), st.integers(0, 5))
def test_samples_of_a_pattern_are_weighed_by_process(stacks, name, other, left_out):
    profile = profile_of([*stacks, *stacks])
    index, of_nodes = StackIndex(profile), ways(profile)
    threads = np.arange(len(profile.sample_node), dtype=np.int32) % 3
    processes = np.array([0, 1, -1])
    weighed = WeighedSamples(
        index, replace(profile, sample_thread=threads), profile.sample_count, processes, 2
    )
    mask = np.arange(len(threads)) != left_out
    without = mask_of_name(profile, other)
    nodes = index.outside(index.completes(mask_of_name(profile, name)), without)
    pattern = Pattern(nodes, with_below=True, without=index.completes(without))
    expected = [
        at
        for at, node in enumerate(profile.sample_node.tolist())
        if mask[at] and name in of_nodes[node] and other not in of_nodes[node]
    ]
    found = weighed.measure(pattern, weighed.members(mask))
    assert found.weight == sum(profile.sample_count[expected])
    for process in (0, 1):
        own = [at for at in expected if processes[threads[at]] == process]
        assert found.by_process[process] == sum(profile.sample_count[own])
        assert (process in found.places) == bool(own)
        assert list(weighed.heaviest(pattern, weighed.members(mask))[process]) == heaviest(profile, own)
    assert list(found.heaviest) == heaviest(profile, expected)


def heaviest(profile, samples):
    """Return the five heaviest nodes of samples, each with its first sample."""
    weights, first = {}, {}
    for at in samples:
        node = int(profile.sample_node[at])
        weights[node] = weights.get(node, 0.0) + float(profile.sample_count[at])
        first.setdefault(node, at)
    return [(node, first[node]) for node in sorted(weights, key=lambda node: (-weights[node], node))[:5]]


@settings(max_examples=100, deadline=None)
@given(STACKS, st.sampled_from("abcd"), st.sampled_from("abcd"))
def test_paths_tell_what_is_below_functions_and_where_stacks_enter_them(stacks, name, other):
    profile = profile_of(stacks)
    of_nodes = ways(profile)
    weights = weight_by_node(profile)
    paths = Paths(profile, weights)
    for one, below in zip(
        (name, other), paths.below([mask_of_name(profile, each) for each in (name, other)]), strict=True
    ):
        nodes = [node for node, way in enumerate(of_nodes) if one in way]
        assert below.weight == sum(weights[nodes])
        assert below.heaviest.tolist() == sorted(nodes, key=lambda node: (-weights[node], node))[:3]
    either = mask_of_name(profile, name) | mask_of_name(profile, other)
    names = [frame.name for frame in profile.frames]
    entered = [next((one for one in way if one in {name, other}), None) for way in of_nodes]
    found = paths.entries(either, mask_of_name(profile, other))
    assert [names[frame] if frame >= 0 else None for frame in found.frames.tolist()] == entered
    for frame, one in enumerate(names):
        nodes = [node for node, entry in enumerate(entered) if entry == one]
        assert found.weight[frame] == sum(weights[nodes])
        busy = [node for node in nodes if of_nodes[node][-1] != other]
        assert found.busy_weight[frame] == sum(weights[busy])
