"""Readings from fio's JSON."""

from __future__ import annotations

import pytest

from ingest.evidence import read_bytes
from ingest.model.errors import MalformedInputError
from ingest.model.section import Text
from ingest.readers.block import fio_json
from tests.ingest.samples import lines_of, read, values


def test_each_direction_of_each_job_has_its_rate_and_latency():
    reading = read(fio_json, "fio-json/fio.randrw.json")
    facts = values(reading, job="randread", direction="read")
    assert facts["fio.requests"] == 39995.0
    assert facts["fio.latency.mean_seconds"] == pytest.approx(50682.19955e-9)
    assert "fio.requests" in values(reading, job="randread", direction="write")
    assert values(reading, job="randread", direction="trim") == {}


def test_percentiles_are_labelled():
    reading = read(fio_json, "fio-json/fio.randrw.json")
    (p99,) = values(reading, job="randread", direction="read", percentile="99").values()
    assert p99 == pytest.approx(246784e-9)


def test_a_cut_document_is_refused_with_a_reason():
    with pytest.raises(MalformedInputError, match="no whole JSON of fio"):
        fio_json.read(Text(lines_of("fio-json/fio.randrw.json")[:50]))


def test_a_refused_document_stays_as_text():
    cut = "\n".join(lines_of("fio-json/fio.randrw.json")[:50]).encode()
    (section,) = read_bytes(cut, name="fio.json").sections
    assert section.format == "text"
    assert section.reading.skipped[0].reason.startswith("not read as fio-json")
