"""Kinds of kernel messages, and the values in them.

Examples:
    workqueue: inode_switch_wbs_work_fn hogged CPU for >10000us 4 times, consider switching to WQ_UNBOUND
    watchdog: BUG: soft lockup - CPU#3 stuck for 22s! [kworker/3:1:1234]
    INFO: task df:1177107 blocked for more than 120 seconds.
    rcu: INFO: rcu_sched self-detected stall on CPU
    nf_conntrack: nf_conntrack: table full, dropping packet

Sources: the printk calls of kernel/workqueue.c, kernel/watchdog.c, kernel/hung_task.c,
kernel/rcu/tree_stall.h, mm/oom_kill.c, mm/page_alloc.c, net/netfilter/nf_conntrack_core.c,
net/ipv4/tcp.c; Linux 4.9 to 7.1.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from ingest.native.linear import Pattern

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ingest.model.reading import Cell


class Classified(NamedTuple):
    """The kind of a message and its named parts."""

    kind: str
    fields: Mapping[str, Cell]


_NUMERIC = frozenset(
    {
        "pid",
        "cpu",
        "seconds",
        "count",
        "threshold_us",
        "order",
        "uid",
        "gid",
        "oom_score_adj",
        "blocker_pid",
        "score",
    }
    | {"total_vm_kb", "anon_rss_kb", "file_rss_kb", "shmem_rss_kb", "pgtables_kb", "port"}
)

_TROUBLE = r"(?:[Ee]rror|[Ff]ail|[Cc]orrupt|abort|timed\ out|[Ss]hut(?:ting)?\ ?down|refused|not\ responding)"
"""A line of a filesystem or array that mounts or reports its version is ignored."""

# The order decides: the first that matches names the kind. Blanks inside patterns are written `\ `.
PATTERNS: tuple[tuple[str, str], ...] = (
    ("workqueue_hogged", r"""workqueue:\ (?P<function>\S+)(?:\ \[\S+\])?\ hogged\ CPU\ for
        \ >(?P<threshold_us>\d+)us\ (?P<count>\d+)\ times"""),
    ("workqueue_lockup", r"BUG:\ workqueue\ lockup\ -\ pool\ (?P<pool>.*?)\ stuck\ for\ (?P<seconds>\d+)s!"),
    ("soft_lockup", r"""(?:(?:NMI\ )?watchdog:\ )?BUG:\ soft\ lockup\ -\ CPU\#(?P<cpu>\d+)
        \ stuck\ for\ (?P<seconds>\d+)s!        (?:\ \[(?P<comm>.+):(?P<pid>\d{1,10})\])?"""),
    ("hard_lockup", r"""(?:(?:NMI\ )?watchdog:\ )?(?:CPU\d+:\ )?(?:BUG:\ )?(?:NMI\ watchdog:\ )?
        Watchdog\ detected\ hard\ LOCKUP\ on\ cpu\ (?P<cpu>\d+)"""),
    ("hung_task", r"""INFO:\ task\ (?P<comm>.+):(?P<pid>\d{1,10})\ blocked(?:\ in\ I/O\ wait)?
        \ for\ more\ than\ (?P<seconds>\d+)\ seconds"""),
    ("rcu_stall", r"(?:rcu:\ )?INFO:\ (?P<flavour>\w+)\ self-detected\ stall\ on\ CPU"),
    ("rcu_stall", r"(?:rcu:\ )?INFO:\ (?P<flavour>\w+)\ detected\ (?:expedited\ )?stalls\ on\ CPUs/tasks:"),
    ("rcu_stall", r"""(?:rcu:\ )?(?P<flavour>\w+)\ kthread
        \ (?:starved\ for|timer\ wakeup\ didn't\ happen\ for)\ \d+\ jiffies"""),
    ("oom_kill", r"oom-kill:constraint="),
    ("oom_kill", r"(?:Out|Memory\ cgroup\ out)\ of\ memory[^:]*:\ Kill(?:ed)?\ process\ \d+"),
    ("oom_kill", r"Killed\ process\ \d+,?\ .*total-vm:"),
    ("oom_invoked", r"""(?P<comm>.+)\ invoked\ oom-killer:
        (?:\ gfp_mask=(?P<gfp_mask>[^,]+),.*?order=(?P<order>-?\d+))?"""),
    ("oom_task_table", r"Tasks\ state\ \(memory\ values\ in\ pages\):|\[\ +pid\ +\]\ +uid\ +tgid\ total_vm"),
    ("oom_invoked", r"(?:memory(?:\+swap)?|kmem|swap):\ usage\ \d+kB,\ limit|Memory\ cgroup\ stats\ for\ "),
    ("page_allocation_failure", r"""(?:(?P<comm>.+):\ )?page\ allocation
        \ (?:failure|stalls\ for\ \d+ms)[:,].*?order:(?P<order>\d+)"""),
    ("cgroup_fork_rejected", r"cgroup:\ fork\ rejected\ by\ pids\ controller\ in\ (?P<cgroup>\S+)"),
    ("conntrack_full", r"(?:(?:net_ratelimit|(?:nf|ip)_conntrack\S*):\ )*table\ full,\ dropping\ packet"),
    ("syn_flood", r"""(?:TCP(?:v6)?:\ )?(?:request_sock_TCP(?:v6)?:\ )?[Pp]ossible\ SYN\ flooding
        \ on\ port\ (?P<port_text>\S+?)\.\ """),
    ("tcp_memory", r"TCP:\ (?:out\ of\ memory\ --\ consider\ tuning\ tcp_mem|too\ many\ orphaned\ sockets)"),
    ("nfs", r"nfs:\ server\ (?P<server>\S+?),?\ (?P<state>not\ responding|OK)"),
    ("nfs", rf"(?:NFS|nfs4?|lockd|RPC|SUNRPC|NFSD|nfsd):\ .*{_TROUBLE}"),
    ("md", rf"(?:md(?:\d+|/raid\S*|_\S+)?|raid\d+):\ .*(?:{_TROUBLE}|degraded|kicking|not\ clean)"),
    ("filesystem", rf"""(?:EXT[234]-fs|XFS|BTRFS|JBD2|FAT-fs|F2FS-fs|ZFS|OCFS2|GFS2|overlayfs)
        \b.*(?:{_TROUBLE}|warning|[Rr]emounting\ filesystem\ read-only)"""),
    ("filesystem", r"(?:blk_update_request|Buffer\ I/O\ error|print_req_error|I/O\ error)\b"),
    ("clocksource", r"clocksource:\ (?:timekeeping\ watchdog|Long\ readout|\S+\ wd|Override|.*unstable)"),
    ("clocksource", r"(?:(?:tsc|TSC):\ Marking\ TSC|Clocksource\ \S+\ unstable)"),
    ("mce", r"""(?:(?:mce:\ )?\[Hardware\ Error\]|\{\d+\}\[Hardware\ Error\]|EDAC\ .*\d+\ [CU]E\b
        |MCE:\ Killing|mce:\ .*(?:storm|Uncorrected|broadcast|events\ logged))"""),
    ("warn", r"WARNING:\ (?:(?:CPU:\ (?P<cpu>\d+)\ PID:\ (?P<pid>\d{1,10})\ )?at\ )?(?P<where>\S.*)$"),
    ("oops", r"""(?:BUG:\ |kernel\ BUG\ at\ |Oops:\ |general\ protection\ fault|divide\ error:
        |invalid\ opcode:|Unable\ to\ handle\ kernel\ |[Kk]ernel\ panic|Internal\ error:\ |PANIC:
        |stack\ segment:|Bad\ page\ state
        |UBSAN:\ |KASAN:\ )"""),
    ("call_trace", r"(?:Call\ Trace:|Backtrace:|NMI\ backtrace\ for\ cpu\ \d+|Call\ trace:)"),
)  # fmt: skip
_COMPILED = tuple((kind, Pattern(f"(?x){pattern}")) for kind, pattern in PATTERNS)
# One cheap test first: most lines of a boot log are none of these.
_ANY = re.compile(
    r"""(?x) hogged\ CPU | lockup | LOCKUP | blocked\  | stall | kthread\  | oom-kill
      | [Oo]ut\ of\ memory | Kill(?:ed)?\ process
      | Tasks\ state | pid\ +\] | :\ usage\  | cgroup\ stats | page\ allocation | fork\ rejected
      | table\ full | flooding
      | TCP:\  | nfs | NFS | lockd | RPC | md | raid | -fs | XFS | BTRFS | JBD2 | ZFS | OCFS2 | GFS2
      | overlayfs | I/O\ error
      | blk_update | lost\ page | locksource | TSC | mce | MCE | Hardware\ Error | EDAC | temperature
      | thermal | WARNING:
      | BUG | Oops | fault | divide\ error | invalid\ opcode | Unable\ to\ handle | panic | PANIC
      | Internal\ error
      | stack\ segment | Bad\ page | UBSAN | KASAN | [Cc]all\ [Tt]race | [Bb]acktrace"""
)
_THERMAL = re.compile(r"temperature (?:above threshold|/speed normal)|thermal throttl", re.IGNORECASE)
_STRONG = frozenset(
    {
        "workqueue_hogged",
        "workqueue_lockup",
        "soft_lockup",
        "hard_lockup",
        "hung_task",
        "rcu_stall",
        "oom_kill",
    }
    | {"oom_invoked", "oom_task_table", "page_allocation_failure", "cgroup_fork_rejected", "conntrack_full"}
    | {"syn_flood", "tcp_memory", "call_trace", "warn", "oops"}
)
REPORTS = frozenset(
    {
        "workqueue_lockup",
        "soft_lockup",
        "hard_lockup",
        "hung_task",
        "rcu_stall",
        "page_allocation_failure",
        "warn",
    }
    | {"oops", "call_trace"}
)
"""Kinds whose record goes on over the lines below: a trace, registers, a dump."""


def classify(message: str) -> Classified | None:
    """Return kind and values of a message, None if it is of no kind."""
    if not _ANY.search(message):
        return None
    if _THERMAL.search(message):
        return Classified("thermal", {})
    for kind, pattern in _COMPILED:
        if found := pattern.match(message):
            return Classified(kind, fields_of(found))
    return None


def fields_of(found: re.Match[str]) -> dict[str, Cell]:
    """Return the named parts that took part, numbers as floats."""
    return {
        name: float(text) if name in _NUMERIC else text
        for name, text in found.groupdict().items()
        if text is not None
    }


def is_unmistakable(line: str) -> bool:
    """Return whether a line without any prefix is a kernel message by its words alone."""
    found = classify(line)
    if found is None:
        return False
    if found.kind == "filesystem":
        return line.startswith(("EXT", "XFS (", "BTRFS", "JBD2", "blk_update_request", "Buffer I/O error"))
    if found.kind == "warn":
        return " PID: " in line
    return found.kind in _STRONG
