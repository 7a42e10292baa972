"""Causes of the kernel log before their consequences."""

from __future__ import annotations

import pytest

from ingest.catalogue.log_classes import classes_by_name
from ingest.evidence import read_bytes
from signatures.judging.scope import items_of, scopes_of
from signatures.overview import run
from signatures.overview.kernel_log.alarms import assess
from signatures.overview.scope_evidence import ScopeEvidence
from tests.growth import grows


def evidence_of(*texts: str) -> ScopeEvidence:
    evidences = [read_bytes(text.encode(), name=f"dmesg-{at}.txt") for at, text in enumerate(texts)]
    (scope,) = scopes_of(items_of(evidences))
    return ScopeEvidence(scope)


def dmesg(*lines: tuple[float, str], level: int | None = None) -> str:
    prefix = f"<{level}>" if level is not None else ""
    return "\n".join(f"{prefix}[{at:12.6f}] {message}" for at, message in lines) + "\n"


def sample(name: str) -> str:
    return classes_by_name()[name].sample


def chains(*texts: str) -> list[list[str]]:
    found = assess(evidence_of(*texts))
    assert found is not None
    return [[alarm.log_class.name for alarm in (chain.lead, *chain.followers)] for chain in found.chains]


def panel(*texts: str):
    evidence = evidence_of(*texts)
    return next(one for one in run(evidence.items) if one.name == "first-bad-line")


DISK = (
    (100.0, "nvme nvme0: I/O 12 QID 5 timeout, aborting"),
    (130.0, "nvme nvme0: Disabling device after reset failure: -19"),
    (130.1, "I/O error, dev nvme0n1, sector 2048 op 0x0:(READ) flags 0x80700 phys_seg 1 prio class 2"),
    (130.2, "EXT4-fs error (device nvme0n1p2): ext4_find_entry:1455: inode #2: comm ls: reading directory"),
    (130.3, "EXT4-fs (nvme0n1p2): Remounting filesystem read-only"),
    (250.0, "INFO: task df:117 blocked for more than 120 seconds."),
    (300.0, "watchdog: BUG: soft lockup - CPU#3 stuck for 22s! [kworker/3:1:1234]"),
)


def test_a_dead_disk_leads_and_all_that_it_caused_follows():
    assert chains(dmesg(*DISK)) == [
        [
            "nvme_timeout",
            "nvme_dead",
            "block_io_error",
            "ext4_error",
            "filesystem_readonly",
            "hung_task",
            "soft_lockup",
        ]
    ]


def test_the_summary_names_the_cause_and_its_followers_on_one_line():
    found = panel(dmesg(*DISK))
    assert found.state == "notable"
    assert found.summary.startswith(
        "First alarm: nvme nvme0: I/O 12 QID 5 timeout, aborting; then: nvme dead,"
    )
    assert [figure.label for figure in found.figures] == ["nvme timeout", "then"]
    assert found.figures[0].places[0].first_line == 1


def test_a_repetition_is_counted_in_the_chain_of_its_first_occurrence():
    lines = [*DISK, (4000.0, DISK[3][1]), (8000.0, DISK[3][1])]
    found = assess(evidence_of(dmesg(*lines)))
    (chain,) = found.chains
    assert {alarm.log_class.name: alarm.count for alarm in chain.followers}["ext4_error"] == 3


def test_what_comes_much_later_is_no_consequence():
    assert chains(dmesg(DISK[0], (5000.0, DISK[5][1]))) == [["hung_task"], ["nvme_timeout"]]


def test_errors_of_another_disk_are_no_consequence():
    other = "EXT4-fs error (device nvme1n1p1): ext4_find_entry:1455: inode #2: comm ls: reading directory"
    assert chains(dmesg(DISK[1], (131.0, other))) == [["nvme_dead"], ["ext4_error"]]


def test_a_stacked_device_may_be_on_any_disk():
    stacked = "EXT4-fs error (device dm-3): ext4_find_entry:1455: inode #2: comm ls: reading directory"
    assert chains(dmesg(DISK[1], (131.0, stacked))) == [["nvme_dead", "ext4_error"]]


def test_errors_and_worse_come_before_warnings():
    warning = (1.0, sample("clocksource"))
    assert chains(dmesg(warning, (9000.0, sample("oom_kill")))) == [["oom_kill"], ["clocksource"]]


def test_a_change_of_state_is_shown_when_an_alarm_follows_from_it():
    down = (10.0, "e1000e 0000:00:19.0 eno1: NIC Link is Down")
    assert chains(dmesg(down, (20.0, sample("nfs_not_responding")))) == [["link_down", "nfs_not_responding"]]
    assert chains(dmesg(down)) == []


def test_a_link_that_came_up_again_is_no_cause():
    down = (10.0, "e1000e 0000:00:19.0 eno1: NIC Link is Down")
    up = (12.0, "e1000e 0000:00:19.0 eno1: NIC Link is Up 1000 Mbps Full Duplex, Flow Control: Rx/Tx")
    assert chains(dmesg(down, up, (20.0, sample("nfs_not_responding")))) == [["nfs_not_responding"]]


def test_another_boot_begins_new_chains():
    boot = (0.0, "Linux version 6.1.0-25-amd64 (debian-kernel@lists.debian.org)")
    assert chains(dmesg(DISK[0], boot, (1.0, DISK[5][1]))) == [["hung_task"], ["nvme_timeout"]]
    assert chains(dmesg((5000.0, DISK[0][1]), (1.0, DISK[5][1]))) == [["hung_task"], ["nvme_timeout"]]


def test_a_log_in_two_files_is_told_once():
    text = dmesg(*DISK)
    found = assess(evidence_of(text, text))
    assert [alarm.count for chain in found.chains for alarm in chain.alarms] == [1] * 7


OOPS = (
    "[  100.000000] BUG: kernel NULL pointer dereference, address: 0000000000000010\n"
    "[  100.000000] CPU: 0 PID: 12 Comm: x Not tainted 6.1.0-25-amd64 #1\n"
    "[  100.000000] ---[ end trace 0000000000000000 ]---\n"
)


@pytest.mark.parametrize(("flags", "expected"), [("D", [["null_pointer", "kernel_bug"]]), (" ", None)])
def test_a_report_tainted_by_an_earlier_oops_follows_it(flags, expected):
    second = (
        "[ 9000.000000] kernel BUG at fs/inode.c:570!\n"
        f"[ 9000.000000] CPU: 1 PID: 99 Comm: y Tainted: G      {flags}    OE 6.1.0-25-amd64 #1\n"
    )
    assert chains(OOPS + second) == (expected or [["null_pointer"], ["kernel_bug"]])


def test_a_report_tainted_by_something_outside_of_the_log_says_so():
    text = OOPS.replace("Not tainted", "Tainted: G        W   ")
    assert "tainted: the kernel warned before" in panel(text).figures[0].note


class TestCalm:
    HEALTHY = (
        (0.0, "Linux version 6.1.0-25-amd64 (gcc)"),
        (2.0, "docker0: port 1(veth0) entered blocking state"),
    )

    def test_a_whole_log_with_levels_and_without_alarms_has_none(self):
        found = panel(dmesg(*self.HEALTHY, level=6))
        assert (found.state, found.summary) == ("calm", "No alarm in the kernel log.")

    def test_a_log_without_levels_is_not_calm(self):
        found = panel(dmesg(*self.HEALTHY))
        assert (found.state, found.lacks) == ("unknown", ("journalctl -k -b -o json",))
        assert "lacks levels" in found.summary

    def test_a_log_without_its_beginning_is_not_calm(self):
        assert (
            "lacks its beginning"
            in panel(dmesg((5000.0, "veth0: entered promiscuous mode"), level=6)).summary
        )

    def test_an_error_of_no_known_class_is_shown(self):
        found = panel(dmesg(*self.HEALTHY, level=6) + "<3>[    3.000000] widget 0000:01:00.0: cannot spin\n")
        assert (found.state, found.figures[0].note) == ("notable", "widget 0000:01:00.0: cannot spin")
        assert found.summary == "1 error-level line of no known class: widget 0000:01:00.0: cannot spin"

    def test_an_error_message_of_healthy_machines_is_no_alarm(self):
        benign = "<3>[    3.000000] integrity: Problem loading X.509 certificate -65\n"
        assert panel(dmesg(*self.HEALTHY, level=6) + benign).state == "calm"

    @pytest.mark.parametrize(
        "name",
        [one.name for one in classes_by_name().values() if one.is_alarming and one.noted in {"", "at boot"}],
    )
    def test_no_alarming_message_is_calm(self, name):
        assert chains(dmesg((1.0, "Linux version 6.1"), (10.0, sample(name))))[0][0] == name


def test_many_devices_take_linear_time():
    def made(size: int):
        lines = [
            (at / 10, f"EXT4-fs error (device sd{at}): ext4_find_entry:1: inode #2") for at in range(size)
        ]
        evidence = evidence_of(dmesg(*lines))
        return lambda: assess(evidence)

    assert not grows(made, 0.005)


DOWN = "e1000e 0000:00:19.0 eno1: NIC Link is Down"
UP = "e1000e 0000:00:19.0 eno1: NIC Link is Up 1000 Mbps Full Duplex, Flow Control: Rx/Tx"
MEMBER = "bond0: (slave eno1): link status definitely down, disabling slave"


def gists(*texts: str) -> list[str]:
    return [one.gist for one in panel(*texts).statements]


def test_a_link_that_is_lost_again_and_again_is_one_alarm_with_its_count_and_state():
    lost = [((at, DOWN), (at + 0.1, MEMBER), (at + 3.0, UP)) for at in (10.0, 100.0, 200.0)]
    flat = [line for lines in lost for line in lines]
    assert gists(dmesg(*flat)) == ["Network link down on eno1 (3 times); up at its end"]
    assert gists(dmesg(*flat, (300.0, DOWN))) == [
        "Network link down on eno1 (4 times); down at the end of this log"
    ]


def test_a_server_that_answered_again_is_over():
    silent = (10.0, "nfs: server filer-b not responding, still trying")
    answered = (40.0, "nfs: server filer-b OK")
    assert gists(dmesg(silent))[0].endswith("; no answer until the end of this log")
    assert gists(dmesg(silent, answered))[0].endswith("; it answered again")
