"""Quality remarks: each kind on a text that has the weakness, and not on the text without it."""

from __future__ import annotations

import re

import pytest

from ingest.evidence import read_file
from ingest.model import reading as module

CALLER = "\tffffffff81000001 do_syscall_64+0x1 ([kernel.kallsyms])\n"


def samples(
    count=400,
    *,
    event="cpu-clock:ppp",
    period="10101010 ",
    seconds=10.0,
    leaf="vfs_read+0x1 ([kernel.kallsyms])",
    depth=1,
    caller=CALLER,
):
    """`perf script` of so many samples."""
    heads = (f"app 7 [000] {100 + at * seconds / count:.6f}: {period}{event}:\n" for at in range(count))
    return "\n".join(f"{head}\tffffffff81000000 {leaf}\n{caller * depth}" for head in heads)


TASK = "kernel: INFO: task df:1177107 blocked for more than 120 seconds.\n"
BOOT = "[    0.000000] Linux version 6.12.9 (gcc) #1 SMP\n"
OOM = "[ 9.000000] Out of memory: Killed process 7 (a) total-vm:1kB, anon-rss:1kB, file-rss:1kB\n"
TABLE = "    64.28%  [kernel]       [k] shrink_lruvec\n     3.28%  [kernel]       [k] shrink_node\n"
SCREEN = "   PerfTop:    8062 irqs/sec  kernel:100.0%  exact:  0.0% lost: {}/{} drop: 0/0 [4000Hz cycles]\n"
STACK = "#0  shrink_lruvec\n#1  shrink_node\n#2  do_try_to_free_pages\n"
VMSTAT = """\
procs -----------memory---------- ---swap-- -----io---- -system-- ------cpu-----
 r  b   swpd   free   buff  cache   si   so    bi    bo   in   cs us sy id wa st
 {}  0      0 812344 102400 5340000    0    0    12    40 1500 2400 30  8 48  2 12
"""
PLAIN = samples(event="cycles", leaf="vfs_read+0x1 ([kernel.kallsyms])")
FREE = """\
       total   used   free   shared  buff/cache  available
Mem:   15885  15402    201      311         281        120
"""
EACH = {
    "assumed_unit": (FREE, f"$ free -m\n{FREE}"),
    "excerpt": (f"$ perf top --stdio | head\n{TABLE}", f"{SCREEN.format(0, 0)}{TABLE}"),
    "filtered": (f"$ perf script | grep -v x\n{PLAIN}", PLAIN),
    "no_weights": (STACK, PLAIN),
    "no_header": (TABLE, f"{SCREEN.format(0, 0)}{TABLE}"),
    "few_samples": (samples(20), samples(2000)),
    "since_boot": (VMSTAT.format(1), VMSTAT.format(1) + VMSTAT.splitlines(keepends=True)[2].format(2)),
    "too_short": (samples(seconds=0.4), PLAIN),
    "mostly_idle": (samples(leaf="pv_native_safe_halt+0x1 ([kernel.kallsyms])", caller=""), PLAIN),
    "skid": (samples(), PLAIN),
    "frequency_mode": (samples(event="cycles:P", period=""), PLAIN),
    "lost_events": (f"{SCREEN.format(7, 7)}{TABLE}", f"{SCREEN.format(0, 0)}{TABLE}"),
    "unknown_frames": (samples(leaf="[unknown] ([unknown])"), PLAIN),
    "truncated_stacks": (samples(depth=130), PLAIN),
    "user_only": (samples(leaf="main+0x1 (/usr/bin/app)", caller="").replace("ffffffff", "55d0"), PLAIN),
    "cut_off": ('1 read(3, "a", 1) = 1 <0.000100>\n1 openat(AT_FDCWD, "/proc/7', PLAIN),
    "mixed_hosts": (f"Feb 04 00:07:13 db1 {TASK}Feb 04 00:07:14 db2 {TASK}", f"Feb 04 00:07:13 db1 {TASK}"),
    "mixed_boots": (OOM + BOOT + OOM, BOOT + OOM),
    "no_times": (f"<3> [x] {TASK}", f"10:00:01 | {TASK}"),
}


def qualities(tmp_path, text, name="paste"):
    path = tmp_path / name
    path.write_text(text)
    return {remark for section in read_file(path).sections for remark in section.reading.quality_names}


@pytest.mark.parametrize("name", EACH)
def test_it_is_reported_only_where_it_occurs(tmp_path, name):
    weak, sound = EACH[name]
    assert name in qualities(tmp_path, weak)
    assert name not in qualities(tmp_path, sound)


def test_a_path_derived_from_the_file_name_is_assumed(tmp_path):
    assert "assumed_path" in qualities(tmp_path, "0x0007\n", name="lru_gen_enabled.txt")


def test_every_kind_that_is_documented_is_among_them():
    found = re.search(r"`name` is one of: (.*?)\n    `detail`", module.Quality.__doc__, re.DOTALL)
    assert sorted(re.findall(r"`(\w+)`", found[1])) == sorted([*EACH, "assumed_path"])
