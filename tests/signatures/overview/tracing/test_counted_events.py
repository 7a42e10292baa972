"""Tracepoints that perf stat counted are stated with their counts and rates."""

from __future__ import annotations

import pytest

from tests.signatures.overview.stated import statements

TABLE = """\
$ perf stat -a -e 'vmscan:*' -- sleep 10

 Performance counter stats for 'system wide':

     {direct:>14,}      vmscan:mm_vmscan_direct_reclaim_begin
        88,120,330      vmscan:mm_vmscan_lru_shrink_inactive
             3,120      vmscan:mm_vmscan_memcg_reclaim_begin

      10.002311211 seconds time elapsed
"""


@pytest.mark.parametrize(("direct", "first"), [(1204511, "1,204,511 times"), (0, "3,120 times")])
def test_counts_of_reclaim_are_stated_with_their_rates(direct, first):
    said = statements(TABLE.format(direct=direct))
    assert first in said[0]
    assert "a second" in said[0]
    assert any("mm_vmscan_lru_shrink_inactive" in one and "88,120,330" in one for one in said)


def test_a_few_events_are_no_news():
    few = TABLE.replace("88,120,330", "        12").replace("3,120", "    1")
    assert statements(few.format(direct=3)) == []
