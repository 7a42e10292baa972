"""Archives: streamed, recognised members read, the rest counted by reason, nothing leaves."""

from __future__ import annotations

import gzip
import io
import tarfile
import zipfile
from pathlib import Path

import pytest

from ingest.evidence import read_bytes, read_file, read_paths
from ingest.model.limits import DEFAULT, Limits

DATA = Path(__file__).parents[2] / "data"
SOSREPORT = DATA / "sosreport" / "sosreport-analytics-db-02.trimmed.tar.xz"
LOADAVG = b"20.29 11.04 5.31 24/163 14880\n"


def tar(*entries: tuple[str, bytes], mode: str = "w") -> bytes:
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode=mode) as archive:
        for name, content in entries:
            info = tarfile.TarInfo(name)
            info.size = len(content)
            archive.addfile(info, io.BytesIO(content))
    return buffer.getvalue()


def zipped(*entries: tuple[str, bytes]) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in entries:
            archive.writestr(name, content)
    return buffer.getvalue()


def facts(evidence, name):
    return [
        fact
        for member in (evidence, *evidence.members)
        for section in member.sections
        for fact in section.reading.facts
        if fact.name == name
    ]


@pytest.mark.parametrize("pack", [tar, lambda entry: tar(entry, mode="w:gz"), zipped])
def test_tar_and_zip_are_recognised_by_their_bytes(pack):
    read = read_bytes(pack(("proc/loadavg", LOADAVG)), name="evidence")
    assert [member.captured_path for member in read.members] == ["proc/loadavg"]
    assert facts(read, "loadavg.1m")[0].value == pytest.approx(20.29)


def test_a_member_is_named_by_its_own_bytes():
    read = read_bytes(tar(("proc/loadavg", LOADAVG)), name="a.tar")
    assert read.members[0].sha256 == read_bytes(LOADAVG, name="x").sha256
    assert read.members[0].size_bytes == len(LOADAVG)


def test_members_without_meaning_are_counted_by_reason_and_never_rows():
    content = tar(
        ("proc/loadavg", LOADAVG),
        ("notes.txt", b"it got slow\n"),
        ("more.txt", b"very slow\n"),
        ("empty", b""),
        ("picture.png", b"\x89PNG\r\n\x1a\n" + bytes(64)),
    )
    read = read_bytes(content, name="a.tar")
    assert len(read.members) == 1
    counted = {skipped.reason: skipped.count for skipped in read.skipped}
    assert counted["text that is not recognised"] == 2
    assert counted["empty"] == 1
    assert any("PNG" in reason for reason in counted)


def test_a_compressed_member_is_opened():
    read = read_bytes(tar(("proc/loadavg", gzip.compress(LOADAVG))), name="a.tar")
    assert facts(read, "loadavg.5m")


def test_links_are_counted_and_not_followed():
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w") as archive:
        link = tarfile.TarInfo("proc/meminfo")
        link.type, link.linkname = tarfile.SYMTYPE, "/etc/shadow"
        archive.addfile(link)
    read = read_bytes(buffer.getvalue(), name="a.tar")
    assert read.members == ()
    assert [(skipped.reason, skipped.count) for skipped in read.skipped] == [("link", 1)]


def test_an_archive_of_escaping_paths_is_rejected():
    read = read_file(DATA / "bad" / "escaping.tar")
    assert read.state == "rejected"
    assert "leaves the archive" in read.reason
    assert "../../etc/cron.d/x" in read.reason


def test_a_member_with_an_escaping_path_is_skipped_alone():
    read = read_file(DATA / "bad" / "partly-escaping.tar")
    assert [member.captured_path for member in read.members] == ["sys/fs/cgroup/memory/lakehouse/memory.stat"]
    assert [skipped.count for skipped in read.skipped if "../outside/memory.stat" in skipped.reason] == [1]


@pytest.mark.parametrize("name", ["..\\..\\x", "C:\\x", "/abs", "a/../../x"])
def test_windows_and_absolute_paths_are_escaping(name):
    read = read_bytes(zipped((name, LOADAVG), ("proc/loadavg", LOADAVG)), name="a.zip")
    assert len(read.members) == 1


def test_a_truncated_tar_is_rejected_with_where():
    content = tar(("proc/loadavg", LOADAVG), ("proc/vmstat", b"nr_free_pages 1\n" * 400))
    read = read_bytes(content[:4000], name="a.tar")
    assert read.state == "rejected"
    assert read.reason == (
        "tar archive ends early or states a false size: member 2 (proc/vmstat) claims 6,400 bytes, "
        "2,464 are stored"
    )


def test_a_tar_truncated_between_members_is_reported():
    content = tar(("proc/loadavg", LOADAVG), ("proc/vmstat", b"nr_free_pages 1\n" * 400))
    read = read_bytes(content[:1300], name="a.tar")
    assert len(read.members) == 1
    assert [skipped.reason for skipped in read.skipped] == ["the archive has no end mark: it may be cut off"]


def test_a_truncated_compressed_archive_is_the_archives_fault_not_the_members():
    content = tar(("proc/loadavg", LOADAVG), ("noise", bytes(range(256)) * 900), mode="w:gz")
    read = read_bytes(content[:-400], name="a.tgz")
    assert read.state == "rejected"
    assert read.reason.startswith("gzip stream ends early after")


def test_a_broken_zip_is_rejected():
    read = read_bytes(zipped(("proc/loadavg", LOADAVG))[:-30], name="a.zip")
    assert (read.state, read.reason) == ("rejected", "zip archive is broken: File is not a zip file")


def test_a_bomb_in_a_zip_is_counted_and_not_opened():
    bomb = zipped(("bomb.txt", b"a\n" * (1 << 20)), ("proc/loadavg", LOADAVG))
    read = read_bytes(bomb, name="a.zip", limits=Limits(ratio_free_bytes=1 << 20, expansion_ratio=20))
    assert len(read.members) == 1
    assert [skipped.reason for skipped in read.skipped] == ["expands more than 20 times"]


def test_too_many_members_are_a_limit():
    content = tar(*((f"proc/{number}/status", b"x\n") for number in range(12)))
    read = read_bytes(content, name="a.tar", limits=Limits(members=10))
    assert (read.state, read.reason) == ("rejected", "more than 10 members in one archive")


def test_a_member_that_is_too_large_is_counted():
    read = read_bytes(
        tar(("big", b"a\n" * 600), ("proc/loadavg", LOADAVG)), name="a", limits=Limits(member_bytes=1000)
    )
    assert [skipped.reason for skipped in read.skipped] == ["larger than 1,000 bytes"]


def test_archives_inside_one_another_are_opened_to_a_depth():
    content = tar(("proc/loadavg", LOADAVG))
    for level in range(DEFAULT.archive_depth - 1):
        content = tar((f"{level}.tar", content))
    innermost = read_bytes(content, name="a.tar")
    while innermost.members:
        innermost = innermost.members[0]
    assert innermost.captured_path == "proc/loadavg"
    deeper = read_bytes(tar(("again.tar", content)), name="a.tar")
    assert deeper.members == ()
    assert [skipped.reason for skipped in deeper.skipped] == ["more than 3 archives inside one another"]


@pytest.fixture(scope="module")
def report():
    return read_file(SOSREPORT)


@pytest.mark.parametrize(
    ("path", "is_read"),
    [
        ("host/sos_commands/kernel/dmesg", True),
        ("incident/oom.log", True),
        ("host/usr/share/doc/oom", False),
        ("host/sys/kernel/debug/tracing/available_filter_functions", False),
        ("host/sos_reports/sos.txt", False),
    ],
)
def test_a_tools_output_is_looked_for_where_tools_leave_it(path, is_read):
    oom = (DATA / "kernel-log" / "dmesg-oom.txt").read_bytes()
    assert bool(read_bytes(tar((path, oom)), name="a.tar").members) is is_read


class TestSosreport:
    def test_captured_paths_are_those_of_the_machine(self, report):
        paths = {member.captured_path for member in report.members}
        assert {"proc/meminfo", "sos_commands/kernel/uname_-a", "sys/fs/cgroup/oomy/memory.events"} <= paths

    def test_the_host_names_itself(self, report):
        assert report.host == "analytics-db-02"
        assert facts(report, "kernel.release")[0].value == "6.12.117+deb12-cloud-amd64"

    def test_cgroups_are_named_by_their_path(self, report):
        values = {fact.labels["cgroup"]: fact.value for fact in facts(report, "memcg.events.oom_kill")}
        assert values == {"/oomy": 1.0}

    def test_the_kernel_log_is_read_by_content(self, report):
        member = next(member for member in report.members if member.captured_path.endswith("dmesg"))
        assert [section.format for section in member.sections] == ["kernel-log"]
        assert any(record.kind == "oom_kill" for record in member.sections[0].reading.log_records)

    def test_what_is_not_evidence_is_counted(self, report):
        counted = {skipped.reason: skipped.count for skipped in report.skipped}
        assert counted["link"] == 6
        assert counted["text that is not recognised"] > 50
        assert all(member.state == "read" for member in report.members)

    def test_an_unpacked_report_reads_the_same(self, report, tmp_path):
        with tarfile.open(SOSREPORT) as archive:
            archive.extractall(tmp_path, filter="data")
        (directory,) = tmp_path.iterdir()
        (unpacked,) = read_paths([directory])
        assert unpacked.host == report.host
        assert {member.captured_path for member in unpacked.members} == {
            member.captured_path for member in report.members
        }
