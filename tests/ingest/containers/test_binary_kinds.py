"""Binary files: each known kind is named, with the command that makes text of it."""

from __future__ import annotations

import io
import struct
import zipfile

import pytest

from ingest.evidence import read_bytes

PERF = b"PERFILE2" + bytes(4096)
SCHED = PERF + b"x" * (2 << 20) + b"\0sched:sched_switch\0"
SECTION_HEADER = b"\x0a\x0d\x0d\x0a" + struct.pack("<IIHHqI", 28, 0x1A2B3C4D, 1, 0, -1, 28)
ETW = struct.pack("<I", 65536) + bytes(68) + b"\x02\x00\x02\xc0" + bytes(400)
GO = b"go 1.22 trace\x00\x00\x00" + bytes(range(256))
PERFETTO = b"\x0a\x2c\x50\x01\xa2\x02\x10" + bytes.fromhex("82477a76b28d42ba81dc33326d5779a0") + bytes(200)
OTLP = b"\x0a\x90\x01\x0a\x20\x0a\x1e\x0a\x0cservice.name\x12\x0e\x0a\x0ccheckout-svc\x12\x6c" + bytes(300)
PCP = struct.pack(">II", 132, 0x50052602) + bytes(200)


def spreadsheet():
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as book:
        book.writestr("[Content_Types].xml", "<Types/>")
        book.writestr("xl/workbook.xml", "<workbook/>")
    return content.getvalue()


@pytest.mark.parametrize(
    ("content", "name", "kind", "command"),
    [
        (PERF, "perf.data", "perf.data", "perf script -i"),
        (
            PERF + b"x" * (2 << 20) + b"\0sched:sched_switch\0",
            "sched.data",
            "perf sched",
            "perf sched timehist",
        ),
        (b"FLR\x00\x00\x02\x00\x01" + bytes(200), "app.jfr", "Flight Recorder", "jfrconv -o collapsed"),
        (b"\x17\x08\x44tracing6\x00" + bytes(200), "trace.dat", "trace-cmd", "trace-cmd report -i"),
        (struct.pack("<I", 0xFEEDBEEF) + bytes(400), "atop_20260101", "atop", "atop -r"),
        (PCP, "20260101.0", "Co-Pilot", "pcp -a"),
        (PERFETTO, "trace.perfetto-trace", "Perfetto", "traceconv systrace"),
        (GO, "trace.out", "execution trace of Go", "go tool trace -pprof"),
        (OTLP, "profiles.pb", "OpenTelemetry", "pprof"),
        (ETW, "kernel.etl", "Event Tracing for Windows", "xperf -i"),
        (SECTION_HEADER + struct.pack("<II", 0x201, 84) + bytes(100), "a.scap", "sysdig", "sysdig -r"),
        (SECTION_HEADER + struct.pack("<II", 1, 20) + bytes(100), "a.pcapng", "pcapng", "tcpdump -r"),
        (spreadsheet(), "iostat.xlsx", "spreadsheet", "--convert-to csv"),
        (bytes(range(256)) * 8, "counters.blg", "performance log of Windows", "relog"),
        (b"\x96\xd5" + bytes(300), "sa01", "sysstat", "sar -A -f"),
        (b"Nettrace\x14\x00" + bytes(200), "app.nettrace", ".NET", "dotnet-trace convert"),
        (bytes(range(256)) * 8, "unknown.bin", "binary data", "the text that its own tool prints"),
    ],
    ids=lambda value: value if isinstance(value, str) and "." in value else "",
)
def test_a_binary_file_is_named_with_the_command_that_makes_text_of_it(content, name, kind, command):
    read = read_bytes(content, name=name)
    assert (read.state, kind in read.reason, command in read.reason) == ("rejected", True, True), read.reason


def test_text_that_begins_like_a_kind_is_read():
    for text in (
        "\nservice.name: checkout\n",
        "go 1.22 trace is written to trace.out\n",
        "FLR is no recording\n",
    ):
        assert read_bytes(text.encode(), name="x.etl").state == "read"
