"""Profiles leave as the Firefox profiler's processed profile."""

from __future__ import annotations

import json

from ingest.export import firefox
from ingest.formats import firefox_profile
from tests.ingest.samples import whole


def exported(name: str):
    return firefox.document(whole(name).profiles, name=name)


def test_tables_have_the_lengths_they_state():
    for thread in exported("perf-script/memcg-reclaim.default.txt")["threads"]:
        for table in ("samples", "stackTable", "frameTable", "funcTable", "resourceTable", "markers"):
            held = thread[table]
            lengths = {len(column) for name, column in held.items() if isinstance(column, list)}
            assert lengths == {held["length"]}, table


def test_a_prefix_comes_before_its_stack():
    thread = exported("perf-script/memcg-reclaim.default.txt")["threads"][0]
    prefixes = thread["stackTable"]["prefix"]
    assert all(prefix is None or prefix < at for at, prefix in enumerate(prefixes))


def test_times_of_a_track_do_not_run_backwards():
    for thread in exported("perf-script/memcg-reclaim.default.txt")["threads"]:
        assert thread["samples"]["time"] == sorted(thread["samples"]["time"])


def test_waiting_is_told_in_milliseconds():
    source = whole("bcc-stacks/offcputime.txt").profiles[0]
    document = exported("bcc-stacks/offcputime.txt")
    assert {thread["samples"]["weightType"] for thread in document["threads"]} == {"tracing-ms"}
    (back,) = firefox_profile.read_document(json.dumps(document).encode()).profiles
    assert round(back.weight, 6) == round(source.weight / 1000, 6)
