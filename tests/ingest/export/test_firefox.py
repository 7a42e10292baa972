"""The Firefox Profiler's format: tables that fit, every sample in its thread, the weight of the profile."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace

import numpy as np
import pytest

from ingest.export import firefox
from ingest.model.profile import Thread
from tests.ingest.export.profiles import ALL, database, memcg, ordered


@pytest.fixture(params=ALL, ids=lambda one: one.__name__)
def profile(request):
    return request.param()


@pytest.fixture
def document(profile):
    return json.loads(json.dumps(firefox.document(profile, name="perf.script"), allow_nan=False))


def stacks(thread):
    """Return the names of every sample's stack, outermost first."""
    table, frames, functions = thread["stackTable"], thread["frameTable"], thread["funcTable"]
    for end in thread["samples"]["stack"]:
        names, at = [], end
        while at is not None:
            names.append(thread["stringArray"][functions["name"][frames["func"][table["frame"][at]]]])
            at = table["prefix"][at]
        yield tuple(reversed(names))


def test_every_table_has_columns_of_its_length(document):
    for thread in document["threads"]:
        for name, table in thread.items():
            if isinstance(table, dict):
                columns = [column for column in table.values() if isinstance(column, list)]
                assert {len(column) for column in columns} <= {table["length"]}, name


def test_a_stack_follows_its_prefix_and_every_index_is_in_range(document):
    for thread in document["threads"]:
        prefixes = thread["stackTable"]["prefix"]
        assert all(above is None or above < at for at, above in enumerate(prefixes))
        assert all(0 <= frame < thread["frameTable"]["length"] for frame in thread["stackTable"]["frame"])
        assert all(-1 <= one < thread["resourceTable"]["length"] for one in thread["funcTable"]["resource"])


def test_every_sample_is_there_with_its_stack(document, profile):
    found = Counter(stack for thread in document["threads"] for stack in stacks(thread))
    expected = Counter()
    for end in profile.sample_node.tolist():
        names, at = [], end
        while at >= 0:
            names.append(profile.frames[profile.node_frame[at]].name)
            at = int(profile.node_parent[at])
        expected[tuple(reversed(names))] += 1
    assert found == expected


def test_times_rise_from_the_first_sample_and_weights_are_those_of_the_profile(document, profile):
    weight = 0.0
    for thread in document["threads"]:
        times = thread["samples"]["time"]
        assert times == sorted(times)
        assert times[0] >= 0
        weight += sum(thread["samples"]["weight"] or [1] * thread["samples"]["length"])
    kind = document["threads"][0]["samples"]["weightType"]
    expected = profile.weight * 1e-6 if kind == "tracing-ms" else profile.samples
    assert weight == pytest.approx(expected)


def test_time_is_in_milliseconds_even_without_a_clock():
    assert firefox.document(memcg(), name="x")["threads"][0]["samples"]["weightType"] == "tracing-ms"
    plain = firefox.document(ordered(), name="x")
    assert plain["threads"][0]["samples"]["weight"] is None
    assert plain["meta"]["interval"] == 1.0


def test_threads_beyond_the_heaviest_are_one():
    profile = database()
    many = tuple(Thread("worker", at, at) for at in range(len(profile.sample_node)))
    numbered = replace(profile, threads=many, sample_thread=np.arange(len(many), dtype=np.int32))
    threads = firefox.document(numbered, name="x")["threads"]
    assert len(threads) == firefox.MAX_THREADS + 1
    assert threads[-1]["name"] == f"{len(many) - firefox.MAX_THREADS:,} other threads"
    assert sum(thread["samples"]["length"] for thread in threads) == len(many)
