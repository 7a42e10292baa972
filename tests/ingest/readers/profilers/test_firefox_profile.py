"""Readings from the Firefox profiler's files."""

from __future__ import annotations

import json

import pytest

from ingest.model.errors import MalformedInputError
from ingest.readers.profilers import firefox_profile
from tests.ingest.samples import stacks, whole


def test_shared_tables_serve_all_threads():
    (profile,) = whole("firefox-profile/shared-tables.json").profiles
    assert stacks(profile) == [(["main", "read"], 5.0), (["main", "read"], 5.0), (["main"], 2.0), ([], 1.0)]
    assert (profile.unit, profile.threads[0]) == ("ms", ("worker", 12, 14))
    assert {frame.name: frame.module for frame in profile.frames}["read"] == "libc.so.6"


def test_its_own_example_is_claimed_and_read():
    example = firefox_profile.EXAMPLE.encode()
    assert firefox_profile.claims(example)
    assert firefox_profile.read_document(example).profiles[0].weight == 1.0


def test_a_pretty_printed_profile_is_claimed():
    assert firefox_profile.claims(json.dumps(json.loads(firefox_profile.EXAMPLE), indent=2).encode())


def test_a_sample_that_names_no_stack_is_counted():
    document = json.loads(firefox_profile.EXAMPLE)
    document["threads"][0]["samples"] = {"stack": [0, 99], "length": 2}
    reading = firefox_profile.read_document(json.dumps(document).encode())
    assert [skip.reason for skip in reading.skipped] == ["a sample that names a stack which is not there"]


def test_a_stack_that_contains_itself_ends():
    document = json.loads(firefox_profile.EXAMPLE)
    document["threads"][0]["stackTable"]["prefix"] = [0]
    (profile,) = firefox_profile.read_document(json.dumps(document).encode()).profiles
    assert stacks(profile) == [(["read"], 1.0)]


def test_without_samples_it_is_refused():
    with pytest.raises(MalformedInputError, match="no samples"):
        firefox_profile.read_document(b'{"meta": {"processType": 0}, "threads": []}')
