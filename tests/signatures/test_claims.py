"""Titles claim what their conditions test, and commands of fixes fit other machines than the author's."""

from __future__ import annotations

import re

import pytest

from signatures.judging.observation import State
from tests.signatures.evidence import judge_text

READONLY_THEN_OTHER_DISK = """\
[  100.000000] EXT4-fs error (device sda1): ext4_lookup:1855: inode #2: comm ls: deleted inode
[  100.100000] EXT4-fs (sda1): Remounting filesystem read-only
[ 5000.000000] blk_update_request: I/O error, dev sdb, sector 2048 op 0x0:(READ) flags 0x0
"""
KILL = (
    "[{at:>5}.000000] oom-kill:constraint=CONSTRAINT_MEMCG,nodemask=(null),cpuset=/,mems_allowed=0,"
    "oom_memcg=/a,task_memcg=/a,task=x,pid={pid},uid=0\n"
    "[{at:>5}.000100] Memory cgroup out of memory: Killed process {pid} (x) total-vm:213940kB, "
    "anon-rss:203904kB, file-rss:6644kB, shmem-rss:0kB, UID:0 pgtables:452kB oom_score_adj:0\n"
)
CIFS = "[{at}.000000] CIFS: VFS: cifs_mount failed w/return code = -{code}\n"


def clause_of(text, signature, name, catalog):
    finding = judge_text(text, catalog)[signature]
    return next(state for state in finding.clauses if state.clause.id == name)


def test_an_error_of_another_disk_later_makes_no_file_system_a_victim(catalog):
    state = clause_of(READONLY_THEN_OTHER_DISK, "fs/readonly-after-error", "device_failed", catalog)
    assert state.state is State.TRUE
    assert state.clause.title.startswith("A device failed requests within the day: where it is the one below")


@pytest.mark.parametrize(("apart", "is_met"), [(60, True), (1200, False)])
def test_repeated_kills_are_those_of_ten_minutes(apart, is_met, catalog):
    text = "".join(KILL.format(at=1000 + number * apart, pid=100 + number) for number in range(3))
    state = clause_of(text, "mm/memcg-oom", "repeated", catalog)
    assert (state.state is State.TRUE) is is_met
    assert state.clause.title.endswith("three times or more within ten minutes")


@pytest.mark.parametrize(
    ("code", "verdict"), [(112, "suspect"), (115, "suspect"), (13, "unknown"), (2, "unknown")]
)
def test_a_server_that_refuses_a_password_or_a_share_has_answered(code, verdict, catalog):
    text = "".join(CIFS.format(at=100 + number, code=code) for number in range(6))
    assert judge_text(text, catalog)["fs/smb-server-not-responding"].verdict == verdict


def test_no_fix_names_the_cpus_of_somebodys_machine(catalog):
    commands = [
        f"{signature.id}: {fix['run']}"
        for signature in catalog.signatures
        for fix in signature.fixes
        if fix.get("run")
    ]
    ranges = re.compile(r"(?:CPUs?=|cpus ?= ?|taskset -c |--cpu-list |smp_affinity_list.*echo )\d+-\d+")
    assert [one for one in commands if ranges.search(one)] == []
    assert len(commands) > 100
