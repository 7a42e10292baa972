"""One recording, printed with several `-F` lists, reads alike in all that the lists share."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from ingest.model.section import Text
from ingest.readers.perf import perf_script
from tests.ingest.samples import leaf_first, read

FORMS = ["default", "header", "ns", "pid_tid", "symoff_period", "fields_full"]


@pytest.fixture(scope="module")
def forms():
    """The profile of CPU time of each form; each file holds the first lines of the same recording."""
    return {form: read(perf_script, f"perf-script/memcg-reclaim.{form}.txt").profiles[0] for form in FORMS}


def shared(one, other):
    """How many samples both hold whole; the last of a file may be cut."""
    return min(len(one.sample_node), len(other.sample_node)) - 1


def test_stacks_and_threads_are_the_same_sample_by_sample(forms):
    for one, other in pairwise(forms.values()):
        assert shared(one, other) > 20
        for at in range(shared(one, other)):
            assert leaf_first(one, at) == leaf_first(other, at)
            threads = one.threads[one.sample_thread[at]], other.threads[other.sample_thread[at]]
            assert threads[0].tid == threads[1].tid


def test_times_and_cpus_are_the_same_where_both_print_them(forms):
    for one, other in pairwise(forms.values()):
        count = shared(one, other)
        if one.sample_time is not None and other.sample_time is not None:
            assert np.allclose(one.sample_time[:count], other.sample_time[:count], atol=1e-6)
        if one.sample_cpu is not None and other.sample_cpu is not None:
            assert (one.sample_cpu[:count] == other.sample_cpu[:count]).all()


def test_every_form_counts_the_same_samples_whatever_they_weigh(forms):
    for one, other in pairwise(forms.values()):
        count = shared(one, other)
        assert one.sample_count[:count].sum() == other.sample_count[:count].sum() == count


BRANCHES = """
811/811 47170.086912805:    1   branches:uH:   jcc     40ac3f add+0xef (a.so) =>   40ac4d add+0xfd (a.so)
811/811 47170.086912815:    1   branches:uH:   call    40b06c add+0x51c (a.so) =>  40c000 copy+0x0 (a.so)
"""
ADDRESSED = """
811/811 431345.473157382:     50     branch-misses/period=50/u:    0   7fca99943ac7 worker+0x37 (ld.so)
811/811 431345.473219999:     50     branch-misses/period=50/u:    0   7fca99943c60 open+0x0 (ld.so)
"""


@pytest.mark.parametrize("text", [BRANCHES, ADDRESSED], ids=["branches", "an address before the frame"])
def test_a_period_behind_the_time_is_not_taken_for_the_thread(text):
    lines = text.strip().splitlines()
    assert perf_script.begins(lines, 0)
    (profile,) = perf_script.read(Text(lines)).profiles
    assert len(profile.sample_node) == 2
    assert {thread.tid for thread in profile.threads} == {811}
