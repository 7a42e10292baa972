"""The wait graph of published hangs names the known blocker, or says less."""

from __future__ import annotations

from pathlib import Path

import pytest

from ingest.evidence import read_bytes, read_paths
from signatures.judging.scope import items_of
from signatures.waits import graph_of
from signatures.waits.sentences import root_sentence

HANGS = Path(__file__).parents[2] / "data" / "published" / "hangs"
WORK = "6 tasks wait for work of a workqueue; its holder is not in the evidence"
RTNL = "1 task waits for rtnl_mutex ffffffff899981a0; its holder is not in the evidence"


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("writeback-under-jbd2", "1 task waits for free request of a block device"),
        (
            "mount-under-frozen-bdev",
            (
                "4 tasks wait behind syz-executor013:7559, which waits for s_umount of a superblock "
                "&type->s_umount_key#39 000000001ecfe564"
            ),
        ),
        ("i2c-transfer", "6 tasks wait behind syz-executor.4:3875, which waits for I2C bus"),
        ("netns-cleanup-in-rcu", "7 tasks wait behind kworker/u4:5:9381, which waits for RCU grace period"),
        ("rtnl-holder-unknown", RTNL),
        ("tun-close-in-rcu", "5 tasks wait behind syz-executor.1:1147, which waits for RCU grace period"),
        ("netns-cleanup-in-rcu-2", "4 tasks wait behind kworker/u4:0:7, which waits for RCU grace period"),
        ("9p-close", WORK),
    ],
)
def test_the_known_blocker_of_a_published_hang_is_named_or_less_is_said(name, sentence):
    found = graph_of(items_of(read_paths([HANGS / f"{name}.txt"])))
    assert root_sentence(found, found.roots[0]) == sentence
    assert found.cycles == ()


def test_locks_that_are_listed_again_are_no_deadlock():
    text = (HANGS / "mount-under-frozen-bdev.txt").read_bytes()
    once, again = (graph_of(items_of([read_bytes(text * times, name="dmesg.txt")])) for times in (1, 2))
    assert again.cycles == ()
    assert [root.behind for root in again.roots] == [root.behind for root in once.roots]
