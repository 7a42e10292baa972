"""A twin of an incident: the same evidence of another host and kernel, as another tool prints it.

Identities come from a generator that is seeded with the name of the incident: the same twin each time.
"""

from __future__ import annotations

import random
import re
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Literal, TypeAlias

from ingest.export import folded

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from ingest.evidence import Evidence

Form: TypeAlias = Literal["folded", "log", "table", "stack", "quoted"]
"""Stacks folded; a log of another writer; a table with times; stacks of an older kernel; as a mail quotes."""

HOSTS = ("edge-14", "kv3.example.net", "ip-10-9-8-7", "worker-b6", "nas2", "pg-replica-4")
KERNELS = ("5.15.0-119-generic", "6.8.0-45-generic", "5.14.0-427.el9.x86_64", "6.1.0-27-cloud-amd64")
MIN_DIGITS = 3
"""Distinct digits of an address; others are values with a meaning, such as all ones."""
MIN_FOLDED = 2
"""Distinct stacks of a profile that is folded."""

_KERNEL = re.compile(r"\b[2-6]\.\d{1,2}\.\d{1,3}(?:[-.+][\w.+~-]*\w)?")
_ADDRESS = re.compile(r"\b(?:0x)?(?=[0-9a-f]*\d)[0-9a-f]{8,16}\b")
_OFFSET = re.compile(r"\+0x[0-9a-f]+/0x([0-9a-f]+)")
_PID = re.compile(r"(?i)(\bpid[:= ] ?|\btid[:= ] ?|/proc/|\btask:?\s?[\w/:.-]{1,16}:)(\d{2,7})\b")
_DEVICES = (
    (re.compile(r"\bnvme0"), "nvme3"),
    (re.compile(r"\bsd[a-e]"), "sdk"),
    (re.compile(r"\beth0\b"), "eth2"),
)
_UPTIME = re.compile(r"^(?:<\d+>)?\[ *(\d+\.\d{6})\] (.*)$")
_CLOCK = re.compile(r"^\[(?:\w{3} )?\w{3} +\d+ \d\d:\d\d:\d\d(?: \d{4})?\] (.*)$")
_SYSLOG = re.compile(
    r"^(?:\w{3} +\d+ \d\d:\d\d:\d\d|\d{4}-\d\d-\d\dT[\d:.+Z-]+) (\S+) kernel: (?:\[ *\d+\.\d+\] )?(.*)$"
)
_STACK_LINE = re.compile(r"^(\s*)\[<0>\] (\S+)$")
_SAMPLES = re.compile(r"^(?:procs -|\s*r\s+b\s+swpd|Device|avg-cpu|Linux .*\d\d:\d\d:\d\d)", re.MULTILINE)
START = datetime(2026, 3, 9, 2, 11, 40, tzinfo=UTC)


def twin_of(name: str, text: str, evidence: Evidence | None) -> tuple[Form, str]:
    """Return form and text of the twin of one file of an incident.

    Args:
        name: Of the incident and the file; decides identities and form.
        text: The file.
        evidence: Its reading: profiles are printed as folded stacks.
    """
    # Not for secrets: the twin must be the same each time.
    chance = random.Random(name)  # noqa: S311
    form, other = another_form(chance, text, evidence)
    return form, identities(chance, other)


def another_form(chance: random.Random, text: str, evidence: Evidence | None) -> tuple[Form, str]:
    """Return the text as another tool prints it: stacks folded, logs of another writer, tables with times."""
    stacks = _folded(evidence)
    if stacks:
        return "folded", stacks
    lines = text.splitlines()
    logged = [_message(line) for line in lines]
    formats = {section.format for section in evidence.sections} if evidence else set()
    if not any(logged) and "kernel-log" in formats:
        # A console prints messages without times.
        logged = [line or None for line in lines]
    if sum(one is not None for one in logged) >= max(1, len(lines) // 3):
        return "log", _log(chance, lines, logged)
    if _SAMPLES.search(text):
        return "table", "\n".join(
            f"{_at(place):%H:%M:%S} {line}" if line.strip() else line for place, line in enumerate(lines)
        )
    if any(_STACK_LINE.match(line) for line in lines):
        return "stack", "\n".join(_STACK_LINE.sub(r"\1[<ffffffff8113a0c0>] \2", line) for line in lines)
    return "quoted", "\n".join(f"> {line}" for line in lines)


def identities(chance: random.Random, text: str) -> str:
    """Return the text of another host: its kernel, addresses, process ids, devices and offsets."""
    host = chance.choice(HOSTS)
    kernel = chance.choice(KERNELS)
    text = _KERNEL.sub(kernel, text)
    text = _ADDRESS.sub(lambda found: _digits(chance, found[0]), text)
    text = _OFFSET.sub(lambda found: f"+0x{chance.randrange(16, 500):x}/0x{found[1]}", text)
    text = _PID.sub(lambda found: found[1] + str(chance.randrange(300, 90_000)), text)
    for device, other in _DEVICES:
        text = device.sub(other, text)
    return re.sub(r"^(\w{3} +\d+ [\d:]+ )\S+ ", rf"\g<1>{host} ", text, flags=re.MULTILINE)


def _folded(evidence: Evidence | None) -> str:
    """Return the profiles of a file as one folded file; "" where it has none, or is folded already."""
    sections = evidence.sections if evidence else ()
    if any(section.format in {"folded", "kernel-log"} for section in sections):
        return ""
    texts = [folded.text(one) for section in sections for one in section.reading.profiles if one.samples]
    return "".join(one for one in texts if one.count("\n") >= MIN_FOLDED)


def _message(line: str) -> str | None:
    """Return the message of a line of a kernel log; None of any other line."""
    for form, group in ((_UPTIME, 2), (_CLOCK, 1), (_SYSLOG, 2)):
        found = form.match(line)
        if found:
            return found[group]
    return None


def _log(chance: random.Random, lines: list[str], messages: Iterable[str | None]) -> str:
    was_journal = sum(_SYSLOG.match(line) is not None for line in lines) > len(lines) // 3
    forms: tuple[Callable[[int, str], str], ...] = (
        (_dmesg, _dmesg_t) if was_journal else (_journal, _syslog, _dmesg_t)
    )
    form = chance.choice(forms)
    return "\n".join(
        line if message is None else form(place, message)
        for place, (line, message) in enumerate(zip(lines, messages, strict=True))
    )


def _at(place: int) -> datetime:
    return START + timedelta(seconds=place // 3)


def _dmesg(place: int, message: str) -> str:
    return f"[{90_417.204113 + place / 3:12.6f}] {message}"


def _dmesg_t(place: int, message: str) -> str:
    return f"[{_at(place):%a %b %e %H:%M:%S %Y}] {message}"


def _journal(place: int, message: str) -> str:
    return f"{_at(place):%b %d %H:%M:%S} db kernel: {message}"


def _syslog(place: int, message: str) -> str:
    return f"{_at(place):%Y-%m-%dT%H:%M:%S.000000+00:00} db kernel: {_dmesg(place, message)}"


def _digits(chance: random.Random, text: str) -> str:
    """Return a text with other digits: of the same length, and hexadecimal where it was."""
    head = "0x" if text.startswith("0x") else ""
    body = text.removeprefix("0x")
    if body.isdecimal() or len(set(body)) < MIN_DIGITS:
        return text
    # The high half tells user from kernel addresses.
    kept = len(body) // 2
    return head + body[:kept] + "".join(chance.choice("0123456789abcdef") for _ in body[kept:])
