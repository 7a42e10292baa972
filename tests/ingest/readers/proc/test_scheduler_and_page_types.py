"""Readings from /proc/schedstat and /proc/pagetypeinfo."""

from __future__ import annotations

from ingest.model.section import Text
from ingest.readers.proc import proc_pagetypeinfo, proc_schedstat
from tests.ingest.samples import DATA, values

MACHINE = DATA / "files/machine/proc"


def read(reader, name):
    return reader.read(Text((MACHINE / name).read_text().splitlines()))


def test_run_and_wait_times_are_seconds():
    found = values(read(proc_schedstat, "schedstat"), cpu="0")
    assert found["schedstat.run_seconds"] == 2045936.778163
    assert found["schedstat.wait_seconds"] == 343796.328169
    assert found["schedstat.timeslices"] == 4767485306.0


def test_another_version_is_not_guessed():
    lines = (MACHINE / "schedstat").read_text().replace("version 15", "version 13").splitlines()
    reading = proc_schedstat.read(Text(lines))
    assert not reading.facts
    assert sum(skip.count for skip in reading.skipped) == 5


def test_free_blocks_have_zone_type_and_order():
    reading = read(proc_pagetypeinfo, "pagetypeinfo")
    labels = {"node": "0", "zone": "Normal", "type": "unmovable", "order": "0"}
    assert values(reading, **labels) == {"pagetypeinfo.free_blocks": 3883.0}


def test_a_count_that_the_kernel_ended_is_a_lower_bound():
    reading = read(proc_pagetypeinfo, "pagetypeinfo")
    labels = {"node": "0", "zone": "Normal", "type": "movable", "order": "2"}
    assert values(reading, **labels) == {"pagetypeinfo.free_blocks": 100000.0}
    assert [remark.name for remark in reading.quality] == ["cut_off"] * 3


def test_page_blocks_are_counted_by_type():
    reading = read(proc_pagetypeinfo, "pagetypeinfo")
    found = values(reading, node="0", zone="Normal", type="reclaimable")
    assert found["pagetypeinfo.blocks"] == 923.0


def test_a_row_with_another_number_of_types_is_counted():
    lines = ["Number of blocks type     Unmovable      Movable", "Node 0, zone   Normal   12   4   5"]
    (skip,) = proc_pagetypeinfo.read(Text(lines)).skipped
    assert skip.reason == "not as many counts as types"
