"""`read_file`: accepted and rejected evidence; no exceptions."""

from __future__ import annotations

import gzip
import hashlib
import tracemalloc
from pathlib import Path

import pytest

from ingest.evidence import read_bytes, read_file, read_paths
from ingest.model.limits import Limits

DATA = Path(__file__).parents[1] / "data"
MEMINFO = b"MemTotal:        2472784 kB\nMemFree:         1979600 kB\n"


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("empty.txt", "the file is empty: 0 bytes"),
        ("junk.bin", "binary data"),
        ("perf.script", "JPEG picture"),
        ("perf.data", "perf script -i perf.data"),
        ("truncated.txt.gz", "gzip stream ends early after"),
        ("escaping.tar", "every path leaves the archive"),
    ],
)
def test_bad_input_is_rejected_with_what_and_where(name, message):
    content = (DATA / "bad" / name).read_bytes()
    read = read_file(DATA / "bad" / name)
    assert read.state == "rejected"
    assert message in read.reason
    assert read.sections == ()
    assert (read.sha256, read.size_bytes) == (hashlib.sha256(content).hexdigest(), len(content))


def test_two_gigabytes_without_a_line_end_are_refused_without_holding_them(tmp_path):
    path = tmp_path / "flat"
    with path.open("wb") as file:
        file.write(b"a" * (40 << 20))
        file.truncate(2 << 30)
    tracemalloc.start()
    read = read_file(path)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert read.reason == "line 1: no line end within 16,777,216 bytes: this is not line-oriented text"
    assert read.size_bytes == 2 << 30
    assert peak < 100 << 20


def test_nothing_but_blanks_is_rejected():
    assert read_bytes(b"\n \n\t\n", name="x").reason == "there is nothing but blanks in 3 lines"


def test_the_stored_bytes_name_the_evidence_not_the_decoded():
    packed = gzip.compress(MEMINFO, mtime=0)
    read = read_bytes(packed, name="meminfo.gz")
    assert read.sha256 == hashlib.sha256(packed).hexdigest()
    assert (read.size_bytes, read.line_count) == (len(packed), 2)


def test_the_same_bytes_twice_read_the_same():
    one, two = (read_bytes(MEMINFO, name="x") for _ in range(2))
    assert one == two


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16"])
def test_windows_text_is_read(encoding):
    text = MEMINFO.decode().replace("\n", "\r\n")
    (section,) = read_bytes(text.encode(encoding), name="x").sections
    assert section.format == "proc-meminfo"
    assert len(section.reading.facts) == 2


def test_progress_counts_stored_bytes(tmp_path):
    heard: list[int] = []
    path = tmp_path / "meminfo"
    path.write_bytes(MEMINFO)
    read_file(path, on_progress=heard.append)
    assert heard == [len(MEMINFO)]


def test_files_of_a_directory_have_captured_paths(tmp_path):
    file = tmp_path / "during" / "proc" / "meminfo"
    file.parent.mkdir(parents=True)
    file.write_bytes(MEMINFO)
    (read,) = read_paths([tmp_path])
    assert (read.name, read.captured_path, read.state) == ("meminfo", "during/proc/meminfo", "read")


def test_a_directory_of_a_moment_names_no_cgroup():
    reads = read_paths([DATA / "recorded" / "memcg-oom"])
    facts = [fact for read in reads for section in read.sections for fact in section.reading.facts]
    limits = [fact for fact in facts if fact.name == "memcg.limit_bytes"]
    assert limits
    assert all("cgroup" not in fact.labels for fact in limits)


def test_a_file_name_hint_is_a_quality_remark():
    (section,) = read_file(DATA / "files" / "loose" / "lru_gen_enabled.txt").sections
    assert section.reading.quality_names == {"assumed_path"}
    assert [(fact.name, fact.value) for fact in section.reading.facts] == [("mm.lru_gen.enabled", True)]


def test_a_filter_in_the_prompt_marks_the_output():
    paste = b"$ cat /proc/vmstat | grep oom\noom_kill 2\n"
    (section,) = read_bytes(paste, name="paste").sections
    assert section.format == "proc-vmstat"
    assert "filtered" in section.reading.quality_names


def test_a_file_captured_twice_in_one_paste_is_two_snapshots():
    paste = b"==> proc/vmstat <==\noom_kill 2\n\n==> proc/vmstat <==\noom_kill 5\n"
    sections = read_bytes(paste, name="paste").sections
    facts = [fact for section in sections for fact in section.reading.facts]
    assert [(fact.value, fact.snapshot) for fact in facts] == [(2.0, 0), (5.0, 1)]


def test_readings_of_one_file_in_a_row_are_snapshots():
    read = read_file(
        DATA / "files" / "machine" / "proc" / "6879" / "status", captured_path="proc/6879/status"
    )
    rss = [fact for fact in read.sections[0].reading.facts if fact.name == "process.rss.status_bytes"]
    assert [fact.snapshot for fact in rss] == [0, 1, 2]
    assert {fact.labels["pid"] for fact in rss} == {"6879"}


def test_a_path_that_the_content_denies_falls_back_to_content():
    stack = (DATA / "bare-stack" / "stack.shrink_lruvec.txt").read_bytes()
    (section,) = read_bytes(stack, name="loadavg", captured_path="proc/loadavg").sections
    assert section.format == "bare-stack"


def test_long_text_is_cut_only_at_banners_and_never_lost():
    log = (
        b"[ 2228.006474] Memory cgroup out of memory: Killed process 6262 (python3) total-vm:213940kB\n" * 40
    )
    paste = b"==> proc/loadavg <==\n1.00 2.00 3.00 1/2 3\n\n==> dmesg <==\n" + log
    read = read_bytes(paste, name="x", limits=Limits(sectioned_bytes=1000))
    assert [(section.format, section.first_line) for section in read.sections] == [
        ("proc-loadavg", 1),
        ("kernel-log", 4),
    ]
    assert read.line_count == 44


def test_text_beyond_the_buffered_size_is_counted():
    calls = b'openat(AT_FDCWD, "/etc/passwd", O_RDONLY) = 3 <0.000012>\n'
    limits = Limits(sectioned_bytes=100_000, buffered_bytes=1 << 20)
    read = read_bytes(calls * 60_000, name="x", limits=limits)
    assert [section.format for section in read.sections] == ["strace-calls"]
    assert read.line_count == 60_000
    assert 20_000 < sum(skipped.count for skipped in read.skipped) == 60_000 - read.sections[-1].last_line


def test_every_published_sample_is_read():
    for read in read_paths([DATA / "published"]):
        assert (read.state, read.reason) == ("read", "")
        assert all(1 <= s.first_line <= s.last_line <= read.line_count for s in read.sections)


SAMPLE = (
    b"arrow-read-23 14031/14056 [000]  1038.279013:   10101010 cpu-clock:ppp:\n"
    b"\tffffffff8158e45a next_uptodate_folio+0x13a ([kernel.kallsyms])\n"
    b"\t    7f00891f5 start_thread+0x305 (/usr/lib/x86_64-linux-gnu/libc.so.6)\n\n"
)


def test_a_long_input_is_streamed_and_reads_as_a_short_one():
    short = read_bytes(SAMPLE * 200, name="x")
    streamed = read_bytes(SAMPLE * 200, name="x", limits=Limits(sectioned_bytes=1000))
    assert [section.format for section in streamed.sections] == ["perf-script"]
    assert streamed.line_count == short.line_count == 800
    (one,), (other,) = (read.sections[0].reading.profiles for read in (short, streamed))
    assert one.samples == other.samples == 200
    assert list(one.sample_line) == list(other.sample_line)


def test_a_long_input_is_not_buffered(tmp_path):
    path = tmp_path / "perf.script"
    with path.open("wb") as file:
        for _ in range(40):
            file.write(SAMPLE * 5000)
    tracemalloc.start()
    read = read_file(path)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert read.sections[0].reading.profiles[0].samples == 200_000
    assert path.stat().st_size > 38 << 20
    assert peak < 32 << 20


def test_a_long_paste_that_begins_with_another_output_loses_neither():
    paste = b"==> proc/loadavg <==\n1.00 2.00 3.00 1/2 3\n\n==> perf.script <==\n" + SAMPLE * 200
    read = read_bytes(paste, name="x", limits=Limits(sectioned_bytes=1000))
    assert [section.format for section in read.sections] == ["proc-loadavg", "perf-script"]
    assert read.sections[1].reading.profiles[0].samples == 200


def test_text_rejected_by_its_format_stays_text_with_the_reason(monkeypatch):
    from ingest.model.errors import MalformedInputError
    from tests.ingest.samples import reader_of

    def refuse(text):
        raise MalformedInputError("no", line=text.first_line)

    monkeypatch.setattr(reader_of("proc-loadavg"), "read", refuse)
    (section,) = read_bytes(b"1.00 2.00 3.00 1/2 3\n", name="x").sections
    assert section.format == "text"
    assert [skipped.reason for skipped in section.reading.skipped] == ["not read as proc-loadavg: line 1: no"]
