"""Every sample is claimed by exactly one format: the one whose folder it is in."""

from __future__ import annotations

import gzip
from typing import TYPE_CHECKING

import pytest

from ingest.evidence import read_file
from ingest.readers import BY_CONTENT, FORMATS, STREAMS
from ingest.readers.logs import text as plain
from ingest.sections.recognise import RECOGNISED
from tests.ingest.samples import DATA, catalogue_mistakes, samples_of

if TYPE_CHECKING:
    from pathlib import Path

NAMES = {candidate.NAME for candidate in FORMATS}
SAMPLES = [path for name in sorted(NAMES) for path in samples_of(name)]


def lines_of(sample: Path) -> list[str]:
    content = sample.read_bytes()
    if sample.suffix == ".gz":
        content = gzip.decompress(content)
    return content.decode("utf-8", "replace").replace("\r\n", "\n").splitlines()


def first_claims(lines: list[str]) -> list[str]:
    for at, line in enumerate(lines):
        if line.strip():
            claims = [candidate.NAME for candidate in RECOGNISED if candidate.begins(lines, at)]
            if claims:
                return claims
    return []


def test_there_are_samples_of_every_format():
    missing = sorted(name for name in NAMES if not (DATA / name).is_dir())
    assert missing == []


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda path: str(path.relative_to(DATA)))
def test_exactly_one_format_claims_it(sample):
    folder = sample.relative_to(DATA).parts[0]
    assert first_claims(lines_of(sample)) == [folder]


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda path: str(path.relative_to(DATA)))
def test_no_other_format_claims_a_part_of_it(sample):
    folder = sample.relative_to(DATA).parts[0]
    found = {section.format for section in read_file(sample).sections}
    assert found - {plain.NAME} == {folder}


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda path: str(path.relative_to(DATA)))
def test_its_facts_are_in_the_catalogue(sample):
    found = [
        (section.format, fact) for section in read_file(sample).sections for fact in section.reading.facts
    ]
    assert sorted(set().union(*(catalogue_mistakes(name, fact) for name, fact in found))) == []


@pytest.mark.parametrize("candidate", FORMATS, ids=lambda candidate: candidate.NAME)
def test_its_own_example_is_claimed(candidate):
    assert first_claims(candidate.EXAMPLE.splitlines()) == [candidate.NAME]


@pytest.mark.parametrize("candidate", RECOGNISED, ids=lambda candidate: candidate.NAME)
def test_prose_is_claimed_by_no_format(candidate):
    prose = [
        "We saw the latency rise at 14:35 and restarted the service twice.",
        "The load was 20.29; memory was fine: 4 GB free.",
        "    indented remark, with 3 numbers 4 and 5",
        "* a list: of things",
        "",
        "See https://example.com/path?x=1 for the graph.",
    ]
    assert not [at for at, line in enumerate(prose) if line and candidate.begins(prose, at)]


def test_names_are_unique_and_streams_are_formats():
    names = [candidate.NAME for candidate in (*FORMATS, *BY_CONTENT, plain)]
    assert len(names) == len(set(names))
    assert set(STREAMS) <= NAMES
