"""Levels of the records of a kernel log, however it was printed."""

from __future__ import annotations

import pytest

from ingest.evidence import read_bytes

MESSAGE = "widget 0000:01:00.0: cannot spin"


def records(text: str):
    (section,) = read_bytes(text.encode(), name="x").sections
    return section.reading.log_records


@pytest.mark.parametrize(
    ("line", "level"),
    [
        (f"<3>[   12.345678] {MESSAGE}", 3),
        (f"<0>[   12.345678] {MESSAGE}", 0),
        (f"<30>[   12.345678] {MESSAGE}", 6),
        (f"kern  :warn  : [   12.345678] {MESSAGE}", 4),
        (f"kern  :err   : [Sat Nov 21 00:19:44 2026] {MESSAGE}", 3),
        (f"3,1012,12345678,-;{MESSAGE}", 3),
        (f"<11>Feb 11 18:58:28 db-02 kernel: [   12.345678] {MESSAGE}", 3),
        (f"Sat Nov 21 00:19:44 2026 kern.err kernel: [   12.345678] {MESSAGE}", 3),
        (f"Jan  1 00:00:10 router kern.warning kernel: [   12.345678] {MESSAGE}", 4),
        (f'{{"MESSAGE":"{MESSAGE}","_TRANSPORT":"kernel","PRIORITY":"2"}}', 2),
        (f"[   12.345678] {MESSAGE}", None),
        (f"Feb 11 18:58:28 db-02 kernel: {MESSAGE}", None),
        (f'{{"MESSAGE":"{MESSAGE}","_TRANSPORT":"kernel"}}', None),
    ],
)
def test_a_record_has_the_level_that_its_line_prints(line, level):
    (record,) = records(line)
    assert (record.kind, record.message, record.level) == ("other", MESSAGE, level)


@pytest.mark.parametrize(("priority", "level"), [("3", 3), ('"err"', 3), ("30", 6)])
def test_dmesg_in_json_has_levels(priority, level):
    text = f'"dmesg": [\n{{\n "pri": {priority},\n "time": 12.345678,\n "msg": "{MESSAGE}"\n}}\n]'
    assert [(record.message, record.level) for record in records(text)] == [(MESSAGE, level)]


def test_a_level_does_not_pass_to_the_next_record_in_json():
    text = '"dmesg": [\n{\n "pri": 3,\n "msg": "a"\n},{\n "msg": "b"\n}\n]'
    assert [record.level for record in records(text)] == [3, None]


def test_a_report_has_the_level_of_its_first_line():
    text = "<3>[ 10.000001] INFO: task a:1 blocked for more than 120 seconds.\n<6>[ 10.000002] Call Trace:"
    assert [record.level for record in records(text)] == [3]


def test_an_unknown_word_is_no_level():
    assert [record.level for record in records(f"kern  :loud  : [   12.345678] {MESSAGE}")] == [None]
