"""Formulas of derived facts.

`memcg.usage_share` is usage ÷ limit, not computed from memory.stat: cache + rss excludes kernel memory (0.962
in the published files, where usage equals the limit).
"""

from __future__ import annotations

DERIVED = {
    "memcg.usage_share": "memcg.usage_bytes / memcg.limit_bytes",
    "memcg.steal_share": "memcg.stat.pgsteal / memcg.stat.pgscan",
    "memcg.refault_share": "memcg.stat.workingset_refault_file / memcg.stat.pgsteal",
    "memcg.refault_per_charge_share": "memcg.stat.workingset_refault_file / memcg.stat.pgpgin",
    "process.cpu.kernel_share": (
        "process.cpu.system_share / (process.cpu.system_share + process.cpu.user_share)"
    ),
    "perf.stat.faults_per_cpu_second": "perf.stat.page_faults / (perf.stat.task_clock_ms / 1000)",
    "vmstat.direct_steal_share": "vmstat.pgsteal_direct / vmstat.pgscan_direct",
    "vmstat.kswapd_steal_share": "vmstat.pgsteal_kswapd / vmstat.pgscan_kswapd",
    "cgroup.cpu.throttled_periods_share": "cgroup.cpu.nr_throttled / cgroup.cpu.nr_periods",
    "meminfo.available_share": "meminfo.memavailable_bytes / meminfo.memtotal_bytes",
    "net.tcp.retransmitted_share": "net.tcp.retranssegs / net.tcp.outsegs",
    "perf.stat.switches_per_cpu_second": "perf.stat.context_switches / (perf.stat.task_clock_ms / 1000)",
    "cgroups.memory.dead": "cgroups.memory.num_cgroups - cgroups.memory.dirs",
}
"""Name to expression over facts. Counters since boot give averages; use `delta` for current rates."""
