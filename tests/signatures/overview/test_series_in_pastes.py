"""Rows over time as people paste them: what departs is named with its subject, and what is even is not."""

from __future__ import annotations

import pytest

from ingest.evidence import read_bytes
from signatures.judging.scope import items_of
from signatures.overview import run
from tests.signatures.overview.test_first_screen import overview

ARC_HEAD = "    time  read  miss  miss%  dmis  dm%  pmis  pm%  mmis  mm%  arcsz     c\n......\n"


def arc(*sizes):
    return ARC_HEAD + "".join(
        f"22:10:{48 + at}   679   669     98    21   66   648  100     0    0   {one}  700M\n"
        for at, one in enumerate(sizes)
    )


def pings(*times):
    return "".join(
        f"64 bytes from 172.31.0.2: icmp_seq={at} ttl=63 time={one} ms\n" for at, one in enumerate(times, 837)
    )


def stream(*sent):
    return "[ ID] Interval           Transfer     Bandwidth       Retr  Cwnd\n" + "".join(
        f"[  4]   {at}.00-{at + 1}.00   sec  {one} KBytes   {one * 8} Kbits/sec    1   1.41 KBytes\n"
        if one
        else f"[  4]   {at}.00-{at + 1}.00   sec  0.00 Bytes  0.00 bits/sec    1   1.41 KBytes\n"
        for at, one in enumerate(sent)
    )


COLLECTED = "".join(
    f"[2017-04-05T19:18:{at:02d},052][WARN ][o.e.m.j.JvmGcMonitorService] [xp-1] [gc][{3433 + at}] overhead, "
    f"spent [1.{at}s] collecting in the last [2.{at}s]\n"
    for at in range(1, 9)
)


def texts(printed):
    panels = run(items_of([read_bytes(printed.encode(), name="x.txt")]))
    return [one.text for panel in panels for one in panel.statements]


@pytest.mark.parametrize(
    ("printed", "begins", "holds"),
    [
        (arc("690M", "700M", "722M", "973M", "1.1G"), "The ARC is above its target", "target 700 MiB"),
        (pings(*[246] * 4, 1198, *[248] * 11), "1 of 16 round trips", "the next reply came in time"),
        (stream(68, *[0] * 9), "May be: The path loses full-size segments", "0 in 9 of 10 rows"),
        (COLLECTED, "A garbage collector took up to 64.3 % of the time", "the heap of its program is small"),
    ],
    ids=["arc", "ping", "iperf", "heap"],
)
def test_what_departs_leads_with_its_subject(printed, begins, holds):
    headline = overview(printed).headline.text
    assert headline.startswith(begins)
    assert holds in headline


@pytest.mark.parametrize(
    ("printed", "words"),
    [
        (arc("690M", "700M", "705M", "701M", "700M"), "times its target"),
        (pings(*[246] * 4, 1198, 900, *[248] * 10), "the next reply came in time"),
        (pings(*[246, 1198] * 8), "the next reply came in time"),
        (stream(68, 70, 0, 69, 70, 68, 0, 70, 69), "stop after"),
    ],
    ids=["arc", "two-in-a-row", "every-other", "iperf"],
)
def test_what_is_usual_is_not_called_so(printed, words):
    assert not [one for one in texts(printed) if words in one]
