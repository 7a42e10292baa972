"""What was read is stated, also where no rule knows what is normal: the largest values, as context."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from ingest import catalogue
from ingest.evidence import read_paths
from ingest.fact_catalogue import entries
from signatures.engines import Engines
from signatures.judging.scope import items_of
from signatures.overview import reading_values, run
from tests.ingest.samples import DATA
from tests.signatures.overview.test_first_screen import overview, states

DOCKER = """\
CONTAINER ID   NAME      CPU %     MEM USAGE / LIMIT     MEM %     NET I/O          BLOCK I/O        PIDS
3f9d1c20ab7e   mysql     0.60%     16.22GiB / 31.22GiB   51.96%    18.8MB / 883kB   63.4MB / 129MB   30
"""
HISTOGRAM = """\
     msecs               : count     distribution
         0 -> 1          : 7        |****************************************|
         2 -> 3          : 1        |*****                                   |
         4 -> 7          : 2        |***********                             |
"""
INTERRUPTS = """\
           CPU0       CPU1       CPU2       CPU3
RES:      90120    3912340      88120      91230   Rescheduling interrupts
"""
STRACE = 'read(3, "abc", 3) = 3\nread(3, "abc", 3) = 3\nclose(5)                = 0\n'


def left(found):
    """Return the sentences about what rules leave."""
    return [one.statement for one in found.statements if one.statement.engine == "quantities"]


@pytest.mark.parametrize(
    ("text", "subject", "line"),
    [
        (DOCKER, ("16.2 GiB", "mysql"), 2),
        (HISTOGRAM, ("4", "2 of 10"), 4),
        (INTERRUPTS, ("RES",), 2),
        (STRACE, ("read",), 1),
        ("Linux db1 6.8.0-45-generic #45-Ubuntu SMP x86_64 GNU/Linux\n", ("6.8.0-45-generic",), 1),
    ],
)
def test_what_was_read_is_stated_with_its_line_and_no_verdict(text, subject, line):
    found = overview(text)
    first = left(found)[0]
    assert found.headline.text == first.text
    assert all(one in first.text for one in subject)
    assert first.places[0].first_line == line
    assert (first.kind, first.level, found.first_steps) == ("fact", "context", ())
    assert set(states(found).values()) == {"not assessed"}


def test_samples_with_facts_have_a_sentence_with_a_citation():
    silent = []
    for path in sorted(DATA.glob("*/*"))[::3]:
        items = items_of(read_paths([path])) if path.is_file() and path.stat().st_size < 100_000 else []
        read = [one for one in items if one.reading.facts and one.format != "text"]
        panels = run(items) if read else []
        if read and not any(one.places for panel in panels for one in panel.statements):
            silent.append(str(path))
    assert silent == []


def test_what_rules_state_stands_above_and_at_most_three_values_below():
    meminfo = "MemTotal:       16000000 kB\nMemFree:          100000 kB\nMemAvailable:     200000 kB\n"
    found = overview(meminfo, *([DOCKER] * 9))
    kinds = [one.statement.engine == "quantities" for one in found.statements]
    assert sum(kinds) <= 3
    assert kinds == sorted(kinds)
    assert found.headline.text != left(found)[0].text


def test_a_value_far_above_its_peers_is_stated_before_the_largest():
    rows = "".join(
        f"{at}  c{at}  0.1%  {size}MiB / 31.2GiB  1%  1kB / 1kB  1kB / 1kB  3\n"
        for at, size in enumerate((20, 22, 900, 21, 25))
    )
    first = left(overview(DOCKER.splitlines(keepends=True)[0] + rows))[0]
    assert "container c2" in first.subject
    assert "stands out" in first.text


def test_zeros_settings_and_numbers_that_are_none_are_no_largest_value():
    (zero,) = left(overview("$ cat /sys/fs/cgroup/a/memory.swap.events\nhigh 0\nmax 0\nfail 0\n"))
    assert zero.text.startswith("All 3 values of this reading are 0")
    described = left(overview("$ cat /sys/fs/cgroup/a/memory.high\nmax\n"))
    assert all("largest" not in one.text for one in described)


def test_zeros_of_known_names_beside_other_numbers_are_not_all_values():
    counters = (
        "rx_write_requests 5 remote_faults 17 local_ack_timeout_err 0 rnr_nak_retry_err 0 packet_seq_err 0"
    )
    (zero,) = left(overview(f"port mlx5_0:1 {counters}\n"))
    assert not zero.text.startswith("All")
    assert "remote_faults (17)" in zero.text


def test_the_engine_can_be_turned_off():
    items = items_of(read_paths([DATA / "docker-stats"]))
    names = [panel.name for panel in run(items, engines=Engines(quantities="off"))]
    assert "largest-values" not in names


def test_every_unit_of_a_fact_has_a_name_and_every_pattern_a_fact():
    units = {unit for one in entries() for unit in one.units}
    assert units <= set(reading_values.kinds()) | {"kib"}
    quantities = [
        one for one in entries() if "number" in one.types and not reading_values.is_describing(one.name)
    ]
    assert len(quantities) > 150
    assert not any(reading_values.is_describing(name) for name in ("memcg.usage_bytes", "disk.util_share"))


@pytest.mark.parametrize(
    ("name", "format_name", "label"),
    [
        (
            "app.longest_latency_seconds",
            "text",
            "the longest time that a line of an application's log says something took",
        ),
        ("memcg.stat.anon", "cgroup-memory-stat", "anon in memory.stat"),
        ("meminfo.dirty_bytes", "proc-meminfo", "dirty in /proc/meminfo"),
        ("loadavg.15m", "top", "loadavg 15m in top"),
        ("packet_rows backlog_seconds", "packet-rows", "backlog of packets"),
    ],
)
def test_a_quantity_is_called_by_its_meaning(name, format_name, label):
    assert reading_values.label_of(name, format_name) == label


def test_every_set_of_rows_has_a_name_for_people():
    listed = (Path(catalogue.__file__).parent / "rows.md").read_text().partition("*Histograms*")[0]
    names = {one.rstrip(":") for one in re.findall(r"`([a-z][a-z0-9_]+:?)(?:<[a-z]+>)?`", listed)} - {
        "printf"
    }
    assert all("_" not in reading_values.rows_of(one).replace("mmap_lock", "") for one in names)
    assert names <= reading_values.row_names()
