"""Who ran on each CPU, from the switches that `perf sched map` prints."""

from __future__ import annotations

from ingest.model.section import Text
from ingest.readers.perf import perf_sched_map

MAP = """\
  *A0           100.000000 secs A0 => job:7
   A0 *B0       100.010000 secs B0 => db:8 (CPU 1)
  *.   B0       100.030000 secs
  *B0 *.        100.040000 secs
"""


def test_a_task_runs_until_the_next_switch_of_its_cpu():
    reading = perf_sched_map.read(Text(MAP.splitlines()))
    ran = {fact.labels["comm"]: fact.value for fact in reading.facts if fact.labels}
    assert ran == {"job": 0.03}
    [rows] = reading.row_sets
    assert rows.rows == (("job", 7.0, 1.0, 30.0), ("db", 8.0, 2.0, 0.0))
