"""The wait graph of published hangs names the known blocker, or says less."""

from __future__ import annotations

from pathlib import Path

import pytest

from ingest.evidence import read_bytes, read_paths
from signatures.judging.scope import items_of
from signatures.waits import graph_of
from signatures.waits.sentences import summary

HANGS = Path(__file__).parents[2] / "data" / "published" / "hangs"
BLOCKERS = [line.split("\t") for line in (HANGS / "blockers.tsv").read_text().splitlines()]


@pytest.mark.parametrize(("name", "named", "answer"), [(row[0], *row[2:]) for row in BLOCKERS])
def test_the_known_blocker_of_a_published_hang_is_named_or_less_is_said(name, named, answer):
    found = graph_of(items_of(read_paths([HANGS / name])))
    assert summary(found) == answer
    assert named in answer
    assert found.cycles == ()


def test_locks_that_are_listed_again_are_no_deadlock():
    text = (HANGS / "mount-under-frozen-bdev.txt").read_bytes()
    once, again = (graph_of(items_of([read_bytes(text * times, name="dmesg.txt")])) for times in (1, 2))
    assert again.cycles == ()
    assert [root.behind for root in again.roots] == [root.behind for root in once.roots]
