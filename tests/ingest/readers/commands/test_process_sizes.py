"""Sizes of a process, as pmap, psutil and smaps_rollup state them."""

from __future__ import annotations

from ingest.model.section import Text
from ingest.readers.commands import pmap
from ingest.readers.proc import proc_smaps_rollup
from tests.ingest.samples import reader_of

KIB = 1024


def sizes(reader, lines, command=""):
    reading = reader.read(Text(lines, command=command))
    return [
        (fact.name.removeprefix("process."), fact.labels.get("pid"), fact.value) for fact in reading.facts
    ]


def test_the_total_of_pmap_is_the_resident_size_of_its_process_in_both_forms():
    extended = ["4411:   /usr/sbin/mysqld", "Address           Kbytes     RSS   Dirty Mode  Mapping"]
    total = [
        "00007f2a10000000     132      64      64 rw---   [ anon ]",
        "total kB          822140  140112  120344",
    ]
    name = "rss.smaps_rollup_bytes"
    assert sizes(pmap, [*extended, *total]) == [(name, "4411", 140112.0 * KIB)]
    more = ["51002:   imgproxy", "     Address Perm   Offset Device   Inode    Size    Rss    Pss Mapping"]
    sums = ["                                           ======= ====== ======", "   2910120 611204 590811 KB"]
    assert sizes(pmap, [*more, *sums]) == [(name, "51002", 611204.0 * KIB)]
    assert sizes(pmap, more) == []


def test_psutil_states_counters_and_pages_of_the_process_whose_number_stands_before():
    line = (
        "sampler 9021 pfullmem(rss=88080384, vms=792723456, shared=8, uss=231108608, pss=232312832, swap=0)"
    )
    assert sizes(reader_of("psutil-memory"), [line]) == [
        ("psutil.rss_bytes", "9021", 88080384.0),
        ("psutil.uss_bytes", "9021", 231108608.0),
        ("psutil.pss_bytes", "9021", 232312832.0),
    ]


def test_one_command_that_prints_two_processes_is_no_process_that_grew():
    command = "head -2 /proc/3290/smaps_rollup; sed -n 2p /proc/3111/smaps_rollup"
    found = sizes(proc_smaps_rollup.FORMAT, ["Rss: 96512 kB", "Rss: 28416 kB"], command)
    assert [(pid, value) for _, pid, value in found] == [("3290", 96512.0 * KIB), ("3111", 28416.0 * KIB)]
