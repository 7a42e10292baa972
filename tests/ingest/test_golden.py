"""Every sample matches its golden reading, and every format and reader has a sample."""

from __future__ import annotations

import json

import pytest

from tests.ingest.golden import ALL_NAMES, CAPTURED, SAMPLES, expected_names, golden, summary
from tests.ingest.samples import DATA


@pytest.mark.parametrize("sample", [*SAMPLES, *CAPTURED], ids=lambda path: str(path.relative_to(DATA)))
def test_readings_equal_the_golden_file(sample):
    read = json.loads(json.dumps(summary(sample)))
    assert read == golden()[sample.relative_to(DATA).as_posix()], "see `make generate-formats`"


def test_nothing_else_is_in_the_golden_file():
    assert set(golden()) == {path.relative_to(DATA).as_posix() for path in (*SAMPLES, *CAPTURED)}


def test_every_format_and_every_reader_has_a_golden_sample():
    assert sorted(ALL_NAMES - expected_names()) == ["cgroup-dirs"], "it reads a listing"
