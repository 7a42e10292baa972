"""Derived facts: their formulas, and arithmetic in which they are replaced by these formulas.

`memcg.usage_share` is usage ÷ limit, not computed from memory.stat: cache + rss excludes kernel memory (0.962
in the published files, where usage equals the limit).
"""

from __future__ import annotations

from functools import lru_cache

from signatures.language import expression
from signatures.language.expression import Call, Name, Node, Operation

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
    # Where the size of a page is not known: a bound that holds with pages of 4 KiB holds with larger ones.
    "page.smallest_bytes": "4096",
    "cgroups.memory.dead": "cgroups.memory.num_cgroups - cgroups.memory.dirs",
}
"""Name to expression over facts. Counters since boot give averages; use `delta` for current rates."""


@lru_cache(maxsize=8192)
def resolved(text: str) -> Node:
    """Parse arithmetic and replace derived names by their formulas."""
    return _replace(expression.parse(text))


def _replace(node: Node) -> Node:
    if isinstance(node, Name):
        return _replace(expression.parse(DERIVED[node.name])) if node.name in DERIVED else node
    if isinstance(node, Operation):
        return Operation(node.op, _replace(node.left), _replace(node.right))
    if isinstance(node, Call):
        return Call(node.function, tuple(_replace(argument) for argument in node.arguments))
    return node
