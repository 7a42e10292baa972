"""Facts of a bad host compared with good hosts: informative differences first, accidental ones excluded."""

from __future__ import annotations

from pathlib import Path

import pytest

from ingest.evidence import read_paths
from ingest.model.citation import Lines
from ingest.model.facts import Fact
from signatures.overview.contrast.hosts import contrast, outlier

SAMPLE = Path("backend/evidence/sample_cases/reclaim-at-the-limit")


def fact(name, value, unit="", **labels):
    return Fact(name, value, Lines(1, 1), unit, labels)


def facts_of(*paths):
    """Return the facts of recorded files as one host's; the group has one name on both sides."""
    return [
        Fact(own.name, own.value, own.lines, own.unit, dict.fromkeys(own.labels, "g"), own.snapshot)
        for evidence in read_paths([SAMPLE / path for path in paths])
        for section in evidence.sections
        for own in section.reading.facts
    ]


@pytest.fixture(scope="module")
def at_rest():
    return facts_of("cg_before")


@pytest.fixture(scope="module")
def at_its_limit():
    return facts_of("cg_during")


def test_a_cgroup_at_its_limit_differs_by_usage_not_by_limit(at_rest, at_its_limit):
    found = contrast(at_its_limit, {"calm": at_rest}).differences
    assert [one.bits for one in found] == sorted((one.bits for one in found), reverse=True)
    by_name = {one.name: one for one in found}
    assert by_name["memcg.failcnt"].because == "none elsewhere"
    assert by_name["memcg.usage_bytes"].bits > by_name["memcg.stat.pgmajfault"].bits
    assert "memcg.limit_bytes" not in by_name


def test_a_host_does_not_differ_from_itself(at_its_limit):
    found = contrast(at_its_limit, {"twin": at_its_limit})
    assert found.differences == ()
    assert (found.only_bad, found.only_good) == (0, 0)
    assert found.alike > 0


def test_every_difference_cites_its_facts(at_rest, at_its_limit):
    for one in contrast(at_its_limit, {"calm": at_rest}).differences:
        assert at_its_limit[one.bad_at].name == one.name
        assert at_its_limit[one.bad_at].value == one.bad
        host, at = one.good_at
        assert (host, at_rest[at].name, at_rest[at].value) == ("calm", one.name, one.good[0])


def test_names_of_machines_and_processes_are_excluded():
    bad = [fact("host.name", "db7"), fact("process.rss_bytes", 9e9, "bytes", pid="991")]
    good = [fact("host.name", "db8"), fact("process.rss_bytes", 1e6, "bytes", pid="991")]
    assert contrast(bad, {"db8": good}).differences == ()


def test_a_setting_that_all_others_share_is_more_surprising_than_a_busier_counter():
    bad = [fact("sysctl.vm.zone_reclaim_mode", 1.0), fact("vmstat.pgfault", 3000.0, "count")]
    calm = [fact("sysctl.vm.zone_reclaim_mode", 0.0), fact("vmstat.pgfault", 1000.0, "count")]
    found = contrast(bad, {"db8": calm, "db9": calm}).differences
    assert found[0].name == "sysctl.vm.zone_reclaim_mode"
    assert found[0].because == "none elsewhere"


def test_more_agreeing_hosts_make_a_text_more_surprising():
    bad, calm = [fact("kernel.release", "6.1.0-18")], [fact("kernel.release", "6.1.0-22")]
    one = contrast(bad, {"a": calm}).differences[0]
    many = contrast(bad, dict.fromkeys("abcdef", calm)).differences[0]
    assert one.bits < many.bits
    assert many.because == "all others agree"


def test_a_number_with_a_wide_spread_is_less_surprising():
    calm = [fact("loadavg.1m", 2.0)]
    steady = contrast([fact("loadavg.1m", 40.0)], {"a": calm}).differences[0]
    wild = contrast([fact("loadavg.1m", 0.1), fact("loadavg.1m", 40.0)], {"a": calm}).differences[0]
    assert wild.bits < steady.bits


def test_facts_of_one_side_are_counted_not_ranked():
    found = contrast(
        [fact("loadavg.1m", 1.0), fact("swap.free_bytes", 0.0)], {"a": [fact("numa.nodes", 2.0)]}
    )
    assert (found.differences, found.only_bad, found.only_good) == ((), 2, 1)


def test_the_host_at_its_limit_is_the_outlier_among_calm_hosts(at_rest, at_its_limit):
    found = outlier({"db7": at_its_limit, "db8": at_rest, "db9": at_rest})
    assert found is not None
    assert found.host == "db7"
    assert found.bits > found.runner_up


def test_there_is_no_outlier_among_equals_or_of_two(at_rest, at_its_limit):
    assert outlier({"a": at_rest, "b": at_rest, "c": at_rest}) is None
    assert outlier({"a": at_rest, "b": at_its_limit}) is None


def test_infinite_limits_are_texts_not_numbers():
    bad, calm = [fact("memcg.limit_bytes", float("inf"), "bytes")], [fact("memcg.limit_bytes", 4e9, "bytes")]
    assert contrast(bad, {"a": calm}).differences[0].because == "another value"
    assert contrast(bad, {"a": bad}).differences == ()
