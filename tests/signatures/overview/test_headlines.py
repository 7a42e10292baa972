"""Headlines are short, say a thing once, quote no line of a log, and the sentence stands in full below."""

from __future__ import annotations

import hashlib
import re
from functools import cache
from pathlib import Path
from typing import cast

import pytest

from cli.evidence.analysis import analyse
from ingest.catalogue.log_classes import classes_by_name
from ingest.tables import table
from signatures.document.catalog import load_catalog
from signatures.overview import headline_words
from signatures.overview.headline_words import is_short, limits, repeats, short_words

LIBRARY = Path("signatures/library")
TABLE = cast("dict[str, dict[str, object]]", table(Path("signatures/overview/headline_grammar.yaml")))
EVERY = 6
"""Of so many fixtures one is read here; each class of the kernel log is in `test_alarm_outlets.py`."""


def _is_taken(path: Path) -> bool:
    return int(hashlib.sha256(str(path).encode()).hexdigest(), 16) % EVERY == 0


@cache
def _fixtures() -> list[Path]:
    folders = [one.parent for one in sorted(LIBRARY.rglob("expect.yaml"))]
    incidents = sorted(Path("benchmarks/pool/shown").rglob("*.txt"))
    return [one for one in (*folders, *incidents) if _is_taken(one)]


@pytest.mark.parametrize("name", ["statements", "clauses"])
def test_rows_begin_as_their_sentences(name):
    # A row is compiled for sentences with its first words: alternatives would have several.
    tree = {row.match: re._parser.parse(row.match) for row in headline_words._rows(name)}
    assert [match for match, parts in tree.items() if parts[0][0] is re._parser.BRANCH] == []


@pytest.mark.parametrize("part", range(4))
def test_every_headline_keeps_to_the_grammar(part):
    catalog = load_catalog()
    for path in _fixtures()[part::4]:
        found = analyse([str(path)], catalog).report.overview
        headline = found.headline
        assert is_short(headline.text), path
        assert not repeats(headline.text), (path, headline.text)
        assert "…" not in headline.text, (path, headline.text)
        assert len(headline.chips) <= limits()["chips"], path
        assert not headline.may_be or is_short(headline.may_be), path
        assert all(chip.text not in headline.text for chip in headline.chips), path
        lead = found.lead
        if lead:
            quoted = lead.text.rpartition(": ")[2]
            assert len(quoted) < 40 or headline.text == lead.text or quoted not in headline.text, path
            assert headline.is_stated or lead is found.strongest[0], path
        elif headline.kind == "not assessed":
            assert headline.detail in {headline.text, found.unstated}, path


def test_every_row_is_of_something_that_exists_and_fits():
    signatures = {f"{one.parent.parent.name}/{one.parent.name}" for one in LIBRARY.rglob("signature.yaml")}
    assert set(TABLE["signatures"]) <= signatures
    assert set(TABLE["classes"]) <= set(classes_by_name())
    titles = [one if isinstance(one, list) else [one] for one in TABLE["signatures"].values()]
    assert not [one for one in titles if not is_short(cast("str", one[0]))]
    assert not [one for one in TABLE["classes"].values() if not is_short(cast("str", one))]


@pytest.mark.parametrize(
    ("sentence", "headline", "numbers"),
    [
        # Half of the values is not "near", and a sixth is not "most".
        (
            "Half of 24,533 values of usecs are 512 µs or more, 99 % below 4.096 ms, all below 8.192 ms",
            "Half of the values of usecs are 512 µs or more",
            ["24,533 values"],
        ),
        (
            "15.9 % of 69 values of queue_lat_us dp_sync_taskq are 0.5 s or more, the longest 2 s",
            "15.9 % of values of queue_lat_us dp_sync_taskq are 0.5 s or more",
            ["69 values"],
        ),
        (
            "3.55 % of the time is in native_queued_spin_lock_slowpath and what it calls, in exe",
            "3.55 % of CPU time is in native_queued_spin_lock_slowpath",
            [],
        ),
        (
            "mkdir:16952 waits for write access to a frozen file system in mnt_want_write ← filename_create",
            "mkdir waits for write access to a frozen file system in mnt_want_write",
            [],
        ),
        (
            "7 tasks wait behind kworker/u4:5:9381, which waits for RCU grace period, for at least 145 s",
            "Tasks wait behind kworker/u4:5, which waits for RCU grace period",
            ["7 tasks"],
        ),
        (
            "0.62 % of packets that arrived at eth0 were dropped: 890,437 of 143,052,942 since boot",
            "0.62 % of packets that arrived at eth0 were dropped",
            [],
        ),
    ],
)
def test_a_sentence_keeps_its_subject_its_predicate_and_its_truth(sentence, headline, numbers):
    found = short_words(sentence)
    assert is_short(found[0])
    assert found == (headline, numbers)


@pytest.mark.parametrize("text", ["x" * 5_000, "9 " * 400, "a: " * 300, "(" * 300, f"{'b ' * 200}… "])
def test_whatever_a_line_says_the_headline_is_short(text):
    assert is_short(short_words(text)[0])


@pytest.mark.parametrize(
    ("sentence", "headline"),
    [
        (
            "May be: Page fault holds mmap_lock in reclaim of a memory cgroup, and ps, pgrep hang on it",
            "May be: Page fault holds mmap_lock in reclaim of a memory cgroup",
        ),
        (f"May be: {'very ' * 30}slow", f"May be: {'very ' * 9}…"),
        (f"May be: {'x' * 200}", f"May be: {'x' * 80} …"),
    ],
)
def test_a_verdict_is_never_all_that_is_left_of_a_claim(sentence, headline):
    assert is_short(headline)
    assert short_words(sentence)[0] == headline


def test_the_cause_leads_a_match_and_what_its_lines_decide_never_stands_in_its_place():
    found = analyse(["tests/data/recorded/hangs/fuse-server-stops/dmesg.txt"]).report.overview.headline
    assert (found.kind, found.signature) == ("match", "fs/fuse-server-hang")
    assert "FUSE server" in found.text
