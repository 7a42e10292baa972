"""Readings from wrk."""

from __future__ import annotations

from ingest.readers.net import wrk
from tests.ingest.samples import read, values


def test_rate_and_latency_are_read_in_seconds():
    reading = read(wrk, "wrk/wrk.txt")
    facts = values(reading)
    assert facts["http.requests_per_second"] == 950.02
    assert facts["http.latency.max_seconds"] == 0.1448
    assert values(reading, percentile="99") == {"http.latency.percentile_seconds": 0.08594}
    assert reading.skipped == ()
