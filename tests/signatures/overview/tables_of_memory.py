"""Tables of memory, whole and quoted."""

from __future__ import annotations

TOP_MEMORY = """\
top - 14:02:50 up 16:38,  1 user,  load average: 1.90, 1.11, 1.45
MiB Mem :  88000.0 total,   1007.0 free,  86665.0 used,    328.0 buff/cache
MiB Swap:      0.0 total,      0.0 free,      0.0 used.    549.0 avail Mem
"""
SWAPPING = """\
procs -----------memory---------- ---swap-- -----io---- -system-- ------cpu-----
 r  b   swpd   free   buff  cache   si   so    bi    bo   in   cs us sy id wa st
 1  2 795604  12328   3980  46676 4096 9120  4100  9210  900 1500  4  6 85  5  0
"""
OLD_MEMINFO = """\
MemTotal:       24000000 kB
MemFree:          532324 kB
Buffers:          236832 kB
Cached:           459252 kB
AnonPages:       8199460 kB
Slab:           14876100 kB
SReclaimable:   14810428 kB
SUnreclaim:        65672 kB
"""
QUOTED_MEMINFO = """\
> Slab:           29249640 kB
> SReclaimable:   29201040 kB
> SUnreclaim:        48600 kB
"""
NODE_LINES = """\
[2836069.534839]  mapped:6173 shmem:19383 pagetables:10249 bounce:0
[2836069.534845] Normal free:16840kB min:45244kB low:61752kB high:78260kB active_anon:5042708kB
"""
MEMCG_LINES = """\
 kern:    info: [2025-05-18T15:40:20.675652542Z]: unevictable 0
 kern:    info: [2025-05-18T15:40:20.675654542Z]: slab_unreclaimable 143096
"""
FREE_WITHOUT_COMMAND = """\
              total        used        free      shared  buff/cache   available
Mem:          15885       15402         201         311         281         120
Swap:          2047        2040           7
"""
FREE_WITH_UNITS = """\
               total        used        free      shared  buff/cache   available
Mem:            62Gi        61Gi       401Mi       1.1Gi       1.2Gi       712Mi
"""

TABLES = {
    "quoted lines of meminfo": (QUOTED_MEMINFO, "27.8 GiB of memory is reclaimable slab, 99.8 % of all slab"),
    "zone lines without a head": (NODE_LINES, "Memory is short in zone Normal: 16.45 MiB are free, below"),
    "lines of a memory cgroup": (MEMCG_LINES, "the lines that name the cgroup and the killed process"),
    "free without its command": (
        FREE_WITHOUT_COMMAND,
        "Only 0.117 of 15.5 GiB (0.76 %) of memory is available",
    ),
    "free with units": (FREE_WITH_UNITS, "Only 0.695 of 62 GiB (1.12 %) of memory is available"),
    "slab without MemAvailable": (OLD_MEMINFO, "of memory is reclaimable slab"),
    "memory in top": (TOP_MEMORY, "of memory is available"),
    "swapping": (SWAPPING, "are swapped in and"),
}
"""Output by what it is, with words of its headline."""
