"""Messages that differ in figures are quoted by what they share, those that differ in words by the first."""

from __future__ import annotations

import pytest

from signatures.overview.kernel_log.common_words import common_words
from tests.signatures.overview.test_first_screen import overview, texts

OVER_MTU = [
    ("10:49:21", "13502680.515977", "tap0e778df8-ca", 8950),
    ("10:49:21", "13502680.516145", "tap0e778df8-ca", 8950),
    ("17:24:13", "13526370.254883", "tape901c8af-fb", 2776),
    ("17:24:13", "13526370.489870", "tape901c8af-fb", 1580),
    ("17:24:13", "13526370.528055", "tape901c8af-fb", 4170),
    ("17:24:13", "13526370.730681", "tape901c8af-fb", 1460),
    ("17:24:13", "13526370.730681", "br-int", 1460),
]
"""Lines of a kern.log in the test data of hotsos."""

KILLED = """\
[  518.050606] Out of memory: Killed process 15784 (python3) total-vm:11964kB, anon-rss:4288kB, file-rss:3028kB, shmem-rss:0kB
[  518.061172] Out of memory: Killed process 15925 ({other}) total-vm:168424kB, anon-rss:4064kB, file-rss:3584kB, shmem-rss:0kB
[  518.070786] Out of memory: Killed process 15783 (python3) total-vm:11964kB, anon-rss:4288kB, file-rss:3028kB, shmem-rss:0kB
"""  # noqa: E501 - lines of the kernel are long
"""An excerpt that somebody published; one victim renamed itself."""


def over_mtu(*lines):
    return "".join(
        f"May  6 {at} compute4 kernel: [{uptime}] {device}: dropped over-mtu packet: {size} > 1450\n"
        for at, uptime, device, size in lines
    )


def test_drops_on_several_interfaces_are_one_alarm_with_the_range_of_sizes():
    (text,) = texts(overview(over_mtu(*OVER_MTU)))
    assert text == (
        "Packet dropped, larger than the MTU of the output port on tap0e778df8-ca, tape901c8af-fb and br-int "
        "(7 times): dropped over-mtu packet: 1460 to 8950 > 1450"
    )


def test_a_line_of_each_interface_is_cited():
    (shown,) = overview(over_mtu(*OVER_MTU)).statements
    assert [place.first_line for place in shown.statement.places] == [1, 3, 7]


def test_the_next_command_shows_the_sizes_that_ports_allow():
    found = overview(over_mtu(*OVER_MTU)).next_capture
    assert "ip -d link; ethtool -k tap0e778df8-ca; ovs-vsctl" in found.command
    assert "MTU" in found.reason


@pytest.mark.parametrize(
    ("line", "count"),
    [
        ("net_ratelimit: 12 callbacks suppressed", "at least 7"),
        ("** 210 printk messages dropped **", "at least 7"),
        ("buffer_io_error: 12 callbacks suppressed", "7"),
    ],
)
def test_a_count_of_suppressed_messages_is_the_least(line, count):
    log = f"{over_mtu(*OVER_MTU)}May  6 17:24:14 compute4 kernel: [13526371.730681] {line}\n"
    (text,) = texts(overview(log))
    assert f" ({count} times)" in text


def test_equal_messages_keep_their_figures():
    (text,) = texts(overview(over_mtu(*OVER_MTU[:2])))
    assert text.endswith("on tap0e778df8-ca (2 times): tap0e778df8-ca: dropped over-mtu packet: 8950 > 1450")


def test_of_more_interfaces_three_are_named():
    lines = [(*OVER_MTU[0][:2], f"tap{letter}", 8950) for letter in "abcde"]
    (text,) = texts(overview(over_mtu(*lines)))
    assert "on 5 devices (tapa, tapb, tapc and 2 more) (5 times)" in text


def test_a_count_does_not_hang_on_one_victim_of_several():
    (text,) = texts(overview(KILLED.format(other="(resolved)")))
    assert (
        "killed python3 (pid 15784, 4.188 MiB anonymous): the machine was out of memory (the first of 3)"
        in text
    )
    assert "times)" not in text


def test_victims_of_one_name_are_counted_with_the_range_of_their_memory():
    (text,) = texts(overview(KILLED.format(other="python3")))
    assert (
        "killed python3 (pid …, 3.969 to 4.188 MiB anonymous): the machine was out of memory (3 times)"
        in text
    )


def test_disks_keep_an_alarm_each():
    errors = "".join(
        f"[  100.{at}00000] I/O error, dev sd{disk}, sector 2048\n" for at, disk in enumerate("abc")
    )
    assert len(texts(overview(errors))) == 3


@pytest.mark.parametrize(
    ("messages", "shared"),
    [
        (["stalled for 5 s", "stalled for 120 s", "stalled for 9 s"], "stalled for 5 to 120 s"),
        (["Failing path 8:16", "Failing path 8:32"], "Failing path 8:16/32"),
        (["task a:12 hung", "task a:13 hung", "task a:14 hung", "task a:15 hung"], "task a:… hung"),
        (["at 0xffff0000aa of 3", "at 0xffff0000bb of 3"], "at … of 3"),
        (["temperature 71", "temperature 90"], "temperature 71 to 90"),
        (["used 99 %", "used 8 %"], "used 8 to 99 %"),
        (["eth0 down", "eth1 down"], None),
        (["read error", "write error"], None),
        ([], None),
    ],
)
def test_quantities_have_a_range_and_other_numbers_none(messages, shared):
    assert common_words(messages) == shared
