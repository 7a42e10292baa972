"""Pieces of memory.stat without a path."""

from __future__ import annotations

import pytest

from ingest.evidence import read_bytes

PIECES = {
    "sizes of a subtree": "total_cache 4096\ntotal_rss 81920\ntotal_rss_huge 0\n",
    "the end of the file": "total_inactive_anon 0\ntotal_active_anon 8192\ntotal_unevictable 0\n",
    "version 2": "file 38256640\nkernel 3088384\nkernel_stack 458752\npagetables 1400832\n",
    "lists": " inactive_anon 224468992\n active_anon 2363392\n inactive_file 15646720\n",
}


def formats(text: str) -> list[str]:
    return [one.format for one in read_bytes(text.encode(), name="x.txt").sections]


@pytest.mark.parametrize("name", PIECES)
def test_a_piece_is_read_to_its_end(name):
    (section,) = read_bytes(PIECES[name].encode(), name="x.txt").sections
    assert section.format == "cgroup-memory-stat"
    read = {fact.name.removeprefix("memcg.stat."): fact.value for fact in section.reading.facts}
    assert read == {key: float(value) for key, value in map(str.split, PIECES[name].splitlines())}


def test_counters_follow_the_sizes():
    (section,) = read_bytes(
        (PIECES["version 2"] + "pgscan 141268\npgsteal 89940\n").encode(), name="x"
    ).sections
    assert {fact.unit for fact in section.reading.facts if "pgs" in fact.name} == {"count"}


@pytest.mark.parametrize(
    "text",
    [
        "total_cache 4096\ntotal_rss 81920\n",
        "cache 12\nswap 3\nfile 7\n",
        "total_time 81\ntotal_rows 12\ntotal_cache 3\n",
        "nr_inactive_anon 12\nnr_active_anon 81\nnr_mapped 3\n",
        "pgscan_direct 12\npgsteal_direct 9\nworkingset_refault_file 3\n",
        "inactive_anon: 12\nactive_anon: 81\ninactive_file: 3\n",
        "anon N0=12\nfile N0=81\ninactive_anon N0=3\n",
    ],
)
def test_what_is_no_piece_is_not_claimed(text):
    assert "cgroup-memory-stat" not in formats(text)
