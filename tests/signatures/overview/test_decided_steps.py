"""The first step is what the lines of an alarm decide, with the names that they state."""

from __future__ import annotations

import re

import pytest

from cli.evidence.analysis import analyse
from ingest.catalogue.log_classes import classes_by_name
from signatures.overview.decided_steps import UNCLASSIFIED, headline, rows, words
from signatures.overview.harmful_steps import harms, subjects_of
from signatures.overview.headline_words import is_short
from signatures.overview.kernel_log.topics import topic_of
from signatures.rendering.overview_lines import head_lines
from tests.signatures.overview.test_first_screen import overview

_DOWN = "[ 1520.100000] nvme nvme0: controller is down; will reset: CSTS=0x{}, PCI_STATUS=0x10\n"
_FLOPPY = (
    "[  118.257554] blk_update_request: I/O error, dev {}, sector 0 op 0x0:(READ) flags 0x0 phys_seg 1\n"
)
_ISCSI = "[  911.044360]  connection1:0: detected conn error ({})\n"
_CEPH = "".join(f"[ {at}.902940] libceph: {{0}} socket error on write\n" for at in (1877, 1878, 1879))
_PIDS = "[ 8116.300000] cgroup: fork rejected by pids controller in {}\n"
_BANK = "[  900.064816] mce: [Hardware Error]: CPU 0: Machine Check: 0 Bank 17: {}\n"
_KASAN = "[ 1207.446328] BUG: KASAN: use-after-free in {}\n[ 1207.446347] Read of size 4 by task rmmod/15\n"
_ORDER = "[ 1877.190242] visiond: page allocation failure: order:{}\n"
_STUCK = "[ 1877.190242] watchdog: BUG: soft lockup - CPU#1 stuck for {}s! [CPU 0/KVM:28119]\n"
_CRASH = (
    "[   91.100000] traps: xl[29086] general protection ip:7f3c sp:7ffd62 error:0 in {}[7f3c1dc11000+91000]\n"
)
_PROBE = "[    5.198152] mlx5_core: probe of 0000:01:00.0 failed with error {}\n"
_DENIED = (
    '[175611.103641] audit: type=1400 audit(1459341818.749:65): apparmor="DENIED" operation="{}" '
    'info="failed type match" error=-13 profile="lxd-CentOS6_</var/lib/lxd>" name="/mnt/" comm="mount.nfs"\n'
)
_HUNG = (
    "[ 3056.123231] INFO: task strip:19377 blocked for more than 120 seconds.\n"
    "[ 3056.138353] strip           D    0 19377  19373 0x00000000\n[ 3056.140000] Call Trace:\n"
    "[ 3056.142221]  __schedule+0x3c/0xa0\n[ 3056.150000]  schedule+0x3c/0xa0\n"
    "[ 3056.200000]  {}+0xdc/0x128\n"
)

_TRANSID = (
    "[   35.768357] BTRFS error (device nvme0n1p2): parent transid verify failed on logical 393631498240"
    " mirror 1 wanted {} found 1647784\n"
)

DECIDED = {
    "one bit of a generation": (
        *(_TRANSID, str(1647784 + (1 << 62)), "test the memory first"),
        *("1647785", "its cache, USB bridge, cable"),
    ),
    "all ones are the bus": (_DOWN, "ffffffff", "pcie_aspm=off", "3", "firmware stopped by itself"),
    "a floppy is no disk": (_FLOPPY, "fd0", "ignore it", "dm-3", "lsblk -s /dev/dm-3"),
    "a virtual disk": (_FLOPPY, "vdb", "ask the hypervisor or provider about disk vdb", "sda", "layer below"),
    "a closed connection": (_ISCSI, "1020", "initiatorname.iscsi", "1022", "ping the target with the MTU"),
    "an address": (_CEPH, "mds0 10.20.30.41:6801", "nc -zv 10.20.30.41 6801", "osd7 10.2.3.4:6800", "osd7"),
    "a unit": (
        *(_PIDS, "/system.slice/icinga2.service", "systemctl show -p TasksCurrent,TasksMax icinga2.service"),
        *("/system.slice/docker-2e3d83a87b30aa.scope", "docker top 2e3d83a87b30"),
    ),
    "the status of a bank": (
        _BANK,
        "dc2040000000011b",
        "plan its exchange",
        "be00000000800400",
        "drain the host",
    ),
    "a module": (
        *(
            _KASAN,
            "sdw_intel_exit+0x8d/0x130 [soundwire_intel]",
            "faddr2line soundwire_intel.ko sdw_intel_exit",
        ),
        *("sdw_intel_exit+0x8d/0x130", "faddr2line vmlinux sdw_intel_exit+0x8d/0x130"),
    ),
    "an order": (
        *(_ORDER, "10, mode:0x2084020(GFP_ATOMIC|__GFP_COMP)", "ask for smaller pieces"),
        *("7, mode:0xdc0(GFP_KERNEL|__GFP_ZERO)", "compact once"),
    ),
    "minutes are no loop": (
        _STUCK,
        "2318",
        "paused, suspended, migrated",
        "23",
        "steal time and the host's load",
    ),
    "a library": (_CRASH, "libxenlight.so.4.6.0", "code of libxenlight.so.4.6.0", "xl", "code of xl"),
    "an error number": (_PROBE, "-22", "firmware release", "-110", "power off and on"),
    "an operation": (
        _DENIED,
        "mount",
        "lxc config device add",
        "ptrace",
        "if ptrace is meant there, allow it",
    ),
    "a file system that waits": (_HUNG, "nfs_file_fsync", "nfsstat -rc", "xfs_buf_iowait", "iostat -xd"),
}


@pytest.mark.parametrize(("log", "value", "step", "other", "its"), DECIDED.values(), ids=DECIDED.keys())
def test_another_value_of_the_line_has_another_step(log, value, step, other, its):
    first, second = overview(log.format(value)), overview(log.format(other))
    assert step in first.first_steps[0]
    assert its in second.first_steps[0]
    assert its not in first.first_steps[0]


def test_a_line_beside_decides():
    tasks = (
        "[  511.319170] Tasks state (memory values in pages):\n[  511.400000] [  219]  0   219  3951  3449\n"
    )
    zone = "[  511.305248] DMA free:519068kB min:10428kB low:11228kB high:12028kB free_cma:513592kB\n"
    assert "CMA" not in overview(tasks).first_steps[0]
    assert (
        "take free_cma (513592 kB) off the free memory of that zone (519068 kB)"
        in overview(zone + tasks).first_steps[0]
    )


def test_the_step_of_the_lines_stands_above_the_findings(tmp_path):
    (tmp_path / "dmesg.txt").write_text(
        _DOWN.format("ffffffff") + _DOWN.format("ffffffff").replace("1520", "1620")
    )
    report = analyse([str(tmp_path)]).report
    assert report.overview.headline.kind == "match"
    assert any(
        line.text.startswith("First: ") and "pcie_aspm=off" in line.text for line in head_lines(report)
    )


def test_no_row_gives_a_step_that_harms():
    for row in rows():
        for name in row["of"]:
            of_class = classes_by_name().get(name)
            assert of_class or name == UNCLASSIFIED, name
            subjects = subjects_of(name, topic_of(of_class)) if of_class else ()
            assert not harms(words(row, {}), subjects), row["do"]


@pytest.mark.parametrize("device", ["sda; reboot", "$(reboot)", "a`id`", "x" * 400, "-rf", "\nreboot"])
def test_a_name_that_a_shell_would_read_stays_a_name_in_capitals(device):
    row = next(row for row in rows() if "{device}" in row["do"])
    assert device not in words(row, {"device": device})
    assert "DEVICE" in words(row, {"device": device})


def test_each_hole_of_a_row_is_filled_by_a_group_a_field_or_the_device():
    fields = {"device", "cpu", "pid", "comm", "seconds", "bank", "server", "guilty", "address"}
    for row in rows():
        groups = set(re.findall(r"\?P<(\w+)>", row.get("when", "") + row.get("near", "")))
        holes = set(re.findall(r"\{([a-z]+)\}", row["do"] + row["why"]))
        assert holes <= groups | fields | {"driver"}, row["do"]


_NAMES = {
    "victim": "postgres",
    "unit": "nginx.service",
    "function": "shrink_lruvec",
    "root": "unknown-block(0,0)",
    "profile": "docker-default",
    "address": "0000:3b:00.0",
    "device": "nvme0n1",
    "library": "libxenlight.so.4.6.0",
    "module": "nvidia_uvm",
    "built": "6.8.0-45-generic",
    "file": "iwlwifi-cc-a0-77.ucode",
    "container": "0123456789ab" * 5 + "0123",
    "server": "nas-01.example",
    "ip": "10.20.30.41",
    "cgroup": "/system.slice/db.service",
}


def test_each_headline_of_a_row_keeps_to_the_grammar():
    for row in rows():
        groups = set(re.findall(r"\{([a-z]+)\}", row.get("says", "")))
        text = headline(row, {name: _NAMES.get(name, "12345") for name in groups})
        assert is_short(text), text
        assert bool(text) == ("says" in row)
        assert not set("{}[]") & set(text)


def test_a_headline_without_one_of_its_names_is_not_said():
    row = next(row for row in rows() if "{device}" in row.get("says", "").split("[")[0])
    assert headline(row, {}) == ""
    assert headline(row, {"device": "nvme0\nrm"}) == ""
    optional = next(row for row in rows() if "[" in row.get("says", ""))
    assert headline(optional, {}) == optional["says"].partition("[")[0] + optional["says"].partition("]")[2]


def test_the_lines_of_an_alarm_are_its_headline():
    killed = (
        "[ 91.1] ena 0000:00:05.0 ens5: Found a Tx that wasn't completed on time, qid 2, index 0. Missing Tx"
    )
    assert overview(f"{killed}\n").short.text == "The handler of transmit queue 2 did not run (0000:00:05.0)"


def test_a_starved_thread_of_rcu_may_be_the_work_of_a_real_time_task():
    stall = (
        "[   42.834070] rcu: INFO: rcu_preempt self-detected stall on CPU\n"
        "[   42.834101] rcu: \t3-....: (3 GPs behind) idle=7d5c/1/0x4000000000000000 softirq=0/0 fqs=491"
        " rcuc=5301 jiffies(starved)\n"
    )
    starved = "RCU starves on CPU 3; a real-time task may hold it"
    assert overview(stall).short.text == starved
    assert overview(stall.replace("(starved)", "")).short.text != starved
