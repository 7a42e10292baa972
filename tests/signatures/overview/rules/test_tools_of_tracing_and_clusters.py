"""What lsof, kubectl, schedstat, pagetypeinfo and tracing tools say is in the first screen."""

from __future__ import annotations

import pytest

from tests.ingest.samples import DATA
from tests.signatures.overview.test_first_screen import overview, states

LSOF = """\
COMMAND  PID USER   FD   TYPE DEVICE   SIZE/OFF     NODE NAME
java    4312 app   11w   REG  253,0 {size} 16777634 /var/log/app.log (deleted)
"""
SCHEDSTAT = """\
version 15
timestamp 4294901183
cpu0 0 0 0 0 0 0 16196988455 {wait} 2457
domain0 3 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0
cpu1 0 0 0 0 0 0 16495602736 5587218291 2521
"""
PAGE_BLOCKS = """\
Number of blocks type     Unmovable      Movable  Reclaimable   HighAtomic      Isolate
Node 0, zone   Normal         {fixed}         2000          923            0            0
"""
PERCENTILES = "sda          p50   p99  p100\nread       985us {slow}  1.5s\nwrite        5us 965us 1.5ms\n"
FORKS = "18:33:09: PIDs/sec: 4\n18:33:10: PIDs/sec: {count}\n"
QUEUES = """\
# ./netqtop.py -n eth0
RX
 QueueID    avg_size   [0, 64)   [64, 512)  [512, 2K)  [2K, 16K)  [16K, 64K)
    0         127        {first}K      0          0          0          0
    1         127        300        0          0          0          0
"""


@pytest.mark.parametrize(
    ("text", "question", "headline"),
    [
        (
            LSOF.format(size="9663676416"),
            "io",
            "java keeps deleted files of 9216 MiB open, whose space is not free",
        ),
        (
            SCHEDSTAT.format(wait="25740705596"),
            "scheduling",
            "Tasks waited for CPU 0 159 % as long as they ran on it, since boot",
        ),
        (
            PAGE_BLOCKS.format(fixed="4800"),
            "memory",
            "74.1 % of the page blocks of node 0, zone Normal hold memory of the kernel",
        ),
        (PERCENTILES.format(slow="812ms"), "io", "One in a hundred reads of sda takes 812 ms or more"),
        (FORKS.format(count="2140"), "scheduling", "2,140 processes were created in one second"),
        (QUEUES.format(first="40"), "network", "99.3 % of 41,260 packets received at eth0 in queue 0 of 2"),
    ],
)
def test_what_stands_out_is_the_headline(text, question, headline):
    made = overview(text)
    assert made.headline.text.startswith(headline)
    assert states(made)[question] == "notable"


@pytest.mark.parametrize(
    "text",
    [
        LSOF.format(size="96636764"),
        SCHEDSTAT.format(wait="2574070559"),
        PAGE_BLOCKS.format(fixed="300"),
        PERCENTILES.format(slow="8.5ms"),
        FORKS.format(count="214"),
        QUEUES.format(first="0.5"),
    ],
)
def test_what_is_usual_is_not(text):
    assert "notable" not in states(overview(text)).values()


@pytest.mark.parametrize(
    ("sample", "said"),
    [
        ("kubectl-top/nodes.txt", "96 % of the memory of node worker-1 that is for pods is in use"),
        (
            "retsnoop/bpf-map-create.txt",
            "1 call of a kernel function failed while traced at bpf_map_alloc_percpu",
        ),
        ("dropwatch/refused-ports.txt", "10 packets were dropped while traced, 6 by tcp_v4_rcv"),
        ("bcc-events/filegone.txt", "5 files were deleted or renamed while traced, all by vim"),
    ],
)
def test_samples_say_what_they_show(sample, said):
    made = overview((DATA / sample).read_text())
    assert said in {one.statement.text for one in made.statements}
