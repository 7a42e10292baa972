"""dool draws its lines, and writes CSV as dstat does; the rows are the same, with their times."""

from __future__ import annotations

import pytest

from ingest.evidence import read_bytes

DRAWN = (
    "┄┄total┄cpu┄usage┄┄┬┄dsk/total┄┬┄┄┄load┄avg┄┄┄┬┄┄┄┄┄system┄┄┄┄\n"
    "usr sys idl wai stl│ read  writ│ 1m   5m  15m │      time     \n"
    " 54   7  39   0   0│   0   262k│2.25 2.10 4.21│Nov-28 19:08:15\n"
    "  3   8  49  40   0│   0  4096B│2.25 2.10 4.21│Nov-28 19:08:16\n"
    "  3   8  39  50   0│  28M  492k│2.15 2.08 4.19│Nov-28 19:08:17\n"
)
AS_CSV = (
    '"dool 1.3.8 CSV output"\n'
    '"Author:","Scott Baker",,,,"URL:","https://github.com/scottchiefbaker/dool/"\n'
    '"Host:","vm",,,,"User:","root"\n'
    '"Cmdline:","dool -tcd --output a.csv 1",,,,"Date:","28 Nov 2026 19:09:11 UTC"\n'
    '"system","total cpu usage",,,,,"dsk/total",,"/",\n'
    '"time","usr","sys","idl","wai","stl","read","writ","/:used","/:free"\n'
    "Nov-28 19:08:15,54.631,6.659,38.447,0.263,0,40334501.904,42963871.426,1,2\n"
    "Nov-28 19:08:16,3.0,8.0,49.0,40.0,0,32768,4096,1,2\n"
    "Nov-28 19:08:17,3.0,8.0,39.0,50.0,0,0,503808,1,2\n"
)


@pytest.mark.parametrize("text", [DRAWN, AS_CSV, AS_CSV.replace("dool 1.3.8", "Dstat 0.7.2")])
def test_rows_are_those_of_the_plain_table(text):
    (section,) = read_bytes(text.encode(), name="a").sections
    (rows,) = section.reading.row_sets
    assert section.format == "dstat"
    assert list(rows.column("iowait_share")) == [0.4, 0.5]
    assert list(rows.column("time_text")) == ["Nov-28 19:08:16", "Nov-28 19:08:17"]
    assert list(rows.column("out_bytes_per_second")) == [4096.0, 503808.0]
    assert {one.reason for one in section.reading.skipped} == {"average since boot"}


@pytest.mark.parametrize(
    "cut", ['"a","b"\n1,2\n', '"dool 1.3.8 CSV output"\n', "┄┄total┄cpu┄usage┄┄┬┄\n", '""\n' * 3]
)
def test_a_cut_table_is_no_error(cut):
    assert read_bytes(cut.encode(), name="a").sections
