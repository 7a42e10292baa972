"""What a memory cgroup holds."""

from __future__ import annotations

from tests.signatures.overview.stated import statements
from tests.signatures.overview.test_first_screen import overview

PIECE = "total_cache 0\ntotal_rss 614400\ntotal_rss_huge 0\ntotal_dirty 0\n"


def test_a_piece_says_what_it_holds_and_asks_for_the_memory_of_the_kernel():
    found = overview(PIECE)
    assert found.headline.text == "A cgroup holds 600 KiB of process memory and 0 KiB of page cache"
    assert "memory.kmem" in found.next_capture.command
    assert "kernel memory" in found.next_capture.reason


def test_the_subtree_counts_in_version_1():
    both = "cache 4096\nrss 8192\nrss_huge 0\nshmem 0\nmapped_file 0\n" + PIECE
    assert statements(both) == ["A cgroup holds 600 KiB of process memory and 0 KiB of page cache"]


def test_version_2_counts_the_memory_of_the_kernel():
    text = "anon 226832384\nfile 38256640\nkernel 3088384\nkernel_stack 458752\npagetables 1400832\n"
    assert statements(text) == [
        "A cgroup holds 216.3 MiB of process memory, 36.48 MiB of page cache and 2.945 MiB of kernel memory"
    ]


def test_of_two_readings_the_larger_is_stated():
    assert statements(PIECE + PIECE.replace("614400", "1024")) == [
        "A cgroup holds 600 KiB of process memory and 0 KiB of page cache"
    ]


def test_an_empty_group_is_silent():
    assert statements(PIECE.replace("614400", "0")) == []
