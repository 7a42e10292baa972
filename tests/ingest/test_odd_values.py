"""Values that no machine prints are skipped and counted; the rest of the file is read."""

from __future__ import annotations

import gzip
import io
import tarfile

import pytest

from ingest.evidence import read_bytes

MEMORY = "MemTotal: 16384256 kB\nMemFree: {free} kB\nMemAvailable: 2000 kB\n"
LSOF = "COMMAND PID USER FD TYPE DEVICE SIZE/OFF NODE NAME\n"


def skipped(evidence) -> int:
    return sum(skip.count for section in evidence.sections for skip in section.reading.skipped)


def names(evidence) -> set[str]:
    return {fact.name for section in evidence.sections for fact in section.reading.facts}


@pytest.mark.parametrize("free", ["-1000", "9" * 60, "10\x0000", "1e999"])
def test_an_impossible_amount_takes_its_line_alone(free):
    evidence = read_bytes(MEMORY.format(free=free).encode(), name="meminfo", captured_path="proc/meminfo")
    assert names(evidence) >= {"meminfo.memtotal_bytes", "meminfo.memavailable_bytes"}
    assert "meminfo.memfree_bytes" not in names(evidence)
    assert skipped(evidence) == 1


def test_sizes_and_ids_that_lsof_never_prints_are_counted():
    rows = "java 4312 app 11w REG 253,0 {size} 1 /a (deleted)\njava -1 app 11w REG 253,0 5 1 /b (deleted)\n"
    evidence = read_bytes((LSOF + rows.format(size="9" * 23)).encode(), name="lsof.txt")
    assert "process.deleted_open_bytes" not in names(evidence)
    assert skipped(evidence) >= 1


def test_a_version_of_schedstat_in_the_middle_ends_what_is_known():
    text = "version 15\ntimestamp 1\ncpu0 1 2 3\ncpu2 0 0 0 0 0 0 0 5 6\nversion 99\ntimestamp 2\n"
    text += "cpu0 0 0 0 0 0 0 1 1 1\n"
    evidence = read_bytes(text.encode(), name="schedstat")
    facts = [fact for section in evidence.sections for fact in section.reading.facts]
    assert {fact.labels["cpu"] for fact in facts} == {"2"}
    assert skipped(evidence) == 3


def test_a_percentage_of_a_table_may_not_be_a_number():
    head = "Device            r/s     rkB/s   w/s     wkB/s  r_await w_await  %util\n"
    evidence = read_bytes(f"{head}sda 1.00 4.00 2.00 8.00 1.00 2.00 nan\n".encode(), name="iostat.txt")
    assert "disk.util_share" not in names(evidence)
    assert skipped(evidence) == 1


def test_compression_inside_compression_ends():
    content = MEMORY.format(free=1).encode()
    for _ in range(30):
        content = gzip.compress(content)
    assert "more than 3 compressions" in read_bytes(content, name="deep.gz").reason


def test_names_with_line_breaks_and_paths_upwards_are_left_out_aloud():
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w:gz") as archive:
        for name in ("host/proc/meminfo", "../../etc/passwd"):
            member = tarfile.TarInfo(name)
            content = MEMORY.format(free=1).encode()
            member.size = len(content)
            archive.addfile(member, io.BytesIO(content))
    assert "path leaves the archive" in repr(read_bytes(packed.getvalue(), name="host.tar.gz"))
