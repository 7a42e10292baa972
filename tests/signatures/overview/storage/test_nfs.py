"""NFS mounts since they were mounted, and the server: what its counters say, and what they do not."""

from __future__ import annotations

import pytest

from tests.signatures.overview.stated import MACHINE, statements
from tests.signatures.overview.test_first_screen import overview, states, texts

MOUNTS = (MACHINE / "proc/self/mountstats").read_text()
SERVER = (MACHINE / "proc/net/rpc/nfsd").read_text()
POOLS = (MACHINE / "proc/fs/nfsd/pool_stats").read_text()


def test_the_slowest_operation_of_a_mount_is_stated_with_its_time_on_the_way():
    found = overview(MOUNTS)
    assert "WRITE takes 107.6 ms" in found.headline.text
    assert found.headline.kind == "fact"
    assert found.statements[0].statement.level == "since boot", "an average since the mount is no look at now"
    assert texts(found) == []


def test_operations_that_were_sent_again_are_counted_over_the_mount():
    row = "READ: 43026 43026 0"
    assert row in MOUNTS
    again = overview(MOUNTS.replace(row, "READ: 43026 93026 7"))
    (words,) = (one for one in texts(again, "fact") if "sent again" in one)
    assert "50,000 of 1,988,261 operations were sent again (2.51 %)" in words
    assert "7 met a major timeout" in words
    (calm,) = (one for one in statements(MOUNTS) if "sent again" in one)
    assert "0 of 1,988,261" in calm


@pytest.mark.parametrize(
    "mount",
    ["device tmpfs mounted on /tmp with fstype tmpfs\n", "device a:/b mounted on /c with fstype nfs4\n"],
)
def test_a_mount_without_operations_states_nothing(mount):
    assert statements(mount) == []


def test_a_server_without_free_threads_is_stated_since_it_was_started():
    found = overview(POOLS.replace("9919427 9919427", "9919427 1190331"))
    assert "12 % of 9,919,427 requests" in found.headline.text
    assert "pool_stats" in found.next_capture.command
    assert set(states(found).values()) == {"not assessed"}


def test_a_kernel_that_counts_every_request_as_waiting_says_nothing_about_threads():
    found = overview(POOLS)
    assert "No thread" not in found.headline.text
    assert found.statements[0].statement.level == "context"


def test_bad_calls_are_counted_and_the_file_that_knows_about_threads_is_asked_for():
    found = overview(SERVER.replace("rpc 224331654 0 0", "rpc 224331654 310 310"))
    assert "310 of 224,331,654 RPC calls were bad" in found.headline.text
    assert "8 threads" in found.headline.text
    assert found.next_capture.command.startswith("cat /proc/fs/nfsd/pool_stats")
