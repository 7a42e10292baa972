"""`atopsar` states shares of one CPU, and glues the name of a table to its last column."""

from __future__ import annotations

from ingest.model.section import Text
from ingest.readers.sysstat import atopsar
from tests.ingest.samples import rows, values, whole

SWAP = """\
05:00:01  pagescan/s  swapin/s swapout/s oomkill  commitspc  commitlim   _swap_
05:10:01      812.30    100.00    300.00       2     13116M     12052M *
05:20:01        0.00      0.00    100.00       1     13116M     12052M
"""


def test_shares_of_all_cpus_are_divided_by_their_number():
    reading = whole("atopsar/atopsar-A.txt")
    assert values(reading, cpu="all")["cpu.user_share"] == 0.3825
    assert values(reading, cpu="1")["cpu.user_share"] == 0.445


def test_tables_without_a_blank_before_their_name_and_without_a_name_are_read():
    reading = whole("atopsar/atopsar-A.txt")
    assert values(reading, interface="lo")["sar.rxdrop_per_second"] == 0
    assert rows(reading, "atopsar:psi")[0]["cpusome"] == 0.62
    assert rows(reading, "atopsar:if")[0]["ipack_per_second"] == 196
    (skipped,) = reading.skipped
    assert skipped.reason == "a list of processes"


def test_kills_are_counted_and_rates_are_means_of_all_looks():
    found = values(atopsar.read(Text(lines=SWAP.splitlines())))
    assert (found["atopsar.oom_kills"], found["sar.pswpout_per_second"]) == (3, 200)
