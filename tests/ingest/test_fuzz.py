"""Readers raise nothing but `IngestError`, for any input."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ingest.readers import FORMATS
from tests.ingest.fuzz_mutation import mutated
from tests.ingest.fuzz_targets import FOUND, FUZZED, broken_by, targets

TARGETS = targets()
BY_NAME = {target.name.replace(":", "-"): target for target in TARGETS}
FOUND_INPUTS = sorted(path for path in FOUND.rglob("*") if path.parent.name in BY_NAME)


def test_every_reader_is_a_target():
    names = {target.name.partition(":")[0] for target in TARGETS}
    assert sorted(FUZZED - names) == []


@pytest.mark.parametrize("path", FOUND_INPUTS, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_inputs_that_broke_a_reader_are_read_now(path):
    assert broken_by(BY_NAME[path.parent.name], path.read_bytes()) is None


@pytest.mark.parametrize("target", TARGETS, ids=lambda target: target.name)
@given(seed=st.integers(0, 1 << 32))
@settings(max_examples=15, deadline=None, database=None, derandomize=True)
def test_a_mutated_sample_is_read_or_refused(target, seed):
    chance = random.Random(seed)  # noqa: S311 - a failure must be repeatable
    content = mutated(chance.choice(target.seeds), chance, target.seeds)
    assert broken_by(target, content) is None, content


@given(text=st.text(max_size=400))
@settings(max_examples=100, deadline=None, database=None, derandomize=True)
def test_any_text_is_claimed_or_not_by_every_format(text):
    lines = text.split("\n")
    for candidate in FORMATS:
        for at, line in enumerate(lines[:5]):
            if line.strip():
                assert isinstance(candidate.begins(lines, at), bool), candidate.NAME
            assert isinstance(candidate.continues(line), bool), candidate.NAME
