"""Long text is split into the same sections as short text, to its end, whatever its head is."""

from __future__ import annotations

import io
import tarfile
from pathlib import Path

import pytest

from ingest.evidence import read_bytes
from ingest.model.limits import Limits
from ingest.readers.logs.kernel_log import records

DATA = Path(__file__).parents[2] / "data"
WINDOWS = Limits(sectioned_bytes=3000)

SAMPLE = """\
arrow-read-23 14031/14056 [000]  1038.279013:   10101010 cpu-clock:ppp:
\tffffffff8158e45a next_uptodate_folio+0x13a ([kernel.kallsyms])
\t    7f00891f5 start_thread+0x305 (/usr/lib/x86_64-linux-gnu/libc.so.6)

"""
USB = "".join(f"[  {at}.000001] usb 1-1: new high-speed USB device number {at}\n" for at in range(100, 160))
HUNG = "[  900.000001] INFO: task df:77 blocked for more than 120 seconds.\n"
APPLICATION = "".join(
    f"Nov 21 05:{at // 60:02}:{at % 60:02} host app[{at}]: request done\n" for at in range(900)
)
SYSLOG_HUNG = "Nov 21 05:30:00 host kernel: INFO: task df:77 blocked for more than 120 seconds.\n"


def shown(text, limits=WINDOWS):
    read = read_bytes(text.encode(), name="x", limits=limits)
    assert read.line_count == text.count("\n")
    return [
        (
            section.format,
            section.first_line,
            section.last_line,
            section.command,
            [(record.kind, record.lines) for record in section.reading.log_records],
            [profile.samples for profile in section.reading.profiles],
        )
        for section in read.sections
    ]


@pytest.mark.parametrize(
    "text",
    [
        USB + HUNG + "\n" + SAMPLE * 200 + "\n" + USB + HUNG,
        SAMPLE * 200 + HUNG,
        SAMPLE * 50 + "a note of one line\n\n" + SAMPLE * 50,
        "the machine got slow\n" * 500 + "\n" + HUNG + USB,
        APPLICATION + SYSLOG_HUNG + APPLICATION,
        "a;b;c 7\n" * 900 + "\n" + HUNG,
        "$ dmesg\n"
        + USB * 3
        + "$ perf script\n"
        + SAMPLE * 60
        + "$ cat /proc/loadavg\n1.00 2.00 3.00 1/2 3\n",
        "==> proc/loadavg <==\n1.00 2.00 3.00 1/2 3\n\n==> dmesg <==\n" + HUNG * 40,
        "```\n" + HUNG * 40 + "```\nand then\n```\n" + SAMPLE * 40 + "```\n",
    ],
    ids=[
        "log-script-log",
        "script-log",
        "note",
        "prose-log",
        "syslog",
        "folded-log",
        "prompts",
        "banners",
        "fences",
    ],
)
def test_windows_of_a_long_text_find_what_the_whole_has(text):
    whole = shown(text, Limits())
    assert len(whole) > 0
    assert shown(text) == whole


@pytest.mark.parametrize("folder", ["kernel-log", "strace-calls", "vmstat", "perf-table"])
def test_samples_read_in_windows_as_they_read_whole(folder):
    for path in sorted((DATA / folder).glob("*.txt")):
        whole, windows = (
            [
                (section.format, section.reading)
                for section in read_bytes(path.read_bytes(), name="x", limits=limits).sections
            ]
            for limits in (Limits(), Limits(sectioned_bytes=max(500, path.stat().st_size // 4)))
        )
        assert [format_ for format_, _ in windows] == [format_ for format_, _ in whole], path.name
        for (_, one), (_, other) in zip(whole, windows, strict=True):
            assert (one.facts, one.log_records, one.row_sets) == (
                other.facts,
                other.log_records,
                other.row_sets,
            ), path.name


def test_a_late_kernel_message_of_an_archive_member_is_found():
    packed = io.BytesIO()
    members = {"var/log/messages": APPLICATION * 3 + SYSLOG_HUNG, "var/log/app.log": APPLICATION * 3}
    with tarfile.open(fileobj=packed, mode="w:gz") as archive:
        for path, text in members.items():
            entry = tarfile.TarInfo(f"host/{path}")
            entry.size = len(text)
            archive.addfile(entry, io.BytesIO(text.encode()))
    read = read_bytes(packed.getvalue(), name="host.tar.gz")
    (member,) = read.members
    assert member.captured_path == "host/var/log/messages"
    (record,) = (record for section in member.sections for record in section.reading.log_records)
    assert (record.kind, record.lines.first) == ("hung_task", 2701)
    assert [(skipped.reason, skipped.count) for skipped in read.skipped] == [
        ("text that is not recognised", 1)
    ]


def test_records_beyond_the_limit_of_their_class_are_counted(monkeypatch):
    monkeypatch.setattr(records, "MOST_UNCLASSIFIED", 20)
    (section,) = read_bytes((USB + HUNG).encode(), name="x").sections
    kinds = [record.kind for record in section.reading.log_records]
    assert kinds == ["other"] * 20 + ["hung_task"]
    assert [(skipped.count, skipped.first_line) for skipped in section.reading.skipped] == [(40, 21)]
