"""Round trips of `ping` and `hping3`, and the latency ramps among them.

Examples:
    sre@node ~ $ sudo hping3 172.16.47.27 --icmp -i u10000
    len=46 ip=172.16.47.27 ttl=61 id=41127 icmp_seq=12564 rtt=140.9 ms

    [1700000000.123456] 64 bytes from 172.16.47.27: icmp_seq=7 ttl=61 time=0.412 ms

    3000 packets transmitted, 2998 received, 0.0666667% packet loss, time 30012ms
    rtt min/avg/max/mdev = 0.211/0.402/141.113/3.210 ms

A latency ramp falls by the send interval: that of the command, of `ping -D`'s times, or of the summary line
(time ÷ packets sent). Where none is there, ping's default of 1 s counts, or five equal steps. Zero ramps is
reported only for complete output sent fast enough to show one. The share of lost packets is that of the
counts: hping3 prints a whole number, 1 % for 2 of 22,352.

Sources: iputils ping.c and ping_common.c; hping3 waitpacket.c.
"""

from __future__ import annotations

import re
from itertools import pairwise
from statistics import median
from typing import TYPE_CHECKING, NamedTuple

from ingest.model.citation import Lines
from ingest.model.facts import Fact
from ingest.model.reading import Reading, RowSet
from ingest.native.linear import Pattern
from ingest.parsing.latency_ramp import (
    MIN_LENGTH,
    SEQUENCE_MASK,
    LatencyRamp,
    Reply,
    latency_ramps,
    ramp_facts,
)
from ingest.paste.transcript import decimal, option, transcript

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ingest.model.reading import Cell
    from ingest.model.section import Text
    from ingest.paste.transcript import Transcript

NAME = "round-trips"
VERSION = 4
TITLE = "Round trips (ping, hping3)"
COMMAND = "hping3 --icmp 10.0.0.1"
EXAMPLE = "len=46 ip=172.16.47.27 ttl=61 id=41127 icmp_seq=12564 rtt=140.9 ms"

COLUMNS = ("seq", "rtt_ms", "target")

SHORT_INTERVAL = 0.02
"""A stall of 100 ms shows as a ramp only if packets are sent at least five times as fast."""

DEFAULT_INTERVAL = 1.0
"""Seconds between the packets of ping without -i."""

SURE_LENGTH, SURE_STEP = 5, 0.005
"""Replies and seconds per step of a ramp whose interval nothing states."""

_DECIMAL = r"\d{1,20}(?:[.,]\d{1,20})?"
_HPING = Pattern(
    rf"^\s*len=\d+ ip=(?P<target>\S+) .*?\b(?:icmp_)?seq=(?P<seq>\d{{1,18}})\b.*?\brtt=(?P<rtt>{_DECIMAL}"
    rf") ms\s*$"
)
_PING = re.compile(
    r"^\s*(?:\[(?P<at>\d+\.\d+)\] )?\d+ bytes from (?P<target>\S+?)(?: \((?P<address>[^\s()]{1,80})\))?: "
    rf"(?:icmp_)?seq=(?P<seq>\d{{1,18}})\b.*?\btime[=<](?P<rtt>{_DECIMAL}) ?ms(?P<rest>.*)$"
)
_HEAD = re.compile(r"^\s*(?:PING|HPING) (?P<target>\S+) \(")
_STATISTICS = re.compile(r"^\s*--- (?P<target>\S+) h?ping6? statistic.*---")
_SENT = re.compile(
    r"^\s*(?P<sent>\d+) packets (?:transmitted|tramitted), (?P<received>\d+) (?:packets )?received\b.*?"
    rf"(?P<loss>{_DECIMAL})% packet loss(?:, time (?P<ms>\d{{1,12}}) ?ms)?"
)
_EXTREMES = re.compile(
    rf"^\s*(?:rtt|round-trip) min/avg/max(?:/\w+)? = (?P<min>{_DECIMAL})/(?P<avg>{_DECIMAL})/"
    rf"(?P<max>{_DECIMAL})"
    rf"(?:/{_DECIMAL})? ms"
)
_LOST = Pattern(
    r"^\s*(?:\[[\d.]+\] )?(?:no answer yet for icmp_seq=|Request timeout for icmp_seq|From \S+.* icmp_seq=)"
)
_HPING_INTERVAL = re.compile(r"^u(?P<micros>\d{1,12})$")


class _Reply(NamedTuple):
    """One reply of one target; `at` is the time of arrival, None when not printed."""

    reply: Reply
    target: str
    at: float | None


STARTS = (
    r"\s*len=\d+ ip=",
    r"\s*(?:\[\d+\.\d+\] )?\d+ bytes from ",
    _HEAD.pattern,
    r"\s*--- ",
)


def begins(lines: Sequence[str], at: int) -> bool:
    """Return whether round trips start at `lines[at]`: a headline of ping or hping3, or a reply."""
    line = lines[at]
    return bool(_HPING.match(line) or _PING.match(line) or _HEAD.match(line) or _STATISTICS.match(line))


def continues(line: str) -> bool:
    """Return whether `line` can occur between or below replies."""
    if not line.strip():
        return True
    shapes = (_HPING, _PING, _HEAD, _STATISTICS, _SENT, _EXTREMES, _LOST)
    return any(shape.match(line) for shape in shapes)


def read(text: Text) -> Reading:
    """Read replies in order of arrival, the summary, and latency ramps."""
    pasted = transcript(text)
    replies: list[_Reply] = []
    facts: list[Fact] = []
    target = ""
    stated: dict[str, float] = {}
    for number, line, _ in pasted.lines:
        found = _HPING.match(line) or _PING.match(line)
        if found:
            parts = found.groupdict()
            if "DUP!" in (parts.get("rest") or ""):
                pasted.skips.add("duplicate reply", number)
                continue
            at = float(parts["at"]) if parts.get("at") else None
            named = parts.get("address") or parts["target"]
            reply = Reply(int(parts["seq"]), decimal(parts["rtt"]) / 1000, number)
            replies.append(_Reply(reply, named, at))
        elif head := _HEAD.match(line) or _STATISTICS.match(line):
            target = head["target"]
        elif _LOST.match(line):
            pasted.skips.add("packet without a reply", number)
        elif _SENT.match(line) or _EXTREMES.match(line):
            facts.extend(_summary(line, number, target))
            if (sent := _SENT.match(line)) and sent["ms"] and int(sent["sent"]) > MIN_LENGTH:
                stated[target] = int(sent["ms"]) / 1000 / (int(sent["sent"]) - 1)
        elif line.strip():
            pasted.skips.add("not a round trip", number)
    every = tuple(dict.fromkeys(reply.target for reply in replies))
    for series in every:
        own = [reply for reply in replies if reply.target == series]
        # Name and address of one target differ; the summary of the only one is its own.
        summary = stated.get(series) or (next(iter(stated.values()), None) if len(every) == 1 else None)
        facts.extend(_ramp_facts(own, series, pasted, summary))
    rows = tuple[tuple["Cell", ...], ...](
        (float(reply.seq), round(reply.seconds * 1000, 6), target) for reply, target, _ in replies
    )
    times = [reply.at for reply in replies if reply.at is not None]
    duration = times[-1] - times[0] if len(times) > 1 and not pasted.is_filtered else None
    lines = tuple(reply.line for reply, _, _ in replies)
    sets = (RowSet.of_rows("round_trips", COLUMNS, rows, lines, duration),) if rows else ()
    return Reading(
        facts=tuple(facts), row_sets=sets, skipped=pasted.skips.result(), quality=tuple(pasted.quality)
    )


def _summary(line: str, number: int, target: str) -> Iterator[Fact]:
    """Yield the values of a line of the statistics."""
    labels = {"series": target} if target else {}
    lines = Lines.at(number)
    if found := _SENT.match(line):
        yield Fact("net.rtt.sent", float(found["sent"]), lines, "count", labels)
        yield Fact("net.rtt.received", float(found["received"]), lines, "count", labels)
        sent, received = float(found["sent"]), float(found["received"])
        loss = max(0.0, sent - received) / sent if sent else decimal(found["loss"]) / 100
        yield Fact("net.rtt.loss_share", round(loss, 9), lines, "share", labels)
    elif found := _EXTREMES.match(line):
        for name in ("min", "avg", "max"):
            yield Fact(f"net.rtt.{name}_seconds", decimal(found[name]) / 1000, lines, "seconds", labels)


def _ramp_facts(
    replies: Sequence[_Reply], series: str, pasted: Transcript, stated: float | None
) -> tuple[Fact, ...]:
    """Return the ramps of one target, zeros if none can have been missed, nothing otherwise."""
    plain = [reply.reply for reply in replies]
    interval = interval_of(pasted.command) or _interval_between(replies) or stated
    found = latency_ramps(plain, interval) if interval else _sure_ramps(plain)
    labels = {"series": series}
    if found:
        return ramp_facts(found, labels)
    is_whole = not any(remark.name in {"filtered", "excerpt"} for remark in pasted.quality)
    is_conclusive = interval is not None and interval <= SHORT_INTERVAL and len(plain) >= MIN_LENGTH
    if not (is_whole and is_conclusive):
        return ()
    lines = Lines(plain[0].line, plain[-1].line)
    return (
        Fact("net.rtt.ladder.count", 0.0, lines, "count", labels),
        Fact("net.rtt.ladder.length", 0.0, lines, "count", labels),
    )


def _sure_ramps(replies: Sequence[Reply]) -> list[LatencyRamp]:
    """Return the ramps of replies whose interval is not stated: of ping's default, or long ones."""
    return latency_ramps(replies, DEFAULT_INTERVAL) or [
        ramp
        for ramp in latency_ramps(replies)
        if len(ramp.replies) >= SURE_LENGTH
        and ramp.replies[0].seconds - ramp.replies[-1].seconds >= SURE_STEP * (len(ramp.replies) - 1)
    ]


def interval_of(command: str) -> float | None:
    """Return the send interval of a ping or hping3 command, None if unset or flooding."""
    tool = re.search(r"\b(?P<tool>h?ping[36]?)\b", command)
    if not tool:
        return None
    if "--flood" in command or re.search(r"\s-[a-zA-Z]*[fA]\b", command):
        return None
    interval_option = option(command, "-i") or option(command, "--interval")
    if not tool["tool"].startswith("hping"):
        return _positive(interval_option or "1")
    if "--faster" in command:
        return 0.001
    if "--fast" in command:
        return 0.1
    micros = _HPING_INTERVAL.match(interval_option or "")
    return (
        int(micros["micros"]) / 1e6 if micros and int(micros["micros"]) else _positive(interval_option or "1")
    )


def _positive(text: str) -> float | None:
    try:
        seconds = decimal(text)
    except ValueError:
        return None
    return seconds if seconds > 0 else None


def _interval_between(replies: Sequence[_Reply]) -> float | None:
    """Return the usual interval between sends, where arrivals are stamped: `ping -D`."""
    sent = [(reply.seq, at - reply.seconds) for reply, _, at in replies if at is not None]
    steps = [
        (after - before) / ((second - first) & SEQUENCE_MASK)
        for (first, before), (second, after) in pairwise(sent)
        if 0 < (second - first) & SEQUENCE_MASK < SEQUENCE_MASK // 2
    ]
    if len(steps) < MIN_LENGTH:
        return None
    usual = median(steps)
    return usual if usual > 0 else None
