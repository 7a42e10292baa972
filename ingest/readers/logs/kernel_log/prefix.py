"""Prefixes of log lines in all their forms.

Examples:
    [ 2225.621988] msg                                        dmesg
    <4>[ 2225.621988] msg                                     dmesg -r, console
    kern  :warn  : [ 2225.621988] msg                         dmesg -x
    [Sat Nov 21 00:19:44 2026] msg                            dmesg -T, local time
    2026-11-21T00:19:44,621988+00:00 msg                      dmesg --time-format iso
    Feb 11 18:58:28 host kernel: [    0.000000] msg           syslog, no year
    dez 07 18:33:45 host kernel: msg                          journalctl of another language
    2024-05-02T10:11:12.123456+00:00 host kernel: msg         syslog with ISO stamps, journalctl -o short-iso
    <4>Feb 11 18:58:28 host kernel: msg                       syslog with its priority
    Sat Nov 21 00:19:44 2026 kern.warn kernel: [    5.1] msg  logread of OpenWrt
    Jan  1 00:00:10 host kern.warn kernel: msg                syslog of busybox
    kernel: msg                                               pasted without stamp
    4,1012,2225621988,-;msg                                   /dev/kmsg
    [  ...] msg, [] msg                                       somebody took the time out
    [    3.805449][ T3699] msg                                CONFIG_PRINTK_CALLER
    [    3.805449 <    0.000012>] msg                         dmesg -d
    [Nov21 05:00] msg, [  +0.000012] msg                      dmesg -e, --time-format delta
    Sat 2026-11-21 05:00:19 UTC host kernel: msg              journalctl -o short-full
    1763683187.006452 host kernel: msg                        journalctl -o short-unix
    kern:    info: [2026-11-21T00:19:44.675652542Z]: msg      talosctl dmesg

One blank belongs to the stamp; further blanks belong to the message (` dump_stack+0x57/0x80`).
`[Tue Sep 24 21:20:54 2024] [info] …` is an application's: the kernel prints no level word there.
A stamp without a zone is read as UTC; syslog stamps have no year, so they order records and give no date.
A priority is eight times the facility plus the level; levels are 0 (emergency) to 7 (debug).

Source: print_time in util-linux dmesg.c; Documentation/ABI/testing/dev-kmsg; log_notify in OpenWrt logread.c.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from ingest.readers.logs.kernel_log import stamps
from ingest.readers.logs.kernel_log.levels import level_of
from ingest.readers.logs.kernel_log.wrapping import WRAPPED, levelled, unwrapped

_FACILITY = r"(?:kern|user|mail|daemon|auth|authpriv|syslog|cron|lpr|news|uucp|ftp|local\d)"
_WEEKDAY = "(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)"
_LEVEL = rf"(?:<(?P<priority>\d{{1,3}})>|{_FACILITY}\s*:(?P<level>\w+)\s*:\s?)?"
_PRIORITY = r"(?:<(?P<priority>\d{1,3})>)?"
_CALLER = r"(?: ?\[\s*[TC]\d+\])?"
"""Thread or CPU that printed (CONFIG_PRINTK_CALLER); dmesg since util-linux 2.39 puts a blank before it."""

_DMESG = re.compile(
    rf"^{_LEVEL}\[\s*(?P<uptime>\d+\.(?:\d{{3,9}}|(?=\])))(?: <\s*\d+\.\d+>)?\]{_CALLER}(?: (?P<text>.*))?$"
)
_STAMP = re.compile(r"^\[ *(\d+\.\d{3,9})\](?: ?\[ *[TC]\d+\])? (.*)$")
"""The commonest form of `_DMESG`."""

_ROUNDED = re.compile(r"^\[\s*(?P<uptime>\d+\.\d{1,2})\](?: (?P<text>.*))?$")  # only behind `kernel:`
_PADDED = re.compile(
    rf"^{_LEVEL}\[(?=[ \d]{{5,10}}\.)\s*(?P<uptime>\d{{1,10}}\.\d{{1,2}})\]{_CALLER} (?P<text>.*\S.*)$"
)
"""A stamp with few decimals; the kernel pads seconds to five places, as few other programs do."""

_HIDDEN = re.compile(rf"^{_LEVEL}\[\s{{0,8}}(?:(?P<dots>\.{{3}})\s{{0,8}})?\]{_CALLER} (?P<text>.*\S.*)$")
"""Somebody took the time out of the stamp. Prose leaves words out so: two in a row begin a log."""

_DELTA = re.compile(
    rf"^{_LEVEL}\[(?:[A-Z][a-z]{{2}}[ \d]\d \d\d:\d\d|\s{{1,6}}\+\d{{1,8}}[.,]\d{{6}})\](?: (?P<text>.*))?$"
)
_LOCAL = re.compile(
    rf"^{_LEVEL}\[(?P<date>{_WEEKDAY} [A-Z][a-z]{{2}} [ \d]\d \d\d:\d\d:\d\d \d{{4}})\]"
    rf"{_CALLER}(?! \[(?:\w+:)?(?:debug|info|notice|warn|warning|error|crit|alert|emerg|trace\d)\])"
    r"(?: (?P<text>.*))?$"
)
_ISO = re.compile(
    rf"^{_PRIORITY}(?P<date>\d{{4}}-\d\d-\d\d[T ]\d\d:\d\d:\d\d)(?P<mark>[.,])?(?(mark)(?P<part>\d{{1,9}}))"
    r"(?P<zone>Z|[+-]\d\d:?\d\d)? (?P<rest>.*)$"
)
_MONTH = r"[^\s\d]{3,7}"
"""journalctl prints the names of its locale: `dez 07`, `janv. 20`."""

_SYSLOG = re.compile(
    rf"^{_PRIORITY}(?P<month>{_MONTH}) {{1,2}}(?P<day>\d{{1,2}}) "
    r"(?P<hour>\d\d):(?P<minute>\d\d):(?P<second>\d\d)(?:\.\d+)? {1,2}(?P<rest>\S+ .*)$"
)
_FULL = re.compile(
    rf"^{_WEEKDAY} (?P<date>\d{{4}}-\d\d-\d\d \d\d:\d\d:\d\d)"
    r"(?P<mark>\.)?(?(mark)(?P<part>\d{1,9})) "
    r"(?P<name>[A-Z]{2,5}|[+-]\d\d) (?P<rest>\S+ .*)$"
)
_UNIX = re.compile(r"^(?P<epoch>\d{9,10}\.\d{6}) (?P<rest>\S+ .*)$")
_LOGREAD = re.compile(
    rf"^(?P<date>{_WEEKDAY} [A-Z][a-z]{{2}} [ \d]\d \d\d:\d\d:\d\d \d{{4}}) (?P<rest>{_FACILITY}\.[a-z]+ .*)$"
)
_TALOS = re.compile(
    rf"^(?:\s*|\S{{1,60}}: )(?P<facility>{_FACILITY}):\s+(?P<level>[a-z]+): \[(?P<date>[\dT:-]{{19}})"
    r"(?P<mark>\.)?(?(mark)(?P<part>\d{1,9}))Z\]:(?: (?P<text>.*))?$"
)
_PROGRAM = r"(?P<owner>[^\s:\[]+(?:\[\d+\])?):(?: (?P<text>.*))?$"
_OWNER = re.compile(rf"^(?P<host>\S+) (?:{_FACILITY}\.(?P<level>[a-z]+) )?{_PROGRAM}")
_PLACEHOLDER = re.compile(r"^(?:<\S*>|\[\S*\]|\{\S*\}|[*xX]{3,})$")
"""What somebody put in the place of the name of the host."""
_HOSTLESS = re.compile(rf"^(?P<host>){_FACILITY}\.(?P<level>[a-z]+) {_PROGRAM}")
_KERNEL = re.compile(r"^(?:\S+ )?kernel:(?: ?(?P<text>.*))?$")
_HOSTED = re.compile(r"^(?P<host>[a-z0-9][a-z0-9._-]*) kernel: (?P<text>.*)$")
"""A syslog line without its time; prose says `the kernel: …`, so two in a row begin a log."""

_KMSG = re.compile(r"^(?P<priority>\d{1,3}),\d+,(?P<us>\d+),[^;]{1,40};(?P<text>.*)$")
_WHEN = (
    rf"(?:(?:<\d+>)?{_MONTH} {{1,2}}\d{{1,2}} \d\d:\d\d:\d\d"
    r"|\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d|[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d \d{4} )"
)
KERNEL_STARTS = (
    rf"(?:<\d{{1,3}}>|{_FACILITY}\s*:\w+\s*:\s?)?\[(?:\s*\d+\.(?:\d{{3}}|\])|[A-Z][a-z]{{2}} [A-Z])",
    r"(?:<\d{1,3}>)?\[[ \d]{5,10}\.\d",
    r"\d{1,3},\d+,\d+,[^;]{1,40};",
    r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d,\d{6}",
    r" ?kernel:",
    r"[a-z0-9][a-z0-9._-]* kernel: ",
    r"(?:\s*|\S{1,60}: )kern:\s+[a-z]+: \[\d{4}-",
    rf"{_WHEN}.* kernel:",
    r"\[(?:[A-Z][a-z]{2}[ \d]\d \d\d:\d\d|\s{1,6}\+\d{1,8}[.,]\d{6})\] ",
    r"(?:[A-Z][a-z]{2} \d{4}-\d\d-\d\d \d\d:\d\d:\d\d\S* \S+|\d{9,10}\.\d{6}) \S+ kernel:",
    r"(?:<\d{1,3}>)?\[\s*(?:\.{3}\s*)?\](?: |\[\s*[TC]\d)",
    *WRAPPED,
)
"""How lines of the kernel begin, loosely: `entry` decides."""

DATED_STARTS = (_WHEN,)
"""How lines of any program begin in a system log."""

_OWNED = r" [^\s$#]+ [^\s:\[]+(?:\[\d+\])?:(?: .*)?$"
LOG_LINES = (
    rf"(?:<\d{{1,3}}>|{_FACILITY}\s*:\w+\s*:\s?)?\[\s*\d+\.\d{{3,9}}\]{_CALLER}(?: .*)?$",
    rf"\[{_WEEKDAY} [A-Z][a-z]{{2}} [ \d]\d \d\d:\d\d:\d\d \d{{4}}\]{_CALLER}(?: (?:[^\[].*)?)?$",
    r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d,\d{6}(?:Z|[+-]\d\d:?\d\d) .*$",
    rf"\d{{9,10}}\.\d{{6}}{_OWNED}",
    r"\d{1,3},\d+,\d+,[^;\s]{1,40};[^\s$#]*(?: .*)?$",
    rf"[A-Z][a-z]{{2}} {{1,2}}\d{{1,2}} \d\d:\d\d:\d\d{_OWNED}",
    rf"\d{{4}}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{{1,9}})?(?:Z|[+-]\d\d:?\d\d){_OWNED}",
)
"""Forms of lines that surely are of a log; `entry` knows more."""

NO_CLASS, UNKNOWN_CLASS = -1, -2


class Entry(NamedTuple):
    """One line of the log.

    Attributes:
        text: The message, with its indentation.
        line: 1-based line of the evidence.
        last_line: The last line, where a wrapped message was joined.
        uptime: Seconds since boot, when stamped.
        at: Epoch seconds, when stamped with a date.
        host: Of syslog lines, else "".
        is_kernel: False for another program's line.
        has_prefix: Some stamp or `kernel:` was there.
        level: 0 (emergency) to 7 (debug), when printed.
        is_quiet: Outside a report the line is a record and nothing else; see `quiet`.
        class_number: Index of the class of the text, `NO_CLASS` without one, `UNKNOWN_CLASS` before a look.
        clock: Seconds since the beginning of the year, when stamped with a date that has no year.
    """

    text: str
    line: int
    last_line: int
    uptime: float | None = None
    at: float | None = None
    host: str = ""
    is_kernel: bool = True
    has_prefix: bool = True
    level: int | None = None
    is_quiet: bool = False
    class_number: int = UNKNOWN_CLASS
    clock: float | None = None


def _owned(rest: str, line: int, at: float | None, level: int | None = None) -> Entry | None:
    """Read `host kernel: [uptime] msg` or another program's `host app[12]: msg`."""
    if rest.startswith("kernel: "):
        # Somebody took the name of the host out.
        rest = f"- {rest}"
    marked = levelled(rest)
    if marked.is_changed:
        rest, level = marked.text, level_of(None, marked.level) if level is None else level
    found = _HOSTLESS.match(rest) or _OWNER.match(rest)
    if not found:
        return None
    text, host = found["text"] or "", found["host"].removeprefix("-")
    if _PLACEHOLDER.match(host):
        host = ""
    level = level if level is not None else level_of(None, found["level"])
    if found["owner"] != "kernel":
        return Entry(text, line, line, at=at, host=host, is_kernel=False, level=level)
    inner = _DMESG.match(text) or _ROUNDED.match(text)
    if inner:
        return Entry(inner["text"] or "", line, line, float(inner["uptime"]), at, host, level=level)
    return Entry(text, line, line, at=at, host=host, level=level)


def unescaped(raw: str) -> str:
    """Return a line without the backslashes before brackets that Markdown asks for."""
    return raw.replace("\\[", "[").replace("\\]", "]") if "\\[" in raw else raw


def entry(raw: str, line: int) -> Entry:
    """Take the prefix off one line."""
    raw = unescaped(raw)
    if (plain := _STAMP.match(raw)) and "kernel:" not in plain[2]:
        return Entry(plain[2], line, line, float(plain[1]))
    if found := _DMESG.match(raw) or _PADDED.match(raw):
        text = found["text"] or ""
        if "kernel:" in text and (inner := _KERNEL.match(text)):
            text = inner["text"] or ""
        priority, level = found.group("priority", "level")
        return Entry(
            text,
            line,
            line,
            float(found["uptime"]),
            level=level_of(priority, level) if priority or level else None,
        )
    if dated := _dated(raw, line):
        return dated
    if delta := _DELTA.match(raw):
        return Entry(delta["text"] or "", line, line, level=level_of(*delta.group("priority", "level")))
    if hidden := _HIDDEN.match(raw):
        return Entry(hidden["text"], line, line, level=level_of(*hidden.group("priority", "level")))
    bare = unwrapped(raw)
    if not bare.is_changed:
        return _unstamped(raw, line)
    without = entry(bare.text, line)
    return without._replace(level=level_of(None, bare.level)) if bare.level else without


def _dated(raw: str, line: int) -> Entry | None:
    """Take a prefix with a date off; None when there is none."""
    if found := _LOCAL.match(raw):
        level = level_of(*found.group("priority", "level"))
        return Entry(found["text"] or "", line, line, at=stamps.local(found["date"]), level=level)
    if found := _ISO.match(raw):
        at = stamps.iso(found)
        # Of logs with a comma, dmesg alone prints `T`, microseconds and a zone; Python prints milliseconds.
        if found["mark"] == "," and found["zone"] and "T" in found["date"] and len(found["part"]) == 6:
            return Entry(found["rest"], line, line, at=at)
        if owned := _owned(found["rest"], line, at, level_of(found["priority"])):
            return owned
    if found := _SYSLOG.match(raw):
        owned = _owned(found["rest"], line, None, level_of(found["priority"]))
        return owned and owned._replace(clock=stamps.clock_of(found))
    if found := _FULL.match(raw):
        # Other names of zones are ambiguous: IST is of India, Israel and Ireland.
        at = stamps.epoch(found["date"], "+00:00", found["part"]) if found["name"] in {"UTC", "GMT"} else None
        return _owned(found["rest"], line, at)
    if found := _UNIX.match(raw):
        return _owned(found["rest"], line, float(found["epoch"]))
    if found := _TALOS.match(raw):
        at, level = stamps.epoch(found["date"], "+00:00", found["part"]), level_of(None, found["level"])
        text, is_kernel = found["text"] or "", found["facility"] == "kern"
        return Entry(text, line, line, at=at, is_kernel=is_kernel, level=level)
    if found := _LOGREAD.match(raw):
        return _owned(found["rest"], line, stamps.local(found["date"]))
    return None


def _unstamped(raw: str, line: int) -> Entry:
    """Take `/dev/kmsg`'s prefix or `kernel:` off; a line without a prefix is its own message."""
    if found := _KMSG.match(raw):
        return Entry(found["text"], line, line, float(found["us"]) / 1e6, level=level_of(found["priority"]))
    if hosted := _HOSTED.match(raw):
        if inner := _DMESG.match(hosted["text"]):
            return Entry(inner["text"] or "", line, line, float(inner["uptime"]), host=hosted["host"])
        return Entry(hosted["text"], line, line, host=hosted["host"])
    if raw.startswith(("kernel:", " kernel:")) and (found := _KERNEL.match(raw.lstrip())):
        text = found["text"] or ""
        if inner := _DMESG.match(text) or _ROUNDED.match(text):
            return Entry(inner["text"] or "", line, line, float(inner["uptime"]))
        return Entry(text, line, line)
    return Entry(raw, line, line, has_prefix=False)


def hosted(raw: str) -> str:
    """Return the host of a line `host kernel: …` without a time; "" for any other line."""
    found = _HOSTED.match(raw)
    return found["host"] if found else ""


def hidden(raw: str) -> re.Match[str] | None:
    """Match a line whose stamp has no time: `dots` is None where nothing stands for it."""
    return _HIDDEN.match(raw)


def padded(raw: str) -> re.Match[str] | None:
    """Match a line whose stamp has one or two decimals."""
    return _PADDED.match(raw)


def is_stamped(raw: str) -> bool:
    """Return whether the line has a kernel log prefix: a kernel stamp, or a log line of `kernel`."""
    found = entry(raw, 0)
    return found.has_prefix and found.is_kernel
