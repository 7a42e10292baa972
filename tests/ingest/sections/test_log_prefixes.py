"""Lines of a kernel log are read whatever stands in front of them; lines of other programs are none."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from ingest.catalogue.log_classes import CLASSES
from ingest.evidence import read_bytes
from ingest.native.log_prefix import PrefixForms
from ingest.readers.logs.kernel_log.classes import kernel_messages
from tests.log_grammars import CONTEXT, Grammar, printed
from tests.long_form import IS_LONG

DATA = Path(__file__).parents[2] / "data"
GRAMMARS = 48
FEWEST = 0.99
EXT4 = "EXT4-fs error (device sda1): ext4_find_entry:1455: inode #2: comm ls: reading directory lblock 0"
LOCKUP = "watchdog: BUG: soft lockup - CPU#5 stuck for 23s! [x:39156]"
HPSA = "hpsa 0000:06:00.0: Controller lockup detected: 0x0015002f after 30"
PUBLIC = {
    "dmesg -T with one blank for two": (
        "[Mon Mar 2 08:11:40 2026] EXT4-fs (sdb1): Remounting filesystem read-only",
        "filesystem_readonly",
    ),
    "dmesg -T of another language": (
        "[Чт мар 23 19:11:18 2023] cgroup: fork rejected by pids controller in /x",
        "cgroup_fork_rejected",
    ),
    "time only": (
        "11:22:33 kernel: e1000e 0000:00:1f.6: Detected Hardware Unit Hang",
        "nic_hang",
    ),
    "collected": (
        "2022-11-12 10:10:59 +0800 | messages | Nov 12 10:10:59 n2 kernel: NMI " + LOCKUP,
        "soft_lockup",
    ),
    "test board": (f"2024-05-03 10:20:30.120000  <2>[   88.120001] {EXT4}", "ext4_error"),
    "test board, level": (f"2024-05-03T10:20:30.120000Z  kern  :alert : [   88.120001] {EXT4}", "ext4_error"),
    "storage appliance": (
        "2020-06-16T14:59:36.6272 warning kern kernel  [679648.874179] " + HPSA,
        "storage_controller_fault",
    ),
    "build service": (f"[   12s] [    9.870001] {EXT4}", "ext4_error"),
    "coloured": (f"\x1b[32m[May13 07:47] \x1b[0m{EXT4}", "ext4_error"),
    "logcat": (f"01-02 03:04:05.123     0     0 E {EXT4}", "ext4_error"),
    "logfmt": (f'ts=2024-05-03T10:20:30Z level=error msg="{EXT4}"', "ext4_error"),
    "HTML": (f"<pre>&lt;2&gt;[   88.120001] {EXT4}</pre>", "ext4_error"),
    "JSON": (f'{{"time":"2024-05-03T10:20:30Z","message":"{EXT4}"}}', "ext4_error"),
    "node problem detector": (
        f"I0311 02:11:10.1 1 log_monitor.go:160] &{{Events:[{{Reason:X Message:{EXT4}}}] Conditions:[]}}",
        "ext4_error",
    ),
    "records of netconsole behind a syslog": (
        f"Jun  3 02:11:19 vmx 28,16702,38904117204,-,caller=C0;{LOCKUP}",
        "soft_lockup",
    ),
    "stamp with one decimal": (
        f"[ 12.3] {LOCKUP}",
        "soft_lockup",
    ),
    "two interleaved": (
        "\n".join(
            (
                "10:00:01 a | kernel: usb 1-1: new device",
                f"[x] 7 10:00:01 {EXT4}",
                "10:00:02 a | kernel: usb 1-2: new device",
                f"[x] 9 10:00:03 {EXT4}",
            )
        ),
        "ext4_error",
    ),
}
"""Lines as people pasted them, each with the class of its message."""

OTHERS = (
    f"Nov 12 10:10:59 n2 kubelet[812]: {EXT4}",
    f"10:20:30 nginx: {EXT4}",
    f"$ grep {EXT4}",
    f"[root@db ~]# grep {EXT4}",
    f"We wonder what it means, in the log of our server of last week, when it says {EXT4}",
    f'{{"time":"2024-05-03T10:20:30Z","unit":"nginx","message":"{EXT4}"}}',
    "2024-05-03 10:20:30 ERROR c.e.Pool - connection timed out; retrying",
    '10.0.0.7 - - [03/May/2024:10:20:30 +0000] "GET /kernel: HTTP/1.1" 500 12',
)
"""Lines of other programs and of people."""


def records(text: str):
    sections = read_bytes(text.encode(), name="log.txt").sections
    return [one for section in sections for one in section.reading.log_records]


def kinds(text: str) -> list[str]:
    return [one.kind for one in records(text)]


@pytest.mark.parametrize("name", PUBLIC)
def test_a_message_is_read_behind_a_prefix_that_nobody_listed(name: str):
    line, kind = PUBLIC[name]
    assert kind in kinds(f"{line}\n")


@pytest.mark.parametrize("line", OTHERS)
def test_a_line_of_another_program_is_no_kernel_evidence(line: str):
    assert kinds(f"{line}\n{line}\n") == []


def test_a_driver_and_its_device_are_no_part_of_the_prefix():
    line = "mlx5_core 0000:3b:00.0: log_max_qp value in current profile is 18, changing it to HCA capability"
    evidence = read_bytes(f"10:11:12 {line} limit (17)\n".encode(), name="paste")
    (record,) = evidence.sections[0].reading.log_records
    assert record.message == f"{line} limit (17)"


def test_a_message_whose_prefix_somebody_took_away_stays_the_kernels():
    stamped = "kernel: [  391.258940] clocksource: Switched to clocksource acpi_pm\n"
    evidence = read_bytes(f"hrtimer: interrupt took 11082175 ns\n{stamped * 2}".encode(), name="paste")
    assert next(one.kind for one in evidence.sections[0].reading.log_records) == "hrtimer_stall"


def test_times_levels_and_hosts_are_read_out_of_the_prefix():
    collected, stamped = records(
        f"2022-11-12 10:10:59 +0800 | messages | Nov 12 10:10:59 n2 kernel: {EXT4}\n"
        f"2022-11-12 10:11:59 +0800 | messages | Nov 12 10:11:59 n2 kernel: <2>[ 88.120001] {EXT4}\n"
    )
    assert (collected.at, stamped.at) == (1668219059.0, 1668219119.0)
    assert (stamped.uptime, stamped.level, stamped.message) == (88.120001, 2, EXT4)
    (local,) = records(f"2020-06-16T14:59:36.6272 warning kern kernel  [679648.874179] {EXT4}\n")
    assert (local.level, local.uptime) == (4, 679648.874179)


def test_times_of_a_day_go_on_after_midnight():
    first, second = records(f"23:59:58 | {EXT4}\n00:00:02 | {EXT4}\n")
    assert second.clock - first.clock == 4


def test_a_log_without_times_says_so():
    (section,) = read_bytes(f"<2> [x] {EXT4}\n".encode(), name="x").sections
    assert "no_times" in section.reading.quality_names


def test_lines_of_the_form_belong_to_the_log_without_words_of_the_kernel():
    text = "".join(f"11:22:3{at} box kernel: {one}\n" for at, one in enumerate(("a b", EXT4, "c d")))
    assert [one.message for one in records(text + "11:22:39 box sshd[12]: error: x\n")] == [
        "a b",
        EXT4,
        "c d",
    ]


def test_a_mail_in_quoted_printable_reads_as_the_log():
    text = (
        "[11456.278532] pcieport 0000:00:02.3: pciehp: Slot(0): Link Down=0A=\n"
        "[11458.400442] ------------[ cut here ]------------=0A=\n"
        "[11458.400443] WARNING: CPU: 2 PID: 8597 at kernel/kthread.c:659 kthread_pa=\n"
        "rk+0x81/0x90=0A=\n"
    )
    down, warning = records(text)
    assert down.message.endswith("Link Down")
    assert (warning.kind, warning.lines.first) == ("warn", 2)
    assert "kthread_park" in str(warning.fields)


def test_a_structured_line_that_a_mailer_wrapped_is_one():
    half = f'{{"time":"2024-05-03T10:20:30Z","message":"{EXT4}"}}'
    assert kinds(f"{half[:72]}\n{half[72:]}\n") == ["ext4_error"]


def test_the_output_of_another_tool_stays_its_own():
    trace = (DATA / "ftrace").rglob("*.txt")
    for path in list(trace)[:3]:
        assert PrefixForms().read(path.read_text().splitlines(), kernel_messages()) == []


@pytest.fixture(scope="module")
def plainly() -> dict[str, list[str]]:
    return {
        one.name: kinds(
            "".join(f"[{900 + at:12.6f}] {line}\n" for at, line in enumerate(messages_of(one.sample)))
        )
        for one in CLASSES
    }


def messages_of(sample: str) -> list[str]:
    return [*CONTEXT[:3], *sample.split("\n"), *CONTEXT[3:]]


def test_every_class_is_recognised_behind_random_prefixes(plainly: dict[str, list[str]]):
    missed = []
    tried = 0
    for seed in range(GRAMMARS):
        grammars = [Grammar.of(seed)]
        if seed % 5 == 0:
            grammars.append(Grammar.of(seed + 1000))
        draw = random.Random(seed)  # noqa: S311 - a draw of tests
        for one in CLASSES if IS_LONG else draw.sample(CLASSES, 6):
            assert one.name in plainly[one.name]
            tried += 1
            text = printed(grammars, messages_of(one.sample), draw.randrange(1 << 30))
            if one.name not in kinds(text):
                missed.append((seed, one.name))
    assert len(missed) <= (1 - FEWEST) * tried, missed
