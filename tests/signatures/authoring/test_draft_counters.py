"""A draft from counters alone: what grew between two readings, if the library asks for its growth."""

from __future__ import annotations

import pytest

from signatures.authoring.draft import draft
from signatures.authoring.draft_counters import Growth, growing_counters, watched_counters
from signatures.document.catalog import load_catalog
from signatures.document.files import LIBRARY
from tests.signatures.build import fact, item
from tests.signatures.evidence import items_of_folder

NAME = "net.tcpext.listenoverflows"


def two(name, first, last, **labels):
    return item("e", facts=[fact(name, first, **labels), fact(name, last, snapshot=1, **labels)])


def test_a_case_of_counters_alone_is_drafted_with_its_capture():
    text = draft("net/mine", items_of_folder(LIBRARY / "net/listen-overflow/evidence/pos-recorded"))
    assert f"fact: {{expr: delta({NAME}), at_least: 1068, say: between the readings}}" in text
    assert "# 2,135 more in this evidence, from 55" in text
    assert "grows_net_tcpext_listenoverflows: tcp_counters" in text


def test_the_entity_where_a_counter_grew_most_is_drafted():
    items = [
        two("cgroup.cpu.nr_throttled", 5.0, 105.0, cgroup="/a"),
        two("cgroup.cpu.nr_throttled", 0.0, 20.0),
    ]
    assert growing_counters(items) == [Growth("cgroup.cpu.nr_throttled", 5.0, 105.0)]


@pytest.mark.parametrize(
    "items",
    [
        [two(NAME, 55.0, 58.0)],
        [two(NAME, 2190.0, 55.0)],  # the host was restarted
        [two("cgroup.cpu.nr_periods", 20.0, 120.0)],  # grows in every group
    ],
)
def test_what_is_no_growth_of_trouble_is_not_drafted(items):
    assert growing_counters(items) == []
    with pytest.raises(ValueError, match="two readings of a counter that grows"):
        draft("net/mine", items)


def test_a_total_since_boot_is_no_growth():
    assert growing_counters([item("e", facts=[fact(NAME, 189088.0)])]) == []


def test_every_watched_counter_has_a_capture():
    captures = {capture.name for capture in load_catalog().captures}
    assert set(watched_counters().values()) <= captures
    assert {NAME, "vmstat.compact_stall", "softnet.dropped"} <= set(watched_counters())


def snmp(fails, fragments):
    names = {"net.ip.reasmfails": fails, "net.ip.reasmreqds": fragments}
    return item(
        "e",
        facts=[fact(name, value, snapshot=at) for name, of in names.items() for at, value in enumerate(of)],
    )


def test_drops_that_no_signature_asks_for_are_drafted_as_a_share():
    text = draft("net/mine", [snmp((0.0, 600.0), (100.0, 12100.0))])
    assert "expr: delta(net.ip.reasmfails) / delta(net.ip.reasmreqds), at_least: 0.025, strong: 0.05" in text
    assert "title: 'IP fragments could not be put together'" in text
    assert "share_net_ip_reasmfails: tcp_counters" in text


def test_a_usual_share_of_drops_is_not_drafted():
    with pytest.raises(ValueError, match="two readings of a counter that grows"):
        draft("net/mine", [snmp((0.0, 60.0), (100.0, 12100.0))])
