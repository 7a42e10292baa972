"""What `perf c2c report` prints on machines whose CPUs state how loads were answered."""

from __future__ import annotations

from ingest.model.section import Text
from tests.ingest.samples import reader_of, whole

# As perf 6.12 prints it on an AMD CPU: the columns of HITM, and an object with its source line.
PARETO = """\
=================================================
      Shared Cache Line Distribution Pareto
=================================================
#
  ----------------------------------------------------------------------
      0        4     2092        0        0        0      0x20ea08034080
  ----------------------------------------------------------------------
          75.00%   49.62%    0.00%    0.00%    0.00%                0x30     0       1            0x53dc88 \
410        75         0     1552        12  [.] metrics.requests  app.linux-amd64  go.go:0       0
          25.00%   50.38%    0.00%    0.00%    0.00%                0x38     0       1            0x53dbc8 \
  0        75         0     1600        10  [.] metrics.cron  app.linux-amd64  go.go:0       0
"""


def test_counts_of_all_loads_and_of_shared_lines_are_told_apart():
    facts = {fact.name: fact.value for fact in whole("perf-c2c/arm-peer.txt").facts if not fact.labels}
    assert facts["c2c.load_hit_local_peer"] == 5025
    assert facts["c2c.store_no_available_memory_level"] == 252_379
    assert facts["c2c.shared.store_no_available_memory_level"] == 1994


def test_a_line_has_its_share_of_the_contended_loads():
    shares = {
        fact.labels["address"]: fact.value
        for fact in whole("perf-c2c/arm-peer.txt").facts
        if fact.name == "c2c.line.hits_share"
    }
    assert (len(shares), round(shares["0x400816340"], 4)) == (6, 0.277)


def test_accesses_name_line_offset_and_symbol():
    reading = reader_of("perf-c2c").read(Text(PARETO.splitlines()))
    [rows] = reading.row_sets
    assert rows.rows == (
        ("0x20ea08034080", "0x30", 0.75, 0.4962, "metrics.requests", "app.linux-amd64"),
        ("0x20ea08034080", "0x38", 0.25, 0.5038, "metrics.cron", "app.linux-amd64"),
    )
    assert reading.skipped == ()
