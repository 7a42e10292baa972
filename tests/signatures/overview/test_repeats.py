"""Many files and hosts that state the same: the worst of them, and a count."""

from __future__ import annotations

import pytest

from ingest.evidence import read_bytes
from signatures.judging.scope import items_of
from signatures.overview import run
from signatures.overview.alarm_findings import alarm_findings
from tests.signatures.overview.test_first_screen import overview

PRESSURE = """\
$ uname -a
Linux {host} 6.1.0-18-amd64 #1 SMP Debian 6.1.76-1 x86_64 GNU/Linux

==> /proc/pressure/memory <==
some avg10={share}.00 avg60=1.00 avg300=0.50 total=279
full avg10=0.00 avg60=0.00 avg300=0.00 total=0
"""


def stalled(*hosts_and_shares):
    found = overview(*(PRESSURE.format(host=host, share=share) for host, share in hosts_and_shares))
    alarms = [
        (one.host, one.statement) for one in found.statements if one.statement.text.startswith("Some tasks")
    ]
    return found.headline.text, alarms


def test_the_worst_of_many_files_of_one_host_is_told():
    headline, alarms = stalled(*(("db0", share) for share in (21, 39, 30)))
    assert headline == "Some tasks stalled on memory 39 % of the last 10 s"
    assert [host for host, _ in alarms] == ["db0"]


def test_many_hosts_are_the_worst_two_and_a_count_with_their_lines():
    headline, alarms = stalled(*((f"db{at}", 30 + at) for at in range(10)))
    assert headline == "Some tasks stalled on memory 39 % of the last 10 s"
    (first, _), (second, counted) = alarms
    assert (first, second) == ("db9", "db8")
    assert counted.text == "Some tasks stalled on memory 38 % of the last 10 s; likewise on 8 more hosts"
    assert len({place.evidence for place in counted.places}) == 4


@pytest.mark.parametrize("hosts", [("db1", "db2", "db3"), ("db1", "db2")])
def test_a_few_hosts_are_told_one_by_one(hosts):
    _, alarms = stalled(*((host, 30) for host in hosts))
    assert sorted(host for host, _ in alarms) == sorted(hosts)


def test_files_of_unknown_hosts_may_be_of_several_and_are_all_told():
    found = overview(*(PRESSURE.format(host="x", share=share).split("\n\n", 1)[1] for share in (21, 39)))
    assert sum(one.statement.text.startswith("Some tasks") for one in found.statements) == 2


DROPS = """\
Inter-|   Receive                                                |  Transmit
 face |bytes    packets errs drop fifo frame compressed multicast|bytes    packets errs drop fifo colls carrier compressed
 eth{at}: 980000 100000 0 {drops} 0 0 0 0 980000 100000 0 0 0 0 0 0
"""  # noqa: E501 - as the kernel prints it


def fingerprints(text):
    return {
        one.fingerprint
        for one in alarm_findings(run(items_of([read_bytes(text.encode(), name="a.txt")])), [])
    }


def test_an_alarm_keeps_its_fingerprint_when_only_its_measure_changes():
    first, later, other = (
        fingerprints(DROPS.format(at=at, drops=drops)) for at, drops in ((0, 9000), (0, 8000), (1, 9000))
    )
    assert len(first) == 1
    assert later == first
    assert other.isdisjoint(first)
