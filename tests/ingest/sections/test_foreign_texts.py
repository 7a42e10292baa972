"""Texts that resemble the output of a tool: each is read as what it is, or as text."""

# ruff: noqa: E501 - lines of logs are long

from __future__ import annotations

import pytest

from ingest.evidence import read_bytes

KMEMLEAK = """\
unreferenced object 0xffff8cd29f9cc300 (size 192):
  comm "insmod", pid 4121, jiffies 4294931406 (age 95.216s)
  hex dump (first 32 bytes):
    00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00  ................
    40 c3 9c 9f d2 8c ff ff 40 c3 9c 9f d2 8c ff ff  @.......@.......
  backtrace:
    [<00000000a8f4c4b9>] kmem_cache_alloc_trace+0x1a6/0x2e0
    [<00000000b5a0a1f0>] leaky_probe+0x2c/0x60 [leaky]
    [<0000000061df7e41>] do_one_initcall+0x46/0x210
    [<000000003b8a3b7b>] do_init_module+0x5c/0x270
"""

CLOUD_INIT = """\
2026-11-20 08:12:01,324 - util.py[DEBUG]: Cloud-init v. 24.1.3 running 'init-local' at Fri, 20 Nov 2026 08:12:01 +0000. Up 9.48 seconds.
2026-11-20 08:12:01,325 - main.py[DEBUG]: No kernel command line url found.
2026-11-20 08:12:01,330 - util.py[DEBUG]: Running command ['systemd-detect-virt', '--quiet', '--container'] with allowed return codes [0] (shell=False, capture=True)
2026-11-20 08:12:02,112 - handlers.py[DEBUG]: start: init-local/check-cache: attempting to read from cache [check]
2026-11-20 08:12:02,500 - util.py[WARNING]: failed stage init-local
2026-11-20 08:12:02,501 - stages.py[DEBUG]: out of memory is not checked for here
2026-11-20 08:12:02,600 - subp.py[DEBUG]: blocked for more than 10 seconds: ['udevadm', 'settle']
"""

SOS_LOG = """\
2026-11-20 09:00:01,101 INFO: [sos.report:setup] executing 'sos report --batch'
2026-11-20 09:00:07,220 INFO: [plugin:kernel] collecting output of 'dmesg' (timeout 300s)
2026-11-20 09:00:08,031 WARNING: [plugin:networking] skipped command 'ip -s macsec show': required kernel modules or services not present (kmods=[macsec] services=[]).
2026-11-20 09:00:09,442 ERROR: [plugin:block] command 'parted -s /dev/sdb unit s print' timed out after 300s
2026-11-20 09:00:10,001 INFO: [plugin:memory] collecting path '/proc/buddyinfo'
2026-11-20 09:00:10,100 WARNING: [archive:TarFileArchive] stat: cannot stat '/var/crash'
"""

UBUNTU_ADVANTAGE = """\
["2026-11-20T06:10:43.417", "DEBUG", "root", "cli.py", 1093, "Executed with sys.argv: ['/usr/bin/pro', 'status']", {}]
["2026-11-20T06:10:43.500", "WARNING", "root", "util.py", 210, "Failed to read boot id: kernel BUG is not one", {}]
2026-11-20 06:10:44,114 - cli.py:(1093) [DEBUG]: Executed with sys.argv: ['/usr/bin/pro', 'status']
2026-11-20 06:10:44,200 - util.py:(552) [WARNING]: Call trace of a request that failed
"""

RT_REALMS = """\
# reserved values
0\tcosmos
# local
#1\tinr.ac
#2\tinr.ruhep
#3\tfreenet
#4\tradio-msu
#5\trussia
"""

PYTHON = """\
def attach(probes):
    print(f"Attaching {len(probes)} probes...")
    totals = {"@[comm]": 4, "@reads": 12}
    for name, count in totals.items():
        print(f"{name}: {count}")
    raise RuntimeError("BUG: unable to handle a page of totals")
"""

DENTRY_STATE = "86414\t71264\t45\t0\t20142\t0\n"

EXITSNOOP = """\
PCOMM            PID    PPID   TID    AGE(s)  EXIT_CODE
curl             4718   4701   4718   0.11    0
sleep            4720   4701   4720   1.00    signal 15 (TERM)
bash             4722   4701   4722   0.02    code 2
"""

THREADSNOOP = """\
Attaching 2 probes...
TIME(ms)   PID    COMM             FUNC
1938       28549  dockerd          threadentry
1939       28549  dockerd          threadentry
1952       2     kthreadd          [unknown]
"""

BRANCH_STACKS = """\
            perf  2331 [001]   912.330101:     250000 branches:u:      55d0f2a1c310/55d0f2a1c2f0/P/-/-/3  0x55d0f2a1c2f8/0x55d0f2a1c300/P/-/-/12  0x7f2a1100c2d4/0x7f2a1100c2a0/M/-/-/0
            perf  2331 [001]   912.330351:     250000 branches:u:      0x55d0f2a1c310/0x55d0f2a1c2f0/P/-/-/3  0x55d0f2a1c2f8/0x55d0f2a1c300/P/-/-/12
"""

PROGRAMS = """\
WARNING: The repository located at mirror is not a trusted host and is being ignored.
Nov 20 10:01:02 web1 kernel: usb 1-1: new high-speed USB device number 4 using xhci_hcd
Nov 20 10:01:03 web1 gunicorn[811]: WARNING: worker 12 has no heartbeat
Nov 20 10:01:04 web1 sshd[822]: WARNING: PID file is stale
Nov 20 10:01:05 web1 kernel: EXT4-fs (sda1): mounted filesystem with ordered data mode. Quota mode: none.
Nov 20 10:01:06 web1 pipewire[99]: BUG: spa.alsa underrun
"""


def read(text):
    return read_bytes(text.encode(), name="paste").sections


@pytest.mark.parametrize(
    "text",
    [CLOUD_INIT, SOS_LOG, UBUNTU_ADVANTAGE, RT_REALMS, PYTHON, DENTRY_STATE],
    ids=["cloud-init.log", "sos.log", "ubuntu-advantage.log", "rt_realms", "Python", "dentry-state"],
)
def test_what_no_tool_of_the_kernel_printed_is_text(text):
    sections = read(text)
    assert {section.format for section in sections} == {"text"}
    names = {fact.name for section in sections for fact in section.reading.facts}
    assert names <= {"text.unread_values", "text.shape", "text.stated"}


def test_a_report_of_kmemleak_is_of_the_kernel_and_no_profile_of_bytes():
    [section] = read(KMEMLEAK)
    assert section.format == "kernel-log"
    assert [record.kind for record in section.reading.log_records] == ["memory_leak"]


@pytest.mark.parametrize(
    ("text", "columns"),
    [
        (EXITSNOOP, ["pcomm", "pid", "ppid", "tid", "age_s", "exit_code"]),
        (THREADSNOOP, ["time_ms", "pid", "comm", "func"]),
    ],
    ids=["exitsnoop", "threadsnoop"],
)
def test_tables_of_bcc_are_rows(text, columns):
    [section] = read(text)
    assert section.format == "bcc-rows"
    [rows] = section.reading.row_sets
    assert rows.name == f"rows:{','.join(columns)}"
    assert len(rows.rows) == 3


def test_samples_with_branches_alone_are_said_to_have_no_stack():
    [section] = read(BRANCH_STACKS)
    assert section.reading.profiles[0].samples == 2
    assert [remark.detail for remark in section.reading.quality] == ["no sample of branches:u has a stack"]


def test_a_warning_of_a_program_is_no_alarm_of_the_kernel():
    [section] = read(PROGRAMS)
    assert [record.kind for record in section.reading.log_records if record.severity] == []
    [skipped] = section.reading.skipped
    assert (skipped.reason, skipped.count) == ("line of another program", 3)
