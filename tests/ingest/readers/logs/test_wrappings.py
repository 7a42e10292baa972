"""The same records are found in a kernel log however it was printed, wrapped or forwarded."""

from __future__ import annotations

import json
import textwrap
from typing import TYPE_CHECKING

import pytest

from ingest.evidence import read_bytes

if TYPE_CHECKING:
    from collections.abc import Callable

REPORTS = """\
[  900.000001] INFO: task df:1177107 blocked for more than 120 seconds.
[  900.000002]       Not tainted 6.1.0-13-amd64 #1
[  900.000004] task:df              state:D stack:0     pid:1177107 ppid:1      flags:0x00004002
[  900.000005] Call Trace:
[  900.000006]  <TASK>
[  900.000007]  __schedule+0x34d/0x9e0
[  900.000008]  rpc_wait_bit_killable+0x11/0x70
[  900.000010]  </TASK>
[ 1000.100000] watchdog: BUG: soft lockup - CPU#3 stuck for 22s! [kworker/3:1:1234]
[ 1000.100002] CPU: 3 PID: 1234 Comm: kworker/3:1 Not tainted 6.1.0-13-amd64 #1
[ 1000.100003] RIP: 0010:native_queued_spin_lock_slowpath+0x2b/0x2f0
[ 1000.100004] Call Trace:
[ 1000.100006]  _raw_spin_lock+0x25/0x30
[ 1001.000001] nvme nvme0: I/O 12 QID 5 timeout, aborting
[ 1002.000001] EXT4-fs error (device sda1): ext4_find_entry:1455: inode #2: comm ls: reading directory
[ 1003.000001] nf_conntrack: nf_conntrack: table full, dropping packet
[ 1004.000001] blk_update_request: I/O error, dev sdb, sector 2048 op 0x0:(READ) flags 0x0
[ 1005.000001] rcu: INFO: rcu_sched self-detected stall on CPU
[ 1005.000002] rcu: 	3-....: (20999 ticks this GP) idle=3b2/1/0x4000000000000000 softirq=1/1 fqs=5249
[ 1006.000001] mce: [Hardware Error]: Machine check events logged
[ 1007.000001] workqueue: inode_switch_wbs_work_fn hogged CPU for >10000us 4 times, consider switching
[ 1008.000001] NETDEV WATCHDOG: eth0 (e1000e): transmit queue 0 timed out
[ 1009.000001] TCP: request_sock_TCP: Possible SYN flooding on port 443. Sending cookies.
[ 1010.000001] XFS (dm-0): Corruption detected. Unmount and run xfs_repair
[ 1011.000001] BUG: kernel NULL pointer dereference, address: 0000000000000008
[ 1011.000002] #PF: supervisor read access in kernel mode
[ 1011.000004] Oops: 0000 [#1] PREEMPT SMP NOPTI
[ 1011.000005] CPU: 1 PID: 77 Comm: mount Not tainted 6.1.0 #1
[ 1011.000006] RIP: 0010:xfs_buf_find+0x2b/0x2f0 [xfs]
[ 1011.000007] Call Trace:
[ 1011.000009]  xfs_buf_get_map+0x25/0x30 [xfs]
[ 1011.000011] ---[ end trace 0000000000000000 ]---
[ 1012.006474] Memory cgroup out of memory: Killed process 6262 (python3) total-vm:213940kB, anon-rss:203904kB
"""
KINDS = [
    *(
        "hung_task",
        "soft_lockup",
        "nvme_timeout",
        "ext4_error",
        "conntrack_full",
        "block_io_error",
        "rcu_stall",
    ),
    *(
        "mce_logged",
        "workqueue_hogged",
        "netdev_watchdog",
        "syn_flood",
        "xfs_corruption",
        "null_pointer",
        "oom_kill",
    ),
]
JOURNAL = {
    "__REALTIME_TIMESTAMP": "1763683187006452",
    "PRIORITY": "3",
    "_TRANSPORT": "kernel",
    "_HOSTNAME": "db",
}
FIELDS = "\n".join(f"{name}={value}" for name, value in JOURNAL.items())


def journal(message, **style):
    return json.dumps({"__CURSOR": "s=1;i=2", **JOURNAL, "MESSAGE": message}, **style)


def docker(line):
    return json.dumps(
        {"log": f"{line}\n", "stream": "stdout", "time": "2026-11-21T05:00:19Z"}, separators=(",", ":")
    )


FORMS: dict[str, str | Callable[[str, str], str]] = {
    "dmesg": "[{stamp}] {text}",
    "dmesg -T": "[Sat Nov 21 05:00:19 2026] {text}",
    "dmesg -x": "kern  :err   : [{stamp}] {text}",
    "dmesg -r": "<3>[{stamp}] {text}",
    "dmesg -d": "[{stamp} <    0.000001>] {text}",
    "dmesg -e": "[Nov21 05:00] {text}",
    "dmesg delta": "[  +0.000012] {text}",
    "dmesg delta, decimal comma": "[  +0,000012] {text}",
    "dmesg iso": "2026-11-21T05:00:19,621988+00:00 {text}",
    "dmesg colour": "\x1b[32m[{stamp}] \x1b[0m\x1b[31m{text}\x1b[0m",
    "caller": "[{stamp}][ T3699] {text}",
    "kmsg": "3,1012,900000000,-;{text}",
    "syslog": "Nov 21 05:00:19 host kernel: [{stamp}] {text}",
    "rfc 5424": "<3>1 2026-11-21T05:00:19.621988Z host kernel - - - [{stamp}] {text}",
    "logread": "Sat Nov 21 05:00:19 2026 kern.err kernel: [{stamp}] {text}",
    "journal short": "Nov 21 05:00:19 host kernel: {text}",
    "short-iso": "2026-11-21T05:00:19+0000 host kernel: {text}",
    "short-monotonic": "[{stamp}] host kernel: {text}",
    "short-full": "Sat 2026-11-21 05:00:19 UTC host kernel: {text}",
    "short-unix": "1763683187.006452 host kernel: {text}",
    "json": lambda _, text: journal(text),
    "json-pretty": lambda _, text: journal(text, indent="\t", separators=(",", " : ")),
    "export": f"__CURSOR=s=1;i=2\n{FIELDS}\nMESSAGE={{text}}\n",
    "verbose": "Sat 2026-11-21 05:00:19.621988 UTC [s=1;i=2]\n"
    + textwrap.indent(f"{FIELDS}\nMESSAGE={{text}}", "    "),
    "docker compose": "node-1  | [{stamp}] {text}",
    "docker json": lambda stamp, text: docker(f"[{stamp}] {text}"),
    "kubectl --prefix": "[pod/npd-abc/npd] [{stamp}] {text}",
    "kubectl --timestamps": "2026-11-21T05:00:19.621988112Z [{stamp}] {text}",
    "CRI": "2026-11-21T05:00:19.621988112Z stdout F [{stamp}] {text}",
    "serial console": "[2026-11-21 05:00:19] [{stamp}] {text}\r",
    "serial console, clock": "05:00:19 [{stamp}] {text}",
    "serial console, login": "db-02 login: [{stamp}] {text}",
    "serial console, dropped": "** 93 printk messages dropped ** [{stamp}] {text}",
    "grep": "/var/log/kern.log:[{stamp}] {text}",
    "grep -n": "17:[{stamp}] {text}",
    "zgrep": "/var/log/syslog.1:Nov 21 05:00:19 host kernel: [{stamp}] {text}",
    "cat -n": "    17\t[{stamp}] {text}",
    "quoted": ">> [{stamp}] {text}",
    "indented": "    [{stamp}] {text}",
    "barred": "| [{stamp}] {text}",
    "severity": "WARNING kernel: [{stamp}] {text}",
    "severity, dated": "2026-11-21T05:00:19.621988Z WARNING kernel: [{stamp}] {text}",
    "severity, marked": "!WARNING | kernel: {text}",
    "severity, marked and dated": "Nov 21 05:00:19 host !WARNING | kernel: {text}",
    "without times": "host kernel: {text}",
    "journal of another language": "dez 07 05:00:19 host kernel: {text}",
    "stamps taken out": "[] {text}",
    "stamps taken out, caller": "[][ T3699] {text}",
    "host taken out": "Nov 21 05:00:19  kernel: {text}",
    "times taken out": "<3>[  ...] {text}",
    "indented without stamps": "  {text}",
}


def wrapped(form, report=REPORTS):
    lines = (line.removeprefix("[").split("] ", 1) for line in report.splitlines())
    return "".join(printed(form, stamp, text) + "\n" for stamp, text in lines)


def printed(form, stamp, text):
    how = FORMS[form]
    return how.format(stamp=stamp, text=text) if isinstance(how, str) else how(stamp, text)


def records(text):
    sections = read_bytes(text.encode(), name="x").sections
    return [one for section in sections for one in section.reading.log_records if one.kind != "other"]


@pytest.mark.parametrize("form", FORMS)
def test_every_wrapping_holds_the_same_records(form):
    found = records(wrapped(form))
    assert [one.kind for one in found] == KINDS
    assert [one.fields.get("pid") for one in found[:2]] == [1177107.0, 1234.0]


@pytest.mark.parametrize("form", FORMS)
def test_a_log_that_is_cut_anywhere_still_holds_its_last_records(form):
    text = wrapped(form, "".join(REPORTS.splitlines(keepends=True)[8:]))
    cut = text[len(text) // 3 :]
    kinds = [one.kind for one in records(cut)]
    assert kinds[-4:] == KINDS[-4:]


def test_times_are_read_out_of_every_form_that_states_them():
    at = {
        form: records(wrapped(form))[0].at
        for form in ("short-full", "short-unix", "json-pretty", "export", "verbose")
    }
    assert at.pop("short-full") == 1795237219.0
    assert set(at.values()) == {1763683187.006452}


def test_other_programs_of_the_journal_are_no_kernel_messages():
    other = printed("export", "", "INFO: task df:77 blocked for more than 120 seconds.").replace(
        "=kernel", "=syslog"
    )
    found = records(other + printed("export", "", "nvme nvme0: I/O 12 QID 5 timeout, aborting"))
    assert [one.kind for one in found] == ["nvme_timeout"]


@pytest.mark.parametrize(
    "text", ["PRIORITY=3\nNAME=x\n", '{\n "PRIORITY" : "3",\n "a": 1\n}\n', "a | b\n12:30:01 done\n"]
)
def test_fields_and_stamps_of_other_tools_are_no_kernel_log(text):
    assert [section.format for section in read_bytes(text.encode(), name="x").sections] == ["text"]


BUG = "BUG: unable to handle page fault for address: ffffdead00000108"


@pytest.mark.parametrize("stamp", ["[   45.12]", "[  240.1]", "<1>[123456.78]", "[   45.12][ T3699]"])
def test_a_stamp_with_few_decimals_is_one_of_the_kernel(stamp):
    (section,) = read_bytes(f"{stamp} {BUG}\n".encode(), name="x").sections
    assert [one.kind for one in section.reading.log_records] == ["bad_access"]
    unclassified = f"{stamp} widget: cannot spin\n{stamp} widget: cannot stop\n"
    assert [one.format for one in read_bytes(unclassified.encode(), name="x").sections] == ["kernel-log"]


@pytest.mark.parametrize(
    "text", ["[ 3.2] Installing\n[ 3.4] Done\n", "[   12.5] load\n", "[12.5] a\n[12.6] b\n"]
)
def test_a_number_in_brackets_alone_is_no_stamp(text):
    assert [section.format for section in read_bytes(text.encode(), name="x").sections] == ["text"]
