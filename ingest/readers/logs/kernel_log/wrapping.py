r"""What other tools print in front of a line of the kernel log, or around it.

Examples:
    node-1  | [  900.000001] msg                                    docker compose logs
    2026-11-21T05:00:19.621988112Z stdout F [  900.000001] msg      CRI log files, kubectl logs --timestamps
    [pod/npd-abc/npd] [  900.000001] msg                            kubectl logs --prefix
    [2026-11-21 05:00:19] [  900.000001] msg                        serial console, minicom, ts
    /var/log/kern.log:17:Nov 21 05:00:19 host kernel: msg           grep -n, zgrep
         17	[  900.000001] msg                                  cat -n
    db-02 login: [  900.000001] msg                         serial console
    ** 93 printk messages dropped ** [  900.000001] msg     serial console
    <3>1 2026-11-21T05:00:19.621988Z host kernel - - - msg          RFC 5424
    WARNING kernel: [  900.000001] msg                              ChromeOS, with and without a date
    !WARNING | kernel: msg                                          monitors that mark what is severe
    \x1b[32m[  900.000001] \x1b[0m\x1b[31mmsg\x1b[0m                dmesg --color=always

Such a prefix counts only in front of a line that is the kernel's without it.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from ingest.native.linear import Pattern

_CLOCK = r"\d\d:\d\d:\d\d(?:[.,]\d{1,9})?"
_OUTER = (
    r"[\w.-]{1,64}\s*\| ",
    rf"\d{{4}}-\d\d-\d\dT{_CLOCK}(?:Z|[+-]\d\d:?\d\d) (?:std(?:out|err) [FP] )?",
    r"\[pod/[^\]\s]{1,200}\] ",
    rf"\[?(?:\d{{4}}-\d\d-\d\d[ T])?{_CLOCK}\]?:? ",
    r"(?:[\w.@/-]*[A-Za-z_/][\w.@/-]*:)(?:\d{1,9}[:-])?",
    r"\s*\d{1,9}(?:[:-]|\t)",
    r"[\w.-]{1,64} login: ?",
    r"\*\* \d{1,9} printk messages dropped \*\* ?",
)
_STAMP = r"(?:<\d{1,3}>)?\[\s*\d{1,9}\.\d{3,9}\]"
_DAY = r"(?:[A-Z][a-z]{2} {1,2}\d{1,2} |\d{4}-\d\d-\d\dT)"
_SYSTEM_LOG = rf"{_DAY}\d\d:\d\d:\d\d\S{{0,16}} \S{{1,255}} kernel: "
_COLOUR = r"\x1b\[[0-9;]{0,12}m"
_5424 = r"<\d{1,3}>1 \d{4}-\d\d-\d\dT\S{8,22} \S{1,255} kernel (?:-|\d{1,9}) \S{1,32} - "

_SEVERITIES = "EMERG(?:ENCY)?|ALERT|CRIT(?:ICAL)?|ERR(?:OR)?|WARN(?:ING)?|NOTICE|INFO|DEBUG"
_ENDINGS = (
    "EMERG",
    "ENCY",
    "ALERT",
    "CRIT",
    "CRITICAL",
    "ERR",
    "ERROR",
    "WARN",
    "ING",
    "NOTICE",
    "INFO",
    "DEBUG",
)
_LEVELLED = Pattern(rf"^(?:(?P<host>[\w.-]+) )?!?(?P<level>{_SEVERITIES})(?: \|)? (?P<rest>kernel: .*)$")
_MARKED = (
    rf"!(?:{_SEVERITIES})(?: \|)? kernel: ",
    rf"(?:{_SEVERITIES}) \| kernel: ",
    rf"(?:{_SEVERITIES}) kernel: {_STAMP}",
)
"""Severities in front of `kernel:`; a word alone may be the beginning of a sentence."""

WRAPPED = (
    *(rf"{outer}(?:{_STAMP}|{_SYSTEM_LOG})" for outer in _OUTER),
    rf"(?:{_COLOUR})+(?:{_STAMP}|{_SYSTEM_LOG}|kern  :)",
    _5424,
    *_MARKED,
)
"""How wrapped lines of the kernel begin."""

_PREFIX = Pattern(rf"^(?P<outer>{'|'.join(_OUTER)})(?:{_STAMP}|{_SYSTEM_LOG})")
_RFC_5424 = Pattern(r"^<(?P<priority>\d{1,3})>1 (?P<date>\S+) (?P<host>\S+) kernel \S+ \S+ - (?P<text>.*)$")
_IS_MARKED = Pattern(rf"^(?:{'|'.join(_MARKED)})")
_ESCAPE = re.compile(_COLOUR)


class Bare(NamedTuple):
    """A line without its wrapping; `is_changed` says whether it had one, `level` the severity in it."""

    text: str
    is_changed: bool
    level: str = ""


def levelled(rest: str) -> Bare:
    """Take a severity from in front of `kernel:`: `host !WARNING | kernel: msg` is `host kernel: msg`."""
    head, _, message = rest.partition("kernel: ")
    if message and head.rstrip(" |").endswith(_ENDINGS) and (found := _LEVELLED.match(rest)):
        return Bare(f"{found['host'] or '-'} {found['rest']}", True, found["level"].lower())
    return Bare(rest, False)


def unwrapped(raw: str) -> Bare:
    """Take the wrapping off one line, if it has any."""
    text = _ESCAPE.sub("", raw) if "\x1b[" in raw else raw
    if found := _RFC_5424.match(text):
        text = f"<{found['priority']}>{found['date']} {found['host']} kernel: {found['text']}"
    elif found := _PREFIX.match(text):
        text = text[found.end("outer") :]
    elif _IS_MARKED.match(text):
        bare = levelled(text)
        return Bare(bare.text.removeprefix("- "), True, bare.level)
    return Bare(text, text is not raw)
