"""Readers of captured files: they are found by path or command, and read real files whole."""

from __future__ import annotations

import pytest

from ingest import readers
from ingest.model.section import Text
from ingest.sections import captured_files
from tests.ingest.readers.captured import CAPTURED, DATA, read

EXCLUDED = {
    "inner value of the scheduler",
    "page set of one CPU",
    "option of a device driver",
    "function that dates no code",
    "a kind of ICMP message, repeated below IcmpMsg",
}


@pytest.mark.parametrize("path", CAPTURED)
def test_every_captured_file_is_read_without_a_skipped_line(path):
    reading = read(path)
    assert reading.facts or reading.row_sets
    unread = [skipped for skipped in reading.skipped if skipped.count > 3 and skipped.reason not in EXCLUDED]
    assert unread == []


@pytest.mark.parametrize("path", CAPTURED)
def test_every_fact_cites_a_line_of_the_file(path):
    (tree,) = {child.name for child in DATA.iterdir() if (child / path).is_file()}
    count = len((DATA / tree / path).read_text().splitlines())
    for fact in read(path).facts:
        assert 1 <= fact.lines.first <= fact.lines.last <= count
        assert isinstance(fact.value, float | str | bool)


@pytest.mark.parametrize(
    ("command", "path"),
    [
        ("cat /proc/meminfo", "/proc/meminfo"),
        ("sudo cat /proc/meminfo 2>/dev/null", "/proc/meminfo"),
        ("grep oom /proc/vmstat", "/proc/vmstat"),
        ("tail -n 100 *", ""),
        ("head -5 /proc/vmstat", "/proc/vmstat"),
        ("cat /proc/vmstat | grep oom", "/proc/vmstat"),
        ("echo 1 > /proc/sys/vm/drop_caches", ""),
    ],
)
def test_the_file_a_command_prints(command, path):
    assert captured_files.path_of_command(command) == path


@pytest.mark.parametrize(
    ("command", "name"),
    [
        ("uname -a", "kernel-version"),
        ("uname -r", "kernel-version"),
        ("sudo sysctl -a", "sysctl"),
        ("nproc", "kernel-switch"),
        ("ps aux | grep rss", "ps"),
        ("find /sys/fs/cgroup/memory -type d | wc -l", "cgroup-dirs"),
        ("free -m", "free"),
        ("hostname", "host-text"),
    ],
)
def test_who_reads_what_a_command_prints(command, name):
    reader = captured_files.reader_of_command(command)
    assert reader is not None
    assert name == reader.NAME


@pytest.mark.parametrize("reader", [reader for reader in readers.FILES if reader.PATHS], ids=lambda r: r.NAME)
def test_its_own_example_is_read(reader):
    path = reader.PATHS[0].replace("*", "1")
    reading = reader.read(Text(reader.EXAMPLE.splitlines(), 1, path))
    assert reading.facts or reading.row_sets
    assert reading.skipped == ()


def test_names_are_unique():
    names = [reader.NAME for reader in readers.FILES]
    assert len(names) == len(set(names))
