"""Prefixes of the commonest forms of log lines.

Examples:
    [ 2225.621988] msg                                        dmesg
    <4>[ 2225.621988] msg                                     dmesg -r, console
    kern  :warn  : [ 2225.621988] msg                         dmesg -x
    [    3.805449][ T3699] msg                                CONFIG_PRINTK_CALLER
    [Sat Nov 21 00:19:44 2026] msg                            dmesg -T, local time
    2026-11-21T00:19:44,621988+00:00 msg                      dmesg --time-format iso
    Feb 11 18:58:28 host kernel: [    0.000000] msg           syslog, no year
    2024-05-02T10:11:12.123456+00:00 host kernel: msg         syslog with ISO stamps, journalctl -o short-iso
    kernel: msg                                               pasted without stamp
    4,1012,2225621988,-;msg                                   /dev/kmsg
    <3>1 @1668219059 n2 kernel - 97 - msg                     any other form, as it is learned

Other forms are not listed: `ingest.native.log_prefix` learns them, and writes their lines as the last one.
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
_PROGRAM = r"(?P<owner>[^\s:;\[]+(?:\[\d+\])?):(?: (?P<text>.*))?$"
_OWNER = re.compile(rf"^(?P<host>\S+) (?:{_FACILITY}\.(?P<level>[a-z]+) )?{_PROGRAM}")
_PLACEHOLDER = re.compile(r"^(?:<\S*>|\[\S*\]|\{\S*\}|[*xX]{3,})$")
"""What somebody put in the place of the name of the host."""
_HOSTLESS = re.compile(rf"^(?P<host>){_FACILITY}\.(?P<level>[a-z]+) {_PROGRAM}")
_KERNEL = re.compile(r"^(?:\S+ )?kernel:(?: ?(?P<text>.*))?$")
_LEARNED = re.compile(
    r"^<(?P<priority>[0-7]|-)>1 (?P<time>[@~]-?\d{1,12}(?:\.\d+)?|-) (?P<host>\S+) (?P<owner>\S+) - "
    r"(?P<width>\d{1,6}) - (?P<text>.*)$"
)
"""A line in the form in which lines of other forms are written; see `ingest.native.log_prefix`."""

_KMSG = re.compile(r"^(?P<priority>\d{1,3}),\d+,(?P<us>\d+),[^;]{1,40};(?P<text>.*)$")
_WHEN = (
    rf"(?:(?:<\d+>)?{_MONTH} {{1,2}}\d{{1,2}} \d\d:\d\d:\d\d"
    r"|\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d|[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d \d{4} )"
)
KERNEL_STARTS = (
    r"<[0-7-]>1 [@~-]\S* \S+ \S+ - \d+ - ",
    rf"(?:<\d{{1,3}}>|{_FACILITY}\s*:\w+\s*:\s?)?\[(?:\s*\d+\.(?:\d{{3}}|\])|[A-Z][a-z]{{2}} [A-Z])",
    r"\d{1,3},\d+,\d+,[^;]{1,40};",
    r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d,\d{6}",
    r" ?kernel:",
    rf"{_WHEN}.* kernel:",
)
"""How lines of the kernel begin, loosely: `entry` decides."""

DATED_STARTS = (_WHEN,)
"""How lines of any program begin in a system log."""

_OWNED = r" [^\s$#]+ [^\s:\[]+(?:\[\d+\])?:(?: .*)?$"
LOG_LINES = (
    r"<[0-7-]>1 [@~-]\S* \S+ \S+ - \d+ - .*$",
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
    if raw.startswith("<") and (learned := _LEARNED.match(raw)):
        return _learned(learned, line)
    raw = unescaped(raw)
    if (plain := _STAMP.match(raw)) and "kernel:" not in plain[2]:
        return Entry(plain[2], line, line, float(plain[1]))
    if found := _DMESG.match(raw):
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
    return _dated(raw, line) or _unstamped(raw, line)


def _learned(found: re.Match[str], line: int) -> Entry:
    """Return the entry of a line in the form in which lines of other forms are written."""
    mark, number = found["time"][0], found["time"][1:]
    at = float(number) if mark == "@" else None
    clock = float(number) if mark == "~" else None
    is_kernel = found["owner"] == "kernel"
    inner = (_DMESG.match(found["text"]) or _ROUNDED.match(found["text"])) if is_kernel else None
    level = None if found["priority"] == "-" else int(found["priority"])
    if inner and level is None and (priority := inner.groupdict().get("priority")):
        level = level_of(priority)
    return Entry(
        (inner["text"] or "") if inner else found["text"],
        line,
        line,
        float(inner["uptime"]) if inner else None,
        at,
        found["host"].removeprefix("-"),
        is_kernel=is_kernel,
        level=level,
        clock=clock,
    )


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
    return None


def _unstamped(raw: str, line: int) -> Entry:
    """Take `/dev/kmsg`'s prefix or `kernel:` off; a line without a prefix is its own message."""
    if found := _KMSG.match(raw):
        return Entry(found["text"], line, line, float(found["us"]) / 1e6, level=level_of(found["priority"]))
    if raw.startswith(("kernel:", " kernel:")) and (found := _KERNEL.match(raw.lstrip())):
        text = found["text"] or ""
        if inner := _DMESG.match(text) or _ROUNDED.match(text):
            return Entry(inner["text"] or "", line, line, float(inner["uptime"]))
        return Entry(text, line, line)
    return Entry(raw, line, line, has_prefix=False)


def width(raw: str) -> int:
    """Return the characters of a line as it was pasted."""
    found = _LEARNED.match(raw) if raw.startswith("<") else None
    return int(found["width"]) if found else len(raw)


def is_untimed(raw: str) -> bool:
    """Return whether a line is the kernel's, of a form that had to be learned and has no time."""
    found = _LEARNED.match(raw) if raw.startswith("<") else None
    return bool(
        found and found["time"] == "-" and found["owner"] == "kernel" and not _DMESG.match(found["text"])
    )


def is_stamped(raw: str) -> bool:
    """Return whether the line has a kernel log prefix: a kernel stamp, or a log line of `kernel`."""
    found = entry(raw, 0)
    return found.has_prefix and found.is_kernel
