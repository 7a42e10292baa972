"""Whatever is read, every way out of it weighs the same."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ingest.evidence import read_bytes, read_file
from ingest.export.folded import fold
from ingest.export.speedscope import document
from tests.ingest.golden import golden
from tests.ingest.samples import DATA

SAMPLES = [
    name for name, sections in golden().items() if any(section.get("profiles") for section in sections)
]


def assert_weighs(profile):
    """Hold folded stacks and speedscope's file against a profile."""
    folded = fold(profile, "period").decode().splitlines()
    assert sum(float(line.rpartition(" ")[2]) for line in folded) == pytest.approx(profile.weight, rel=1e-9)
    whole = document([profile], name="x")["profiles"][0]
    assert sum(whole["weights"]) == pytest.approx(profile.weight, rel=1e-9)


@pytest.mark.parametrize("name", SAMPLES)
def test_a_sample_weighs_the_same_in_every_export(name):
    profiles = [
        profile for section in read_file(DATA / name).sections for profile in section.reading.profiles
    ]
    assert profiles
    for profile in profiles:
        assert_weighs(profile)


name = st.text("abcdefgh_.:<>", min_size=1, max_size=6)
line = st.tuples(st.lists(name, min_size=2, max_size=8), st.integers(1, 10**6))


@given(lines=st.lists(line, min_size=1, max_size=30))
@settings(max_examples=60, deadline=None, database=None, derandomize=True)
def test_any_folded_stacks_keep_their_weight_on_the_way_in_and_out(lines):
    text = "".join(f"{';'.join(stack)} {weight}\n" for stack, weight in lines)
    (section,) = read_bytes(text.encode(), name="any.folded").sections
    if section.format == "folded":
        (profile,) = section.reading.profiles
        assert profile.weight == sum(weight for _, weight in lines)
        assert_weighs(profile)
        again = read_bytes(fold(profile, "period"), name="again.folded").sections[0].reading.profiles[0]
        assert again.weight == profile.weight
        json.dumps(document([profile], name="x"))
