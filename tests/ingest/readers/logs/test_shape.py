"""Text of no known format states what it looks like, and its largest quantities with their lines."""

from __future__ import annotations

import pytest

from ingest.readers.logs.text import described

POOL = """\
              capacity     operations     bandwidth
pool        alloc   free   read  write   read  write
----------  -----  -----  -----  -----  -----  -----
tank         983G  2.67T    904    911   267K  3.24M
"""
BTT = """\
            ALL           MIN           AVG           MAX           N
--------------- ------------- ------------- ------------- -----------

Q2Q               0.000000072   0.000086313   5.453721801     1257686
D2C               0.000363719   0.034028080   0.708048174     1257687
"""
INNODB = """\
SEMAPHORES
OS WAIT ARRAY INFO: reservation count 81212
--Thread 140212 has waited at btr0cur.cc line 5611 for 241 seconds the semaphore:
"""
GDB = """\
  308  Thread 0x7fa0bb (LWP 9731) "TCPHandler"  futex_wait_cancelable (private=0, expected=0) at x.h:183
  309  Thread 0x7fa03c (LWP 9732) "TCPHandler"  futex_wait_cancelable (private=0, expected=0) at x.h:183
"""
FIO = """\
    slat (usec): min=4, max=4546, avg=21.18, stdev=13.60
    clat (usec): min=1097, max=42096, avg=21286.16, stdev=937.63
"""
GC = """\
[12.121s][info][gc] GC(812) Pause Full (Allocation Failure) 8191M->8190M(8192M) 12121.212ms
[25.121s][info][gc] GC(813) Pause Full (Allocation Failure) 8191M->8190M(8192M) 12911.212ms
"""
PODS = "".join(
    f"cdi-apiserver-5b4c{at}      team-cnv     Evicted   rack-03   The node was low\n" for at in "abcd"
)
PING = "".join(f"reply from pi icmp_seq={at} ttl=64 time={402473 - at} ms\n" for at in (1, 2, 3))


def facts(text):
    return list(described(text.splitlines(), 1))


def shape(text):
    return next(((one.value, one.labels["names"]) for one in facts(text) if one.name == "text.shape"), None)


@pytest.mark.parametrize(
    ("text", "kind", "names"),
    [
        (POOL, "table", "pool, alloc, free, read, write, read, write"),
        (BTT, "table", "ALL, MIN, AVG, MAX, N"),
        ("name\tmessages\tready\norders\t912\t911\n", "table", "name, messages, ready"),
        (
            "| State | Samples | Power |\n|---|---:|---|\n| Idle | 11 | 1 W |\n",
            "table",
            "State, Samples, Power",
        ),
        ("HugePages_Total:   40960\nHugepagesize:       2048 kB\n", "pairs", "HugePages_Total, Hugepagesize"),
        (PING, "pairs", "icmp_seq, ttl, time"),
        ('{\n "jobs": [\n  {"clat": 12}\n ]\n}\n', "json", "jobs, clat"),
        (GDB, "stacks", "futex_wait_cancelable"),
        (
            "goroutine 1 [semacquire]:\nmain.handle(0xc0001)\n\t/app/main.go:41 +0x21\n",
            "stacks",
            "main.handle",
        ),
        ("01:42:17 kubelet[19]: started\n01:42:18 kubelet[19]: stopped\n", "log", "kubelet"),
        (PODS, "rows", ""),
        ("  41213 java\n     81 sshd\n     12 nginx\n", "rows", ""),
        (INNODB, "text", ""),
    ],
)
def test_a_text_has_the_shape_of_most_of_its_lines(text, kind, names):
    assert shape(text) == (kind, names)


@pytest.mark.parametrize(
    "text",
    [
        "It got slow after Tuesday's deploy, and nobody knows why it did.\n",
        "We waited for 5 seconds until the query came back to us, every time that we tried it.\n",
        "import math\n\n\ndef area(radius):\n    pi = 3.14\n    return pi * radius\n",
        "#1\tinr.ac\n#2\tinr.ruhep\n#3\tfreenet\n",
        "milk\neggs\nbread\n",
        "usb: error: the device failed\n",
    ],
)
def test_prose_and_programs_have_no_shape(text):
    assert shape(text) is None


@pytest.mark.parametrize(
    ("text", "unit", "value", "label", "line"),
    [
        (INNODB, "seconds", 241.0, "btr0cur.cc line 5611 for", 3),
        (PING, "seconds", 402.472, "ttl=64 time", 1),
        (FIO, "seconds", 0.042096, "clat (usec) max", 2),
        (GC, "seconds", 12.911212, "8191M->8190M(8192M)", 2),
        (
            "osd  commit_latency(ms)  apply(ms)\n 12   1812   1811\n",
            "seconds",
            1.812,
            "commit_latency(ms)",
            2,
        ),
        ("HOST: a   Loss%   Snt\n  1.|-- b  41.0%   100\n", "share", 0.41, "Loss% of 1.|--", 2),
        ("evicted_keys:9121812\nfork_usec:3911022\n", "count", 9121812.0, "evicted_keys", 1),
        (
            "Package id 0:  +101.0 C  (high = +80.0 C)\nCore 0:  +99.0 C\n",
            "celsius",
            101.0,
            "Package id 0",
            1,
        ),
    ],
)
def test_the_largest_quantity_of_a_unit_is_stated_with_its_label_and_line(text, unit, value, label, line):
    (found,) = [one for one in facts(text) if one.name == "text.stated" and one.unit == unit]
    assert found.value == pytest.approx(value)
    assert label in found.labels["label"]
    assert (found.lines.first, found.lines.last) == (line, line)


@pytest.mark.parametrize(
    "text",
    [
        "pid: 912131\nthread_id: 412\n",
        "a0=55d0772dbfd0 a1=80101 a3=7c items=5b\n",
        f"calls: {'9' * 400}\nretrans: nan\n",
        "at 10:01:02 on 2026-11-21\nat 10:01:03 on 2026-11-21\n",
    ],
)
def test_identities_times_and_numbers_of_no_machine_are_no_quantity(text):
    assert not [one for one in facts(text) if one.name == "text.stated"]
