"""A draft from single readings: drops since boot, and who holds memory that is short."""

from __future__ import annotations

import pytest

from signatures.authoring.draft import draft
from signatures.document.parse import signature_of
from signatures.document.yaml_document import document_of
from signatures.judging.judge import judge
from signatures.language.model import Catalog
from tests.signatures.build import fact, item

TOTAL = 400.0 * 1024**3
FILTERED, RECEIVED = "net.tcpext.ipreversepathfilter", "net.ip.inreceives"


def readings(*files):
    return [
        item(f"e{number}", facts=[fact(name, value) for name, value in one.items()])
        for number, one in enumerate(files)
    ]


def memory(available=0.005, **fields):
    shares = {f"meminfo.{name}_bytes": share * TOTAL for name, share in fields.items()}
    return {"meminfo.memtotal_bytes": TOTAL, "meminfo.memavailable_bytes": available * TOTAL, **shares}


def verdict_of(text, items):
    text = text.partition("next:")[0]  # the captures of the library are not loaded here
    return judge(items, Catalog((signature_of(document_of(text, "x"), "x"),), ()))[0].verdict


def test_drops_are_a_share_of_a_base_in_another_file():
    items = readings({FILTERED: 2124.0}, {RECEIVED: 2168044.0})
    text = draft("net/mine", items)
    assert f"expr: {FILTERED} / {RECEIVED}, at_least: 0.00049, strong: 0.00098" in text
    assert f"expr: delta({FILTERED}) / delta({RECEIVED})" in text
    assert "0.098 % in this evidence (2,124 of 2,168,044); up to 0.1 % is usual" in text
    assert verdict_of(text, items) == "suspect"


def test_two_readings_match_what_one_reading_drafted():
    text = draft("net/mine", readings({FILTERED: 2124.0, RECEIVED: 2168044.0}))
    grown = {FILTERED: (2124.0, 4124.0), RECEIVED: (2168044.0, 2268044.0)}
    items = [
        item(
            "e",
            facts=[
                fact(name, value, snapshot=at) for name, of in grown.items() for at, value in enumerate(of)
            ],
        )
    ]
    assert verdict_of(text, items) == "match"


def test_drops_without_their_base_are_counted():
    text = draft("net/mine", readings({FILTERED: 2124.0}))
    assert f"name: {FILTERED}, at_least: 1062, single: true" in text


def test_the_drop_farthest_above_the_usual_is_drafted():
    text = draft(
        "net/mine",
        readings({FILTERED: 5000.0, RECEIVED: 1e9, "net.udp.inerrors": 900.0, "net.udp.indatagrams": 1e3}),
    )
    assert "share_net_udp_inerrors" in text
    assert "ipreversepathfilter" not in text.partition("clauses:")[2]


def test_huge_pages_that_nobody_uses_are_drafted():
    pool = {"meminfo.hugepages_total": 320.0, "meminfo.hugepages_free": 306.0}
    items = readings(memory(hugetlb=0.849, anonpages=0.1) | pool)
    text = draft("mm/mine", items)
    assert "expr: meminfo.hugetlb_bytes / meminfo.memtotal_bytes, at_least: 50 %, strong: 84 %" in text
    assert "expr: meminfo.hugepages_free / meminfo.hugepages_total, at_least: 50 %, strong: 95 %" in text
    assert "expr: meminfo.memavailable_bytes / meminfo.memtotal_bytes, at_most: 3 %" in text
    assert verdict_of(text, items) == "match"
    assert verdict_of(text, readings(memory(anonpages=0.9))) != "suspect"
    in_use = draft("mm/mine", readings(memory(hugetlb=0.849) | pool | {"meminfo.hugepages_free": 0.0}))
    assert "idle_huge_pages" not in in_use


def test_an_owner_that_is_seldom_large_is_drafted_while_memory_is_left():
    text = draft("mm/mine", readings(memory(available=0.5, sunreclaim=0.3)))
    assert "held_by_sunreclaim" in text
    assert "little_available" not in text


@pytest.mark.parametrize(
    "files",
    [
        [memory(available=0.4, anonpages=0.55)],  # a host in use
        [memory(available=0.01, anonpages=0.4, shmem=0.3)],  # nobody holds half of it
        [{FILTERED: 90.0, RECEIVED: 1000.0}],  # few
        [{FILTERED: 900.0, RECEIVED: 1e9}],  # a usual share
    ],
)
def test_ordinary_levels_are_not_drafted(files):
    with pytest.raises(ValueError, match="no feature that a condition could test"):
        draft("mm/mine", readings(*files))
