"""No step, command or fix that could harm is given for an alarm; none is given rather than a wrong one."""

from __future__ import annotations

from functools import cache
from typing import get_args

import pytest

from cli.evidence.analysis import analyse
from ingest.catalogue.log_classes import classes_by_name
from ingest.catalogue.log_classes.model import SUBSYSTEMS
from ingest.evidence import read_bytes
from signatures.document.catalog import load_catalog
from signatures.fixes.plan import fixes_now
from signatures.judging.decide import MATCH, SUSPECT
from signatures.judging.judge import judge
from signatures.judging.scope import items_of
from signatures.overview import run
from signatures.overview.first_screen import overview_of
from signatures.overview.first_steps import STEPS, ResourceTopic, first_steps
from signatures.overview.harmful_steps import harms, kinds_of, pairs, subjects_of
from signatures.overview.kernel_log.topics import topic_of
from signatures.overview.report_steps import ReportTopic
from signatures.overview.storage_steps import StorageTopic
from signatures.rendering.overview_lines import brief_lines
from signatures.reporting.next_captures import next_captures
from signatures.reporting.report import finding_document
from tests.signatures.overview.test_first_screen import overview

ALARMS = {name: one for name, one in classes_by_name().items() if one.is_alarming}
TOPICS = {name for kind in (ResourceTopic, ReportTopic, StorageTopic) for name in get_args(kind)} - {""}


@cache
def told_of(name):
    """Return the overview of the sample of a class, and the findings that fire."""
    evidence = read_bytes(f"[  100.000000] {ALARMS[name].sample}\n".encode(), name="kern.log")
    items = items_of([evidence])
    findings = judge(items, load_catalog())
    firing = [one for one in findings if one.verdict in (MATCH, SUSPECT)]
    return overview_of(run(items), (), (), {item.format for item in items}), firing


@pytest.mark.parametrize("name", ALARMS)
def test_an_alarm_is_given_nothing_that_could_harm(name):
    """Of the topic's own steps, too: what is left out on the first screen is no reason to write it."""
    subjects = subjects_of(name, topic_of(ALARMS[name]))
    found, firing = told_of(name)
    given = [*first_steps(topic_of(ALARMS[name])), *found.first_steps, found.next_capture.command]
    for finding in firing:
        given += [f"{fix.title}; {fix.run or ''}" for fix in fixes_now(finding_document(finding).fixes)]
    given += [one.capture.run for one in next_captures(firing)]
    assert {step: harm for step in given if (harm := harms(step, subjects))} == {}


@pytest.mark.parametrize("topic", sorted(TOPICS))
def test_no_topic_has_a_step_that_could_harm_what_it_is_about(topic):
    assert {step: harm for step in STEPS[topic] if (harm := harms(step, subjects_of(topic=topic)))} == {}


def test_every_pair_names_what_there_is():
    known = {f"class:{name}" for name in classes_by_name()} | {f"topic:{name}" for name in TOPICS}
    known |= {f"subsystem:{name}" for name in SUBSYSTEMS} | {f"area:{name}" for name in SUBSYSTEMS.values()}
    kinds = set().union(*(pair.steps for pair in pairs()))
    assert {subject for pair in pairs() for subject in pair.subjects} <= known
    assert {kind for kind in kinds if not EXAMPLES.get(kind)} == set()
    assert all(pair.because for pair in pairs())


EXAMPLES = {
    "failover": "If there is a replica or an array: fail over, and take the device out of use",
    "discard": "drbdadm -- --discard-my-data connect r0",
    "reconnect": "drbdadm connect r0",
    "pull disk": "mdadm /dev/md0 --fail /dev/sdc --remove /dev/sdc",
    "exchange disk": "zpool replace tank sdc sdd",
    "create array": "mdadm --create /dev/md0 --assume-clean -n 3 /dev/sda /dev/sdb /dev/sdc",
    "check": "If it has none: stop what writes, unmount, and check the file system before it is used again",
    "repair": "xfs_repair -L /dev/sda1",
    "unmount": "umount -f /mnt",
    "wait for a stuck lock": "where does it wait: cat /proc/4711/stack",
    "replay of a log": "mount -o ro,rescue=usebackuproot and copy",
    "remount": "mount -o remount,rw /",
    "write to device": "dd if=/dev/zero of=/dev/sda",
    "detach cache": "echo 1 > /sys/block/bcache0/bcache/detach",
    "clear reservation": "sg_persist --out --clear --param-rk=1 /dev/sda",
    "swapoff": "swapoff /dev/sdb2",
    "bmc": "ras-mc-ctl --errors; ipmitool sel elist",
    "exchange part": "If a module, slot or card is named: take the host out, and exchange that part",
    "sysrq": "echo w > /proc/sysrq-trigger; dmesg",
    "sysrq flood": "echo t > /proc/sysrq-trigger",
    "memory of tasks": "perf record -a -g -F 99 -- sleep 30 && perf script",
    "stop threads": "timeout -s INT 10 strace -f -c -e trace=futex -p PID",
    "kill": "kill -9 PID",
    "lower limit": "If one service holds it: restart it or cap it (memory.max of its cgroup)",
    "drop caches": "sysctl vm.drop_caches=2",
    "touch mounts": "df -T; df -i",
    "restart host": "If it does not end: drain the host, copy dmesg off it, restart it",
    "hide": "boot with mce=ignore_ce",
    "security off": "auditctl -e 0",
    "longer limit": "sysctl -w kernel.hung_task_timeout_secs=0",
    "add load": "echo repair > /sys/block/md0/md/sync_action",
}


@pytest.mark.parametrize("kind", EXAMPLES)
def test_a_kind_is_recognised_in_words_or_as_a_command(kind):
    assert kind in kinds_of(EXAMPLES[kind])


@pytest.mark.parametrize(
    "step",
    [
        "If members are damaged: copy all of them; never --create or --assume-clean",
        "No restart meanwhile: what waits to be written is lost with it",
        "copy the data off first; no fsck and no remount before it works",
        "unmount, and check it read-only (e2fsck -n, xfs_repair -n)",
        "[ ! -e /dev/ipmi0 ] || timeout -s KILL 60 ipmitool sel elist",
        "perf record -N --synth=task -a -g -- sleep 10",
        "timeout 5 cat /proc/4711/stack",
        "mount -o ro,rescue=usebackuproot:nologreplay and copy",
    ],
)
def test_what_is_forbidden_or_guarded_is_no_step(step):
    assert kinds_of(step) <= {"unmount"}


CGROUP_KILLED = (
    "[   90.100000] oom-kill:constraint=CONSTRAINT_MEMCG,nodemask=(null),cpuset=a,mems_allowed=0,"
    "oom_memcg=/a,task_memcg=/a,task=java,pid=955,uid=0\n"
    "[   90.200000] Memory cgroup out of memory: Killed process 955 (java) total-vm:4kB\n"
)
SPLIT = "[  100.000000] block drbd0: Split-Brain detected but unresolved, dropping connection!\n"
WRITE_LOST = "[   90.000000] Buffer I/O error on dev sda1, logical block 4, lost async page write\n"


def test_a_split_brain_is_neither_failed_over_nor_discarded():
    found = overview(SPLIT)
    assert "split brain" in found.headline.text
    assert "change no role" in found.first_steps[0]


@pytest.mark.parametrize(
    ("log", "is_urgent"),
    [
        (SPLIT, True),
        ("[  100.000000] md/raid:md0: Cannot continue operation (2/4 failed).\n", True),
        (WRITE_LOST, True),
        (CGROUP_KILLED, True),
    ],
    ids=["split brain", "failed array", "lost write", "cgroup at its limit"],
)
def test_a_step_of_the_class_itself_does_not_wait_for_the_next_capture(log, is_urgent):
    assert overview(log).is_urgent is is_urgent


def test_an_urgent_step_comes_before_the_next_capture(tmp_path):
    (tmp_path / "dmesg.txt").write_text(SPLIT)
    lines = [line.text for line in brief_lines(analyse([str(tmp_path)]).report)]
    step = next(at for at, line in enumerate(lines) if "change no role" in line)
    command = next(at for at, line in enumerate(lines) if line.startswith("Next"))
    assert step < command


def test_a_second_alarm_forbids_a_step_of_the_first():
    alone, both = overview(WRITE_LOST), overview(WRITE_LOST + SPLIT)
    assert any("fail over" in step for step in alone.first_steps)
    assert both.headline.text == alone.headline.text
    assert both.first_steps
    assert not any("fail over" in step for step in both.first_steps)


def test_an_oom_kill_of_a_cgroup_has_the_steps_of_its_limit():
    steps = overview(CGROUP_KILLED).first_steps
    assert "raise it if the host has room, or cap the heap of java" in steps[0]
    assert not any("add memory" in step for step in steps)
