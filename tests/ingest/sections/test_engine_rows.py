"""Rows that a reader skips are read by the general engines, and no row is read twice."""

from __future__ import annotations

from ingest.evidence import read_bytes

IOSTAT = """\
Device            r/s     w/s     rkB/s     wkB/s   await  %util
sda              1.00    2.00      3.00      4.00    5.00   6.00
"""


def section(text):
    (found,) = read_bytes(text.encode(), name="x").sections
    return found


def rows(text):
    return {
        one.name: [str(row[0]) for row in one.rows]
        for one in section(text).reading.row_sets
        if one.name.partition(":")[0] in {"table", "key_values", "status_lines"}
    }


def test_a_row_of_another_tool_inside_a_known_section_is_read():
    text = "nr_periods 10\nnr_throttled 7\nthrottled_usec 93\nReallocated_Sector_Ct: 24\n"
    assert section(text).format == "cgroup-cpu"
    (left,) = [one for one in section(text).reading.row_sets if one.name == "key_values"]
    assert [(row[1], row[2]) for row in left.rows] == [("Reallocated_Sector_Ct", 24.0)]
    assert list(left.row_lines) == [4]


def test_what_a_reader_has_read_is_not_read_again():
    assert rows(IOSTAT) == {}


def test_keys_that_only_one_file_has_are_recognised_alone():
    for text in ("nr_throttled 40911\nthrottled_usec 93\n", "throttled_time 812121\n"):
        found = section(text)
        assert found.format == "cgroup-cpu"
        assert {fact.name.rpartition(".")[0] for fact in found.reading.facts} == {"cgroup.cpu"}


def test_a_command_inside_a_container_with_a_filter_is_the_file():
    text = (
        "$ kubectl exec -n shop web-0 -- cat /sys/fs/cgroup/cpu.stat | grep throttled\nnr_throttled 40911\n"
    )
    found = section(text)
    assert (found.format, found.path) == ("cgroup-cpu", "/sys/fs/cgroup/cpu.stat")
    assert "filtered" in found.reading.quality_names
