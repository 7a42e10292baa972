"""The cases of the headline evaluation: divided by their URLs, and written out beside the headline."""

from __future__ import annotations

import hashlib

from benchmarks.headlines.__main__ import CASES, NAME_LENGTH, Case, cases, half_of, row_of
from benchmarks.headlines.explained import explanations

JUDGED = CASES.with_name("judged.tsv")


def test_every_case_is_in_the_half_that_its_url_decides():
    found = [*cases("tuned"), *cases("unseen")]
    assert len(found) >= 150
    assert len({case.url for case in found}) == len(found)
    for case in found:
        assert hashlib.sha256(case.url.encode()).hexdigest() == case.sha256, case.url
        assert half_of(case.sha256) == case.half, case.url
        assert case.expert, case.url


def test_every_unseen_case_is_judged_once():
    lines = JUDGED.read_text().splitlines()[1:]
    judged = dict(line.split("\t") for line in lines)
    assert len(judged) == len(lines)
    assert set(judged) == {case.sha256[:NAME_LENGTH] for case in cases("unseen")}
    assert set(judged.values()) <= {"named", "near", "silent", "wrong", "calm", "healthy", "alarm", "no case"}


def test_a_row_sets_the_headline_beside_the_sentence(tmp_path):
    (tmp_path / "dmesg.txt").write_text(
        "[ 7.000001] Route cache is full: consider increasing sysctl net.ipv6.route.max_size.\n"
    )
    case = Case("tuned", "0" * 64, "thread", "https://example.org/1", "The cache | is full")
    row = row_of(case, tmp_path)
    assert "The cache \\| is full | statement | Route cache full: packets are dropped" in row


def test_a_case_is_explained_by_the_signature_that_fires(tmp_path):
    (tmp_path / "dmesg.txt").write_text(
        "[ 7.000001] nf_conntrack: nf_conntrack: table full, dropping packet\n"
    )
    assert explanations(tmp_path) == ["match net/conntrack-table-full"]
