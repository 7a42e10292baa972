"""A kernel thread in uninterruptible sleep is stated with what it is for."""

from __future__ import annotations

import pytest

from signatures.overview.waiting.kernel_threads import purpose_of, rows
from tests.signatures.overview.test_first_screen import overview

TOP = """\
top - 16:39:44 up 103 days, 20:03,  2 users,  load average: 331.38, 330.84, 300.15
Tasks: 221 total,   1 running, 220 sleeping,   0 stopped,   0 zombie
%Cpu(s):  0.6 us,  0.4 sy,  0.0 ni, 95.7 id,  3.3 wa,  0.0 hi,  0.0 si,  0.0 st

  PID USER      PR  NI    VIRT    RES    SHR S  %CPU %MEM     TIME+ COMMAND
21651 nobody    20   0 10.916g 200524   5236 D   0.0  0.3   0:24.57 node_exporter
19263 root      20   0       0      0      0 D   0.0  0.0   0:00.00 {thread}
"""


@pytest.mark.parametrize(
    ("name", "words", "kind"),
    [
        ("198.51.100.97-m", "recovers the state of NFS server 198.51.100.97", "nfs_rpc"),
        ("[198.51.100.7-manager]", "recovers the state of NFS server 198.51.100.7", "nfs_rpc"),
        ("fd00::7-manager", "recovers the state of NFS server fd00::7", "nfs_rpc"),
        ("jbd2/dm-3-8", "commits the journal of dm-3", ""),
        ("[kworker/u8:2+flush-253:0]", "writes dirty pages of 253:0", ""),
        ("md127_raid6", "serves RAID array md127", ""),
    ],
)
def test_a_thread_is_known_by_its_name(name, words, kind):
    assert purpose_of(name) == (words, kind)


@pytest.mark.parametrize("name", ["node_exporter", "a-manager", "cafe-m", "1.2.3.4", "jbd2", "x" * 1000])
def test_other_tasks_are_not_taken_for_one(name):
    assert purpose_of(name) is None


def test_every_row_has_its_source():
    assert all(row["source"] for row in rows())


def test_a_thread_of_an_nfs_client_leads_with_its_server_and_a_step():
    found = overview(TOP.format(thread="198.51.100.97-m"))
    assert found.short.text == "2 blocked tasks: one recovers the state of NFS server 198.51.100.97"
    assert "NFS server" in found.first_steps[0]


def test_a_thread_of_a_journal_is_stated_and_needs_a_look_first():
    found = overview(TOP.format(thread="jbd2/sda1-8"))
    assert any("which commits the journal of sda1" in one.statement.text for one in found.statements)
