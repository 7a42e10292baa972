"""The catalogue of facts finds the entry that speaks of a name."""

from __future__ import annotations

import pytest

from ingest import fact_catalogue


@pytest.mark.parametrize(
    ("name", "entry"),
    [
        ("memcg.usage_bytes", "memcg.usage_bytes"),
        ("vmstat.pgscan_direct", "vmstat.<key>"),
        ("perf.stat.elapsed_seconds", "perf.stat.elapsed_seconds"),
        ("perf.stat.page_faults", "perf.stat.<key>"),
        ("memcg.swap.events.high", "memcg.swap.<key>"),
    ],
)
def test_an_exact_name_goes_before_a_shape(name, entry):
    assert fact_catalogue.find(name).name == entry


def test_an_unknown_name_has_no_entry():
    assert fact_catalogue.find("weather.temperature_kelvin") is None


def test_names_are_unique_and_meanings_are_phrases():
    entries = fact_catalogue.entries()
    assert len({entry.name for entry in entries}) == len(entries)
    assert [entry.name for entry in entries if entry.meaning.endswith(".")] == []


def test_booleans_are_no_numbers():
    assert [fact_catalogue.type_of(value) for value in (True, 1.0, "on")] == ["truth", "number", "text"]
