"""Readings from speedscope files."""

from __future__ import annotations

import json

import pytest

from ingest.export import speedscope as export
from ingest.model.errors import MalformedInputError
from ingest.readers.profilers import speedscope
from tests.ingest.samples import DATA, stacks, whole


def test_the_time_between_two_events_weighs_on_what_is_open():
    (profile,) = whole("speedscope/evented.speedscope.json").profiles
    assert stacks(profile) == [
        (["main"], 2.0),
        (["main", "parse"], 3.0),
        (["main", "read"], 4.0),
        (["main"], 1.0),
    ]
    assert (profile.unit, profile.weight) == ("ms", 10.0)


def test_what_is_exported_comes_back_whole():
    (sample,) = whole("perf-script/memcg-reclaim.default.txt").profiles
    document = json.dumps(export.document([sample], name="x")).encode()
    (back,) = speedscope.FORMAT.read_document(document).profiles
    assert back.weight == sample.weight
    assert {frame.name for frame in back.frames} == {frame.name for frame in sample.frames}


def test_events_out_of_order_are_refused_with_the_names():
    broken = {
        "shared": {"frames": [{"name": "A"}, {"name": "B"}]},
        "profiles": [
            {
                "type": "evented",
                "name": "p1",
                "unit": "none",
                "events": [{"type": "O", "frame": 0, "at": 0}, {"type": "C", "frame": 1, "at": 2}],
            }
        ],
    }
    with pytest.raises(MalformedInputError, match="closes 'B', which is not innermost"):
        speedscope.FORMAT.read_document(json.dumps(broken).encode())


def test_a_cut_file_is_refused():
    cut = (DATA / "speedscope/evented.speedscope.json").read_bytes()[:300]
    assert speedscope.FORMAT.claims(cut)
    with pytest.raises(MalformedInputError, match="no whole speedscope file"):
        speedscope.FORMAT.read_document(cut)


def test_mangled_names_are_those_of_the_source():
    document = {
        "shared": {"frames": [{"name": "_ZN3foo3barEi"}, {"name": "_ZN4core3ptr5write17h26b3fca3b2f0f3a7E"}]},
        "profiles": [{"type": "sampled", "name": "p", "unit": "none", "samples": [[0, 1]], "weights": [1]}],
    }
    (profile,) = speedscope.FORMAT.read_document(json.dumps(document).encode()).profiles
    assert [frame.name for frame in profile.frames] == ["foo::bar(int)", "core::ptr::write"]
