"""A fault of one reader costs one section, document or stream; the rest is read."""

from __future__ import annotations

import io
import tarfile

import pytest

from ingest.evidence import read_bytes, read_paths
from ingest.model.limits import Limits
from ingest.readers.perf import perf_script
from ingest.readers.sysstat import iostat
from tests.ingest.samples import DATA, reader_of

IOSTAT = (DATA / "iostat" / "iostat.short.txt").read_bytes()
MEMINFO = b"MemTotal:        2472784 kB\nMemFree:         1979600 kB\n"
SCRIPT = (
    b"sh 7 [000]     1.000001:   1000 cpu-clock:ppp: \n"
    b"\tffffffff81000000 do_fault+0x1 ([kernel.kallsyms])\n\n"
)
SENTENCE = "the reader iostat failed, which is a bug of Casebook (KeyError: 'await', test_isolation.py:"


class Panic(BaseException):
    """What a panic of the native core is to Python: no `Exception`."""


Panic.__name__ = "PanicException"


def broken(_):
    raise KeyError("await")


@pytest.fixture
def broken_iostat(monkeypatch):
    monkeypatch.setattr(iostat, "read", broken)


@pytest.mark.usefixtures("broken_iostat")
def test_a_section_whose_reader_fails_is_text_and_says_why():
    first, second = read_bytes(IOSTAT + b"$ cat /proc/meminfo\n" + MEMINFO, name="paste").sections
    assert first.format == "text"
    assert SENTENCE in first.reading.skipped[0].reason
    assert second.format == "proc-meminfo"
    assert second.reading.facts


@pytest.mark.usefixtures("broken_iostat")
def test_the_other_files_are_read(tmp_path):
    (tmp_path / "a-iostat.txt").write_bytes(IOSTAT)
    (tmp_path / "b-meminfo.txt").write_bytes(MEMINFO)
    assert [read.sections[0].format for read in read_paths([tmp_path])] == ["text", "proc-meminfo"]


@pytest.mark.usefixtures("broken_iostat")
def test_the_other_members_are_read():
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w") as archive:
        for name, content in (("host/iostat", IOSTAT), ("host/meminfo", MEMINFO)):
            member = tarfile.TarInfo(name)
            member.size = len(content)
            archive.addfile(member, io.BytesIO(content))
    read = read_bytes(packed.getvalue(), name="host.tar")
    assert [member.captured_path for member in read.members] == ["host/meminfo"]
    assert [SENTENCE in skipped.reason for skipped in read.skipped] == [True]


def test_a_document_whose_reader_fails_is_rejected(monkeypatch):
    monkeypatch.setattr(reader_of("speedscope"), "read_document", broken)
    document = read_bytes(next((DATA / "speedscope").glob("*.json")).read_bytes(), name="x")
    assert (document.state, document.reason[:28]) == ("rejected", "the reader speedscope failed")


def test_a_stream_whose_reader_fails_costs_its_section(monkeypatch):
    monkeypatch.setattr(perf_script.Stream, "finish", broken)
    oom = b"[ 2228.006474] Memory cgroup out of memory: Killed process 6262 (python3) total-vm:213940kB\n"
    read = read_bytes(SCRIPT * 2000 + b"\n" + oom, name="x", limits=Limits(sectioned_bytes=1000))
    assert [section.format for section in read.sections] == ["text", "kernel-log"]
    (refused,) = read.sections[0].reading.skipped
    assert refused.reason.startswith("not read as perf-script: the reader perf-script failed")
    assert refused.count == read.sections[0].last_line


def test_a_panic_of_the_core_is_contained_and_an_interrupt_is_not(monkeypatch):
    def panics(_):
        raise Panic("index out of bounds")

    def interrupted(_):
        raise KeyboardInterrupt

    monkeypatch.setattr(iostat, "read", panics)
    (section,) = read_bytes(IOSTAT, name="x").sections
    assert "PanicException: index out of bounds" in section.reading.skipped[0].reason
    monkeypatch.setattr(iostat, "read", interrupted)
    with pytest.raises(KeyboardInterrupt):
        read_bytes(IOSTAT, name="x")


@pytest.mark.parametrize("fault", [MemoryError, OSError(27, "File too large")])
def test_full_memory_and_disk_are_not_faults_of_a_reader(monkeypatch, fault):
    def full(_):
        raise fault

    monkeypatch.setattr(iostat, "read", full)
    with pytest.raises((MemoryError, OSError)):
        read_bytes(IOSTAT, name="x")
