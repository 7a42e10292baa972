"""A global out-of-memory report states who holds the memory of the machine."""

from __future__ import annotations

import pytest

from ingest.model.section import Text
from ingest.readers.logs import kernel_log

REPORT = """[   61.100] dd invoked oom-killer: gfp_mask=0xcc0(GFP_KERNEL), order=0, oom_score_adj=0
[   61.100] Mem-Info:
[   61.100] active_anon:1000 inactive_anon:2000 isolated_anon:0
[   61.100]  slab_reclaimable:100 slab_unreclaimable:300
[   61.100]  mapped:17 shmem:2500 pagetables:411
[   61.100] Node 0 active_anon:4000kB inactive_anon:8000kB shmem:10000kB
[   61.100] Free swap  = 4kB
[   61.100] Total swap = 8kB
[   61.100] {ram} pages RAM
[   61.100] oom-kill:constraint=CONSTRAINT_NONE,nodemask=(null),cpuset=/,mems_allowed=0,global_oom,\
task_memcg=/,task=dd,pid=7,uid=0
[   61.100] Out of memory: Killed process 7 (dd) total-vm:1kB, anon-rss:1kB, file-rss:0kB, shmem-rss:0kB
"""


def fields_of(ram: str):
    (record,) = kernel_log.read(Text(REPORT.format(ram=ram).splitlines())).log_records
    return record.fields


def test_owners_are_shares_of_ram_and_lines_of_a_node_are_left_out():
    fields = fields_of("5000")
    assert fields["scope"] == "global"
    assert (fields["active_anon_pages"], fields["shmem_pages"]) == (1000.0, 2500.0)
    shares = ("anonymous_share", "shmem_share", "slab_unreclaimable_share")
    assert [fields[name] for name in shares] == pytest.approx([0.6, 0.5, 0.06])
    assert (fields["free_swap_kb"], fields["total_swap_kb"]) == (4.0, 8.0)


def test_without_the_size_of_the_machine_there_are_no_shares():
    assert {name for name in fields_of("0") if name.endswith("_share")} == set()
