"""Readings from sar and sadf."""

from __future__ import annotations

import pytest

from ingest.model.section import Text
from ingest.readers.sysstat import sar
from tests.ingest.samples import lines_of, read, rows, values


def test_every_table_of_sar_is_read_without_remainder():
    assert read(sar, "sar/sar-A.txt").skipped == ()


def test_stated_averages_become_facts():
    facts = values(read(sar, "sar/sar-A.txt"))
    assert facts["cpu.user_share"] == 0.7303
    assert {"sar.pgscand_per_second", "sar.runq_sz", "sar.cswch_per_second"} <= set(facts)


def test_entities_are_labels():
    facts = values(read(sar, "sar/sar.u-q-n.txt"), interface="eth0")
    assert facts["sar.rxpck_per_second"] == 2.97


@pytest.mark.parametrize("form", ["sadf-d.txt", "sadf-p.txt", "sadf-j.txt"])
def test_all_forms_of_sadf_agree_on_what_they_share(form):
    facts = values(read(sar, f"sar/{form}"))
    assert facts["cpu.nice_share"] == pytest.approx((0.9455 + 0.9548) / 2)
    if form != "sadf-p.txt":
        assert facts["sar.runq_sz"] == 12.0


def test_json_cites_the_line_of_the_time_stamp():
    reading = read(sar, "sar/sadf-j.txt")
    lines = lines_of("sar/sadf-j.txt")
    assert all('"timestamp"' in lines[line - 1] for row_set in reading.row_sets for line in row_set.row_lines)


def test_json_cut_in_the_middle_is_counted_and_not_guessed():
    lines = lines_of("sar/sadf-j.txt")[:20]
    reading = sar.read(Text(lines))
    assert [(skip.reason, skip.count) for skip in reading.skipped] == [
        ("not the JSON of sadf, or cut off", 20)
    ]
    assert reading.facts == ()


def test_a_restart_in_between_is_reported():
    head, row = sar.EXAMPLE.splitlines()
    reading = sar.read(Text([head, row, "01:02:03     LINUX RESTART\t(2 CPU)", row]))
    assert reading.quality_names == {"mixed_boots"}


def test_rows_keep_every_look():
    assert len(rows(read(sar, "sar/sadf-d.txt"), "sar:user_share,nice_share,system_share")) == 2
