"""Profiles folded: exact sums, one line per stack, names that cannot break a line."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from ingest.export import folded
from ingest.native import parse_perf_script
from tests.ingest.export.profiles import ALL, DATA, database, memcg


def by_hand(profile, weights):
    """Fold with the slow and obvious loop."""
    stacks = Counter()
    for node, thread, weight in zip(
        profile.sample_node.tolist(), profile.sample_thread.tolist(), weights.tolist(), strict=True
    ):
        names = []
        at = node
        while at >= 0:
            names.append(profile.frames[profile.node_frame[at]].name)
            at = int(profile.node_parent[at])
        stack = [profile.threads[thread].comm, *names[::-1]]
        stacks[";".join(name.replace(";", ":") for name in stack)] += weight
    return stacks


@pytest.mark.parametrize("profile", [memcg, database], ids=lambda one: one.__name__)
@pytest.mark.parametrize("weight", ["samples", "period"])
def test_it_is_what_the_obvious_loop_gives(profile, weight):
    profile = profile()
    weights = profile.sample_count if weight == "samples" else profile.sample_weight
    stacks = dict(line.rsplit(" ", 1) for line in folded.text(profile, weight).splitlines())
    assert {stack: float(number) for stack, number in stacks.items()} == dict(by_hand(profile, weights))


@pytest.mark.parametrize("profile", ALL, ids=lambda one: one.__name__)
def test_lines_are_sorted_and_weigh_as_much_as_the_profile(profile):
    profile = profile()
    lines = folded.text(profile).splitlines()
    assert lines == sorted(lines)
    assert sum(float(line.rsplit(" ", 1)[1]) for line in lines) == profile.samples


def test_compat_inferno_prints_what_inferno_printed():
    expected = (DATA / "folded/memcg-reclaim.inferno.txt").read_bytes()
    assert folded.fold(memcg(), compat="inferno") == expected


def test_inferno_names_frames_its_own_way():
    text = (
        b"my app 7 1.0: 250000 cpu-clock: \n\t7f0 [unknown] (/usr/lib/libc.so.6)\n"
        b"\t7f1 Foo::bar(int, char*) (/opt/app)\n\t7f2 main.(*T).run (/opt/app)\n\n"
    )
    [profile] = parse_perf_script([text]).profiles
    assert folded.text(profile, compat="inferno") == "my_app;main.(*T).run;Foo::bar;[libc.so.6] 250000\n"
    assert folded.text(profile) == "my app;main.(*T).run;Foo::bar(int, char*);[unknown] 1\n"


def test_a_sample_without_a_stack_is_its_thread_alone():
    head = b"swapper     0 [001]  1.000001: 250000 cpu-clock: \n\n"
    [profile] = parse_perf_script([head, head]).profiles
    assert np.all(profile.sample_node == -1)
    assert folded.text(profile) == "swapper 2\n"
